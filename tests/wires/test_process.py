"""The server as a process: signals, crashes, restarts. The built-in model answers; nothing is scripted."""

import json
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from tests.support.desk_server import DeskProcess
from tests.support.ws_client import CLOSED, Message, WsClient

QUESTION = "Load the Titanic dataset and show me basic statistics"
KILLS = [6, pytest.param(20, marks=pytest.mark.slow)]
ANSWERED = 1.5
"""Seconds within which the question is answered on most machines: kills are spread over them."""


@pytest.fixture
def processes() -> Iterator[list[DeskProcess]]:
    started: list[DeskProcess] = []
    yield started
    for process in started:
        process.close()


def test_sigterm_with_open_sockets_ends_the_server_cleanly(
    processes: list[DeskProcess], tmp_path: Path, free_port: int
) -> None:
    process = DeskProcess(tmp_path, free_port, cold=True)
    processes.append(process)
    process.wait_until_up()
    sockets = [WsClient(process.ws_url) for _ in range(10)]
    for client in sockets:
        client.hello()
    began = time.monotonic()
    assert process.terminate() == 0
    # The issue asks for a second; a loaded machine may need longer, a server that waits for its sockets needs forever.
    assert time.monotonic() - began < 10
    for client in sockets:
        with pytest.raises(ConnectionClosed):
            client.next(5)
        client.close()


def test_sigterm_closes_a_live_run(processes: list[DeskProcess], tmp_path: Path, free_port: int) -> None:
    process = DeskProcess(tmp_path, free_port)
    processes.append(process)
    process.wait_until_up()
    with WsClient(process.ws_url) as client:
        chat_id = client.hello()
        client.say(QUESTION)
        client.until("run", state="running")
        assert process.terminate() == 0
    again = DeskProcess(tmp_path, free_port)
    processes.append(again)
    again.wait_until_up()
    log = _log(again, chat_id)
    assert sum(line["event"]["type"] in _CLOSING for line in log) == 1


_CLOSING = ("run_finished", "run_failed", "run_cancelled")


def test_a_second_server_on_the_same_data_is_refused(
    processes: list[DeskProcess], tmp_path: Path, free_port: int
) -> None:
    first = DeskProcess(tmp_path, free_port)
    processes.append(first)
    first.wait_until_up()
    second = DeskProcess(tmp_path, 0)
    processes.append(second)
    assert second.process.wait(30) == 2
    assert "Another smoldesk uses the data directory" in second.errors()


@pytest.mark.timeout(400)  # up to twenty starts of a server
@pytest.mark.parametrize("kills", KILLS)
def test_kill_9_loses_nothing_that_was_seen(
    processes: list[DeskProcess], tmp_path: Path, free_port: int, kills: int
) -> None:
    """At random points, one in each part of the answer: what a client saw is in the log of the next server, and every
    run is closed once."""
    rng = random.Random(20)
    chat_id: str | None = None
    seen: dict[int, Message] = {}
    for part in range(kills):
        process = DeskProcess(tmp_path, free_port)
        processes.append(process)
        process.wait_until_up()
        query = f"?chat={chat_id}&after={max(seen, default=0)}" if chat_id else "?after=0"
        with WsClient(process.ws_url, query) as client:
            chat_id = client.hello()
            client.say(QUESTION)
            killer = threading.Timer(ANSWERED * (part + rng.random()) / kills, process.kill)
            killer.start()
            try:
                while True:
                    message = client.next(60)
                    if "seq" in message:
                        seen[message["seq"]] = message
            except (ConnectionClosed, TimeoutError):
                pass
            killer.join()
        process.close()
    last = DeskProcess(tmp_path, free_port)
    processes.append(last)
    last.wait_until_up()
    assert chat_id is not None
    with WsClient(last.ws_url, f"?chat={chat_id}&after=0") as client:
        client.hello()
        replayed = _replay(client)
    assert len(seen) > kills
    for seq, message in seen.items():
        assert replayed[seq] == message
    states: dict[str, list[str]] = {}
    for message in replayed.values():
        if message["type"] == "run" and message["content"]["state"] in CLOSED:
            states.setdefault(message["runId"], []).append(message["content"]["state"])
    runs = {message["runId"] for message in replayed.values() if message["type"] == "user_message"}
    assert set(states) == runs
    assert all(len(closings) == 1 for closings in states.values())


def _replay(client: WsClient) -> dict[int, Message]:
    """Everything in the log, once all runs are closed and a second was silent."""
    replayed: dict[int, Message] = {}
    open_runs: set[str] = set()
    while True:
        unfinished = not replayed or bool(open_runs)
        try:
            message = client.next(60 if unfinished else 1)
        except TimeoutError:
            assert not unfinished, f"still open after a minute: {open_runs}"
            return replayed
        if "seq" not in message:
            continue  # that a run waits is told beside its event, and is none
        replayed[message["seq"]] = message
        if message["type"] == "user_message":
            open_runs.add(message["runId"])
        if message["type"] == "run" and message["content"]["state"] in CLOSED:
            open_runs.discard(message["runId"])


def _log(process: DeskProcess, chat_id: str) -> list[Message]:
    text = httpx.get(f"{process.url}/api/chats/{chat_id}/events", timeout=30).text
    return [json.loads(line) for line in text.splitlines()]
