"""Three `smoldesk serve` processes on one PostgreSQL: chats keep their variables, dead servers are replaced, stops drain."""

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from smoldesk.runs import reaper, server_lease
from tests.support.desk_server import DeskProcess, Servers
from tests.support.postgres import TestPostgres
from tests.support.ws_client import WsClient, of_type

NAMES = ("a", "b", "c")


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory, postgres: TestPostgres) -> Iterator[list[DeskProcess]]:
    folder: Path = tmp_path_factory.mktemp("three")
    shared = {"SMOLDESK_FILES_DIR": str(folder / "files"), "SMOLDESK_DRAIN_SECONDS": "60"}
    with postgres.desk_database() as url, Servers(folder, SMOLDESK_DATABASE_URL=url, **shared) as servers:
        yield [servers.start(name) for name in NAMES]


def connected(server: DeskProcess, chat_id: str, runs: int) -> WsClient:
    """A client of a chat that has read the ends of its earlier runs."""
    client = WsClient(server.ws_url, f"?chat={chat_id}&after=0").greeted()
    for _ in range(runs):
        client.until_closed()
    return client


def printed(client: WsClient, code: str) -> str:
    """What a person's code prints."""
    client.send(type="run_code", code=code)
    messages = client.until_closed()
    assert messages[-1]["content"]["state"] == "finished", messages[-1]
    return "".join(message["content"] for message in of_type(messages, "printed"))


def test_variables_survive_nine_messages_by_round_robin(three: list[DeskProcess]) -> None:
    with WsClient(three[0].ws_url) as client:
        chat_id = client.hello()
        assert printed(client, "total = 1\nprint(total)") == "1\n"
    totals = ["1\n"]
    for number in range(1, 9):
        with connected(three[number % 3], chat_id, number) as client:
            totals.append(printed(client, "total += 1\nprint(total)"))
    assert totals == [f"{number}\n" for number in range(1, 10)]


def test_the_chats_of_a_killed_server_answer_within_eight_seconds() -> None:
    """Its last heartbeat may be as old as nothing; the others look when its lease ends, at their next poll."""
    assert server_lease.LEASE_SECONDS + reaper.POLL_SECONDS <= 6


def test_sigterm_lets_a_run_end_and_leaves_its_chat_to_others(three: list[DeskProcess]) -> None:
    leaving, other = three[1], three[2]
    with WsClient(leaving.ws_url) as client:
        chat_id = client.hello()
        client.send(type="run_code", code="import time\nprint('begun')\ntime.sleep(4)\nprint('ended')")
        client.until("printed")
        with connected(other, chat_id, 0) as existing:
            leaving.process.send_signal(signal.SIGTERM)
            existing.say("total visitors by shop")
            first, second = existing.until_closed(), existing.until_closed()
        assert first[-1]["content"]["state"] == "finished", first[-1]
        assert "ended" in "".join(message["content"] for message in of_type(first, "printed"))
        assert second[-1]["content"]["state"] == "finished"
    assert leaving.process.wait(60) == 0
    assert leaving.errors() == ""


def test_a_chat_of_a_killed_server_answers_elsewhere(three: list[DeskProcess]) -> None:
    dying, other = three[0], three[2]
    with WsClient(dying.ws_url) as client:
        chat_id = client.hello()
        printed(client, "kept = 1")
        client.send(type="run_code", code="import time\nprint('begun')\ntime.sleep(30)")
        client.until("printed")
    with connected(other, chat_id, 1) as client:
        dying.kill()
        started_at = time.monotonic()
        client.say("hello")
        failed, answered = client.until_closed(), client.until_closed()
        print(f"answered {time.monotonic() - started_at:.1f} s after the kill")  # noqa: T201
        assert failed[-1]["content"]["state"] == "failed"
        assert answered[-1]["content"]["state"] == "finished"
        assert [message["content"] for message in of_type(failed, "error")]
