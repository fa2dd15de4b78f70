"""A Spark Connect server as a database of the desk: what it is asked, and what a user reads when it fails."""

import contextlib
import socket
import threading
from collections.abc import Generator, Iterator

import pyspark.sql.connect.proto as proto
import pytest
from pydantic import SecretStr

from smoldesk.errors import BadInput, DeskError
from smoldesk.messages import Filter
from smoldesk.stopping import StopFlag
from smoldesk.tools.databases import ConnectedDatabases, Page, Unavailable
from smoldesk.tools.databases.addresses import check_of_a_person, read_address, without_password
from smoldesk.tools.databases.spark.spark_connection import is_encrypted
from smoldesk.tools.databases.spark.wire import field
from tests.support.spark_connect import ConnectServer, batch, connect_server, progress
from tests.support.waiting import come_true


def databases_of(url: str, seconds: float = 5.0) -> ConnectedDatabases:
    return ConnectedDatabases({"lake": SecretStr(url)}, ["lake"], seconds)


def rows(_request: bytes) -> Iterator[bytes]:
    yield progress(1, 2)
    yield batch([{"id": 1, "name": "a"}])
    yield batch([{"id": 2, "name": None}])


def hang(server: list[ConnectServer]) -> Iterator[bytes]:
    server[0].ended.wait(20)
    yield from ()


@contextlib.contextmanager
def garbage_server(data: bytes) -> Generator[int]:
    """A server that answers each connection with the same bytes, and reads nothing."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(0.1)
    done = threading.Event()
    connections: list[socket.socket] = []

    def serve() -> None:
        while not done.is_set():
            with contextlib.suppress(OSError):
                connection, _ = listener.accept()
                connections.append(connection)
                connection.sendall(data)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield listener.getsockname()[1]
    done.set()
    thread.join(5)
    for connection in [listener, *connections]:
        connection.close()


def test_a_query_is_sent_in_parentheses_with_a_limit_and_its_rows_come_back() -> None:
    shares: list[float] = []
    with connect_server(rows) as server:
        databases = databases_of(f"{server.url}/;token=t0ken;user_id=ann")
        answer = databases.query("lake", "SELECT * FROM t -- all", on_progress=shares.append)
        assert (answer.columns, answer.rows, answer.truncated) == (
            ["id", "name"],
            [[1, "a"], [2, None]],
            False,
        )
        assert shares == [0.5]
        sent = proto.ExecutePlanRequest.FromString(server.plans()[0])
        assert sent.plan.root.limit.limit == 10_001
        assert sent.plan.root.limit.input.sql.query == "SELECT * FROM (\nSELECT * FROM t -- all\n)"
        assert sent.user_context.user_id == "ann" and server.tokens == {"Bearer t0ken"}
        with pytest.raises(BadInput, match="only reading is allowed"):
            databases.query("lake", "DROP TABLE t")
        assert sum(b"SELECT" in plan for plan in server.plans()) == 1


def test_a_page_binds_what_people_search() -> None:
    with connect_server(rows) as server:
        filters = [Filter(column="id", op="gt", value="1'; DROP TABLE t")]
        databases = databases_of(server.url)
        with pytest.raises(BadInput, match="is not a number"):
            databases.inspect("lake", lambda source: source.page(Page("sales", "t", filters=filters)))
        page = Page(
            "sales", "o`t", sort=[("id", True)], filters=[Filter(column="id", op="le", value=2)], offset=10
        )
        databases.inspect("lake", lambda source: source.page(page))
        sql = proto.ExecutePlanRequest.FromString(server.plans()[0]).plan.root.limit.input.sql
        assert "FROM `sales`.`o``t`" in sql.query and "WHERE `id` <= :param_1" in sql.query
        assert sql.named_arguments["param_1"].literal.integer == 2
        assert databases.inspect("lake", lambda source: source.columns("sales", "t"))[0].type == "bigint"


def test_a_stop_ends_the_operation_at_the_server() -> None:
    servers: list[ConnectServer] = []
    with connect_server(lambda _: hang(servers)) as server:
        servers.append(server)
        stop, report = StopFlag(), list[str]()

        def ask() -> None:
            try:
                databases_of(server.url).query("lake", "SELECT 1", stop)
            except BadInput as fault:
                report.append(fault.message)

        asking = threading.Thread(target=ask)
        asking.start()
        come_true(server.plans)
        stop.set("enough")
        asking.join(10)
        operation = proto.ExecutePlanRequest.FromString(server.plans()[0]).operation_id
        assert "it was stopped" in report[0] and set(server.interrupted) == {operation}


def test_a_query_that_takes_too_long_is_ended() -> None:
    servers: list[ConnectServer] = []
    with connect_server(lambda _: hang(servers)) as server:
        servers.append(server)
        with pytest.raises(BadInput, match=r"it took more than 0.12 seconds"):
            databases_of(server.url, seconds=0.01).query("lake", "SELECT 1")
        assert server.interrupted


def test_a_server_that_is_gone_or_talks_nonsense_is_reported_in_words(free_port: int) -> None:
    def fault_of(url: str) -> str:
        with pytest.raises(DeskError) as fault:
            databases_of(url).inspect("lake", lambda source: source.columns("", "t"))
        return fault.value.message

    assert "nothing listens there" in fault_of(f"sc://127.0.0.1:{free_port}")
    assert "no such host" in fault_of("sc://no-such-host.invalid")
    with garbage_server(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n") as port:
        assert "does not answer as Spark Connect" in fault_of(f"sc://127.0.0.1:{port}")
    with garbage_server(b"\x00" * 400) as port:
        assert "cannot be reached now" in fault_of(f"sc://127.0.0.1:{port}")


def test_a_syntax_error_is_not_taken_for_another_protocol() -> None:
    def fail(_: bytes) -> Iterator[bytes]:
        yield progress(1, 2)
        raise RuntimeError("[PARSE_SYNTAX_ERROR] Syntax error at or near '1'.")

    with connect_server(fail) as server, pytest.raises(BadInput, match="Syntax error at or near '1'"):
        databases_of(server.url).query("lake", "SELECT 1 1")


@pytest.mark.parametrize("data", [b"no arrow", b"\xff\xff\xff\xff\x10\x00\x00\x00" + b"\x07" * 64])
def test_an_answer_that_is_no_arrow_data_is_reported_in_words(data: bytes) -> None:
    message = field(2, field(1, 1) + field(2, data))
    with (
        connect_server(lambda _: iter([message])) as server,
        pytest.raises(BadInput, match="The query failed"),
    ):
        databases_of(server.url).query("lake", "SELECT 1")


def test_addresses_keep_the_token_apart() -> None:
    url = read_address("lake", "sc://host:15002/;token=a%2Fb;use_ssl=true;user_id=ann")
    assert (url.username, url.password, url.query["use_ssl"]) == ("ann", "a/b", "true")
    assert without_password(url) == "sc://ann@host:15002/?use_ssl=true"
    again = read_address("lake", url.render_as_string(hide_password=False))
    assert again == url and is_encrypted(again)
    assert is_encrypted(read_address("lake", "sc://host/;token=t"))
    assert not is_encrypted(read_address("lake", "sc://127.0.0.1/;token=t"))


@pytest.mark.parametrize(
    ("address", "text"),
    [
        ("hive://reader@host:10000/default", "Spark Connect"),
        ("sc://host/;token=t;use_ssl=false", "without encryption"),
        ("sc://host/;session_id=x", "session_id"),
        ("sc://host/default", "a path"),
        ("sc://host/;use_ssl=maybe", "neither true nor false"),
    ],
)
def test_an_address_that_cannot_be_used_says_why(address: str, text: str) -> None:
    with pytest.raises(BadInput) as fault:
        read_address("lake", address)
    assert text in f"{fault.value.message} {fault.value.hint}"


def test_only_the_operator_lets_a_source_read_files_of_its_server() -> None:
    url = read_address("lake", "sc://host:15002/;file_paths=true")
    with pytest.raises(BadInput, match="only the operator may say: file_paths"):
        check_of_a_person("lake", url)


def test_a_dead_server_stops_no_other_database() -> None:
    with connect_server(rows) as server:
        databases = ConnectedDatabases(
            {"dead": SecretStr("sc://127.0.0.1:9"), "lake": SecretStr(server.url)}, ["dead", "lake"]
        )
        with pytest.raises(Unavailable, match="nothing listens there"):
            databases.query("dead", "SELECT 1")
        assert databases.query("lake", "SELECT 1").rows == [[1, "a"], [2, None]]
