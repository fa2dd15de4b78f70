"""The ports that a program of an MCP server is kept from: all at which this process listens, however."""

import contextlib
import socket
import sys

import pytest

from smoldesk.tools.mcp_servers.listening_ports import listening_ports

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells them")


def test_every_listener_of_this_process_is_found_and_no_other_socket() -> None:
    before = listening_ports()
    with contextlib.ExitStack() as stack:
        hosts = [("127.0.0.1", socket.AF_INET)]
        if socket.has_dualstack_ipv6():
            hosts.append(("::1", socket.AF_INET6))
        listening = [
            stack.enter_context(socket.create_server((host, 0), family=kind)) for host, kind in hosts
        ]
        idle = stack.enter_context(socket.socket())
        idle.bind(("127.0.0.1", 0))
        assert listening_ports() - before == {item.getsockname()[1] for item in listening}


def test_before_any_is_open_the_desks_is_closed_already(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smoldesk.tools.mcp_servers.listening_ports.LISTENING", "none")
    assert listening_ports(8123) == {8123}
    assert listening_ports(443) == listening_ports(0) == frozenset()
