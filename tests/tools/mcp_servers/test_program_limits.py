"""Programs of MCP servers that take more than their limits: each is ended with its reason, and its neighbour goes on."""

import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from smoldesk.sandbox.isolation import jail_here
from smoldesk.sandbox.limits import MIB, PROGRAM_LIMITS
from smoldesk.tools.mcp_servers import McpServers
from tests.tools.mcp_servers.support import caller, entry, odd

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="programs are jailed on Linux alone")

SMALL = replace(PROGRAM_LIMITS, memory=400 * MIB, threads=40, seconds=5, folder=20 * MIB, files=300)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path


@contextmanager
def started(data: Path) -> Generator[McpServers]:
    mcp_servers = McpServers(
        [odd("odd"), odd("beside")], data, jail_here(data), limits=SMALL, start_seconds=60
    )
    try:
        yield mcp_servers
    finally:
        mcp_servers.close()


@pytest.fixture
def servers(data: Path) -> Iterator[McpServers]:
    with started(data) as mcp_servers:
        yield mcp_servers


@pytest.fixture
def call(servers: McpServers) -> Callable[..., Any]:
    return caller(servers)


@pytest.fixture(scope="module")
def refused_call(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Any]]:
    """Programs that go on after what they are refused; a start takes one and a half seconds of processor time."""
    with started(tmp_path_factory.mktemp("data")) as mcp_servers:
        yield caller(mcp_servers)


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("fork", {"count": 300}, "processes, more than 40"),
        ("fill_memory", {"megabytes": 250, "processes": 3}, "MB of memory, more than 400"),
        ("fill_folder", {"megabytes": 60}, "its folder holds more than 20 MB or 300 files"),
        pytest.param(
            *("fill_folder", {"megabytes": 0, "files": 600}, "its folder holds more than 20 MB or 300 files"),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            *("compute", {"seconds": 20, "processes": 4}, "s of processor time, more than 5"),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_program_that_takes_too_much_is_ended_with_the_reason_and_its_neighbour_goes_on(
    call: Callable[..., Any], tool: str, arguments: dict[str, Any], reason: str
) -> None:
    answer = call(f"odd_{tool}", **arguments)

    assert "ended during the call" in answer and reason in answer, answer
    assert call("beside_shout", text="a") == "A"


def test_one_process_cannot_write_to_more_memory_than_its_limit(refused_call: Callable[..., Any]) -> None:
    assert refused_call("odd_fill_memory", megabytes=600) == "refused: MemoryError"
    assert refused_call("odd_shout", text="a") == "A"


@pytest.mark.parametrize("direction", ["unshare", "clone", "clone3", "setns"])
def test_a_program_gets_no_user_namespace(
    refused_call: Callable[..., Any], data: Path, direction: str
) -> None:
    if not (jail_here(data).plan or {}).get("seccomp"):
        pytest.skip("no filter of system calls on this machine")

    assert str(refused_call("odd_split_off", direction=direction)).startswith("refused: ")


def test_the_folder_of_a_server_goes_when_it_is_removed(
    servers: McpServers, call: Callable[..., Any], data: Path
) -> None:
    call("odd_write", path=str(data / "mcp" / "odd" / "notes"))
    (data / "elsewhere").write_text("stays")
    (data / "mcp" / "odd" / "link").symlink_to(data / "elsewhere")
    assert (data / "mcp" / "odd" / "notes").exists()

    servers.remove("odd")()

    assert not (data / "mcp" / "odd").exists()
    assert (data / "mcp" / "beside").exists() and (data / "elsewhere").read_text() == "stays"


DOWNLOADS = """
for n in $(seq 16); do head -c 300000 /dev/zero > "$HOME/part$n"; sleep 0.5; done
exec "$0" "$@"
"""
QUICK_SERVER = """
import json, sys
for line in sys.stdin:
    call = json.loads(line)
    server = {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "quick", "version": "1"}}
    if "id" in call:
        result = server if call["method"] == "initialize" else {}
        print(json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": result}), flush=True)
"""
"""A server without tools that starts sooner than the SDK can be imported."""


@pytest.mark.parametrize("network", [True, False])
def test_a_download_does_not_count_towards_the_start(data: Path, network: bool) -> None:
    arguments = ["-c", DOWNLOADS, sys.executable, "-c", QUICK_SERVER]
    readable = [sys.prefix, sys.base_prefix]
    slow = entry("slow", command="sh", args=arguments, readable=readable, network=network, protocol="legacy")
    servers = McpServers([slow], data, jail_here(data), start_seconds=5.0)
    try:
        servers.begin(60)
        problem = servers.get("slow").problem
        assert problem == "" if network else "did not begin to speak MCP within 5 s" in problem, problem
    finally:
        servers.close()
