"""Two desks with a disk each, on one PostgreSQL and one bucket: files, folders and uploads are the same at both."""

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import pytest

from smoldesk.chats import chats, local_copies
from smoldesk.messages import as_json
from smoldesk.store.erasures import Erasure, forget_erasure, note_erasure, open_erasures
from smoldesk.store.files import all_files
from smoldesk.wires.serialization import file_url
from tests.export import a_chat
from tests.support.aio import run_async
from tests.support.bucket import Bucket, a_bucket
from tests.support.desk_server import ANALYSIS, LiveDesk, live_desk
from tests.support.postgres import TestPostgres
from tests.support.waiting import come_true

CSV = "shop,amount\nNorth,3\nSouth,4\n"
TUS = {"Tus-Resumable": "1.0.0"}
CONTENT = b"x,y\n" + b"1,2\n" * 3_000


@pytest.fixture(scope="module")
def bucket() -> Iterator[Bucket]:
    with a_bucket() as made:
        yield made


@pytest.fixture(scope="module")
def servers(
    bucket: Bucket, tmp_path_factory: pytest.TempPathFactory, postgres: TestPostgres
) -> Iterator[tuple[LiveDesk, LiveDesk]]:
    folders: list[Path] = [tmp_path_factory.mktemp(name) for name in ("a", "b")]
    options: dict[str, Any] = {"sandbox_preload": ANALYSIS, "files_url": bucket.url}
    with postgres.desk_database() as url:
        options["database_url"] = url
        with live_desk(folders[0], **options) as a, live_desk(folders[1], **options) as b:
            yield a, b


def run_code(live: LiveDesk, chat_id: str, code: str) -> list[dict[str, Any]]:
    """Run a cell at one server; return what the chat shows."""
    desk = live.desk

    async def job() -> None:
        await a_chat.finished(desk, chat_id, await desk.runs.run_code(chat_id, code))

    run_async(job())
    shown = [stored.event for stored in desk.store.events(chat_id, 0) if stored.event.type == "shown"]
    return [as_json(event.message) for event in shown]


def new_chat(live: LiveDesk) -> str:
    return httpx.post(f"{live.url}/api/chats", json={}).json()["id"]


@dataclass(frozen=True)
class Upload:
    """An upload by tus of CONTENT, whose pieces any server takes."""

    path: str
    file: str

    @classmethod
    def begun(cls, live: LiveDesk, chat_id: str) -> "Upload":
        headers = TUS | {"Upload-Length": str(len(CONTENT)), "Upload-Metadata": "filename bG9uZy5jc3Y="}
        made = httpx.post(f"{live.url}/api/chats/{chat_id}/uploads", headers=headers)
        assert made.status_code == 201, made.text
        return cls(httpx.URL(made.headers["Location"]).path, f"/api/chats/{chat_id}/files/long.csv")

    def send(self, live: LiveDesk, start: int, end: int) -> httpx.Response:
        headers = TUS | {"Content-Type": "application/offset+octet-stream", "Upload-Offset": str(start)}
        return httpx.patch(live.url + self.path, headers=headers, content=CONTENT[start:end], timeout=120)

    def offset(self, live: LiveDesk) -> int:
        return int(httpx.head(live.url + self.path, headers=TUS).headers["Upload-Offset"])


def test_a_file_of_one_server_is_code_s_and_a_client_s_at_the_other(
    servers: tuple[LiveDesk, LiveDesk],
) -> None:
    a, b = servers
    chat_id = new_chat(a)
    files = {"file": ("sales.csv", CSV.encode(), "text/csv")}
    assert httpx.post(f"{a.url}/api/chats/{chat_id}/files", files=files).status_code == 201
    code = (
        "import pandas as pd, matplotlib.pyplot as plt\n"
        'sales = pd.read_csv("sales.csv")\nsales.plot.bar()\nplt.show()\n'
        'sales.head(1).to_csv("first.csv", index=False)'
    )
    shown = run_code(b, chat_id, code)
    picture = next(message for message in shown if message["type"] == "image")
    for live in servers:
        addresses = [file_url(chat_id, "p.png", picture["fileId"])]
        addresses += [f"/api/chats/{chat_id}/files/{name}" for name in ("sales.csv", "first.csv")]
        for address in addresses:
            assert httpx.get(live.url + address).status_code == 200, address
        exported = httpx.get(
            f"{live.url}/api/chats/{chat_id}/export", params={"format": "markdown"}, timeout=60
        )
        assert any(name.endswith(".png") for name in zipfile.ZipFile(BytesIO(exported.content)).namelist())
    assert "'first.csv'" in str(run_code(a, chat_id, 'import os\nprint(sorted(os.listdir(".")))'))


def test_an_upload_goes_on_at_the_other_server(servers: tuple[LiveDesk, LiveDesk]) -> None:
    a, b = servers
    upload = Upload.begun(a, new_chat(a))
    assert upload.send(a, 0, 5_000).headers["Upload-Offset"] == "5000"
    assert upload.offset(b) == 5_000
    assert upload.send(b, 5_000, 9_000).headers["Upload-Offset"] == "9000"
    assert upload.send(a, 5_000, 6_000).status_code == 409  # these bytes came at the other server
    assert upload.send(a, 9_000, len(CONTENT)).status_code in (200, 204)
    for live in servers:
        come_true(
            lambda live=live: httpx.get(live.url + upload.file).content == CONTENT, 120
        )  # once it is read
    assert upload.offset(b) == len(CONTENT)


def test_an_upload_goes_on_after_the_bucket_went_away_in_the_middle(
    servers: tuple[LiveDesk, LiveDesk], bucket: Bucket
) -> None:
    a, b = servers
    upload = Upload.begun(a, new_chat(a))
    upload.send(a, 0, 5_000)
    bucket.stop()
    try:
        refused = [upload.send(live, 5_000, 9_000) for live in servers]
    finally:
        bucket.start()
    codes = [(answer.status_code, answer.json()["error"]["code"]) for answer in refused]
    assert codes == [(503, "object_store_away")] * 2
    assert upload.offset(b) == 5_000
    upload.send(b, 5_000, len(CONTENT))
    come_true(lambda: httpx.get(a.url + upload.file).content == CONTENT, 120)


def test_a_bucket_that_is_away_refuses_uploads_in_words_and_takes_them_later(
    servers: tuple[LiveDesk, LiveDesk], bucket: Bucket
) -> None:
    a, _ = servers
    chat_id = new_chat(a)
    files = {"file": ("sales.csv", CSV.encode(), "text/csv")}
    bucket.stop()
    try:
        refused = httpx.post(f"{a.url}/api/chats/{chat_id}/files", files=files, timeout=120)
        not_ready = httpx.get(f"{a.url}/readyz", timeout=60)
        alone = httpx.get(f"{a.url}/readyz?exclude=shared", timeout=60)
    finally:
        bucket.start()
    assert (not_ready.status_code, not_ready.text) == (503, "object_store_away")
    assert alone.status_code == 200
    assert refused.json()["error"]["code"] == "object_store_away"
    assert refused.status_code == 503
    assert httpx.get(f"{a.url}/api/chats/{chat_id}/files").json()["files"] == []
    assert httpx.post(f"{a.url}/api/chats/{chat_id}/files", files=files).status_code == 201


def test_a_chat_that_is_deleted_while_the_bucket_is_away_leaves_nothing_once_it_is_back(
    servers: tuple[LiveDesk, LiveDesk], bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chats, "AGAIN_SECONDS", 0.2)
    a, b = servers
    chat = new_chat(a)
    sent = httpx.post(f"{a.url}/api/chats/{chat}/files", files={"file": ("s.csv", CSV)}, timeout=120)
    assert sent.status_code == 201, sent.text
    mine = [file.id for file in a.desk.store.read(lambda connection: all_files(connection, chat))]
    bucket.stop()
    try:
        assert httpx.delete(f"{a.url}/api/chats/{chat}", timeout=120).status_code == 204
        assert httpx.get(f"{b.url}/api/chats/{chat}", timeout=120).status_code == 404
        assert [erasure.chat_id for erasure in b.desk.store.read(open_erasures)] == [chat]
    finally:
        bucket.start()
    come_true(lambda: not a.desk.store.read(open_erasures), 120)
    left = bucket.keys()
    assert not [key for key in left if chat in key or any(file_id in key for file_id in mine)]


def test_copies_of_a_deleted_chat_go_from_the_disk_of_the_other_server(
    servers: tuple[LiveDesk, LiveDesk], monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = servers
    kept, deleted = new_chat(a), new_chat(a)
    for chat_id in (kept, deleted):
        made = httpx.post(f"{a.url}/api/chats/{chat_id}/files", files={"file": ("s.csv", CSV)}, timeout=120)
        assert made.status_code == 201, made.text
        assert httpx.get(f"{b.url}/api/chats/{chat_id}/files/s.csv").text == CSV
        run_code(b, chat_id, "print(open('s.csv').read())")
    store = b.desk.store

    def copies(chat_id: str) -> list[Path]:
        file_ids = [file.id for file in store.read(lambda connection: all_files(connection, chat_id))]
        bases = store.data_dir.cache / "folders"
        folders = [store.data_dir.chats / chat_id / "s.csv", bases / f"{chat_id}.json"]
        return folders + [store.data_dir.files / file_id for file_id in file_ids]

    paths, other_paths = copies(deleted), copies(kept)
    assert all(path.exists() for path in paths + other_paths)
    assert httpx.delete(f"{a.url}/api/chats/{deleted}", timeout=120).status_code == 204
    b.desk.local_copies.sweep()
    assert [path.exists() for path in paths] == [
        False,
        False,
        True,
    ]  # it may be of an upload without a row yet
    monkeypatch.setattr(local_copies, "NEW_SECONDS", -1.0)
    b.desk.local_copies.sweep()
    assert not any(path.exists() for path in paths)
    assert all(path.exists() for path in other_paths)


def test_a_client_that_goes_on_under_the_id_of_a_deleted_chat_loses_nothing_to_its_erasure(
    servers: tuple[LiveDesk, LiveDesk], bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chats, "AGAIN_SECONDS", 0.2)
    a, b = servers

    def say(live: LiveDesk) -> httpx.Response:
        message = {"id": "m", "role": "user", "parts": [{"type": "text", "text": "hello"}]}
        body = {"id": "thread-1", "trigger": "submit-message", "messages": [message]}
        return httpx.post(f"{live.url}/stream", json=body, timeout=120)

    chat = run_async(a.desk.chats.begin("thread-1", "ui_stream"))
    folder = a.desk.store.folders.opened(chat)
    (folder / "old.txt").write_text("old")
    bucket.stop()
    try:
        assert httpx.delete(f"{a.url}/api/chats/{chat}", timeout=120).status_code == 204
        assert not folder.exists()
        for live in servers:
            refused = say(live)
            assert (refused.status_code, "chat_not_erased" in refused.text) == (503, True), refused.text
    finally:
        bucket.start()
    come_true(lambda: not a.desk.store.read(open_erasures), 120)
    assert say(b).status_code == 200
    assert run_async(b.desk.chats.find("thread-1", "ui_stream")) == chat


def test_a_second_erasure_of_an_id_keeps_the_files_of_the_first(servers: tuple[LiveDesk, LiveDesk]) -> None:
    store = servers[0].desk.store
    for name in ("f_2", "f_1"):
        store.submit(lambda tx, name=name: note_erasure(tx, Erasure("c_x", [name]))).result(60)
    assert store.read(open_erasures) == [Erasure("c_x", ["f_1", "f_2"])]
    store.submit(lambda tx: forget_erasure(tx, "c_x")).result(60)
