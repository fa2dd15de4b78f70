"""A talk with the built-in analyst goes on after kill -9, and on another server: its requests are in the log, nothing else."""

import csv
import io
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import date, timedelta
from pathlib import Path

import httpx
import pytest

from tests.support.desk_server import DeskProcess
from tests.support.postgres import TestPostgres
from tests.support.ws_client import Message, WsClient, of_type

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


class Servers:
    """Starts servers, each on a data directory of its own, and ends them."""

    def __init__(self, folder: Path, closing: ExitStack, **env: str) -> None:
        self._folder, self._closing = folder, closing
        self._env = {"SMOLDESK_ALLOW_UNISOLATED": "true", "SMOLDESK_LOG_LEVEL": "WARNING", **env}

    def start(self, name: str) -> DeskProcess:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        process = DeskProcess(self._folder / name, port, self._env)
        self._closing.callback(process.close)
        process.wait_until_up()
        return process


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
    with WsClient(server.ws_url, f"?chat={chat}&after=0") as client:
        client.hello()
        client.until_closed()
        text, _ = asked(client, "and only on weekends")
        for shop in ("渋谷店", "新宿店"):
            assert f"{total(shop, weekends=True):,}" in text


def as_bars(server: DeskProcess, chat: str) -> None:
    with WsClient(server.ws_url, f"?chat={chat}&after=0") as client:
        client.hello()
        client.until_closed()
        client.until_closed()
        _, messages = asked(client, "棒グラフにして")
        assert len(of_type(messages, "image")) == 1
        (code,) = of_type(messages, "code")
        assert ".dt.dayofweek.isin([5, 6])" in str(code["content"]), "the weekends were forgotten"


def test_a_talk_goes_on_after_kill_9(tmp_path: Path) -> None:
    with ExitStack() as closing:
        servers = Servers(tmp_path, closing)
        first = servers.start("desk")
        chat = begin(first)
        first.kill()
        second = servers.start("desk")
        goes_on(second, chat)
        second.kill()
        as_bars(servers.start("desk"), chat)


@pytest.fixture
def database(postgres: TestPostgres) -> Iterator[str]:
    with postgres.database() as url:
        yield url


def test_a_talk_goes_on_at_another_server_on_the_same_postgresql(tmp_path: Path, database: str) -> None:
    with ExitStack() as closing:
        shared = {"SMOLDESK_DATABASE_URL": database, "SMOLDESK_FILES_DIR": str(tmp_path / "shared")}
        servers = Servers(tmp_path, closing, **shared)
        here, there = servers.start("a"), servers.start("b")
        chat = begin(here)
        goes_on(there, chat)
        as_bars(here, chat)
