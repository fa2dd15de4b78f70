"""Servers of PyPI and npm, driven for real through the desk's client: time, git, filesystem, everything, PostgreSQL."""

import contextlib
import os
import socket
import subprocess
import threading
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url

from smoldesk.sandbox.isolation import jail_here
from smoldesk.store.asks import Answer
from smoldesk.tools.mcp_servers import McpServers
from tests import node_support
from tests.support.postgres import TestPostgres
from tests.tools.mcp_servers.support import Call, caller, entry, node_server, python_server

needs_node = pytest.mark.skipif(
    not node_support.is_installed(node_support.MCP_SERVERS), reason="no npm packages"
)
needs_python = pytest.mark.skipif(not python_server("mcp-server-time"), reason="no mcp-server-time")


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    (folder / "plan.txt").write_text("buy ink")
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for text in (["init", "-q"], ["add", "."], ["commit", "-qm", "the first"]):
        subprocess.run(
            ["git", *who, *text],
            cwd=folder,
            check=True,
            env={"PATH": os.environ["PATH"], "HOME": str(folder)},
        )
    return folder


@pytest.fixture(scope="module")
def database(postgres: TestPostgres) -> Iterator[str]:
    with postgres.database() as url:
        parts = make_url(url)
        with postgres.admin(str(parts.database)) as connection:
            connection.execute(
                "CREATE TABLE orders AS SELECT n AS id, n * 2 AS price FROM generate_series(1, 9) n"
            )
        with over_tcp(Path(str(parts.query["host"])) / ".s.PGSQL.5432") as port:
            yield f"postgresql://postgres@127.0.0.1:{port}/{parts.database}"
        with postgres.admin(str(parts.database)) as connection:
            connection.execute("DROP TABLE orders")


@contextlib.contextmanager
def over_tcp(path: Path) -> Generator[int]:
    """A port that leads to a Unix socket, which nobody but its owner may open."""

    def carry(source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while piece := source.recv(65536):
                target.sendall(piece)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                ours, _ = listening.accept()
                theirs = socket.socket(socket.AF_UNIX)
                theirs.connect(str(path))
                for ends in ((ours, theirs), (theirs, ours)):
                    threading.Thread(target=carry, args=ends, daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=serve, daemon=True).start()
        yield listening.getsockname()[1]


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory, docs: Path, database: str) -> Iterator[McpServers]:
    data = tmp_path_factory.mktemp("desk")
    entries = [
        entry("time", command=python_server("mcp-server-time") or "none"),
        entry(
            "git",
            command=python_server("mcp-server-git") or "none",
            args=["-r", str(docs)],
            writable=[str(docs)],
        ),
        entry("files", **node_server("filesystem", str(docs), "/etc", writable=[str(docs)])),
        entry("all", **node_server("everything")),
        entry("shop", **node_server("postgres", database, network=True)),
    ]
    mcp_servers = McpServers(entries, data, jail_here(data))
    yield mcp_servers
    mcp_servers.close()


@pytest.fixture(scope="module")
def call(servers: McpServers) -> Callable[..., Any]:
    return caller(servers)


@needs_python
def test_time_and_git(call: Callable[..., Any], servers: McpServers, docs: Path) -> None:
    result = call("time_convert_time", source_timezone="Asia/Tokyo", target_timezone="UTC", time="12:00")
    assert result["target"]["datetime"].endswith("03:00:00+00:00"), "data, as its schema says"
    assert "Invalid timezone" in call("time_get_current_time", timezone="Mars/Base")
    assert "the first" in call("git_git_log", repo_path=str(docs))
    approvals = {item.tool: item.approval for item in servers.offered([])["git"]}
    assert (approvals["git_log"], approvals["git_commit"]) == ("never", "once")


@needs_node
def test_filesystem_keeps_to_what_the_operator_gave_it(call: Callable[..., Any], docs: Path) -> None:
    assert call("files_read_text_file", path=str(docs / "plan.txt")) == {"content": "buy ink"}
    call("files_write_file", path=str(docs / "new.txt"), content="more ink")
    assert (docs / "new.txt").read_text() == "more ink"
    assert "outside allowed" in call("files_read_text_file", path="/usr/bin/env"), "its own rule"
    if jail_here(docs).report().isolated:
        message = call("files_read_text_file", path="/etc/shadow")  # which it was told that it may read
        assert message.startswith("fault:") and ("ENOENT" in message or "EACCES" in message), "the jail's"


@needs_node
def test_everything_there_is(call: Callable[..., Any], servers: McpServers) -> None:
    assert call("all_get_sum", a=2, b=3).startswith("The sum of 2 and 3 is 5")
    assert set(call("all_get_structured_content", location="Chicago")) == {
        "temperature",
        "conditions",
        "humidity",
    }
    assert "data:image/png;base64," in call("all_get_tiny_image")
    context = Call()
    assert "completed" in call("all_trigger_long_running_operation", context, duration=0.2, steps=4)
    assert [share for _, share in context.said] == [0.25, 0.5, 0.75, 1.0]
    context = Call([Answer(granted=False)])
    assert "declined" in call("all_trigger_elicitation_request", context)
    assert context.asked[0].prompt.startswith("all: Please provide inputs")
    variables = call("all_get_env")
    assert "HOME" in variables and "SMOLDESK" not in variables
    text = call("read_mcp_resource", server="all", uri="demo://resource/dynamic/text/1")
    assert "plaintext resource" in text
    problems = {item.tool: item.problem for item in servers.offered([])["all"]}
    assert "task" in problems["simulate-research-query"], "what the desk cannot do is said"
    assert servers.get("all").features.prompts


@needs_node
def test_a_database_and_thirty_calls_at_once(call: Callable[..., Any], servers: McpServers) -> None:
    by_name: dict[int, str] = {}

    def item(number: int) -> None:
        sql = f"SELECT {number} AS n, sum(price)::int AS s FROM orders"
        by_name[number] = call("shop_query", Call(chat_id=str(number)), sql=sql)

    threads = [threading.Thread(target=item, args=(number,)) for number in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert all(
        f'"n": {number}' in by_name[number] and '"s": 90' in by_name[number] for number in range(30)
    ), by_name
    assert "read-only transaction" in call("shop_query", sql="DROP TABLE orders")
    assert any("orders" in str(resource.uri) for resource in servers.get("shop").features.resources)
