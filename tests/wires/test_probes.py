"""/livez and /readyz: a status for whoever asks, and nothing else."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from pydantic import SecretStr

from smoldesk.tools.run_context import RunContext
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.postgres import TestPostgres
from tests.support.raw_http import RawClient, get, status_of
from tests.support.waiting import come_true

ALONE = "/readyz?exclude=shared"
PROBES = ("/livez", "/readyz", ALONE)
pytestmark = pytest.mark.starts


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    with live_desk(tmp_path_factory.mktemp("desk"), token=SecretStr("secret"), wires=["rest"]) as live:
        yield live


@pytest.mark.parametrize("path", PROBES)
def test_a_probe_needs_no_token_and_no_name_and_gets_no_words(locked: LiveDesk, path: str) -> None:
    for method in ("GET", "HEAD"):
        answer = httpx.request(method, locked.url + path, headers={"Host": "evil.example", "Origin": "null"})
        assert (answer.status_code, answer.content, answer.headers["content-length"]) == (200, b"", "0")
        assert answer.headers["cache-control"] == "no-store"
        assert set(answer.headers) <= {"cache-control", "content-length", "date"}
    assert httpx.post(locked.url + path).status_code == 401
    assert httpx.get(f"{locked.url}{path.partition('?')[0]}/more").status_code == 401
    assert httpx.get(f"{locked.url}/api/../{path}", headers={"Host": "evil.example"}).status_code in (
        200,
        421,
    )


def probe(live: LiveDesk, path: str = "/readyz") -> int:
    return httpx.get(f"{live.url}{path}", timeout=30).status_code


def test_a_desk_whose_database_is_damaged_is_not_ready(tmp_path: Path) -> None:
    with live_desk(tmp_path) as live:
        assert probe(live) == 200
        for now, then, status in (("alembic_version", "away", 503), ("away", "alembic_version", 200)):
            with closing(sqlite3.connect(tmp_path / "smoldesk.db")) as database:
                database.execute(f"ALTER TABLE {now} RENAME TO {then}")
            come_true(lambda expected=status: probe(live) == expected)
            assert probe(live, "/livez") == 200


def test_a_desk_whose_database_hangs_lives_and_is_not_ready(
    tmp_path: Path, postgres: TestPostgres, postgres_of_a_desk: str
) -> None:
    def checks() -> int:
        return sum(thread.name == "readiness" for thread in threading.enumerate())

    with live_desk(tmp_path, database_url=postgres_of_a_desk) as live:
        come_true(lambda: probe(live) == 200)
        with postgres.frozen():
            come_true(lambda: probe(live) == 503)
            assert httpx.get(f"{live.url}/readyz", timeout=30).text == "database_unavailable"
            for _ in range(20):  # however often it is asked, one thread waits for the database
                assert probe(live) == 503
            assert checks() == 1
            assert probe(live, "/livez") == 200
            # all servers lack the database: a balancer that asked the other way would have none left
            assert probe(live, ALONE) == 200
            assert probe(live, "/readyz?exclude=all") == 503
        come_true(lambda: probe(live) == 200)
        come_true(lambda: checks() == 0)


@pytest.mark.parametrize("seconds", [3600, -3600])
def test_a_server_whose_clock_differs_from_that_of_its_database_is_not_ready(
    tmp_path: Path,
    postgres_of_a_desk: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    seconds: int,
) -> None:
    right = time.time
    with live_desk(tmp_path, database_url=postgres_of_a_desk) as live:
        come_true(lambda: probe(live) == 200)
        with monkeypatch.context() as patch:
            patch.setattr(time, "time", lambda: right() + seconds)
            # a check that takes over 2 s on a busy machine says database_unavailable
            come_true(lambda: httpx.get(f"{live.url}{ALONE}", timeout=30).text == "clock_skewed")
            come_true(lambda: httpx.get(f"{live.url}/readyz", timeout=30).text == "clock_skewed")
            assert probe(live, "/livez") == 200
        come_true(lambda: probe(live) == 200)
    assert "(clock_skewed: the clock differs from the database's by 3600 s)" in caplog.text


def test_a_desk_without_room_on_its_disk_is_not_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with live_desk(tmp_path) as live:
        with monkeypatch.context() as patch:
            patch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=1_000))
            come_true(lambda: httpx.get(f"{live.url}/readyz").status_code == 503)
            assert httpx.get(f"{live.url}/readyz").text == "disk_full"
            assert httpx.get(f"{live.url}{ALONE}").text == "disk_full"
            assert httpx.get(f"{live.url}/livez").status_code == 200
        come_true(lambda: httpx.get(f"{live.url}/readyz").status_code == 200)


def test_a_desk_that_has_begun_to_stop_is_not_ready_and_says_so_while_it_still_answers(
    tmp_path: Path,
) -> None:
    started, done = threading.Event(), threading.Event()

    def slow(text: str, ctx: RunContext) -> str:
        started.set()
        done.wait(60)
        return "done"

    with live_desk(tmp_path, answer=slow, stop_grace_seconds=60) as live:
        place = live.url.removeprefix("http://")
        chat = httpx.post(f"{live.url}/api/chats").json()["id"]
        httpx.post(f"{live.url}/api/chats/{chat}/runs", json={"message": "go"})
        assert started.wait(30)
        with RawClient(place) as client:
            request = b"GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n"
            client.send(request)
            assert status_of(client.read_until(b"\r\n\r\n")) == 200
            stopping = threading.Thread(target=live.stop)
            stopping.start()
            try:

                def answer() -> int:
                    client.received = b""
                    client.send(request)
                    return status_of(client.read_until(b"\r\n\r\n"))

                come_true(lambda: answer() == 503)
            finally:
                done.set()
                stopping.join(30)


def test_livez_answers_beside_a_flood_of_heads(locked: LiveDesk) -> None:
    place = locked.url.removeprefix("http://")
    flooding = threading.Event()

    def flood() -> None:
        while not flooding.is_set():
            with RawClient(place) as client:
                client.send(b"GET / HTTP/1.1\r\n")
                client.flood(b"a: b\r\n" * 1_000, 5_000_000)

    threads = [threading.Thread(target=flood) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(20):
            assert status_of(get(place, "/livez")) == 200
    finally:
        flooding.set()
        for thread in threads:
            thread.join(30)
