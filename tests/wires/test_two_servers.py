"""Two `smoldesk serve` processes on one PostgreSQL, each with a data directory of its own, and real clients of both.

A talk with the built-in analyst goes on there, and after kill -9: its requests are in the log, nothing else is kept.
"""

import csv
import io
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import httpx
import pytest

from tests.support.desk_server import DeskProcess, Servers, live_desk
from tests.support.postgres import TestPostgres
from tests.support.scripted_desk import SERVING
from tests.support.ws_client import Message, WsClient, of_type


class Two:
    """Servers A and B; `a` may be killed and started again on its data."""

    def __init__(self, servers: Servers) -> None:
        self.start = servers.start
        self.a, self.b = servers.start("a"), servers.start("b")


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory, postgres: TestPostgres) -> Iterator[Two]:
    folder = tmp_path_factory.mktemp("two")
    with postgres.database() as url, Servers(folder, SERVING, SMOLDESK_DATABASE_URL=url) as servers:
        yield Two(servers)


def logged(messages: list[Message]) -> list[Message]:
    """Those made from an event of the log."""
    return [message for message in messages if "seq" in message]


def test_a_page_on_b_sees_every_event_of_a_run_on_a_once_and_in_order(two: Two) -> None:
    with WsClient(two.a.ws_url) as here:
        chat_id = here.hello()
        with WsClient(two.b.ws_url, f"?chat={chat_id}&after=0").greeted() as existing:
            here.say("please count")
            here.until("printed")
            existing.until("printed")
            here.send(type="cancel", runId=here.seen[-1]["runId"])
            here.until_closed()
            existing.until_closed()
            assert logged(existing.seen) == logged(here.seen)
            seqs = [message["seq"] for message in logged(existing.seen)]
            assert seqs == sorted(seqs)
        with WsClient(two.b.ws_url, f"?chat={chat_id}&after=0").greeted() as later:
            later.until_closed()
            assert logged(later.seen) == logged(here.seen)


def test_a_page_on_b_stops_a_run_on_a(two: Two) -> None:
    with WsClient(two.a.ws_url) as here:
        chat_id = here.hello()
        here.say("please count")
        here.until("printed")
        with WsClient(two.b.ws_url, f"?chat={chat_id}&after=0").greeted() as existing:
            existing.send(type="cancel", runId=existing.until("printed")["runId"])
            assert existing.until_closed()[-1]["content"]["state"] == "cancelled"
        here.until("run", state="stopping")
        assert here.until_closed()[-1]["content"]["state"] == "cancelled"


def test_a_page_on_b_answers_what_a_run_on_a_asks(two: Two) -> None:
    with WsClient(two.a.ws_url) as here:
        chat_id = here.hello()
        here.say("please pay")
        with WsClient(two.b.ws_url, f"?chat={chat_id}&after=0").greeted() as existing:
            ask = existing.until("ask")["content"]
            existing.send(type="answer", askId=ask["askId"], granted=True)
            assert existing.until_closed()[-1]["content"]["text"] == "paid bread"
        here.until_closed()
        assert [message["content"]["granted"] for message in of_type(here.seen, "ask_closed")] == [True]


def test_a_message_to_b_is_answered_after_the_run_on_a(two: Two) -> None:
    with WsClient(two.a.ws_url) as here:
        chat_id = here.hello()
        here.say("please count")
        run_id = here.until("printed")["runId"]
        with WsClient(two.b.ws_url, f"?chat={chat_id}&after=0").greeted() as existing:
            existing.until("printed")
            existing.say("please answer")
            existing.until("run", state="queued")
            here.send(type="cancel", runId=run_id)
            existing.until("run", state="cancelled")
            assert existing.until_closed()[-1]["content"]["text"] == "42"


def test_a_file_that_a_keeps_is_named_by_b_and_said_to_be_elsewhere(two: Two) -> None:
    chat = httpx.post(f"{two.a.url}/api/chats").json()["id"]
    here = httpx.post(f"{two.a.url}/api/chats/{chat}/files", files={"file": ("a.csv", b"x\n1\n")}).json()
    files = httpx.get(f"{two.b.url}/api/chats/{chat}/files").json()["files"]
    assert [file["url"] for file in files] == [here["url"]]
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
        with WsClient(two.b.ws_url, f"?chat={chat_id}&after=0").greeted() as existing:
            ask = existing.until("ask")["content"]["askId"]
            two.a.kill()
            closed = existing.until("ask_closed", askId=ask)["content"]
            assert (closed["granted"], closed["reason"]) == (False, "The server restarted")
            last = existing.until_closed()
            assert "The server restarted" in of_type(last, "error")[-1]["content"]
            assert last[-1]["content"]["state"] == "failed"
            assert existing.ask("please answer")[-1]["content"]["text"] == "42"
    again = two.start("a")
    with WsClient(again.ws_url, f"?chat={chat_id}&after=0").greeted() as back:
        back.until_closed()
        back.until_closed()
        assert logged(back.seen) == logged(existing.seen)
        assert back.ask("please answer")[-1]["content"]["text"] == "42"


# --- a talk with the built-in analyst --------------------------------------------------

DAYS = [date(2024, 4, 1) + timedelta(days=number) for number in range(60)]
VISITS = [
    ("渋谷店" if number % 3 else "新宿店", day, 10 + number * number % 97) for number, day in enumerate(DAYS)
]


def visits_csv() -> bytes:
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(["shop", "day", "visitors"])
    writer.writerows((shop, day.isoformat(), count) for shop, day, count in VISITS)
    return file.getvalue().encode()


def total(shop: str, weekends: bool) -> int:
    """Visitors of a shop, counted here."""
    return sum(n for name, day, n in VISITS if name == shop and (not weekends or day.weekday() >= 5))


def asked(client: WsClient, question: str) -> tuple[str, list[Message]]:
    """The last text of the answer, and all its messages."""
    client.say(question)
    messages = client.until_closed(180)
    assert messages[-1]["content"]["state"] == "finished", messages[-1]
    return str(of_type(messages, "text")[-1]["content"]), messages


def begin(server: DeskProcess) -> str:
    """A chat with the table, whose first question is answered; its id."""
    with WsClient(server.ws_url) as client:
        chat = client.hello()
        sent = httpx.post(
            f"{server.url}/api/chats/{chat}/files", files={"file": ("visits.csv", visits_csv())}, timeout=120
        )
        assert sent.status_code in (200, 201), sent.text
        text, _ = asked(client, "total visitors by shop")
        for shop in ("渋谷店", "新宿店"):
            assert f"{total(shop, weekends=False):,}" in text
    return chat


def goes_on(server: DeskProcess, chat: str) -> None:
    """Two follow-ups, each of which needs the request before it."""
    with WsClient(server.ws_url, f"?chat={chat}&after=0").greeted() as client:
        client.until_closed()
        text, _ = asked(client, "and only on weekends")
        for shop in ("渋谷店", "新宿店"):
            assert f"{total(shop, weekends=True):,}" in text


def as_bars(server: DeskProcess, chat: str) -> None:
    with WsClient(server.ws_url, f"?chat={chat}&after=0").greeted() as client:
        client.until_closed()
        client.until_closed()
        _, messages = asked(client, "棒グラフにして")
        assert len(of_type(messages, "chart")) == 1
        (code,) = of_type(messages, "code")
        assert ".dt.dayofweek.isin([5, 6])" in str(code["content"]), "the weekends were forgotten"


def test_a_talk_goes_on_after_kill_9(servers: Servers) -> None:
    first = servers.start()
    chat = begin(first)
    first.kill()
    second = servers.start()
    goes_on(second, chat)
    second.kill()
    as_bars(servers.start(), chat)


def test_a_talk_goes_on_at_another_server_on_the_same_postgresql(tmp_path: Path, postgres_url: str) -> None:
    shared = {"SMOLDESK_DATABASE_URL": postgres_url, "SMOLDESK_FILES_DIR": str(tmp_path / "shared")}
    with Servers(tmp_path, **shared) as servers:
        here, existing = servers.start("a"), servers.start("b")
        chat = begin(here)
        goes_on(existing, chat)
        as_bars(here, chat)
