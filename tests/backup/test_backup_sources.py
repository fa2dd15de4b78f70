"""What a backup reads: everything of the desk, nothing else, and no file is left out without a word."""

import os
from pathlib import Path
from typing import Any

import pytest

from smoldesk.backup.backup_folder import BackupFolder
from smoldesk.backup.take import time as clock
from smoldesk.errors import DeskError
from smoldesk.store.data_dir import DataDir
from smoldesk.store.store import Store
from tests.backup.test_damaged_backups import content_of
from tests.support.backing_up import Commands, logs_of

KEY = "A" * 43 + "=\n"


def contents_of(folder: Path) -> set[bytes]:
    return {path.read_bytes() for path in (folder / "content").glob("??/*")}


@pytest.mark.parametrize("path", ["content/en/index.md", "content/ab/notes", "contents.txt"])
def test_a_folder_of_something_else_is_refused_although_it_looks_alike(
    tmp_path: Path, desk: Path, smoldesk: Commands, path: str
) -> None:
    file = tmp_path / "site" / path
    file.parent.mkdir(parents=True)
    file.write_text("mine")
    code, output = smoldesk("backup", tmp_path / "site", "--data-dir", desk, "--keep", "1")
    assert (code, "something other than backups" in output) == (2, True), output
    assert [file] == [path for path in (tmp_path / "site").rglob("*") if path.is_file()]


def test_only_what_backups_wrote_is_deleted(desk: Path, kept: Path, smoldesk: Commands) -> None:
    mine = [kept / "content" / "ab" / "notes", kept / "content" / "ab" / ("c" * 64), kept / ".new-plan"]
    mine[0].parent.mkdir(exist_ok=True)
    for path in mine:
        path.write_text("mine")
    [first] = kept.glob("*.manifest")
    first.rename(kept / "before-the-move.manifest")
    (desk / "agents.toml").write_text("# other\n")
    for _ in range(2):
        assert smoldesk("backup", kept, "--data-dir", desk, "--keep", "1")[0] == 0
    assert len([*kept.glob("backup-*.manifest")]) == 1
    assert [path.read_text() for path in mine] == ["mine"] * 3
    assert smoldesk("verify", kept / "before-the-move.manifest")[0] == 0


def test_a_data_directory_behind_a_link_is_copied_completely(
    tmp_path: Path, desk: Path, smoldesk: Commands
) -> None:
    (tmp_path / "link").symlink_to(desk)
    code, output = smoldesk("backup", tmp_path / "b", "--data-dir", tmp_path / "link", "--with-key")
    assert code == 0, output
    assert {KEY.encode(), b"# none\n"} <= contents_of(tmp_path / "b")


@pytest.mark.parametrize("name", ["here/keys/desk.key", "elsewhere/desk.key"])
def test_a_key_is_copied_from_wherever_it_is_if_asked_for_alone(
    tmp_path: Path, desk: Path, smoldesk: Commands, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    key = tmp_path / name
    key.parent.mkdir()
    key.write_text("B" * 43 + "=\n")
    key.with_name("desk.key.0123abcd.new").write_text("B" * 43 + "=\n")
    (desk / "sources.key.0123abcd.new").write_text(KEY)
    monkeypatch.setenv("SMOLDESK_KEY_FILE", str(key))
    code, output = smoldesk("backup", tmp_path / "b", "--data-dir", desk)
    assert (code, "(desk.key) elsewhere" in output) == (0, True), output
    assert not [content for content in contents_of(tmp_path / "b") if content.endswith(b"=\n")]
    code, output = smoldesk("backup", tmp_path / "b", "--data-dir", desk, "--with-key")
    assert (code, "not included" in output) == (0, False), output
    monkeypatch.setenv("SMOLDESK_KEY_FILE", str(tmp_path / "new" / "desk.key"))
    assert smoldesk("restore", tmp_path / "b", "--data-dir", tmp_path / "there")[0] == 0
    assert (tmp_path / "new" / "desk.key").read_text() == key.read_text()


def test_a_key_that_is_not_there_cannot_be_included(tmp_path: Path, desk: Path, smoldesk: Commands) -> None:
    (desk / "sources.key").unlink()
    code, output = smoldesk("backup", tmp_path / "b", "--data-dir", desk, "--with-key")
    assert (code, "key file 'sources.key' does not exist" in output) == (2, True), output
    assert not [*(tmp_path / "b").glob("*.manifest")]


def test_what_cannot_be_read_is_named_and_no_backup_is_deleted_for_it(
    desk: Path, kept: Path, smoldesk: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_file = os.open

    def refusing(path: Any, *arguments: Any, **options: Any) -> int:
        if os.fspath(path) in ("secret.txt", "shut"):
            raise PermissionError(13, "Permission denied", path)
        return open_file(path, *arguments, **options)

    [chat] = (desk / "chats").iterdir()
    (chat / "shut").mkdir()
    for path in ("secret.txt", "shut/inside.txt"):
        (chat / path).write_text("x")
    deep = chat.joinpath(*["d"] * 150)
    deep.mkdir(parents=True)
    (deep / "deep.txt").write_text("x")
    monkeypatch.setattr(os, "open", refusing)
    code, output = smoldesk("backup", kept, "--data-dir", desk, "--keep", "1")
    assert code == 1
    assert "secret.txt\n" in output and "/shut\n" in output and "/d/d\n" in output
    assert "No backup was deleted" in output and len([*kept.glob("*.manifest")]) == 2
    assert smoldesk("verify", kept)[0] == 0


def test_a_stored_file_that_is_lost_comes_from_an_earlier_backup(
    tmp_path: Path, desk: Path, kept: Path, smoldesk: Commands
) -> None:
    lost = min((desk / "files").iterdir())
    content = lost.read_bytes()
    lost.unlink()
    code, output = smoldesk("backup", kept, "--data-dir", desk, "--keep", "1")
    assert (code, f"lacks the file {lost.name}" in output) == (1, True), output
    assert len([*kept.glob("*.manifest")]) == 2
    assert smoldesk("restore", kept, "--data-dir", tmp_path / "there")[0] == 0
    assert (tmp_path / "there" / "files" / lost.name).read_bytes() == content


def test_a_content_that_was_damaged_is_replaced(desk: Path, kept: Path, smoldesk: Commands) -> None:
    content = content_of(kept, "desk/agents.toml")
    content.write_bytes(content.read_bytes().swapcase())
    (desk / "agents.toml").write_bytes((desk / "agents.toml").read_bytes())  # changed, and still the same
    assert smoldesk("backup", kept, "--data-dir", desk)[0] == 0
    assert smoldesk("verify", kept)[0] == 0


def test_backups_are_in_order_although_the_clock_went_back(
    desk: Path, kept: Path, smoldesk: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = clock.time
    monkeypatch.setattr(clock, "time", lambda: time() - 86_400)
    (desk / "agents.toml").write_text("# newer\n")
    code, output = smoldesk("backup", kept, "--data-dir", desk, "--keep", "1")
    assert code == 0
    assert [str(path) for path in kept.glob("*.manifest")] == [output.splitlines()[0]]
    assert b"# newer\n" in contents_of(kept)


def test_backups_are_deleted_while_the_folder_is_held(
    desk: Path, kept: Path, smoldesk: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    delete = BackupFolder.keep_newest

    def held(folder: BackupFolder, count: int, desk_id: str) -> int:
        with pytest.raises(DeskError, match="Another backup"), BackupFolder(kept).locked():
            pass
        return delete(folder, count, desk_id)

    monkeypatch.setattr(BackupFolder, "keep_newest", held)
    code, output = smoldesk("backup", kept, "--data-dir", desk, "--keep", "1")
    assert (code, "1 backups are in the folder" in output) == (0, True), output


def test_a_desk_deletes_no_backup_of_another_desk(
    tmp_path: Path, desk: Path, kept: Path, smoldesk: Commands
) -> None:
    Store.open(DataDir(tmp_path / "other")).close()
    for _ in range(2):
        assert smoldesk("backup", kept, "--data-dir", tmp_path / "other", "--keep", "1")[0] == 0
    first, second = sorted(kept.glob("*.manifest"))
    code, output = smoldesk("restore", kept, "--data-dir", tmp_path / "there")
    assert (code, "backups of several desks" in output) == (2, True), output
    assert smoldesk("restore", first, "--data-dir", tmp_path / "there")[0] == 0
    assert logs_of(tmp_path / "there") == logs_of(desk)
    assert smoldesk("verify", second)[0] == 0


def test_a_folder_that_is_no_data_directory_stays_as_it_is(tmp_path: Path, smoldesk: Commands) -> None:
    (tmp_path / "home").mkdir()
    code, output = smoldesk("backup", tmp_path / "b", "--data-dir", tmp_path / "home")
    assert (code, "data directory" in output) == (2, True), output
    assert [*(tmp_path / "home").iterdir()] == []


def test_a_shared_folder_within_the_data_directory_is_copied_once(
    tmp_path: Path, desk: Path, smoldesk: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    (desk / "shared").mkdir()
    for name in ("files", "chats"):
        (desk / name).rename(desk / "shared" / name)
    monkeypatch.setenv("SMOLDESK_FILES_DIR", str(desk / "shared"))
    assert ", 5 files," in smoldesk("backup", tmp_path / "b", "--data-dir", desk)[1]
    monkeypatch.setenv("SMOLDESK_FILES_DIR", str(tmp_path / "there" / "shared"))
    assert smoldesk("restore", tmp_path / "b", "--data-dir", tmp_path / "there")[0] == 0
    assert len([*(tmp_path / "there" / "shared" / "files").iterdir()]) == 2


def test_a_url_that_is_none_is_an_error(tmp_path: Path, desk: Path, smoldesk: Commands) -> None:
    code, output = smoldesk("backup", tmp_path / "b", "--data-dir", desk, url="postgresql://u:pw@host:abc/db")
    assert (code, "is not the URL of a database" in output) == (2, True), output
