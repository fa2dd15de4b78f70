"""Two desks with a disk each, on one PostgreSQL and one bucket: files, folders and uploads are the same at both."""

import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import pytest

from smoldesk.messages import as_json
from smoldesk.wires.serialization import file_url
from tests.export import a_chat
from tests.support.aio import run_async
from tests.support.bucket import Bucket, a_bucket
from tests.support.desk_server import ANALYSIS, LiveDesk, live_desk
from tests.support.postgres import TestPostgres
from tests.support.waiting import come_true

CSV = "shop,amount\nNorth,3\nSouth,4\n"
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
    chat_id = new_chat(a)
    tus = {"Tus-Resumable": "1.0.0"}
    metadata = {"Upload-Length": str(len(CONTENT)), "Upload-Metadata": "filename bG9uZy5jc3Y="}
    made = httpx.post(f"{a.url}/api/chats/{chat_id}/uploads", headers=tus | metadata)
    assert made.status_code == 201, made.text
    path = httpx.URL(made.headers["Location"]).path
    piece = tus | {"Content-Type": "application/offset+octet-stream"}

    def send(live: LiveDesk, start: int, end: int) -> httpx.Response:
        headers = piece | {"Upload-Offset": str(start)}
        return httpx.patch(live.url + path, headers=headers, content=CONTENT[start:end], timeout=60)

    assert send(a, 0, 5_000).headers["Upload-Offset"] == "5000"
    assert httpx.head(b.url + path, headers=tus).headers["Upload-Offset"] == "5000"
    assert send(b, 5_000, 9_000).headers["Upload-Offset"] == "9000"
    assert send(a, 5_000, 6_000).status_code == 409  # these bytes came at the other server
    assert send(a, 9_000, len(CONTENT)).status_code in (200, 204)
    for live in servers:
        address = f"{live.url}/api/chats/{chat_id}/files/long.csv"
        come_true(lambda address=address: httpx.get(address).content == CONTENT, 120)  # once it is read
    assert httpx.head(b.url + path, headers=tus).headers["Upload-Offset"] == str(len(CONTENT))


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
    finally:
        bucket.start()
    assert (not_ready.status_code, not_ready.text) == (503, "object_store_away")
    assert refused.json()["error"]["code"] == "object_store_away"
    assert refused.status_code == 503
    assert httpx.get(f"{a.url}/api/chats/{chat_id}/files").json()["files"] == []
    assert httpx.post(f"{a.url}/api/chats/{chat_id}/files", files=files).status_code == 201
