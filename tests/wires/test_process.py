"""The server as a process: signals, crashes, restarts. The built-in model answers; nothing is scripted."""

import ast
import random
import threading
import time
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from tests.support.desk_server import DeskProcess, Servers, events_of
from tests.support.paying_desk import SERVING as PAYING
from tests.support.ws_client import CLOSED, Message, WsClient

QUESTION = "Load the Titanic dataset and show me basic statistics"
KILLS = [6, pytest.param(20, marks=pytest.mark.slow)]
CLOSING = ("run_finished", "run_failed", "run_cancelled")
ANSWERED = 1.5
"""Seconds within which the question is answered on most machines: kills are spread over them."""


def test_sigterm_with_open_sockets_ends_the_server_cleanly(servers: Servers) -> None:
    process = servers.start(cold=True)
    sockets = [WsClient(process.ws_url) for _ in range(10)]
    for client in sockets:
        client.hello()
    started_at = time.monotonic()
    assert process.terminate() == 0
    # The issue asks for a second; a loaded machine may need longer, a server that waits for its sockets needs forever.
    assert time.monotonic() - started_at < 10
    for client in sockets:
        with pytest.raises(ConnectionClosed):
            client.next(5)
        client.close()


def test_sigterm_closes_a_live_run(servers: Servers) -> None:
    process = servers.start()
    with WsClient(process.ws_url) as client:
        chat_id = client.hello()
        client.say(QUESTION)
        client.until("run", state="running")
        assert process.terminate() == 0
    log = events_of(servers.start().url, chat_id)
    assert sum(event["type"] in CLOSING for event in log) == 1


def test_a_second_server_on_the_same_data_is_refused(servers: Servers, tmp_path: Path) -> None:
    servers.start("data")
    second = DeskProcess(tmp_path / "data", 0)
    try:
        assert second.process.wait(30) == 2
        assert "Another smoldesk uses the data directory" in second.errors()
    finally:
        second.close()


@pytest.mark.timeout(400)  # up to twenty starts of a server
@pytest.mark.parametrize("kills", KILLS)
def test_kill_9_loses_nothing_that_was_seen(servers: Servers, kills: int) -> None:
    """At random points, one in each part of the answer: what a client saw is in the log of the next server, and every
    run is closed once."""
    rng = random.Random(20)
    chat_id: str | None = None
    received: dict[int, Message] = {}
    for part in range(kills):
        process = servers.start()
        query = f"?chat={chat_id}&after={max(received, default=0)}" if chat_id else "?after=0"
        with WsClient(process.ws_url, query) as client:
            chat_id = client.hello()
            client.say(QUESTION)
            killer = threading.Timer(ANSWERED * (part + rng.random()) / kills, process.kill)
            killer.start()
            try:
                while True:
                    message = client.next(60)
                    if "seq" in message:
                        received[message["seq"]] = message
            except (ConnectionClosed, TimeoutError):
                pass
            killer.join()
        process.close()
    last = servers.start()
    assert chat_id is not None
    with WsClient(last.ws_url, f"?chat={chat_id}&after=0").greeted() as client:
        replayed = _replay(client)
    assert len(received) > kills
    for seq, message in received.items():
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


# --- killed while paying ------------------------------------------------------------

SOME, MORE = (0.002, 0.2), (0.0, 0.008, 0.02)
"""Seconds between the answer's acceptance and the kill."""


def granted(server: DeskProcess, client: WsClient, amount: int) -> None:
    """Say that something is to be paid, and grant it: returns once the answer is accepted."""
    client.say(f"pay {amount}")
    ask_id = client.until("ask")["content"]["askId"]
    response = httpx.post(f"{server.url}/api/asks/{ask_id}", json={"granted": True}, timeout=60)
    assert response.status_code < 300, response.text


@pytest.mark.timeout(300)
@pytest.mark.parametrize("delays", [SOME, pytest.param(MORE, marks=pytest.mark.slow)], ids=["some", "more"])
def test_a_server_killed_after_the_grant_paid_once_or_not_at_all(
    tmp_path: Path, delays: tuple[float, ...]
) -> None:
    with Servers(tmp_path, PAYING, SMOLDESK_AGENT="demo-tools") as servers:
        server = servers.start()
        for delay in delays:
            with WsClient(server.ws_url) as client:
                chat_id = client.hello()
                granted(server, client, 30)
                time.sleep(delay)
                server.kill()
            server = servers.start()
            with WsClient(server.ws_url, f"?chat={chat_id}&after=0").greeted() as client:
                first = client.until_closed()[-1]["content"]["state"]
                granted(server, client, 1)
                assert client.until_closed()[-1]["content"]["state"] == "finished"
            log = events_of(server.url, chat_id)
            closed = [event["type"] for event in log if event["type"] in CLOSING]
            assert closed == [f"run_{first}", "run_finished"]
            returned = [
                ast.literal_eval(event["result"]) for event in log if event["type"] == "tool_returned"
            ]
            balance = returned[-1]["wallet_balance"]
            assert balance in (999, 969)
            if len(returned) == 2:  # what the log says was paid, was
                assert (returned[0]["wallet_balance"], balance) == (970, 969)
