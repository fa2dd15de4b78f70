"""MCP servers at an address that send without end, flood, lead elsewhere, and repeat the token that they were sent."""

import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from smoldesk.logs.lines import TextLine
from smoldesk.sandbox.isolation import jail_here
from smoldesk.tools.mcp_servers import McpServers
from tests.tools.mcp_servers.hostile_address import HostileAddress, serve
from tests.tools.mcp_servers.support import Call, caller, entry

TOKEN = "tok-5f0a7c31/e88b+d"


@pytest.fixture(scope="module")
def address() -> Iterator[HostileAddress]:
    with serve() as server:
        yield server


@pytest.fixture(scope="module")
def servers(address: HostileAddress, tmp_path_factory: pytest.TempPathFactory) -> Iterator[McpServers]:
    data = tmp_path_factory.mktemp("desk")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOSTILE_TOKEN", TOKEN)
        mcp_servers = McpServers(
            [entry("far", url=address.url, token_env="HOSTILE_TOKEN")], data, jail_here(data)
        )
        mcp_servers.begin(30)
        yield mcp_servers
        mcp_servers.close()


@pytest.fixture(scope="module")
def call(servers: McpServers) -> Callable[..., Any]:
    return caller(servers)


class _Lines(logging.Handler):
    """What the desk's log would have, at its most talkative."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.setFormatter(TextLine())

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture
def lines() -> Iterator[list[str]]:
    handler, root = _Lines(), logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield handler.lines
    root.setLevel(before)
    root.removeHandler(handler)


@pytest.mark.parametrize("tool", ["large_json", "endless_json", "large_event", "endless_event", "bomb"])
def test_a_body_beyond_the_most_costs_its_call_and_nothing_else(
    call: Callable[..., Any], servers: McpServers, address: HostileAddress, tool: str
) -> None:
    before, life = address.sent, servers.get("far").generation
    message = call(f"far_{tool}")
    assert message.startswith("fault: The MCP server 'far': ")
    text = {"bomb": "compressed", "large_event": "33554432 byte", "endless_event": "33554432 byte"}
    assert text.get(tool, "32 MB") in message, message
    assert address.sent - before < 64_000_000, "with what lies in sockets"
    assert call("far_ping") == "pong" and servers.get("far").generation == life, "its session went on"


def test_what_is_read_to_be_let_in_is_bounded_whatever_it_says_it_is(
    servers: McpServers, address: HostileAddress
) -> None:
    guarded = servers.add(entry("guarded", url=address.url.replace("/mcp", "/guarded")))
    before = address.sent
    guarded.restart("http://127.0.0.1:1")
    guarded.wait(guarded.start_seconds)
    assert guarded.state == "failed", guarded.problem
    assert address.sent - before < 400_000_000, "of each document 32 MB, with what lies in sockets"
    servers.remove("guarded")


def test_ten_thousand_notifications_are_passed_over(call: Callable[..., Any]) -> None:
    context = Call()
    assert call("far_flood", context) == "flooded"
    assert len(context.said) <= 1_000
    assert call("far_ping") == "pong"


def test_a_token_goes_nowhere_but_to_its_server(
    call: Callable[..., Any], address: HostileAddress, lines: list[str]
) -> None:
    message = call("far_redirect")
    assert "not followed" in message and "localhost" in message
    assert address.strangers == []
    assert not any(TOKEN in item for item in (message, *lines))


def test_a_server_that_repeats_its_token_is_not_repeated(call: Callable[..., Any], lines: list[str]) -> None:
    message = {
        tool: str(call(f"far_{tool}"))
        for tool in ("echo", "echo_failed", "echo_fault", "echo_junk", "echo_event")
    }
    assert "you are Bearer ***" in message["echo"] and "no: Bearer ***" in message["echo_failed"]
    assert "*** is no good" in message["echo_fault"] and "jsonrpc" in message["echo_junk"]
    assert any("Unknown SSE event" in line for line in lines), "the SDK repeats what comes"
    assert not any(TOKEN in item for item in (*message.values(), *lines))
