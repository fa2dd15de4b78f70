"""Backups that are interrupted, damaged, forged or newer: refused with a reason, and nothing is changed."""

import hashlib
import json
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from smoldesk.store.data_dir import DataDir
from tests.support.backing_up import Commands, command, logs_of

# Kills the process at the n-th call of a method.
KILL = """
import itertools, os, smoldesk.backup
from smoldesk.backup import {module}
method, calls = {module}.{name}, itertools.count(1)
def killed(*arguments, **options):
    if next(calls) == {at}:
        os.kill(os.getpid(), 9)
    return method(*arguments, **options)
{module}.{name} = killed
"""


def killed(*arguments: str | Path, module: str, name: str, at: int = 1) -> None:
    process = command(*arguments, code=KILL.format(module=module, name=name, at=at))
    assert (process.wait(120), process.communicate()[0]) == (-signal.SIGKILL, "")


def manifest_of(folder: Path) -> Path:
    [path] = folder.glob("*.manifest")
    return path


def forge(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change a manifest, and its SHA-256 with it, as an attacker would."""
    path = manifest_of(folder)
    facts = json.loads(path.read_bytes().splitlines()[0])
    change(facts)
    line = json.dumps(facts).encode()
    path.write_bytes(line + b"\n" + hashlib.sha256(line).hexdigest().encode() + b"\n")


def content_of(folder: Path, path: str) -> Path:
    """Where the content of a file of the backup is."""
    facts = json.loads(manifest_of(folder).read_bytes().splitlines()[0])
    [digest] = [entry["sha256"] for entry in facts["entries"] if entry["path"].startswith(path)]
    return folder / "content" / digest[:2] / digest


@pytest.mark.parametrize(
    ("module", "name", "at"),
    [
        ("databases", "check_sqlite", 1),
        ("backup_folder", "BackupFolder.add", 2),
        ("backup_folder", "BackupFolder._adopt", 3),
        ("backup_folder", "BackupFolder.finish", 1),
    ],
)
def test_a_backup_that_was_killed_does_not_count_and_the_next_one_goes_on(
    tmp_path: Path, desk: Path, smoldesk: Commands, module: str, name: str, at: int
) -> None:
    folder = tmp_path / "backups"
    killed("backup", folder, "--data-dir", desk, module=module, name=name, at=at)
    code, output = smoldesk("restore", folder, "--data-dir", tmp_path / "there")
    assert (code, "no complete backup" in output) == (2, True)
    assert smoldesk("backup", folder, "--data-dir", desk)[0] == 0
    assert smoldesk("verify", folder)[0] == 0
    assert list(folder.rglob(".new-*")) == []


@pytest.mark.parametrize(
    ("module", "name", "at"),
    [
        ("desk_files", "DeskFiles.put", 3),
        ("databases", "SqliteDatabase.load", 1),
        ("databases", "_migrate", 1),
    ],
)
def test_a_restore_that_was_killed_starts_no_desk_and_can_be_repeated(
    tmp_path: Path, desk: Path, kept: Path, smoldesk: Commands, module: str, name: str, at: int
) -> None:
    there = tmp_path / "there"
    killed("restore", kept, "--data-dir", there, module=module, name=name, at=at)
    with pytest.raises(Exception, match=r"was interrupted.*Repeat"):
        DataDir(there).claim()
    shutil.copytree(kept, tmp_path / "other")
    forge(tmp_path / "other", lambda facts: facts.update(made_at=facts["made_at"] + 1))
    code, output = smoldesk("restore", tmp_path / "other", "--data-dir", there)
    assert (code, "Another restore into" in output) == (2, True)
    code, output = smoldesk("restore", kept, "--data-dir", there)
    assert code == 0, output
    assert logs_of(there) == logs_of(desk)
    assert {path.name for path in (there / "files").iterdir()} == {
        path.name for path in (desk / "files").iterdir()
    }
    assert list(there.rglob(".restoring-*")) == []
    DataDir(there).claim()


def _grow(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b"1")


def _link(file: Path) -> None:
    file.rename(file.with_suffix(".real"))
    file.symlink_to(file.with_suffix(".real"))


def _link_folder(file: Path) -> None:
    file.parent.rename(file.parent.with_suffix(".real"))
    file.parent.symlink_to(file.parent.with_suffix(".real"))


def _pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


@pytest.mark.parametrize("path", ["database", "files/", "chats/"])
@pytest.mark.parametrize("spoil", [_grow, Path.unlink, _link, _link_folder, _pipe])
def test_a_damaged_content_is_found_before_anything_is_written(
    tmp_path: Path, kept: Path, smoldesk: Commands, path: str, spoil: Callable[[Path], object]
) -> None:
    if path == "files/":
        forge(
            kept,
            lambda facts: facts["entries"].remove(
                next(entry for entry in facts["entries"] if entry["path"].startswith(path))
            ),
        )
    spoil(content_of(kept, path))
    for arguments in (("verify", kept), ("restore", kept, "--data-dir", tmp_path / "there")):
        code, output = smoldesk(*arguments)
        assert (code, "The backup is damaged" in output) == (2, True), output
    assert not (tmp_path / "there").exists()


@pytest.mark.parametrize(
    "path",
    [
        *("files/../../evil", "files/%2e%2e/evil", "/etc/evil", "files//evil", "files/a%2Fb", "files/a%00b"),
        *(
            "chats/c/./x",
            "desk/..",
            "desk",
            "other/x",
            "files/%2E%2E",
            "../x",
            "database/x",
            "desk/%66ine.toml",
        ),
        *(
            "desk/lock",
            "desk/id",
            "desk/files/f_1",
            "desk/restoring",
            "desk/smoldesk.db",
            "files/" + "a/" * 7_000 + "a",
        ),
    ],
)
def test_a_forged_path_leads_nowhere(tmp_path: Path, kept: Path, smoldesk: Commands, path: str) -> None:
    def add(facts: dict[str, Any]) -> None:
        [entry] = [entry for entry in facts["entries"] if entry["path"] == "desk/agents.toml"]
        facts["entries"].append(entry | {"path": path})

    forge(kept, add)
    there = tmp_path / "below" / "there"
    code, output = smoldesk("restore", kept, "--data-dir", there)
    assert (code, "The backup is damaged" in output) == (2, True), output
    assert not there.exists()
    assert not list(tmp_path.rglob("evil"))


def _without_format(facts: dict[str, Any]) -> None:
    facts["format"] = 2
    facts["entries"] = "elsewhere"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_without_format, "written by smoldesk 99.0 (format 2"),
        (lambda facts: facts.update(schema_revision="9999"), "written by smoldesk 99.0 (schema '9999'"),
        (lambda facts: facts.update(schema_revision="../x"), "written by smoldesk 99.0 (schema"),
        (lambda facts: facts["counts"].update(chat=7), "other rows than its manifest"),
        (lambda facts: facts["entries"].append(facts["entries"][1]), "names a path twice"),
        (lambda facts: facts["entries"].pop(0), "names no database"),
        (lambda facts: facts.update(database="mysql"), "`database` of its manifest"),
        (
            lambda facts: facts.update(database="postgresql"),
            "backup of postgresql, the desk's database is sqlite",
        ),
    ],
)
def test_a_manifest_of_a_newer_version_or_of_another_desk_is_refused(
    tmp_path: Path, kept: Path, smoldesk: Commands, change: Callable[[dict[str, Any]], object], words: str
) -> None:
    forge(kept, lambda facts: (facts.update(smoldesk="99.0"), change(facts)))
    code, output = smoldesk("restore", kept, "--data-dir", tmp_path / "there")
    assert (code, words in output) == (2, True), output
    assert not (tmp_path / "there" / "smoldesk.db").exists()


@pytest.mark.parametrize("length", [0, 1, -1, -65, -70])
def test_half_a_manifest_is_refused(tmp_path: Path, kept: Path, smoldesk: Commands, length: int) -> None:
    path = manifest_of(kept)
    path.write_bytes(path.read_bytes()[:length])
    code, output = smoldesk("verify", kept)
    assert (code, "incomplete or was changed" in output) == (2, True), output
