"""Routes at a server with an empty disk: what a chat, its files and its plan are at the server where they were made.

The list of routes is that of /openapi.json, so that a new one is tried, or named below with a reason.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from smoldesk.messages import as_json
from tests.export import a_chat
from tests.support.aio import run_async
from tests.support.bucket import a_bucket
from tests.support.desk_server import ANALYSIS, LiveDesk, live_desk
from tests.support.plans import floor, picture
from tests.support.postgres import TestPostgres

ITS_OWN = {
    "/metrics": "counts what this server does",
    "/healthz": "says how this server is",
    "/api/mcp-callback": "needs the redirect of an OAuth provider (tests/tools/mcp_servers)",
    "/api/app-frames/{ticket}": "needs an MCP app (tests/tools/mcp_servers)",
    "/api/projects/{project_id}": "needs two agents (tests/conversations)",
    "/api/projects/{project_id}/conversations": "needs two agents (tests/conversations)",
    "/api/projects/{project_id}/events": "never ends",
    "/api/conversations/{conversation_id}": "needs two agents (tests/conversations)",
    "/api/conversations/{conversation_id}/events": "never ends",
    "/api/exams/{exam_id}": "needs an exam",
    "/api/sources/{name}/schemas": "needs a source (tests/connections/test_lists_of_two_servers.py)",
    "/api/sources/{name}/tables": "needs a source (tests/connections/test_lists_of_two_servers.py)",
    "/api/sources/{name}/columns": "needs a source (tests/connections/test_lists_of_two_servers.py)",
    "/api/tests": "lists the suite in this server's data directory",
    "/api/test-suite": "exports the suite in this server's data directory",
    "/api/watches/{watch_id}/history": "needs a watch (tests/watches)",
    "/api/chats/{chat_id}/report/runs/{number}": "needs a run of a report (tests/export)",
}
"""Routes that are not compared, and why."""

OF_ITS_TIME = re.compile(rb'\d{4}-\d\d-\d\dT[\d:.]+|"id": "[0-9a-f]{8}"|[0-9a-f]{32}')
"""Parts of exports that no two of them have: when they were written, and the ids of a notebook's cells."""

QUERIES: dict[str, list[dict[str, str]]] = {
    "/api/chats/{chat_id}/export": [{"format": form} for form in ("jsonl", "markdown", "notebook", "html")],
    "/api/chats/{chat_id}/report/export": [{"format": form} for form in ("markdown", "notebook", "html")],
    "/api/buildings/{building_id}/export": [{"format": form} for form in ("geojson", "imdf", "smoldesk")],
    "/api/exams/estimate": [{"model": "builtin"}],
    "/api/chats/{chat_id}/completions": [{"text": "average"}],
    "/api/chats/{chat_id}/scenarios/comparison": [{"start": "Room1", "goal": "Kitchen"}],
    "/api/chats/{chat_id}/doors": [{"floorId": "1F", "room": "Kitchen"}],
}


DOOR = {"kind": "door", "floorId": "1F", "rooms": ["Hallway", "Kitchen"], "at": {"x": 395.0, "y": 100.0}}
LATER = "店舗,月,金額\n東京,1,130\n大阪,1,80\n"


@dataclass(frozen=True)
class TwoServers:
    """Two desks with a disk each, and what stands for each parameter of a path at both."""

    a: LiveDesk
    b: LiveDesk
    known: dict[str, str]

    def addresses(self, path: str) -> Iterator[str]:
        """Fill in a route's path; once for each file where it takes one."""
        names = [self.known["plan"]] if "buildings" in path else ["売上.csv"]
        forms = ["png", "svg"] if "{form}" in path else [""]
        for name, form in ((name, form) for name in names for form in forms):
            yield path.format_map({**self.known, "name": name, "form": form})


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory, postgres: TestPostgres) -> Iterator[TwoServers]:
    folders: list[Path] = [tmp_path_factory.mktemp(name) for name in ("a", "b")]
    with a_bucket() as bucket, postgres.desk_database() as url:
        options: dict[str, Any] = {"files_url": bucket.url, "database_url": url, "demo_tools": True}
        options["sandbox_preload"] = ANALYSIS
        with live_desk(folders[0] / "data", **options) as a, live_desk(folders[1] / "data", **options) as b:
            yield TwoServers(a, b, made_at(a, folders[0]))


def made_at(live: LiveDesk, folder: Path) -> dict[str, str]:
    """Fill a chat at one server; return what the parameters of paths stand for."""
    chat_id = run_async(a_chat.make(live.desk, folder))
    parts = [("file", ("plan.json", json.dumps({"floors": [floor(floorImage="plan.png")]}).encode()))]
    parts.append(("image", ("plan.png", picture())))
    building = httpx.post(f"{live.url}/api/buildings", files=parts).json()["buildingId"]
    messages: list[dict[str, Any]] = [
        as_json(stored.event.message) | {"seq": stored.seq}
        for stored in live.desk.store.events(chat_id, 0)
        if stored.event.type == "shown"
    ]
    first = {message["type"]: message for message in reversed(messages)}
    # That of explain_change, before it, has no controls.
    *_, chart = (message for message in messages if message["type"] == "chart")
    runs = [stored.run_id for stored in live.desk.store.events(chat_id, 0) if stored.run_id]
    trace = httpx.get(f"{live.url}/api/chats/{chat_id}/runs/{runs[0]}/steps/1").json()
    return {
        "chat_id": chat_id,
        "building_id": building,
        "plan": "plan.png",
        "table_seq": str(first["table"]["seq"]),
        "table_id": first["table"]["content"]["tableId"],
        "spec_id": chart["content"]["specId"],
        "run_id": runs[0],
        "step": "1",
        "message_id": trace["calls"][0]["prompt"][0]["id"],
    }


@pytest.mark.long
def test_every_route_answers_the_same_at_a_server_with_an_empty_disk(servers: TwoServers) -> None:
    different = differences(servers)
    assert not different, "\n".join(different)


def test_what_one_server_changes_is_changed_at_the_other(servers: TwoServers) -> None:
    chat = f"/api/chats/{servers.known['chat_id']}"
    log = httpx.get(f"{servers.a.url}{chat}/export").content
    pins = [{"kind": "table", "seq": int(servers.known["table_seq"])}]
    with servers.b.client(timeout=120) as http:
        for answer in (
            http.put(f"{chat}/report", json={"version": 0, "pins": pins}),
            http.patch(f"{chat}/charts/{servers.known['spec_id']}", json={"changes": {"type": "line"}}),
            http.post(f"{chat}/layers/heat", json=[{"room": "Kitchen", "value": 21}]),
            http.post(f"{chat}/scenarios", json={"action": "save", "name": "Works", "closures": [DOOR]}),
            http.patch(f"{chat}/files/売上.csv", json={"readAs": {"encoding": "utf-8"}}),
            http.patch(f"/api/buildings/{servers.known['building_id']}", json={"name": "Main"}),
            http.patch(chat, json={"title": "Sales"}),
            http.post(f"{chat}/report/runs", files={"売上.csv": ("later.csv", LATER.encode())}),
        ):
            assert answer.status_code < 300, (answer.request.url, answer.text)
        view = http.post(f"{chat}/shared-views", json={"kind": "map"}).json()["path"]
        imported = http.post("/api/imports", content=log).json()["chatId"]
        rows = http.post(f"{chat}/tables/{servers.known['table_id']}/rows", json={}).json()["rows"]
    different = differences(servers, without="export")  # they were compared, and are the slowest
    assert not different, "\n".join(different)
    with servers.a.client(timeout=120) as http:
        assert http.get(f"/api/chats/{imported}/files/売上.csv").text == a_chat.CSV
        assert (
            http.post(f"{chat}/tables/{servers.known['table_id']}/rows", json={}).json()["rows"] == rows != []
        )
        shown = http.get("/view/content", headers={"x-smoldesk-view": view.partition("#")[2]})
        assert "data:image/svg+xml" in shown.json()["html"]


def differences(servers: TwoServers, without: str = "no path") -> list[str]:
    """Compare both servers' answers to every request that reads, except those whose path has the text `without`."""
    routes = httpx.get(f"{servers.a.url}/openapi.json").json()["paths"]
    reading = {path for path in routes if "get" in routes[path]}
    assert not set(ITS_OWN) - reading, "no such route any more"
    requests = [
        (address, query)
        for path in sorted(reading - set(ITS_OWN))
        if without not in path
        for address in servers.addresses(path)
        for query in QUERIES.get(path, [{}])
    ]
    found: list[str] = []
    for address, query in requests:
        here, there = (
            httpx.get(live.url + address, params=query, timeout=120) for live in (servers.a, servers.b)
        )
        if here.status_code >= 400 or not alike(here, there):
            found.append(f"{address} {query}: {said(here)}, at the other server {said(there)}")
    return found


def alike(here: httpx.Response, there: httpx.Response) -> bool:
    """Compare the bytes; of archives, which hold the time they were written, the length."""
    kind = here.headers.get("content-type")
    if here.status_code != there.status_code or kind != there.headers.get("content-type"):
        return False
    if here.content[:2] == b"PK":
        return abs(len(here.content) - len(there.content)) <= len(here.content) / 100
    return OF_ITS_TIME.sub(b"", here.content) == OF_ITS_TIME.sub(b"", there.content)


def said(answer: httpx.Response) -> str:
    return f"{answer.status_code} with {len(answer.content)} bytes {answer.text[:1200]}"
