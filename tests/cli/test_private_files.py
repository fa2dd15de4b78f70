"""What a desk stores is its user's alone, whoever writes it; what a command writes for a person is as any program's."""

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.support.desk_server import SERVING, DeskProcess, written
from tests.support.servers import free_port
from tests.support.warm import clean_environment, started
from tests.support.ws_client import WsClient, of_type

OTHERS = 0o077
CELL = """
import os
os.makedirs("below/deeper")
open("below/deeper/note.txt", "w").write("x")
open("made.csv", "w").write("a,b\\n1,2\\n")
import pandas, matplotlib.pyplot as plt
plt.plot([1, 2]); plt.savefig("drawn.png")
"""


def open_to_others(folder: Path) -> list[Path]:
    """Files and folders that somebody else could read, write or enter, by their own mode.

    As root, tables that were opened are readable below a folder that only the server enters: their child is another user.
    """
    if not folder.lstat().st_mode & OTHERS or folder.is_symlink():
        return (
            []
            if folder.name == "files"
            else [other for path in below(folder) for other in open_to_others(path)]
        )
    return [folder, *(other for path in below(folder) for other in open_to_others(path))]


def below(folder: Path) -> list[Path]:
    return [] if folder.is_symlink() or not folder.is_dir() else sorted(folder.iterdir())


@pytest.fixture
def usual_umask() -> Iterator[None]:
    """What most machines have, also where these tests are run with another."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def use(desk: DeskProcess) -> str:
    """Do what people do at a desk, so that it and its children write files of all kinds; the chat."""
    with httpx.Client(base_url=desk.url, timeout=60) as http, WsClient(desk.ws_url) as client:
        chat = client.hello()
        file = {"file": ("sales.csv", b"region,total\nnorth,3\nsouth,4\n")}
        assert http.post(f"/api/chats/{chat}/files", files=file).is_success
        tus = {"Tus-Resumable": "1.0.0"}
        half = tus | {"Upload-Length": "1000", "Upload-Metadata": "filename aGFsZi5jc3Y="}
        response = http.post(f"/api/chats/{chat}/uploads", headers=half)
        more = tus | {"Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"}
        assert http.patch(response.headers["Location"], content=b"part", headers=more).is_success
        client.send(type="run_code", code=CELL)
        assert client.until_closed()[-1]["content"]["state"] == "finished"
        [table, *_] = of_type(client.ask("show the first rows of sales.csv"), "table")
        rows = http.get(table["url"])
        assert rows.is_success, rows.text
        assert http.get(f"/api/chats/{chat}/export", params={"format": "html"}).is_success
    return chat


@contextmanager
def serving(folder: Path) -> Iterator[DeskProcess]:
    desk = DeskProcess(folder, free_port(), {"SMOLDESK_ALLOW_UNISOLATED": "true"})
    try:
        desk.wait_until_up()
        yield desk
        assert desk.terminate() == 0, desk.errors()
    finally:
        desk.close()


def test_everything_in_the_data_directory_is_its_users_alone(tmp_path: Path, usual_umask: None) -> None:
    folder = tmp_path / "data"
    with serving(folder) as desk:
        use(desk)
        names = {path.name for path in folder.rglob("*")}
        written = {"smoldesk.db", "smoldesk.db-wal", "lock", "address"}
        assert written | {"sales.csv", "note.txt", "drawn.png", "made.csv"} <= names
        assert open_to_others(folder) == []


def test_a_data_directory_of_before_works_and_what_is_new_in_it_is_private(
    tmp_path: Path, usual_umask: None
) -> None:
    folder = tmp_path / "data"
    with serving(folder) as desk:
        chat = use(desk)
    before = {folder, *folder.rglob("*")}
    for path in before:
        if path.is_file() or path == folder:
            path.chmod(path.stat().st_mode | (0o055 if path == folder else 0o044))
    with serving(folder) as desk:
        use(desk)
        assert '"file_added"' in httpx.get(f"{desk.url}/api/chats/{chat}/events").text
        fresh = [path for path in open_to_others(folder) if path not in before]
        assert [
            path.name for path in fresh if not path.name.startswith("smoldesk.db-")
        ] == []  # SQLite: as the database


@pytest.mark.parametrize(("umask", "mode"), [("022", "-rw-r--r--"), ("027", "-rw-r-----")])
def test_what_a_command_writes_for_a_person_has_the_persons_mode(
    tmp_path: Path, umask: str, mode: str
) -> None:
    def run(*arguments: str) -> None:
        environment = clean_environment() | {"SMOLDESK_SANDBOX_PRELOAD": "[]"}
        code = f"import os; os.umask(0o{umask}); {SERVING}"
        with tempfile.TemporaryFile() as output:
            process = started(code, arguments, cwd=tmp_path, env=environment, stdout=output, stderr=output)
            assert process.wait(100) == 0, written(output)

    run("run", "How many rows are in measurement?", "--data-dir", "data")
    [chat] = (tmp_path / "data" / "chats").iterdir()
    run("export", chat.name, "--data-dir", "data", "-o", "out.jsonl")
    assert stat.filemode((tmp_path / "out.jsonl").stat().st_mode) == mode
    assert open_to_others(tmp_path / "data") == []
