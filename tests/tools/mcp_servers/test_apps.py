"""Views of MCP servers as the desk's client reads them: of a server on the Python SDK, of one of npm, and of bad ones."""

import json
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from smoldesk.errors import Stopped
from smoldesk.sandbox.isolation import jail_here
from smoldesk.tools.mcp_servers import McpServers
from smoldesk.tools.mcp_servers.apps import domains_of
from tests import node_support
from tests.tools.mcp_servers.support import Call, caller, entry, node_server

APPS = Path(__file__).with_name("app_server.py")


def weather(*args: str, **values: Any) -> dict[str, Any]:
    """The values of an entry for the tests' own server with views."""
    return {
        "command": sys.executable,
        "args": [str(APPS), *args],
        "readable": [str(APPS), str(APPS.with_name("app_view.html"))],
        **values,
    }


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[McpServers]:
    data = tmp_path_factory.mktemp("desk")
    mcp_servers = McpServers(
        [
            entry("weather", **weather("https://api.example.com")),
            entry("clock", **node_server("basic-vanillajs", "--stdio")),
        ],
        data,
        jail_here(data),
    )
    yield mcp_servers
    mcp_servers.close()


@pytest.fixture(scope="module")
def call(servers: McpServers) -> Callable[..., Any]:
    return caller(servers)


def test_a_view_is_kept_with_its_call_and_its_result(call: Callable[..., Any]) -> None:
    context = Call()
    assert call("weather_reaching", context, city="Nara") == "It reaches."
    started, ended = context.apps
    assert (started.state, ended.state, ended.call_id, ended.server) == (
        "called",
        "returned",
        "r.1",
        "weather",
    )
    assert b"ui/initialize" in context.kept[started.page_id]
    facts = json.loads(context.kept[started.facts_id])
    assert facts["arguments"] == {"city": "Nara"}
    assert facts["tool"]["name"] == "reaching" and "inputSchema" in facts["tool"]
    assert facts["domains"] == {
        "connectDomains": ["https://api.example.com"],  # and not `*`, a scheme, or a directive
        "resourceDomains": ["https://cdn.example.com"],
        "frameDomains": [],
        "baseUriDomains": [],
    }
    assert facts["permissions"] == ["camera"]
    assert ended.result_id is not None
    result = json.loads(context.kept[ended.result_id])
    assert result["content"][0]["text"] == "It reaches."


def test_tools_for_views_are_not_for_agents(servers: McpServers) -> None:
    names = {tool.name for tool in servers.tools([], 60)}
    assert "weather_refresh" not in names and {"weather_order", "weather_secret"} <= names
    (row,) = [item for item in servers.offered([])["weather"] if item.tool == "refresh"]
    assert row.problem == "it is for views of its server alone"


@pytest.mark.parametrize(
    ("tool", "why"),
    [
        ("huge", "the result has more than 32 MB and was not taken"),
        ("large", "its view has more than 8 MB"),
        ("plain", "its view is of the type 'text/html', and not text/html;profile=mcp-app"),
    ],
)
def test_a_bad_view_is_said_and_the_call_goes_on(call: Callable[..., Any], tool: str, why: str) -> None:
    context = Call()
    assert call(f"weather_{tool}", context) == tool
    assert context.apps == [] and not context.kept
    ((message, _),) = context.said
    assert message.startswith("Its view is not shown: ") and why in message


def test_a_stopped_call_is_told_to_its_view(call: Callable[..., Any]) -> None:
    context = Call()
    show_app = context.show_app

    def show(app: Any) -> None:
        show_app(app)
        threading.Timer(0, context.stop.set, ["stopped"]).start()

    context.show_app = show  # type: ignore[method-assign]
    with pytest.raises(Stopped):
        call("weather_slowly", context, city="Nara")
    assert [app.state for app in context.apps] == ["called", "cancelled"]


@pytest.mark.skipif(not node_support.is_installed(node_support.MCP_SERVERS), reason="no npm packages")
def test_a_view_of_a_server_of_npm(call: Callable[..., Any]) -> None:
    context = Call()
    assert "T" in str(call("clock_get_time", context))
    assert [app.state for app in context.apps] == ["called", "returned"]
    assert len(context.kept["clock_get_time.html"]) > 100_000


def test_domains_are_origins_and_nothing_else() -> None:
    bad = [
        "*",
        "https:",
        "'self'",
        "data:",
        "https://a b",
        "https://a;x",
        "https://*.com",
        "https://*",
        "https://a.com *",
        "https://a.com\n",
        "https://a.com'unsafe-eval'",
        "ftp://a",
        "https://a/p?q",
        "a.com",
        3,
    ]
    good = ["https://*.a.com", "wss://a.com:8443", "http://localhost:3000/", "https://A-b.example"]
    domains = domains_of({"connectDomains": [*bad, *good], "frameDomains": "https://a.com"})
    assert domains["connectDomains"] == [item.rstrip("/") for item in good]
    assert domains["frameDomains"] == []
    assert (
        sum(map(len, domains_of({"connectDomains": ["https://a.b"] * 99, "frameDomains": good}).values()))
        == 50
    )
