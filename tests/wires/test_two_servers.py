"""Two `smoldesk serve` processes on one PostgreSQL, each with a data directory of its own, and real clients of both."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.support.desk_server import DeskProcess, live_desk
from tests.support.postgres import TestPostgres
from tests.support.scripted_desk import SERVING
from tests.support.ws_client import Message, WsClient, of_type


class Two:
    """Servers A and B; `a` may be killed and started again on its data."""

    def __init__(self, folder: Path, database_url: str, closing: ExitStack) -> None:
        self._folder = folder
        self._closing = closing
        self._env = {
            "SMOLDESK_DATABASE_URL": database_url,
            "SMOLDESK_ALLOW_UNISOLATED": "true",
            "SMOLDESK_LOG_LEVEL": "WARNING",
        }
        self.a, self.b = self.start("a"), self.start("b")
        for process in (self.a, self.b):
            process.wait_until_up()

    def start(self, name: str) -> DeskProcess:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        process = DeskProcess(self._folder / name, port, self._env, SERVING)
        self._closing.callback(process.close)
        return process


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory, postgres: TestPostgres) -> Iterator[Two]:
    with postgres.database() as url, ExitStack() as closing:
        yield Two(tmp_path_factory.mktemp("two"), url, closing)


def logged(messages: list[Message]) -> list[Message]:
    """Those made from an event of the log."""
    return [message for message in messages if "seq" in message]


def test_a_page_on_b_sees_every_event_of_a_run_on_a_once_and_in_order(two: Two) -> None:
    with WsClient(two.a.ws_url) as here:
        chat_id = here.hello()
        with WsClient(two.b.ws_url, f"?chat={chat_id}&after=0") as there:
            there.hello()
            here.say("please count")
            here.until("printed")
            there.until("printed")
            here.send(type="cancel", runId=here.seen[-1]["runId"])
            here.until_closed()
            there.until_closed()
            assert logged(there.seen) == logged(here.seen)
            seqs = [message["seq"] for message in logged(there.seen)]
            assert seqs == sorted(seqs)
        with WsClient(two.b.ws_url, f"?chat={chat_id}&after=0") as later:
            later.hello()
            later.until_closed()
            assert logged(later.seen) == logged(here.seen)


def test_a_page_on_b_stops_a_run_on_a(two: Two) -> None:
    with WsClient(two.a.ws_url) as here:
        chat_id = here.hello()
        here.say("please count")
        here.until("printed")
        with WsClient(two.b.ws_url, f"?chat={chat_id}&after=0") as there:
            there.hello()
            there.send(type="cancel", runId=there.until("printed")["runId"])
            assert there.until_closed()[-1]["content"]["state"] == "cancelled"
        here.until("run", state="stopping")
        assert here.until_closed()[-1]["content"]["state"] == "cancelled"


def test_a_page_on_b_answers_what_a_run_on_a_asks(two: Two) -> None:
    with WsClient(two.a.ws_url) as here:
        chat_id = here.hello()
        here.say("please pay")
        with WsClient(two.b.ws_url, f"?chat={chat_id}&after=0") as there:
            there.hello()
            ask = there.until("ask")["content"]
            there.send(type="answer", askId=ask["askId"], granted=True)
            assert there.until_closed()[-1]["content"]["text"] == "paid bread"
        here.until_closed()
        assert [message["content"]["granted"] for message in of_type(here.seen, "ask_closed")] == [True]


def test_a_message_to_b_is_answered_after_the_run_on_a(two: Two) -> None:
    with WsClient(two.a.ws_url) as here:
        chat_id = here.hello()
        here.say("please count")
        run_id = here.until("printed")["runId"]
        with WsClient(two.b.ws_url, f"?chat={chat_id}&after=0") as there:
            there.hello()
            there.until("printed")
            there.say("please answer")
            there.until("run", state="queued")
            here.send(type="cancel", runId=run_id)
            there.until("run", state="cancelled")
            assert there.until_closed()[-1]["content"]["text"] == "42"


def test_a_file_that_a_keeps_is_named_by_b_and_said_to_be_elsewhere(two: Two) -> None:
    chat = httpx.post(f"{two.a.url}/api/chats").json()["id"]
    here = httpx.post(f"{two.a.url}/api/chats/{chat}/files", files={"file": ("a.csv", b"x\n1\n")}).json()
    listed = httpx.get(f"{two.b.url}/api/chats/{chat}/files").json()["files"]
    assert [file["url"] for file in listed] == [here["url"]]
    answer = httpx.get(f"{two.b.url}{here['url']}")
    assert answer.status_code == 404
    assert "SMOLDESK_FILES_DIR" in answer.text


def test_servers_that_share_a_folder_serve_each_others_files(tmp_path: Path, postgres_url: str) -> None:
    shared = {"database_url": postgres_url, "files_dir": tmp_path / "shared"}
    with live_desk(tmp_path / "a", **shared) as a, live_desk(tmp_path / "b", **shared) as b:  # pyright: ignore[reportArgumentType]
        chat = httpx.post(f"{a.url}/api/chats").json()["id"]
        here = httpx.post(f"{a.url}/api/chats/{chat}/files", files={"file": ("a.csv", b"x\n1\n")}).json()
        assert httpx.get(f"{b.url}{here['url']}").content == b"x\n1\n"


def test_what_a_killed_server_left_open_is_closed_by_the_other_and_it_comes_back(two: Two) -> None:
    with WsClient(two.a.ws_url) as here:
        chat_id = here.hello()
        here.say("please pay")
        here.until("ask")
        with WsClient(two.b.ws_url, f"?chat={chat_id}&after=0") as there:
            there.hello()
            ask = there.until("ask")["content"]["askId"]
            two.a.kill()
            closed = there.until("ask_closed", askId=ask)["content"]
            assert (closed["granted"], closed["reason"]) == (False, "The server restarted")
            last = there.until_closed()
            assert "The server restarted" in of_type(last, "error")[-1]["content"]
            assert last[-1]["content"]["state"] == "failed"
            there.say("please answer")
            assert there.until_closed()[-1]["content"]["text"] == "42"
    again = two.start("a")
    again.wait_until_up()
    with WsClient(again.ws_url, f"?chat={chat_id}&after=0") as back:
        back.hello()
        back.until_closed()
        back.until_closed()
        assert logged(back.seen) == logged(there.seen)
        back.say("please answer")
        assert back.until_closed()[-1]["content"]["text"] == "42"
