"""A small desk to back up, and the command line to do it with."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from smoldesk.store import chats, files
from smoldesk.store.data_dir import DataDir
from smoldesk.store.store import Store
from tests.support.backing_up import Commands, programs
from tests.support.postgres import TestPostgres

CONTENT = b"a,b\n1,2\n"


@pytest.fixture
def smoldesk(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], logged_as_before: None
) -> Commands:
    monkeypatch.setenv("PATH", programs())
    monkeypatch.chdir("/")
    return Commands(monkeypatch, capsys)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.starts)])
def urls(request: pytest.FixtureRequest) -> Iterator[tuple[str, str]]:
    """Databases of a desk and of its copy; empty: SQLite in the data directory."""
    if request.param == "sqlite":
        yield "", ""
        return
    server: TestPostgres = request.getfixturevalue("postgres")
    with server.desk_database() as here, server.database() as there:
        yield here, there


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """The data directory of a desk that is not running: a chat with two files, of which one is in its folder."""
    folder = tmp_path / "here"
    data_dir = DataDir(folder)
    store = Store.open(data_dir)
    try:
        chat_id = store.submit(chats.new_chat).result().id
        for name in ("a.csv", "b.csv"):
            add_file(store, chat_id, name)
        (data_dir.chat_folder(chat_id) / "a.csv").write_bytes(CONTENT)
    finally:
        store.close()
    (folder / "agents.toml").write_text("# none\n")
    (folder / "sources.key").write_text("A" * 43 + "=\n")
    return folder


def add_file(store: Store, chat_id: str, name: str) -> str:
    content = CONTENT + name.encode()
    file_id = store.files.keep_bytes(content, 1_000)

    file = files.StoredFile(file_id, chat_id, "upload", name, len(content), "text/csv")
    store.submit(lambda tx: files.add_file(tx, file)).result()
    return file_id


@pytest.fixture
def kept(tmp_path: Path, desk: Path, smoldesk: Commands) -> Path:
    """A folder with one backup of the desk."""
    folder = tmp_path / "backups"
    assert smoldesk("backup", folder, "--data-dir", desk)[0] == 0
    return folder
