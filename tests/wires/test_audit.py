"""The audit log of a real desk: who did what over which wire, nothing secret, and floods that it survives."""

import contextlib
import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.datastructures import DefaultPlaceholder
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from smoldesk.app import create_app
from smoldesk.chats import Audit, AuditEntry
from smoldesk.chats.audit import MAX_CLIENTS, OTHER_CLIENTS
from smoldesk.cli.main import main
from smoldesk.conversations.errors import AgentFault
from smoldesk.desk import build_desk
from smoldesk.logs import Actor, acting
from smoldesk.store.transaction import Tx
from smoldesk.wires.rest.audit_routes import DOWNLOADS
from smoldesk.wires.rest.routes import RestWire
from smoldesk.wires.security.guesses import FREE_FAILURES
from tests.support import mcp_agents, model_servers
from tests.support.aio import aside, run_async
from tests.support.desk_server import LiveDesk, live_desk, settings_for
from tests.support.openai_server import OpenAIServer, Says
from tests.support.postgres import TestPostgres
from tests.support.scripted_model import ScriptedModel, code
from tests.support.tools import Paying
from tests.support.ws_client import WsClient
from tests.tools.mcp_servers import authorizing_server
from tests.wires.test_browser_sessions import enter

TOKEN = "the desk's token 4711"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
# Answers that are no JSON, and show what a page shows.
SHOWN = {
    "/api/chats/{chat_id}/charts/{spec_id}/{form}",
    "/api/chats/{chat_id}/files/{name:path}",
    "/api/buildings/{building_id}/files/{name}",
    "/api/app-frames/{ticket}",
    "/api/conversations/{conversation_id}/events",
    "/api/projects/{project_id}/events",
    "/api/mcp-callback",
}


@pytest.fixture(params=["sqlite", "postgresql"])
def live(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[LiveDesk]:
    model = ScriptedModel([code("print(pay('bread'))"), code("final_answer(pay('milk'))")])
    options: dict[str, Any] = {"token": TOKEN, "model_retries": 0}
    with ExitStack() as lent:
        if request.param == "postgresql":
            server: TestPostgres = request.getfixturevalue("postgres")
            options["database_url"] = lent.enter_context(server.database())
        yield lent.enter_context(live_desk(tmp_path, lambda: model, lambda _: [Paying([])], **options))


def send(
    live: LiveDesk, method: str, path: str, headers: dict[str, str] = BEARER, **options: Any
) -> httpx.Response:
    answer = httpx.request(method, f"{live.url}/api{path}", headers=headers, timeout=120, **options)
    assert answer.is_success, answer.text
    return answer


def entries(live: LiveDesk, chat: str | None = None) -> list[dict[str, Any]]:
    """All entries, oldest first."""
    query: dict[str, Any] = {"limit": 1000} | ({} if chat is None else {"chat": chat})
    return send(live, "GET", "/audit", params=query).json()["entries"][::-1]


def facts(rows: list[dict[str, Any]]) -> list[tuple[str, ...]]:
    return [(row["action"], row["who"], row["wire"], row["name"], row["outcome"]) for row in rows]


def test_what_happens_in_a_chat_names_who_did_it_over_which_wire(live: LiveDesk) -> None:
    browser = enter(live.url)
    who, way = f"browser {browser.value[:8]}", browser.headers()
    with WsClient(live.ws_url, headers=BEARER).greeted() as socket:
        chat = socket.chat_id
        socket.say("go")
        ask = socket.until("ask")["content"]["askId"]
        socket.send(type="answer", askId=ask, granted=True, scope="chat")
        socket.until_closed()
    send(live, "PUT", f"/chats/{chat}/policies/pay", way, json={"policy": "ask"})
    send(live, "POST", f"/chats/{chat}/files", way, files={"file": ("salaries.csv", b"a\n1\n")})
    # The route reads the last one.
    send(live, "GET", f"/chats/{chat}/export?format=any+text&format=jsonl", way)
    # An ignored parameter is any text of the client; and programs poll.
    for _ in range(3):
        send(live, "GET", f"/chats/{chat}/events", way, params={"format": "by person, for the chat"})
    send(live, "DELETE", f"/chats/{chat}/files/salaries.csv", way)
    send(live, "DELETE", f"/chats/{chat}", way)
    rows = entries(live, chat)
    assert facts(rows) == [
        ("ask.allowed", "token", "four_pane", "pay", "by person, for the chat"),
        ("permission.given", "token", "four_pane", "pay", ""),
        ("ask.allowed", "desk", "", "pay", "by policy, for the chat"),
        ("permission.withdrawn", who, "rest", "pay", ""),
        ("file.added", who, "rest", "", ""),
        ("chat.exported", who, "rest", "", "jsonl"),
        ("log.exported", who, "rest", "", "events"),
        ("file.deleted", who, "rest", "", ""),
        ("chat.erased", who, "rest", "", ""),
    ]
    assert [row["count"] for row in rows if row["action"] == "log.exported"] == [3]
    assert rows[0]["objectId"] == ask and rows[0]["address"] == "127.0.0.1"
    assert {row["server"] for row in rows} == {live.desk.data_dir.id}
    assert ("session.started", who, "", "", "") in facts(entries(live))
    assert "salaries" not in json.dumps(entries(live)), "a deleted chat is gone"


def test_no_secret_and_no_content_is_in_the_log(live: LiveDesk, postgres: TestPostgres) -> None:
    secrets = {
        name: f"secret-{name}-5f0a7c31e88b" for name in ("password", "key", "header", "answer", "file")
    }
    browser = enter(live.url)
    secrets |= {"token": TOKEN, "cookie": browser.value, "session": browser.key}
    with postgres.database("CREATE TABLE orders (id int)") as shop:
        send(live, "POST", "/sources", json={"name": "shop", "url": shop, "password": secrets["password"]})
        send(live, "POST", "/sources/shop/csv", json={"table": "orders", "schema": "public"})
        send(live, "DELETE", "/sources/shop")
    with OpenAIServer(lambda _: Says("hello"), model_servers.locked(secrets["key"], "big")) as provider:
        body = {"name": "big", "model": "openai:big", "baseUrl": provider.base_url, "key": secrets["key"]}
        send(live, "POST", "/models", json=body)
        send(live, "DELETE", "/models/big")
    with authorizing_server.unguarded() as url:
        body = {"name": "sums", "url": url, "headers": {"X-Key": secrets["header"]}}
        send(live, "POST", "/mcp-servers", json=body)
        send(live, "DELETE", "/mcp-servers/sums")
    project = send(live, "POST", "/projects", json={"name": "secret-project"}).json()["id"]
    member = send(live, "POST", f"/projects/{project}/agents", json={"name": "ann", "kind": "ai"}).json()
    talk = live.desk.conversations
    login = run_async(talk.authenticate(member["id"], member["passkey"], project))
    secrets |= {"passkey": member["passkey"], "login": login.token, "project": "secret-project"}
    with WsClient(live.ws_url, headers=BEARER).greeted() as socket:
        socket.say("go")
        ask = socket.until("ask")["content"]["askId"]
        edited = {"word": secrets["answer"]}
        socket.send(type="answer", askId=ask, granted=True, value=edited, reason=secrets["answer"])
        socket.until("ask")
        chat = socket.chat_id
    text = f"{secrets['file']}\n1\n".encode()
    send(live, "POST", f"/chats/{chat}/files", files={"file": ("secret-name.csv", text)})
    view = send(live, "POST", f"/chats/{chat}/shared-views", json={"kind": "map", "seconds": 60}).json()
    secrets |= {"view": view["path"].rpartition("=")[2], "name": "secret-name"}
    rows = entries(live)
    log = json.dumps(rows)
    assert {name for name, secret in secrets.items() if secret in log} == set()
    actions = [row["action"] for row in rows]
    assert [action for action in actions if action.startswith(("source.", "model.", "mcp_server."))] == [
        "source.added",
        "source.exported",
        "source.deleted",
        "model.added",
        "model.deleted",
        "mcp_server.added",
        "mcp_server.deleted",
    ]
    assert {"passkey.added", "passkey.used", "shared_view.added", "project.added"} <= set(actions)


def test_a_change_that_fails_is_not_in_the_log(live: LiveDesk, postgres: TestPostgres) -> None:
    with postgres.database("CREATE TABLE orders (id int)") as shop:
        source = {"name": "shop", "url": shop}
        send(live, "POST", "/sources", json=source)
        again = httpx.post(f"{live.url}/api/sources", json=source, headers=BEARER, timeout=60)
        assert again.status_code == 409
        assert httpx.delete(f"{live.url}/api/sources/none", headers=BEARER, timeout=60).status_code == 404
        assert [row["action"] for row in entries(live)] == ["source.added"]


def test_wrong_tokens_are_counted_in_one_entry_and_refused_tries_not_at_all(live: LiveDesk) -> None:
    for number in range(FREE_FAILURES + 3):
        httpx.get(f"{live.url}/api/chats", headers={"Authorization": f"Bearer wrong {number}"}, timeout=60)
    log = run_async(live.desk.audit.page())
    # Two entries if an hour begins in between.
    assert {(row.action, row.who, row.address) for row in log} == {("token.wrong", "unknown", "127.0.0.1")}
    assert len(log) <= 2 and sum(row.count for row in log) == FREE_FAILURES


def test_clients_that_change_their_address_cannot_fill_the_disk(live: LiveDesk) -> None:
    audit = live.desk.audit

    async def flood() -> list[AuditEntry]:
        for number in range(MAX_CLIENTS + 200):
            await audit.add_wrong("token.wrong", f"10.0.{number // 250}.{number % 250}", 1)
        return await audit.page(limit=1000)

    log = run_async(flood())
    assert len(log) <= 2 * (MAX_CLIENTS + 1)
    assert sum(entry.count for entry in log) == MAX_CLIENTS + 200
    assert OTHER_CLIENTS in {entry.address for entry in log}


def test_a_client_is_counted_by_its_network_at_every_door(live: LiveDesk) -> None:
    async def flood() -> list[AuditEntry]:
        for number in range(3):
            with acting(Actor("visitor", f"2001:db8::{number:x}")), pytest.raises(AgentFault):
                await live.desk.conversations.authenticate(f"a guess {number}", "wrong", "none")
        await live.desk.audit.add_wrong("token.wrong", "2001:db8::ffff", 1)
        return await live.desk.audit.page()

    assert {entry.address for entry in run_async(flood())} == {"2001:db8::/64"}


def test_a_refusal_does_not_wait_for_a_long_change(live: LiveDesk) -> None:
    begun, end = threading.Event(), threading.Event()

    def job(_: Tx) -> None:
        begun.set()
        end.wait(300)

    change = live.desk.store.submit(job)
    assert begun.wait(60)
    run_async(live.desk.audit.add_wrong("token.wrong", "192.0.2.1", 1))
    assert not change.done(), "the refusal came before the end of the change"
    end.set()
    change.result(60)


def test_old_entries_are_deleted_and_pages_continue_where_the_last_one_ended(live: LiveDesk) -> None:
    async def kept(days: float) -> int:
        audit = Audit(live.desk.store, days)
        await audit.erase_expired()
        return len(await audit.page())

    for _ in range(5):
        run_async(live.desk.audit.add("log.exported"))
    first = send(live, "GET", "/audit", params={"limit": 3}).json()
    second = send(live, "GET", "/audit", params={"limit": 3, "before": first["next"]}).json()
    ids = [row["id"] for row in [*first["entries"], *second["entries"]]]
    assert len(ids) == 5 and ids == sorted(ids, reverse=True) and second["next"] is None
    assert [run_async(kept(days)) for days in (0, 1, 1e-9)] == [5, 5, 0]


def test_servers_of_one_database_write_one_log(tmp_path: Path, postgres: TestPostgres) -> None:
    with (
        postgres.desk_database() as url,
        live_desk(tmp_path / "a", database_url=url, token=TOKEN) as a,
        live_desk(tmp_path / "b", database_url=url, token=TOKEN) as b,
    ):
        for desk in (a, b):
            chat = send(desk, "POST", "/chats").json()["id"]
            send(desk, "DELETE", f"/chats/{chat}")
        log = entries(a)
        assert log == entries(b)
    assert [row["server"] for row in log] == [a.desk.data_dir.id, b.desk.data_dir.id]


def test_the_command_line_prints_the_log_and_is_in_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with live_desk(tmp_path / "data") as live:
        chat = live.client(timeout=60).post("/api/chats", json={"title": "secret title"}).json()["id"]
    folder = ["--data-dir", str(tmp_path / "data")]
    assert aside(lambda: main(["export", chat, *folder, "-o", "chat.jsonl"])) == 0
    capsys.readouterr()
    assert aside(lambda: main(["audit", *folder, "--chat", chat, "--json"])) == 0
    entry = json.loads(capsys.readouterr().out)
    assert (entry["action"], entry["chatId"], entry["outcome"]) == ("chat.exported", chat, "jsonl")
    assert entry["who"].startswith("command line, uid ")
    assert aside(lambda: main(["audit", *folder, "--since", "1h"])) == 0
    assert f"chat.exported  {chat}  jsonl" in capsys.readouterr().out
    assert aside(lambda: main(["audit", *folder, "--since", "2999-01-01"])) == 0
    assert capsys.readouterr().out == ""
    assert aside(lambda: main(["audit", *folder, "--since", "yesterday"])) == 2
    assert "Expected 2026-01-31" in capsys.readouterr().err


def test_the_command_line_makes_no_desk_and_migrates_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert aside(lambda: main(["audit", "--data-dir", "typo"])) != 0
    assert "is not the data directory of a desk" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    build_desk(settings_for(tmp_path / "data")).close()
    [file] = tmp_path.rglob("smoldesk.db")
    with contextlib.closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '0030'")
    assert aside(lambda: main(["audit", "--data-dir", str(file.parent)])) != 0
    assert "not one of this version" in capsys.readouterr().err
    with contextlib.closing(sqlite3.connect(file)) as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchall() == [("0030",)]


def test_a_desk_that_strangers_reach_shows_no_log_to_them(tmp_path: Path) -> None:
    desk = build_desk(settings_for(tmp_path, host="0.0.0.0"))
    with TestClient(create_app(desk.settings, desk), base_url="http://testserver") as client:
        answer = client.get("/api/audit")
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "refused")


def test_every_route_that_answers_with_a_file_is_in_the_log_or_shows_what_the_page_shows(
    tmp_path: Path,
) -> None:
    desk = build_desk(settings_for(tmp_path))
    try:
        routes = [route for route in RestWire(desk).routes() if isinstance(route, APIRoute)]
    finally:
        desk.close()
    files = {
        route.path
        for route in routes
        if not isinstance(route.response_class, DefaultPlaceholder) and route.response_class is not None
    }
    assert files - SHOWN == DOWNLOADS.keys()


@pytest.mark.parametrize("mode", mcp_agents.MODES)
def test_passkeys_at_mcp_are_counted_with_the_member_that_exists_and_no_other_text(
    tmp_path: Path, mode: mcp_agents.Mode
) -> None:
    async def scenario(live: LiveDesk) -> tuple[str, list[AuditEntry]]:
        async with mcp_agents.agents(live, mode, "ann") as [ann]:
            for member in (ann.id, ann.id, "a guess of a stranger"):
                with pytest.raises(mcp_agents.ToolRefused):
                    await mcp_agents.call(
                        ann.client,
                        "authenticate",
                        agent_id=member,
                        passkey="wrong",
                        project_id=ann.project_id,
                    )
            return ann.id, await live.desk.audit.page()

    with live_desk(tmp_path) as live:
        member, log = run_async(scenario(live))
    tries = [(row.action, row.object_id, row.wire, row.address) for row in log if row.wire]
    assert set(tries) == {
        ("passkey.used", member, "mcp", "127.0.0.1"),
        ("passkey.wrong", member, "mcp", "127.0.0.1"),
        ("passkey.wrong", "", "mcp", "127.0.0.1"),
    }
    # Twice three entries if an hour begins in between.
    assert len(tries) <= 6 and sum(row.count for row in log if row.action == "passkey.wrong") == 3
