"""Two servers on one PostgreSQL with one key file: sources, models and MCP servers of one are those of the other."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from smoldesk.errors import DeskError, NotFound
from smoldesk.stopping import StopFlag
from smoldesk.store import notifications
from smoldesk.store.notifications import Notifications
from smoldesk.store.sealing import Seal, add_key
from smoldesk.tools.mcp_servers.failures import McpFailed
from smoldesk.tools.mcp_servers.server_calls import NullAsker
from tests.support import model_servers
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.openai_server import OpenAIServer, Says, Seen
from tests.support.postgres import TestPostgres
from tests.support.waiting import come_true
from tests.support.ws_client import WsClient
from tests.tools.mcp_servers import authorizing_server

KEY = "sk-of-the-provider-4711"
Two = tuple[LiveDesk, LiveDesk]


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory, postgres: TestPostgres) -> Iterator[Two]:
    folder = tmp_path_factory.mktemp("lists")
    add_key(folder / "keys")
    with (
        postgres.desk_database() as url,
        live_desk(folder / "a", database_url=url, key_file=folder / "keys", model_retries=0) as a,
        live_desk(folder / "b", database_url=url, key_file=folder / "keys", model_retries=0) as b,
    ):
        yield a, b


@pytest.fixture
def deaf(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every notification is lost, and nothing is polled."""
    monkeypatch.setattr(Notifications, "_notify", lambda *_: None)


@pytest.fixture(scope="module")
def shop(postgres: TestPostgres) -> Iterator[str]:
    with postgres.database("CREATE TABLE orders (id int); INSERT INTO orders VALUES (1), (2)") as url:
        yield url


def send(method: str, desk: LiveDesk, path: str, **body: Any) -> httpx.Response:
    return httpx.request(method, f"{desk.url}/api{path}", json=body or None, timeout=60)


def answer(desk: LiveDesk, model: str) -> dict[str, Any]:
    """How a run by this model ends, in a new chat; the model is set as the chat was made, whatever the list says."""
    chat = send("POST", desk, "/chats").json()["id"]
    assert send("PATCH", desk, f"/chats/{chat}", model=model).status_code == 200
    return asked(desk, chat)


def asked(desk: LiveDesk, chat: str) -> dict[str, Any]:
    with WsClient(desk.ws_url, f"?chat={chat}").greeted() as socket:
        return socket.ask("hi")[-1]["content"]


def test_a_source_that_one_server_added_is_read_by_the_other_and_refused_when_deleted(
    two: Two, shop: str, deaf: None
) -> None:
    a, b = two
    assert send("POST", a, "/sources", name="shop", url=shop).status_code == 201
    assert send("GET", b, "/sources/shop/tables?schema=public").json()["names"] == ["orders"]
    assert len(send("POST", b, "/sources/shop/rows", table="orders", schema="public").json()["rows"]) == 2
    assert send("DELETE", b, "/sources/shop").status_code == 204
    assert send("POST", a, "/sources/shop/rows", table="orders", schema="public").status_code == 404
    assert send("POST", a, "/sources", name="shop", url=shop).status_code == 201, "the name is free again"
    assert send("DELETE", a, "/sources/shop").status_code == 204
    assert send("GET", b, "/sources/shop/tables?schema=public").status_code == 404


def test_another_database_under_the_same_name_replaces_it_everywhere(
    two: Two, shop: str, postgres: TestPostgres, deaf: None
) -> None:
    a, b = two
    with postgres.database("CREATE TABLE letters (id int)") as other:
        for url, table in ((shop, "orders"), (other, "letters")):
            assert send("POST", a, "/sources", name="shop", url=url).status_code == 201
            assert send("GET", b, "/sources/shop/tables?schema=public").json()["names"] == [table]
            assert send("DELETE", a, "/sources/shop").status_code == 204


def test_a_source_whose_key_cannot_be_read_leaves_the_others_usable_and_comes_back(
    two: Two, shop: str, deaf: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = two

    def unreadable(*_: object) -> str:
        raise DeskError("The key file 'keys' cannot be read.", code="bad_key_file")

    def tables(name: str) -> httpx.Response:
        return send("GET", b, f"/sources/{name}/tables?schema=public")

    assert send("POST", a, "/sources", name="early", url=shop).status_code == 201
    assert tables("early").json()["names"] == ["orders"]
    with monkeypatch.context() as patch:
        patch.setattr(Seal, "unseal", unreadable)
        assert send("POST", a, "/sources", name="late", url=shop).status_code == 201
        assert (tables("late").status_code, tables("early").json()["names"]) == (404, ["orders"])
        assert "'keys' cannot be read" in send("GET", b, "/sources").text
    assert tables("late").json()["names"] == ["orders"]
    assert "cannot be read" not in send("GET", b, "/sources").text
    for name in ("early", "late"):
        assert send("DELETE", b, f"/sources/{name}").status_code == 204
        assert tables(name).status_code == 404


def test_a_change_reaches_the_other_server_by_a_notification_and_without_one_by_the_poll(
    two: Two, shop: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = two
    databases = b.desk.sources.databases
    with monkeypatch.context() as patch:
        patch.setattr(notifications, "POLL_SECONDS", 3_600)
        assert send("POST", a, "/sources", name="shop", url=shop).status_code == 201
        come_true(lambda: "shop" in databases.names())
    monkeypatch.setattr(Notifications, "_dispatch", lambda *_: None)
    assert send("DELETE", a, "/sources/shop").status_code == 204
    come_true(lambda: "shop" not in databases.names())


def test_a_model_that_one_server_added_answers_at_the_other_and_is_refused_when_deleted(two: Two) -> None:
    a, b = two

    def reply(received: Seen) -> Says:
        assert received.key == KEY
        return Says("<code>final_answer('hello')</code>")

    with OpenAIServer(reply, model_servers.locked(KEY, "big-1")) as provider:
        body = {"name": "big", "model": "openai:big-1", "baseUrl": provider.base_url, "key": KEY}
        assert send("POST", a, "/models", **body).status_code == 201
        come_true(lambda: "big" in b.desk.models.choices.known())
        assert answer(b, "big")["text"] == "hello"
        chat = send("POST", a, "/chats").json()["id"]
        assert send("PATCH", a, f"/chats/{chat}", model="big").status_code == 200
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Notifications, "_notify", lambda *_: None)
            assert send("DELETE", b, "/models/big").status_code == 204
            refused = asked(a, chat)
        assert refused["state"] == "failed" and "There is no model 'big'" in repr(refused)


def sum_at(desk: LiveDesk) -> str:
    """What the server `sums` answers to the desk's call."""

    async def work(client: Any, _progress: Any) -> Any:
        return await client.call_tool("add", {"a": 2, "b": 3})

    connection = desk.desk.agents.servers.get("sums")
    return str(connection.call(work, "", NullAsker(), StopFlag()).content[0].text)


def test_an_mcp_server_that_one_server_added_is_called_at_the_other_and_refused_when_deleted(
    two: Two, deaf: None
) -> None:
    a, b = two
    with authorizing_server.unguarded() as url:
        assert send("POST", a, "/mcp-servers", name="sums", url=url).json()["state"] == "ready"
        assert [tool.name for tool in b.desk.agents.servers.tools([], seconds=60)] == ["sums_add"]
        assert sum_at(b) == "5"
        used_by_a_run = b.desk.agents.servers.get("sums")
        assert send("PATCH", a, "/mcp-servers/sums", enabled=False).status_code == 204
        with pytest.raises(McpFailed, match="does not run: off"):
            sum_at(b)
        assert send("PATCH", b, "/mcp-servers/sums", enabled=True).status_code == 204
        assert sum_at(a) == sum_at(b) == "5"
        assert send("DELETE", a, "/mcp-servers/sums").status_code == 204
        with pytest.raises(NotFound):
            b.desk.agents.servers.check()
            sum_at(b)
        assert used_by_a_run.state == "off"
        assert send("GET", b, "/mcp-servers").json()["servers"] == []
        assert send("PATCH", b, "/mcp-servers/sums", enabled=True).status_code == 404


def test_a_browser_that_comes_back_to_the_other_server_lets_the_desk_in(two: Two) -> None:
    a, b = two
    with authorizing_server.serve() as url:
        assert send("POST", a, "/mcp-servers", name="guarded", url=url).json()["state"] == "authorize"
        page = send("POST", a, "/mcp-servers/guarded/authorize").json()["url"]
        back = httpx.get(page, timeout=60).headers["location"]
        state = parse_qs(urlsplit(back).query)["state"][0]
        forged = httpx.get(f"{b.url}/api/mcp-callback", params={"state": state[:-1], "code": "1"})
        assert forged.status_code == 404
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(b.desk.store, "do", None)
            strange = httpx.get(f"{b.url}/api/mcp-callback", params={"state": "x" * 40, "code": "1"})
            assert strange.status_code == 404, "a stranger costs no write"
        at_b = back.replace(a.url, b.url)
        assert "guarded: authorised" in httpx.get(at_b, timeout=60).text
        assert httpx.get(at_b, timeout=60).status_code == httpx.get(back, timeout=60).status_code == 404

        def is_ready(desk: LiveDesk) -> bool:
            (server,) = send("GET", desk, "/mcp-servers").json()["servers"]
            return server["state"] == "ready"

        come_true(lambda: is_ready(a))
        come_true(lambda: is_ready(b), why="b has the token that a got")
        assert send("DELETE", a, "/mcp-servers/guarded").status_code == 204
