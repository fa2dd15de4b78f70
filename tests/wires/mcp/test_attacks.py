"""What is wrong, hostile or too much at /mcp gets a clear error, and the next one is served."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client

from smoldesk.cli.server import KEEP_ALIVE_SECONDS
from tests.support.aio import run_async
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.mcp_agents import Mode, ToolRefused, agents, call, clients

HEADERS = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
INITIALIZE: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


def post(live: LiveDesk, body: Any = INITIALIZE, **headers: str) -> httpx.Response:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return httpx.post(f"{live.url}/mcp", content=content, headers=HEADERS | headers, timeout=30)


def test_it_answers_without_a_redirect(live: LiveDesk) -> None:
    assert post(live).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [({"host": "evil.example"}, 421), ({"origin": "https://evil.example"}, 403), ({"origin": "null"}, 403)],
)
def test_strangers_are_turned_away_at_the_door(live: LiveDesk, headers: dict[str, str], status: int) -> None:
    assert post(live, **headers).status_code in (status, 403)
    assert post(live).status_code == 200


def test_the_desks_own_origin_is_let_in(live: LiveDesk) -> None:
    assert post(live, origin=live.url).status_code == 200


def test_what_is_no_json_no_message_or_too_large_is_refused(live: LiveDesk) -> None:
    assert post(live, b"{").status_code == 400
    assert post(live, {"hello": 1}).status_code == 400
    assert post(live, b"x" * (5 * 1024 * 1024)).status_code == 413
    assert httpx.put(f"{live.url}/mcp").status_code == 405
    assert post(live, **{"mcp-session-id": "nobody's"}).status_code == 404
    assert post(live).status_code == 200


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    with live_desk(tmp_path_factory.mktemp("locked"), token="a-long-secret") as live:
        yield live


def test_a_desk_with_a_token_asks_for_it(locked: LiveDesk) -> None:
    assert post(locked).status_code == 401
    assert post(locked, authorization="Bearer wrong").status_code == 401
    assert post(locked, authorization="Bearer a-long-secret").status_code == 200


def test_an_idle_connection_is_dropped_by_the_client_and_not_under_its_next_request() -> None:
    from httpx2 import Limits

    client_keepalive = max(Limits().keepalive_expiry or 0, httpx.Limits().keepalive_expiry or 0)
    assert 2 * client_keepalive < KEEP_ALIVE_SECONDS


async def test_a_megabyte_is_refused_in_words(live: LiveDesk, mode: Mode) -> None:
    async with agents(live, mode, "one", "two") as (first, two):
        with pytest.raises(ToolRefused, match=r"too_long: .* at most 64000 bytes, got 1000000"):
            await first("send_message", target_agent_id=two.id, content="x" * 1_000_000)
        await first("send_message", target_agent_id=two.id, content="x" * 64_000)
        (message,) = (await two("get_pending_messages"))["messages"]
        assert len(message["content"]) == 64_000


async def test_a_wrong_passkey_is_refused_like_an_unknown_agent(live: LiveDesk, mode: Mode) -> None:
    async with agents(live, mode, "one") as (item,), clients(live, mode, 1) as (client,):
        for wrong in ({"passkey": "pk_wrong"}, {"agent_id": "a_nobody"}, {"project_id": "p_nothing"}):
            login = {"agent_id": item.id, "passkey": item.passkey, "project_id": item.project_id}
            with pytest.raises(ToolRefused) as caught:
                await call(client, "authenticate", **login | wrong)
            assert str(caught.value) == "authentication_failed"


async def test_of_four_starts_at_once_one_wins(live: LiveDesk, mode: Mode) -> None:
    async with agents(live, mode, "one", "two") as (first, two):

        async def start(agent: Any, other: Any) -> str:
            try:
                return (await agent("start_conversation", target_agent_id=other.id))["status"]
            except ToolRefused as refusal:
                return str(refusal)

        pairs = ((first, two), (two, first)) * 2
        came = await asyncio.gather(*(start(*pair) for pair in pairs))
    assert sorted(came) == ["conversation_already_active"] * 3 + ["pending"]


def test_of_four_starts_at_once_on_two_servers_one_wins(
    tmp_path: Path, postgres_url: str, mode: Mode
) -> None:
    """Both directions on each of two desks that share a PostgreSQL."""

    async def start(client: Client, token: str, target: str) -> str:
        try:
            requested = {"session_token": token, "target_agent_id": target}
            return (await call(client, "start_conversation", **requested))["status"]
        except ToolRefused as refusal:
            return str(refusal)

    async def scenario(first: LiveDesk, second: LiveDesk) -> list[str]:
        async with agents(first, mode, "one", "two") as (one, two), clients(second, mode, 2) as elsewhere:
            starts = [
                start(client, agent.token, other.id)
                for mine, agent, other in zip((0, 1), (one, two), (two, one), strict=True)
                for client in (agent.client, elsewhere[mine])
            ]
            return await asyncio.gather(*starts)

    with (
        live_desk(tmp_path / "first", database_url=postgres_url) as first,
        live_desk(tmp_path / "second", database_url=postgres_url) as second,
    ):
        assert sorted(run_async(scenario(first, second))) == ["conversation_already_active"] * 3 + ["pending"]


async def test_after_the_end_messages_belong_to_none_and_a_second_end_is_refused(
    live: LiveDesk, mode: Mode
) -> None:
    async with agents(live, mode, "one", "two") as (first, two):
        await first("start_conversation", target_agent_id=two.id)
        await first("end_conversation")
        with pytest.raises(ToolRefused, match=r"^no_active_conversation$"):
            await two("end_conversation")
        late = await two("respond_chat", target_agent_id=first.id, content="wait")
        assert late["conversation_id"] is None


async def test_a_member_removed_in_the_middle_is_out_and_the_other_is_told(
    live: LiveDesk, mode: Mode
) -> None:
    async with agents(live, mode, "one", "two") as (first, two):
        await first("start_conversation", target_agent_id=two.id)
        await two("get_next_action")
        await live.desk.conversations.remove_member(first.project_id, first.id)
        report = await two("get_next_action")
        assert (report["action"], report["reason"]) == ("conversation_ended", "agent_removed")
        assert report["ended_by"] == first.id
        with pytest.raises(ToolRefused, match=r"^invalid_session$"):
            await first("send_message", target_agent_id=two.id, content="still here")


async def test_time_outs_and_expired_sessions_over_the_wire(tmp_path: Path, mode: Mode) -> None:
    with live_desk(tmp_path, conversation_active_timeout_seconds=0.05) as live:
        async with agents(live, mode, "one", "two") as (first, two):
            await first("start_conversation", target_agent_id=two.id)
            await two("get_next_action")
            for agent in (first, two):
                report = await agent("get_next_action", wait_seconds=30)
                assert (report["action"], report["reason"]) == ("conversation_ended", "timeout")


async def test_an_expired_token_is_refused(tmp_path: Path, mode: Mode) -> None:
    with live_desk(tmp_path, agent_session_seconds=0.001) as live:
        async with agents(live, mode, "one") as (item,):
            with pytest.raises(ToolRefused, match=r"^invalid_session$"):
                await item("get_next_action")


async def test_a_closing_desk_does_not_wait_for_who_waits(tmp_path: Path, mode: Mode) -> None:
    with live_desk(tmp_path) as live:
        async with agents(live, mode, "one") as (item,):
            waiting = asyncio.create_task(item("get_next_action", wait_seconds=60))
            while not live.desk.conversations.waiting_for(item.project_id, item.id):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            live.desk.conversations.close()
            came = await waiting
        assert came["action"] == "wait"


def test_a_broken_stream_is_resumed_where_it_broke(live: LiveDesk) -> None:
    """The older protocol: the answer to a call whose stream broke is fetched by Last-Event-ID."""
    opened = post(live)
    session = {"mcp-session-id": opened.headers["mcp-session-id"], "mcp-protocol-version": "2025-11-25"}
    post(live, {"jsonrpc": "2.0", "method": "notifications/initialized"}, **session)
    requested = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    with httpx.stream(
        "POST", f"{live.url}/mcp", json=requested, headers=HEADERS | session, timeout=30
    ) as response:
        first = next(line for line in response.iter_lines() if line.startswith("id:"))
    event_id = first.removeprefix("id:").strip()
    with httpx.stream(
        "GET",
        f"{live.url}/mcp",
        headers={"accept": "text/event-stream", "last-event-id": event_id} | session,
        timeout=30,
    ) as response:
        assert response.status_code == 200
        data = next(line for line in response.iter_lines() if line.startswith("data:") and "tools" in line)
    assert json.loads(data.removeprefix("data:"))["id"] == 2
