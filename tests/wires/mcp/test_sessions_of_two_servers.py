"""Clients of /mcp whose requests come to two servers of one PostgreSQL in turn."""

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from smoldesk.conversations import Conversations
from tests.support.aio import run_async
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.mcp_agents import call
from tests.support.postgres import TestPostgres

Two = tuple[LiveDesk, LiveDesk]
ACCEPT = {"Accept": "application/json, text/event-stream"}
OPENING: dict[str, Any] = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory, postgres: TestPostgres) -> Iterator[Two]:
    folder = tmp_path_factory.mktemp("mcp")
    with (
        postgres.desk_database() as url,
        live_desk(folder / "a", database_url=url) as a,
        live_desk(folder / "b", database_url=url) as b,
    ):
        yield a, b


def post(
    desk: LiveDesk, session: str | None, method: str, number: int | None = 1, **params: Any
) -> httpx.Response:
    body = {"jsonrpc": "2.0", "method": method, "params": params} | ({"id": number} if number else {})
    headers = ACCEPT | ({"Mcp-Session-Id": session} if session else {})
    return httpx.post(f"{desk.url}/mcp", json=body, headers=headers, timeout=60)


def result(response: httpx.Response) -> Any:
    assert response.status_code == 200, response.text
    data = [line[6:] for line in response.text.splitlines() if line.startswith("data: {")]
    return json.loads(data[-1])["result"]


def test_a_session_is_continued_at_the_other_server_and_ends_at_both(two: Two) -> None:
    a, b = two
    opened = post(a, None, "initialize", **OPENING)
    session = opened.headers["Mcp-Session-Id"]
    assert result(opened)["serverInfo"]["name"] == "smoldesk"
    assert post(b, session, "notifications/initialized", None).status_code == 202
    for desk in (b, a, b):
        listed = post(desk, session, "tools/list")
        assert "ask_analyst" in {tool["name"] for tool in result(listed)["tools"]}
        assert listed.headers["Mcp-Session-Id"] == session
    ended = httpx.delete(f"{b.url}/mcp", headers=ACCEPT | {"Mcp-Session-Id": session}, timeout=60)
    assert ended.status_code in (200, 204)
    assert [post(desk, session, "tools/list").status_code for desk in two] == [404, 404]


@pytest.mark.parametrize("session", ["0" * 32, "unknown", "' OR 1=1 --", "x" * 5_000])
def test_a_session_that_nobody_opened_is_unknown_everywhere(two: Two, session: str) -> None:
    assert [post(desk, session, "tools/list").status_code for desk in two] == [404, 404]


def test_requests_at_once_continue_one_session(two: Two) -> None:
    a, b = two
    session = post(a, None, "initialize", **OPENING).headers["Mcp-Session-Id"]

    async def all_at_once() -> list[int]:
        async with httpx.AsyncClient(headers=ACCEPT | {"Mcp-Session-Id": session}, timeout=60) as http:
            body = {"jsonrpc": "2.0", "method": "tools/list", "params": {}}
            requests = [http.post(f"{b.url}/mcp", json=body | {"id": n}) for n in range(8)]
            return [answer.status_code for answer in await asyncio.gather(*requests)]

    assert run_async(all_at_once()) == [200] * 8


class InTurn(httpx2.AsyncBaseTransport):
    """Sends each request to the next server, as a balancer would."""

    def __init__(self, two: Two) -> None:
        self._two = two
        self._count = 0
        self._transport = httpx2.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self._count += 1
        request.url = request.url.copy_with(port=httpx2.URL(self._two[self._count % 2].url).port)
        return await self._transport.handle_async_request(request)

    async def aclose(self) -> None:
        await self._transport.aclose()


@asynccontextmanager
async def balanced(two: Two) -> AsyncGenerator[Client]:
    async with httpx2.AsyncClient(transport=InTurn(two), timeout=60) as http:
        transport = streamable_http_client(f"{two[0].url}/mcp", http_client=http)
        async with Client(transport, mode="legacy", read_timeout_seconds=120) as client:
            yield client


async def test_the_librarys_client_works_behind_a_balancer_that_takes_servers_in_turn(two: Two) -> None:
    conversations: Conversations = two[0].desk.conversations
    project = (await conversations.create_project("project")).id
    member, passkey = await conversations.add_member(project, "scout", "ai")
    async with balanced(two) as client:
        login = await call(client, "authenticate", agent_id=member.id, passkey=passkey, project_id=project)
        for _ in range(4):
            pending = await call(client, "get_pending_messages", session_token=login["session_token"])
            assert pending
