"""Floods from one address against a whole desk: its memory stays, and everybody else is served."""

import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import pytest

from bench.floods import MOST_GROWTH, flooded
from bench.processes import settled
from tests.support.desk_server import DeskProcess, Servers
from tests.support.raw_http import RawClient, get, many, status_of
from tests.support.ws_client import WsClient


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[DeskProcess]:
    with Servers(tmp_path) as servers:
        yield servers.start()


def test_floods_of_heads_and_unfinished_requests_cost_a_bounded_memory_and_livez_answers(
    desk: DeskProcess,
) -> None:
    process = psutil.Process(desk.process.pid)
    settled(process)
    watch, flood = flooded(process, int(desk.url.rpartition(":")[2]), "--megabytes=20", "--unfinished=1000")
    sys.stdout.write(f"+{watch.growth / 1e6:.0f} MB, /livez at most {max(watch.answers):.2f} s, {flood}\n")
    assert flood["sent"] >= 160_000_000
    assert watch.growth < MOST_GROWTH
    assert max(watch.answers) < float("inf")


def test_one_address_that_holds_all_it_can_locks_nobody_out(desk: DeskProcess) -> None:
    """Of another address pages, answers and sockets go on; of the same one a probe gets through."""
    place = desk.url.removeprefix("http://")
    with WsClient(desk.ws_url) as client:
        client.hello()
        with many(place, 700, b"GET / HTTP/1.1\r\nHost: ", source="127.0.0.9") as locked:
            assert status_of(get(place, "/livez", source="127.0.0.9")) == 200
            assert status_of(get(place, "/", source="127.0.0.2")) == 200
            assert httpx.get(f"{desk.url}/healthz", timeout=60).json()["status"] == "ok"
            assert client.ask("How many rows are in measurement?")[-1]["content"]["state"] == "finished"
            assert not locked[0].is_open
            assert locked[-1].is_open


def test_an_upload_that_rests_between_two_pieces_goes_on(desk: DeskProcess) -> None:
    """With the desk's own limits; also one whose connection ended in the middle of a piece."""
    tus = {"Tus-Resumable": "1.0.0"}
    with httpx.Client(base_url=desk.url, timeout=60) as http:
        chat = http.post("/api/chats").json()["id"]
        facts = tus | {"Upload-Length": "8", "Upload-Metadata": "filename YS5jc3Y="}
        place = http.post(f"/api/chats/{chat}/uploads", headers=facts).headers["Location"]
        head = "\r\n".join(f"{name}: {value}" for name, value in tus.items())
        with RawClient(desk.url) as client:
            client.send(
                f"PATCH {httpx.URL(place).path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{head}\r\nUpload-Offset: 0\r\n"
                "Content-Type: application/offset+octet-stream\r\nContent-Length: 8\r\n\r\na,b\n".encode()
            )
            assert status_of(client.read()) == 408
        offset = int(http.head(place, headers=tus).headers["Upload-Offset"])
        assert offset == 4
        more = tus | {"Upload-Offset": "4", "Content-Type": "application/offset+octet-stream"}
        assert http.patch(place, content=b"1,2\n", headers=more).is_success
        assert '"ready"' in http.get(place).text
    assert "Traceback" not in desk.errors()
