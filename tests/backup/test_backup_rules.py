"""What a backup copies and leaves out, and where one is restored."""

import os
import re
from pathlib import Path

import pytest
from alembic import command as alembic
from sqlalchemy import create_engine, text

from smoldesk.store.data_dir import DataDir
from smoldesk.store.engines import HEAD, alembic_config, schema_version, sqlite_url
from smoldesk.store.store import Store
from tests.backup.conftest import add_file
from tests.support.backing_up import Commands, command, file_ids_of, logs_of
from tests.support.desk_server import live_desk


def only_chat(folder: Path) -> str:
    [path] = (folder / "chats").iterdir()
    return path.name


def test_a_second_backup_copies_only_what_is_new(desk: Path, kept: Path, smoldesk: Commands) -> None:
    chat_id = only_chat(desk)
    assert "; 0 files were new" in smoldesk("backup", kept, "--data-dir", desk)[1]
    same = desk / "chats" / chat_id / "a.csv"
    before = same.stat()
    same.write_bytes(same.read_bytes().swapcase())
    os.utime(same, ns=(before.st_atime_ns, before.st_mtime_ns))  # as a program would that hides a change
    store = Store.open(DataDir(desk))
    add_file(store, chat_id, "c.csv")
    store.close()
    assert "; 2 files were new" in smoldesk("backup", kept, "--data-dir", desk)[1]
    assert smoldesk("verify", kept)[0] == 0


def test_a_backup_is_in_the_audit_log_of_the_desk(desk: Path, kept: Path, smoldesk: Commands) -> None:
    assert smoldesk("backup", kept, "--data-dir", desk, "--with-key")[0] == 0
    log = smoldesk("audit", "--data-dir", desk)[1].splitlines()
    assert [line.partition("  ")[2].partition("  ")[2] for line in log[:2]] == [
        "desk.exported  with its key",
        "desk.exported",
    ]


def test_a_content_that_is_gone_or_has_another_size_is_copied_again(
    desk: Path, kept: Path, smoldesk: Commands
) -> None:
    for path in (kept / "content").glob("??/*"):
        path.write_bytes(b"")
    assert smoldesk("verify", kept)[0] == 2
    assert smoldesk("backup", kept, "--data-dir", desk)[0] == 0
    assert smoldesk("verify", kept)[0] == 0


def test_old_backups_are_deleted_with_what_only_they_need(
    tmp_path: Path, desk: Path, kept: Path, smoldesk: Commands
) -> None:
    (desk / "agents.toml").write_text("# other\n")
    smoldesk("backup", kept, "--data-dir", desk)
    code, output = smoldesk("backup", kept, "--data-dir", desk, "--keep", "1")
    assert code == 0 and "1 backups are in the folder" in output
    assert len([*kept.glob("*.manifest")]) == 1
    assert b"# none\n" not in [path.read_bytes() for path in (kept / "content").glob("??/*")]
    assert smoldesk("restore", kept, "--data-dir", tmp_path / "there")[0] == 0
    assert smoldesk("backup", kept, "--data-dir", desk, "--keep", "0")[0] == 2


def test_the_key_is_in_a_backup_only_when_asked_for(
    tmp_path: Path, desk: Path, kept: Path, smoldesk: Commands
) -> None:
    key = (desk / "sources.key").read_bytes()
    assert key not in [path.read_bytes() for path in (kept / "content").glob("??/*")]
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "sources.key").write_bytes(b"mine")
    assert smoldesk("restore", kept, "--data-dir", tmp_path / "there")[0] == 0, "a key may be there before"
    assert (tmp_path / "there" / "sources.key").read_bytes() == b"mine"
    assert smoldesk("backup", kept, "--data-dir", desk, "--with-key")[0] == 0
    assert smoldesk("restore", kept, "--data-dir", tmp_path / "other")[0] == 0
    assert (tmp_path / "other" / "sources.key").read_bytes() == key
    modes = [path.stat().st_mode & 0o077 for path in (*kept.rglob("*"), *(tmp_path / "other").rglob("*"))]
    assert set(modes) == {0}, "others may read none of it"


def test_keys_of_nodes_are_in_no_backup(tmp_path: Path, desk: Path, smoldesk: Commands) -> None:
    for folder in ("nodes", "node"):
        (desk / folder).mkdir()
        (desk / folder / "authority.key").write_bytes(b"key of " + folder.encode())
    assert smoldesk("backup", tmp_path / "kept", "--data-dir", desk, "--with-key")[0] == 0
    contents = [path.read_bytes() for path in (tmp_path / "kept" / "content").glob("??/*")]
    assert contents and not [content for content in contents if content.startswith(b"key of ")]


def test_a_backup_is_restored_into_empty_places_only(
    tmp_path: Path, desk: Path, kept: Path, smoldesk: Commands
) -> None:
    before = logs_of(desk)
    code, output = smoldesk("restore", kept, "--data-dir", desk)
    assert (code, "are not empty" in output) == (2, True)
    with live_desk(tmp_path / "running"):
        code, output = smoldesk("restore", kept, "--data-dir", tmp_path / "running")
        assert (code, "Another smoldesk uses" in output) == (2, True)
    assert logs_of(desk) == before
    database = tmp_path / "other.db"
    database.write_bytes(b"")
    code, output = smoldesk("restore", kept, "--data-dir", tmp_path / "there", url=f"sqlite:///{database}")
    assert (code, "tables in the database" in output) == (2, True)


def test_an_older_desk_is_backed_up_as_it_is_and_migrated_when_restored(
    tmp_path: Path, smoldesk: Commands
) -> None:
    DataDir(tmp_path / "here")
    engine = create_engine(sqlite_url(tmp_path / "here"))
    with engine.begin() as connection:
        alembic.upgrade(alembic_config(connection), "0005")
        connection.execute(
            text(
                "INSERT INTO chat (id, title, created_at, updated_at, last_seq, epoch) VALUES ('c', '', 1, 1, 0, 0)"
            )
        )
    assert smoldesk("backup", tmp_path / "backups", "--data-dir", tmp_path / "here")[0] == 0
    with engine.connect() as connection:
        assert schema_version(connection) == "0005", "a backup changes nothing"
    engine.dispose()
    assert smoldesk("restore", tmp_path / "backups", "--data-dir", tmp_path / "there")[0] == 0
    engine = create_engine(sqlite_url(tmp_path / "there"))
    with engine.connect() as connection:
        assert schema_version(connection) == HEAD
    engine.dispose()


def test_a_file_that_the_desk_has_lost_is_named_and_the_others_are_kept(
    tmp_path: Path, desk: Path, smoldesk: Commands
) -> None:
    lost = min((desk / "files").iterdir())
    lost.unlink()
    code, output = smoldesk("backup", tmp_path / "backups", "--data-dir", desk)
    assert (code, f"lacks the file {lost.name}" in output) == (1, True)
    assert smoldesk("restore", tmp_path / "backups", "--data-dir", tmp_path / "there")[0] == 0
    assert len([*(tmp_path / "there" / "files").iterdir()]) == len(file_ids_of(desk)) - 1


@pytest.mark.parametrize(
    ("folder", "words"),
    [
        ("here/backups", "would back up itself"),
        ("documents", "something other than backups"),
        ("documents/letter", "something other than backups"),
    ],
)
def test_a_backup_goes_into_no_folder_of_something_else(
    tmp_path: Path, desk: Path, smoldesk: Commands, folder: str, words: str
) -> None:
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "letter").write_text("Dear")
    code, output = smoldesk("backup", tmp_path / folder, "--data-dir", desk)
    assert (code, words in output) == (2, True), output
    assert [path.name for path in (tmp_path / "documents").iterdir()] == ["letter"]


def test_without_a_desk_there_is_nothing_to_back_up(tmp_path: Path, smoldesk: Commands) -> None:
    assert "data directory" in smoldesk("backup", tmp_path / "b", "--data-dir", tmp_path / "none")[1]
    assert not (tmp_path / "none").exists()
    DataDir(tmp_path / "new")
    code, output = smoldesk("backup", tmp_path / "b", "--data-dir", tmp_path / "new")
    assert (code, "no database" in output) == (2, True)


def test_two_backups_into_one_folder_wait_for_each_other(
    tmp_path: Path, desk: Path, smoldesk: Commands
) -> None:
    waiting = "from smoldesk.backup import BackupFolder; BackupFolder.finish = lambda *_: input(); "
    process = command("backup", tmp_path / "b", "--data-dir", desk, code=waiting)
    try:
        while not [*(tmp_path / "b").glob("content/??")]:
            assert process.poll() is None
        code, output = smoldesk("backup", tmp_path / "b", "--data-dir", desk)
        assert (code, "Another backup into" in output) == (2, True)
    finally:
        process.kill()
        process.communicate()


# --- PostgreSQL's programs ----------------------------------------------------------------------------------------------

SPY = """#!/bin/sh
[ "$1" = --version ] && echo "pg_dump (PostgreSQL) {version}" && exit
echo "$@" > {folder}/arguments; env > {folder}/environment; echo "no way" >&2; exit 1
"""


def put_program(folder: Path, version: str) -> None:
    folder.mkdir()
    program = folder / "pg_dump"
    program.write_text(SPY.format(version=version, folder=folder))
    program.chmod(0o755)


def test_a_password_is_on_no_command_line(
    tmp_path: Path, postgres_of_a_desk: str, smoldesk: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    DataDir(tmp_path / "here")
    put_program(tmp_path / "bin", "99.1")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    user = re.sub(r"//[^@/]*@?", "//postgres:hunter2@", postgres_of_a_desk, count=1)
    for url in (user, f"{postgres_of_a_desk}&password=hunter2"):
        code, output = smoldesk("backup", tmp_path / "b", "--data-dir", tmp_path / "here", url=url)
        assert (code, "pg_dump failed: no way" in output) == (2, True), output
        assert "hunter2" not in output + (tmp_path / "bin" / "arguments").read_text()
        assert "PGPASSWORD=hunter2\n" in (tmp_path / "bin" / "environment").read_text()
    assert [*(tmp_path / "b").glob("*.manifest")] == []


@pytest.mark.parametrize(("version", "words"), [("9.6.24", "is of PostgreSQL 9"), (None, "is not on PATH")])
def test_a_missing_or_old_program_is_named(
    tmp_path: Path,
    postgres_of_a_desk: str,
    smoldesk: Commands,
    monkeypatch: pytest.MonkeyPatch,
    version: str | None,
    words: str,
) -> None:
    DataDir(tmp_path / "here")
    if version:
        put_program(tmp_path / "bin", version)
    monkeypatch.setenv("PATH", str(tmp_path / "bin") + (":/bin" if version else ""))
    code, output = smoldesk("backup", tmp_path / "b", "--data-dir", tmp_path / "here", url=postgres_of_a_desk)
    assert (code, words in output) == (2, True), output
