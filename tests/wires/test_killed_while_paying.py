"""A real server, killed right after it was told that a payment is granted: paid once or not at all, after a restart too."""

import ast
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.desk_server import DeskProcess
from tests.support.paying_desk import SERVING
from tests.support.ws_client import WsClient

SOME, MORE = (0.002, 0.2), (0.0, 0.008, 0.02)
"""Seconds between the answer's acceptance and the kill."""


class Servers:
    """One server after the other, on the same data."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.now = self.start()

    def start(self) -> DeskProcess:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        env = {
            "SMOLDESK_AGENT": "tools",
            "SMOLDESK_ALLOW_UNISOLATED": "true",
            "SMOLDESK_LOG_LEVEL": "WARNING",
        }
        self.now = DeskProcess(self._folder, port, env, SERVING)
        self.now.wait_until_up()
        return self.now

    def granted(self, client: WsClient, amount: int) -> None:
        """Say that something is to be paid, and grant it: returns once the answer is accepted."""
        client.say(f"pay {amount}")
        ask_id = client.until("ask")["content"]["askId"]
        told = httpx.post(f"{self.now.url}/api/asks/{ask_id}", json={"granted": True}, timeout=60)
        assert told.status_code < 300, told.text

    def events(self, chat_id: str) -> list[dict[str, Any]]:
        text = httpx.get(f"{self.now.url}/api/chats/{chat_id}/events", timeout=60).text
        return [json.loads(line)["event"] for line in text.splitlines()]


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Servers]:
    servers = Servers(tmp_path / "data")
    yield servers
    servers.now.close()


@pytest.mark.timeout(300)
@pytest.mark.parametrize("delays", [SOME, pytest.param(MORE, marks=pytest.mark.slow)], ids=["some", "more"])
def test_a_server_killed_after_the_grant_paid_once_or_not_at_all(
    servers: Servers, delays: tuple[float, ...]
) -> None:
    for delay in delays:
        with WsClient(servers.now.ws_url) as client:
            chat_id = client.hello()
            servers.granted(client, 30)
            time.sleep(delay)
            servers.now.kill()
        servers.now.close()
        servers.start()
        with WsClient(servers.now.ws_url, f"?chat={chat_id}&after=0") as client:
            client.hello()
            first = client.until_closed()[-1]["content"]["state"]
            servers.granted(client, 1)
            assert client.until_closed()[-1]["content"]["state"] == "finished"
        log = servers.events(chat_id)
        closed = [
            event["type"] for event in log if event["type"] in ("run_finished", "run_failed", "run_cancelled")
        ]
        assert closed == [f"run_{first}", "run_finished"]
        returned = [ast.literal_eval(event["result"]) for event in log if event["type"] == "tool_returned"]
        balance = returned[-1]["wallet_balance"]
        assert balance in (999, 969)
        if len(returned) == 2:  # what the log says was paid, was
            assert (returned[0]["wallet_balance"], balance) == (970, 969)
