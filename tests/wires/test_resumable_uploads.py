"""Uploads in pieces (tus 1.0.0): tus' own client, and what no client should do, against a real server."""

import asyncio
import base64
import hashlib
import json
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from pydantic import SecretStr
from tusclient.client import TusClient

from smoldesk.chats import StoredFile, Uploads, resumable_uploads, upload_room
from smoldesk.errors import BadInput
from smoldesk.wires.rest import upload_progress
from smoldesk.wires.rest.upload_progress import Upload
from tests.support.desk_server import LiveDesk, Servers, live_desk
from tests.support.scripted_model import ScriptedModel
from tests.support.waiting import come_true

TUS = {"Tus-Resumable": "1.0.0"}
PIECE = TUS | {"Content-Type": "application/offset+octet-stream"}
TOKEN = "long and random"
TABLE = b"room,degrees\n" + b"Kitchen,21\n" * 20_000


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path | None]:
    """A disk of 4 MB for the files of chats; None where none may be mounted."""
    folder = tmp_path_factory.mktemp("disk")
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder], capture_output=True)
    yield folder if mounted.returncode == 0 else None
    if mounted.returncode == 0:
        subprocess.run(["umount", "--lazy", folder], check=True)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, disk: Path | None) -> Iterator[LiveDesk]:
    model = ScriptedModel(["ok"])
    options: dict[str, Any] = {"upload_limit_mb": 1.5, "sandbox_folder_mb": 2, "token": SecretStr(TOKEN)}
    with live_desk(tmp_path_factory.mktemp("desk"), lambda: model, files_dir=disk, **options) as live:
        yield live


@pytest.fixture
def http(desk: LiveDesk) -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with httpx.Client(base_url=desk.url, timeout=60, headers=headers) as client:
        yield client


@pytest.fixture
def chat(http: httpx.Client) -> Iterator[str]:
    chat = http.post("/api/chats").json()["id"]
    yield chat
    http.delete(f"/api/chats/{chat}")


def begin(
    http: httpx.Client, chat: str, length: int, name: str = "rooms.csv", **headers: str
) -> httpx.Response:
    report = {
        "Upload-Length": str(length),
        "Upload-Metadata": f"filename {base64.b64encode(name.encode()).decode()}".strip(),
    }
    return http.post(f"/api/chats/{chat}/uploads", headers=TUS | report | headers)


def send(http: httpx.Client, place: str, offset: int, data: Any, **headers: str) -> httpx.Response:
    return http.patch(place, content=data, headers=PIECE | {"Upload-Offset": str(offset)} | headers)


def offset_of(http: httpx.Client, place: str) -> int:
    return int(http.head(place, headers=TUS).headers["Upload-Offset"])


def result(http: httpx.Client, place: str) -> dict[str, Any]:
    return json.loads(http.get(place).text.splitlines()[-1])


def code_of(answer: httpx.Response) -> tuple[int, str]:
    assert answer.headers["Tus-Resumable"] == "1.0.0"
    return answer.status_code, answer.json()["error"]["code"]


def files_added(http: httpx.Client, chat: str) -> list[str]:
    events = [json.loads(line)["event"] for line in http.get(f"/api/chats/{chat}/events").text.splitlines()]
    return [event["file"]["name"] for event in events if event["type"] == "file_added"]


def parts(desk: LiveDesk) -> list[str]:
    return [path.name for path in desk.desk.data_dir.partials.iterdir() if path.suffix == ""]


def test_tus_own_client_sends_a_file_in_pieces_and_it_is_read_as_any_upload(
    http: httpx.Client, desk: LiveDesk, chat: str, tmp_path: Path
) -> None:
    file = tmp_path / "部屋.csv"
    file.write_bytes(TABLE)
    client = TusClient(f"{desk.url}/api/chats/{chat}/uploads", headers={"Authorization": f"Bearer {TOKEN}"})
    uploader = client.uploader(
        str(file), chunk_size=70_000, metadata={"filename": file.name}, upload_checksum=True
    )
    uploader.upload_chunk()
    assert parts(desk) == [str(uploader.url).rpartition("/")[2]]
    again = client.uploader(str(file), chunk_size=70_000, url=uploader.url)
    assert again.offset == 70_000, "it goes on from there"
    again.upload()

    ready = result(http, str(uploader.url))
    assert (ready["state"], ready["file"]["name"], ready["tables"][0]["rows"]) == ("ready", file.name, 20_000)
    assert http.get(ready["file"]["url"]).content == TABLE
    assert (desk.desk.data_dir.chats / chat / file.name).read_bytes() == TABLE
    assert parts(desk) == []
    assert files_added(http, chat) == [file.name]
    assert http.head(str(uploader.url), headers=TUS).headers["Upload-Offset"] == str(len(TABLE))


def test_what_it_speaks_is_told_and_others_are_refused(http: httpx.Client, desk: LiveDesk, chat: str) -> None:
    headers = http.options(f"/api/chats/{chat}/uploads").headers
    assert (headers["Tus-Version"], headers["Tus-Max-Size"]) == ("1.0.0", "1500000")
    assert set(headers["Tus-Extension"].split(",")) == {"creation", "termination", "checksum", "expiration"}
    old = http.post(f"/api/chats/{chat}/uploads", headers={"Tus-Resumable": "0.2.2", "Upload-Length": "5"})
    assert (*code_of(old), old.headers["Tus-Version"]) == (412, "tus_version", "1.0.0")
    stranger = httpx.post(
        f"{desk.url}/api/chats/{chat}/uploads", headers=TUS | {"Authorization": "Bearer other"}
    )
    assert stranger.status_code == 401


@pytest.mark.parametrize(
    ("length", "name", "refusal"),
    [
        (0, "a.csv", (400, "empty_file")),
        (5, "../a.csv", (400, "bad_input")),
        (5, "a\n.csv", (400, "bad_input")),
        (5, "", (400, "bad_input")),
        (1_500_001, "a.csv", (413, "too_large")),
    ],
)
def test_what_cannot_be_kept_is_refused_before_its_first_byte(
    http: httpx.Client, desk: LiveDesk, chat: str, length: int, name: str, refusal: tuple[int, str]
) -> None:
    assert code_of(begin(http, chat, length, name)) == refusal
    assert parts(desk) == []


def test_what_is_on_its_way_counts_for_the_quota_until_it_is_cancelled(
    http: httpx.Client, desk: LiveDesk, chat: str
) -> None:
    first = begin(http, chat, 1_400_000).headers["Location"]
    assert "smoldesk_uploads 1.0" in http.get("/metrics").text
    assert code_of(begin(http, chat, 1_000_000)) == (413, "chat_full")
    form = {"file": ("a.csv", b"a\n" * 500_000)}
    single_request = http.post(f"/api/chats/{chat}/files", files=form)
    assert (single_request.status_code, single_request.json()["error"]["code"]) == (413, "chat_full")
    boundary = b"--x\r\nContent-Disposition: form-data; name=file; filename=a.csv\r\n\r\n"
    unannounced = http.post(
        f"/api/chats/{chat}/files",
        content=iter([boundary, b"a\n" * 500_000, b"\r\n--x--\r\n"]),
        headers={"Content-Type": "multipart/form-data; boundary=x"},
    )
    assert (unannounced.status_code, unannounced.json()["error"]["code"]) == (413, "chat_full")
    assert http.delete(first, headers=TUS).status_code == 204
    assert code_of(http.delete(first, headers=TUS)) == (404, "not_found")
    (desk.desk.data_dir.partials / f"u_{'0' * 32}.json").write_text(
        '{"id": 1}'
    )  # a stranger's: it is in nobody's way
    second = begin(http, chat, 1_000_000)
    assert second.status_code == 201
    assert "GMT" in second.headers["Upload-Expires"]
    assert http.delete(f"/api/chats/{chat}").status_code == 204
    assert parts(desk) == [], "it goes with its chat"
    assert code_of(send(http, second.headers["Location"], 0, b"a")) == (404, "not_found")


def test_room_is_given_once_to_those_who_ask_together_and_a_chat_has_only_so_many_on_their_way(
    http: httpx.Client, desk: LiveDesk, chat: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask(_: int) -> str:
        try:
            return desk.desk.upload_room.take(chat, "a.csv", 1_200_000).id
        except BadInput as fault:
            return fault.code

    usage = upload_room.usage
    monkeypatch.setattr(
        upload_room, "usage", lambda *report: [usage(*report), time.sleep(0.02)][0]
    )  # so that they meet
    with ThreadPoolExecutor(8) as together:
        report = sorted(together.map(ask, range(8)))
    assert report[:-1] == ["chat_full"] * 7
    monkeypatch.setattr(upload_room, "MAX_COMING", 1)
    assert code_of(begin(http, chat, 1)) == (400, "too_many_uploads")


def test_lines_go_on_while_the_share_stands_and_who_is_cancelled_waits_for_what_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(upload_progress, "BEAT_SECONDS", 0.0)
    monkeypatch.setattr(upload_progress, "POLL_SECONDS", 0.01)
    going, ended = threading.Event(), threading.Event()

    class Standing:
        async def finish(self, *_: object) -> None:
            await asyncio.Event().wait()

    def write() -> None:
        going.wait(30)
        ended.set()

    async def run() -> None:
        upload = Upload(cast(Uploads, Standing()), StoredFile("f", "c", "upload", "a.csv", 1, "text/csv"))
        upload.start()
        lines = upload.lines()
        states = [json.loads(await anext(lines))["state"] for _ in range(4)]
        assert states == ["received", "reading", "reading", "reading"]
        writing = asyncio.create_task(resumable_uploads._to_its_end(asyncio.to_thread(write)))  # pyright: ignore[reportPrivateUsage]
        await asyncio.sleep(0)
        writing.cancel()
        await asyncio.sleep(0)
        going.set()
        with pytest.raises(asyncio.CancelledError):
            await writing
        assert ended.is_set()

    with ThreadPoolExecutor(1) as thread:  # a browser of the same test process has a loop in this one
        thread.submit(asyncio.run, run()).result(60)


def test_pieces_that_do_not_fit_change_nothing(http: httpx.Client, chat: str) -> None:
    place = begin(http, chat, 10).headers["Location"]
    other = http.post("/api/chats").json()["id"]
    assert code_of(send(http, place.replace(chat, other), 0, b"abc")) == (404, "not_found")
    assert code_of(send(http, place, 3, b"abc")) == (409, "offset_mismatch")
    assert code_of(send(http, place, 0, b"a" * 11)) == (413, "too_large")
    endless = iter([b"a" * 6, b"a" * 6])  # its length is not told
    assert code_of(send(http, place, 0, endless))[0] == 413
    offset = offset_of(http, place)
    wrong = base64.b64encode(hashlib.sha1(b"other").digest()).decode()
    assert code_of(send(http, place, offset, b"ab", **{"Upload-Checksum": f"sha1 {wrong}"})) == (
        460,
        "wrong_checksum",
    )
    assert code_of(send(http, place, offset, b"ab", **{"Content-Type": "text/csv"})) == (415, "not_a_piece")
    assert offset_of(http, place) == offset
    assert code_of(send(http, place[:-1], 0, b"a")) == (404, "not_found")
    response = http.post(place, content=b"1\n2\n3\n4\n5\n"[offset:], headers=PIECE | {
        "Upload-Offset": str(offset), "X-HTTP-Method-Override": "PATCH"})  # fmt: skip
    assert (response.status_code, response.headers["Upload-Offset"]) == (204, "10")
    assert result(http, place)["state"] == "ready"


def test_a_lost_connection_keeps_what_came_and_a_second_one_takes_over(
    http: httpx.Client, desk: LiveDesk, chat: str
) -> None:
    data = b"a\n" + (b"x" * 99 + b"\n") * 14_000
    place = begin(http, chat, len(data), "long.csv").headers["Location"]
    host, port = desk.url.removeprefix("http://").split(":")
    head = f"PATCH {place} HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {TOKEN}\r\n"
    head += f"Tus-Resumable: 1.0.0\r\nContent-Type: {PIECE['Content-Type']}\r\nUpload-Offset: 0\r\n"
    head += f"Content-Length: {len(data)}\r\n\r\n"
    with socket.create_connection((host, int(port))) as silent:
        silent.sendall(head.encode() + data[:1_200_000])  # and then nothing, while the connection stands
        stored = desk.desk.data_dir.partials / place.rpartition("/")[2]
        come_true(lambda: stored.stat().st_size)
        came = offset_of(http, place)
        assert 2**20 <= came <= 1_200_000
        assert send(http, place, came, data[came:]).status_code == 204
    # the reading may be over already, and with it the list of tables
    assert result(http, place)["file"]["size"] == len(data)


def test_a_chat_that_is_deleted_while_a_piece_comes_leaves_nothing(
    http: httpx.Client, desk: LiveDesk, chat: str
) -> None:
    place = begin(http, chat, 1_000_000).headers["Location"]
    going, gone = threading.Event(), threading.Event()

    def slowly() -> Iterator[bytes]:
        yield b"a" * 400_000
        going.set()
        gone.wait(30)
        yield b"a" * 600_000

    answers: list[httpx.Response] = []
    sender = threading.Thread(target=lambda: answers.append(send(http, place, 0, slowly())))
    sender.start()
    assert going.wait(30)
    with httpx.Client(base_url=desk.url, headers=http.headers) as other:
        assert other.delete(f"/api/chats/{chat}").status_code == 204
    gone.set()
    sender.join(30)
    assert code_of(answers[0]) == (404, "not_found")
    assert parts(desk) == []
    assert not (desk.desk.data_dir.chats / chat).exists()


def test_a_disk_that_fills_up_is_said_and_the_upload_goes_on_once_there_is_room(
    http: httpx.Client, desk: LiveDesk, chat: str, disk: Path | None
) -> None:
    if disk is None:
        pytest.skip("no disk may be mounted here")
    data = (b"a,b\n" + b"1,2\n" * 300_000)[:1_100_000]
    place = begin(http, chat, len(data), "full.csv").headers["Location"]
    filler = disk / "filler"
    filler.write_bytes(b"x" * (shutil.disk_usage(disk).free - 400_000))
    assert code_of(begin(http, chat, 300_000)) == (507, "disk_full")
    assert code_of(send(http, place, 0, data)) == (507, "disk_full")
    came = offset_of(http, place)
    assert 0 < came < len(data)
    filler.write_bytes(b"x" * (filler.stat().st_size - 1_000_000))
    assert code_of(send(http, place, came, data[came:])) == (507, "disk_full"), (
        "no room for the chat's own copy"
    )
    assert list((desk.desk.data_dir.chats / chat).iterdir()) == []
    filler.unlink()
    assert send(http, place, len(data), b"").status_code == 204
    ready = result(http, place)
    assert ready["tables"][0]["rows"] == 274_999
    assert http.get(ready["file"]["url"]).content == data
    assert files_added(http, chat) == ["full.csv"]


def test_a_desk_that_is_killed_while_it_reads_finishes_at_its_next_start(
    servers: Servers, tmp_path: Path
) -> None:
    data = b"a,b\n" + b"1,2\n" * 200_000
    first = servers.start()
    with httpx.Client(base_url=first.url, timeout=60) as http:
        chat = http.post("/api/chats").json()["id"]
        place = begin(http, chat, len(data), "long.csv").headers["Location"]
        assert send(http, place, 0, data).status_code == 204
    first.kill()  # before it tells of the file, or just after
    with httpx.Client(base_url=servers.start().url, timeout=60) as http:
        ready = until_ready(http, place)
        assert http.get(ready["file"]["url"]).content == data
        assert files_added(http, chat) == ["long.csv"], "once, and without its client"
        (folder,) = tmp_path.rglob("chats")
        assert [path.name for path in (folder / chat).glob("long*")] == ["long.csv"]
        assert len(list((folder.parent / "files").iterdir())) == 1
        assert http.delete(f"/api/chats/{chat}/files/long.csv").status_code == 204
        assert http.head(place, headers=TUS).status_code == 404, "a removed file is to be sent anew"


def test_what_a_crash_left_while_a_file_was_placed_is_removed(
    http: httpx.Client, desk: LiveDesk, chat: str
) -> None:
    data = b"a,b\n1,2\n"
    place = begin(http, chat, len(data), "placed.csv").headers["Location"]
    assert send(http, place, 0, data[:-1]).status_code == 204
    store = desk.desk.store
    part = store.partials.find(place.rsplit("/", 1)[1])
    store.partials.place(part, "", "f_" + "0" * 32)
    store.files.adopt(store.partials.path(part.id), "f_" + "0" * 32)
    assert send(http, place, len(data) - 1, data[-1:]).status_code == 204
    ready = result(http, place)
    assert http.get(ready["file"]["url"]).content == data
    assert not store.files.path("f_" + "0" * 32).exists()
    assert [path.name for path in (desk.desk.data_dir.chats / chat).glob("placed*")] == ["placed.csv"]


def test_two_servers_do_not_take_each_others_upload_away(postgres_url: str, tmp_path: Path) -> None:
    data = b"a,b\n" + b"1,2\n" * 400_000
    shared = {"SMOLDESK_DATABASE_URL": postgres_url, "SMOLDESK_FILES_DIR": str(tmp_path / "shared")}
    with Servers(tmp_path, **shared) as servers:
        here, existing = servers.start("a"), servers.start("b")
        with (
            httpx.Client(base_url=here.url, timeout=60) as a,
            httpx.Client(base_url=existing.url, timeout=60) as b,
        ):
            chat = a.post("/api/chats").json()["id"]
            place = begin(a, chat, len(data), "long.csv").headers["Location"]
            assert send(a, place, 0, data).status_code == 204
            assert send(b, place, len(data), b"").status_code == 204, (
                "as the page does that was told `sending`"
            )
            assert until_ready(b, place)["file"]["size"] == len(data)
            assert files_added(b, chat) == ["long.csv"]


def until_ready(http: httpx.Client, place: str) -> dict[str, Any]:
    come_true(lambda: result(http, place)["state"] != "sending")
    last = result(http, place)
    assert last["state"] == "ready", last
    return last
