"""Databases that are backed up and restored: wherever they are, under any address, and none but the dump is loaded."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy.engine import make_url

from smoldesk.backup.postgres_programs import address_of
from smoldesk.store import chats
from smoldesk.store.data_dir import DataDir
from smoldesk.store.store import Store
from tests.backup.test_damaged_backups import forge
from tests.support.backing_up import Commands, logs_of
from tests.support.postgres import TestPostgres


@pytest.fixture
def sqlite_below(desk: Path) -> str:
    """The URL of the desk's database, moved into a folder of the data directory."""
    (desk / "db").mkdir()
    Store.open(DataDir(desk)).close()  # its log is empty then
    (desk / "smoldesk.db").rename(desk / "db" / "desk.db")
    return f"sqlite:///{desk / 'db' / 'desk.db'}"


def test_a_database_within_the_data_directory_is_copied_as_a_dump_alone(
    tmp_path: Path, desk: Path, sqlite_below: str, smoldesk: Commands
) -> None:
    there = tmp_path / "there"
    code, output = smoldesk("backup", tmp_path / "b", "--data-dir", desk, url=sqlite_below)
    assert (code, ", 5 files," in output) == (0, True), output
    target = f"sqlite:///{there / 'db' / 'desk.db'}"
    assert smoldesk("restore", tmp_path / "b", "--data-dir", there, url=target)[0] == 0
    assert logs_of(there, target) == logs_of(desk, sqlite_below)


def test_a_file_in_place_of_the_database_is_not_taken_for_it(
    tmp_path: Path, desk: Path, sqlite_below: str, smoldesk: Commands
) -> None:
    there = tmp_path / "there"
    smoldesk("backup", tmp_path / "b", "--data-dir", desk, url=sqlite_below)

    def add(facts: dict[str, Any]) -> None:
        facts["entries"].append(facts["entries"][0] | {"path": "desk/db/desk.db"})

    forge(tmp_path / "b", add)
    for _ in range(2):
        target = f"sqlite:///{there / 'db' / 'desk.db'}"
        code, output = smoldesk("restore", tmp_path / "b", "--data-dir", there, url=target)
        assert (code, "this restore did not load" in output) == (2, True), output
    with pytest.raises(Exception, match="was interrupted"):
        DataDir(there).claim()


def test_a_database_is_restored_to_another_disk(
    tmp_path: Path, desk: Path, kept: Path, smoldesk: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = Path.replace

    def within_a_disk(self: Path, target: Path) -> Path:
        if (tmp_path / "disk") in (*self.parents,) and (tmp_path / "disk") in (*target.parents,):
            return rename(self, target)
        if (tmp_path / "disk") in (*self.parents, *target.parents):
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), str(self))
        return rename(self, target)

    monkeypatch.setattr(Path, "replace", within_a_disk)
    target = f"sqlite:///{tmp_path / 'disk' / 'desk.db'}"
    code, output = smoldesk("restore", kept, "--data-dir", tmp_path / "there", url=target)
    assert code == 0, output
    assert logs_of(tmp_path / "there", target) == logs_of(desk)
    assert [path.name for path in (tmp_path / "disk").iterdir()] == ["desk.db"]


@pytest.mark.starts
def test_a_schema_is_restored_into_the_same_schema_only(
    tmp_path: Path, postgres: TestPostgres, smoldesk: Commands
) -> None:
    with (
        postgres.database("CREATE SCHEMA sales") as here,
        postgres.database("CREATE SCHEMA sales") as there,
    ):
        # with a space, which libpq's URLs and SQLAlchemy's write differently
        urls = [f"{url}{'&' if '?' in url else '?'}options=-c%20search_path%3Dsales" for url in (here, there)]
        store = Store.open(DataDir(tmp_path / "here"), urls[0])
        store.submit(lambda tx: chats.new_chat(tx, "mine")).result()
        store.close()
        code, output = smoldesk("backup", tmp_path / "b", "--data-dir", tmp_path / "here", url=urls[0])
        assert code == 0, output
        code, output = smoldesk("restore", tmp_path / "b", "--data-dir", tmp_path / "there", url=there)
        assert (code, "schema 'sales', connections use 'public'" in output) == (2, True), output
        code, output = smoldesk("restore", tmp_path / "b", "--data-dir", tmp_path / "there", url=urls[1])
        assert (code, "1 chats" in output) == (0, True), output
        assert (
            "1 chats" in smoldesk("backup", tmp_path / "c", "--data-dir", tmp_path / "there", url=urls[1])[1]
        )


@pytest.mark.starts
def test_a_passphrase_is_on_no_command_line(
    tmp_path: Path, postgres_of_a_desk: str, smoldesk: Commands
) -> None:
    DataDir(tmp_path / "here")
    url = f"{postgres_of_a_desk}&sslpassword=hunter2"
    code, output = smoldesk("backup", tmp_path / "b", "--data-dir", tmp_path / "here", url=url)
    assert (code, "sslpassword" in output, "hunter2" in output) == (2, True, False), output


@pytest.mark.parametrize(
    ("url", "options"),
    [
        ("postgresql://u:pw@h/db?options=-c%20x%3Dy", {"user": "u", "host": "h", "options": "-c x=y"}),
        ("postgresql://u%40x:pw@h/my%20db", {"user": "u@x", "dbname": "my db"}),
        ("postgres://u@/db?host=h1:5432&host=h2:5433&password=pw", {"host": "h1,h2", "port": "5432,5433"}),
        ("postgresql://u:pw@/db?host=/run/my%20folder", {"host": "/run/my folder", "dbname": "db"}),
    ],
)
def test_the_programs_get_the_address_that_the_desk_uses(url: str, options: dict[str, str]) -> None:
    address, password = address_of(make_url(url))
    parsed = conninfo_to_dict(address)
    assert parsed == parsed | options and "password" not in parsed
    assert password == "pw"
