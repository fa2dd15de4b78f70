"""`smoldesk doctor --deep` finds nothing on a desk that works, beside it as it runs, and names each fault once."""

import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import text

from smoldesk.backup.databases import read_contents
from smoldesk.cli import deep_checks
from smoldesk.cli.finding import Finding
from smoldesk.settings import Settings
from smoldesk.store.chats import delete_chat
from smoldesk.store.data_dir import DataDir
from smoldesk.store.engines import open_engines, sqlite_url
from smoldesk.store.store import Store
from tests.backup.conftest import CONTENT
from tests.support.backing_up import Commands
from tests.support.desk_server import DeskProcess, Servers, live_desk
from tests.support.servers import free_port
from tests.support.waiting import come_true

OLD = time.time() - 2 * deep_checks.NEW_SECONDS


def execute(folder: Path, *statements: str, url: str = "") -> None:
    engines = open_engines(url or sqlite_url(folder))
    with engines[0].begin() as connection:
        for statement in statements:
            connection.execute(text(statement))
    for engine in engines:
        engine.dispose()


def faults(output: str) -> list[str]:
    return [line for line in output.splitlines() if line.startswith("FAIL")]


def test_a_desk_that_works_has_no_faults_while_it_runs(
    tmp_path: Path, urls: tuple[str, str], smoldesk: Commands
) -> None:
    folder = tmp_path / "here"
    with (
        live_desk(folder, answer=lambda message, _: message, database_url=urls[0]) as live,
        live.client() as http,
    ):
        chat = http.post("/api/chats", json={}).json()["id"]
        http.post(f"/api/chats/{chat}/files", files={"file": ("a.csv", CONTENT)}).raise_for_status()
        http.post(f"/api/chats/{chat}/runs", json={"message": "hello"})
        come_true(lambda: any(item.event.type == "run_finished" for item in live.desk.store.events(chat)))
        assert smoldesk("backup", tmp_path / "b", "--data-dir", folder, url=urls[0])[0] == 0
        command = ("doctor", "--deep", "--backup", tmp_path / "b", "--data-dir", folder)
        code, output = smoldesk(*command, url=urls[0])
        assert code == 0, output
        assert f"in use by the desk at {live.url}" in output
        assert "files of the backup: 1 files are as they were" in output
        assert ("servers: 1 alive" in output) == bool(urls[0])
        code, output = smoldesk(*command, "--json", url=urls[0])
        assert code == 0 and {finding["name"] for finding in json.loads(output)} == {*deep_checks.CHECKS}


def _delete(folder: Path) -> None:
    first(folder / "files").unlink()


def _cut(folder: Path) -> None:
    first(folder / "files").write_bytes(b"")


def _change(folder: Path) -> None:
    file = first(folder / "files")
    file.write_bytes(file.read_bytes().swapcase())


def _orphan(folder: Path) -> None:
    (folder / "files" / "f_1").write_bytes(b"x")
    os.utime(folder / "files" / "f_1", (OLD, OLD))
    (folder / "files" / "f_2").write_bytes(b"just now: its row comes soon")


def _stray_folder(folder: Path) -> None:
    (folder / "chats" / "c_1").mkdir()
    os.utime(folder / "chats" / "c_1", (OLD, OLD))


def _gap(folder: Path) -> None:
    execute(folder, "UPDATE chat SET last_seq = 3")
    body = json.dumps({"type": "arrows_cleared"})
    add = (
        "INSERT INTO event (chat_id, seq, type, at, body) SELECT id, {}, 'arrows_cleared', 1, '{}' FROM chat"
    )
    execute(folder, *(add.format(seq, body.replace(":", r"\:")) for seq in (1, 3)))


def _strange_event(folder: Path) -> None:
    add = "INSERT INTO event (chat_id, seq, type, at, body) SELECT id, 1, 'x', 1, 'no JSON' FROM chat"
    execute(folder, "UPDATE chat SET last_seq = 1", add)


def _sealed_elsewhere(folder: Path) -> None:
    row = "INSERT INTO source (name, address, sealed, read_only_account, created_at)"
    execute(folder, f"{row} VALUES ('shop', 'sqlite://', 'x', false, 1)")


def _spoiled_key(folder: Path) -> None:
    (folder / "sources.key").write_text("hunter2")


def _zeros(folder: Path) -> None:
    with (folder / "smoldesk.db").open("r+b") as file:
        file.seek(4096 * 3)
        file.write(bytes(4096 * 4))


def _older(folder: Path) -> None:
    execute(folder, "UPDATE alembic_version SET version_num = '0028'", "DROP TABLE source")


def _newer(folder: Path) -> None:
    execute(folder, "UPDATE alembic_version SET version_num = '9999'")


def _half_restored(folder: Path) -> None:
    (folder / "restoring").write_text("x")


def first(folder: Path) -> Path:
    return min(folder.iterdir())


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (_delete, "stored files: 1 files (f_"),
        (_cut, "of another size than when they were stored. Restore"),
        (_change, "files of the backup: 1 files (f_"),
        (_orphan, "stored files: 1 files (f_1): named by nothing. They only take room"),
        (_stray_folder, "folders of chats: 1 folders (c_1)"),
        (_gap, "logs of chats: 1 chats (c_"),
        (_strange_event, "events cannot be read"),
        (_sealed_elsewhere, "no key of sources.key opens them"),
        (_spoiled_key, "'sources.key' has no key in line 1"),
        (_zeros, "Restore a backup"),
        (_older, "its schema is 0028, this version has"),
        (_newer, "Install that version or a newer one"),
        (_half_restored, "Repeat `smoldesk restore`"),
    ],
)
def test_each_fault_is_named_with_what_to_do(
    desk: Path, kept: Path, smoldesk: Commands, spoil: Callable[[Path], None], words: str
) -> None:
    spoil(desk)
    code, output = smoldesk("doctor", "--deep", "--backup", kept, "--data-dir", desk)
    assert code == 1, output
    assert "hunter2" not in output
    if spoil is _zeros:  # one cause, of which several checks suffer
        assert words in output
    elif spoil is _cut:
        assert [words in fault for fault in faults(output)] == [True, False], (
            "the backup has it otherwise, too"
        )
    else:
        [fault] = faults(output)
        assert words in fault


@pytest.mark.parametrize("moment", ["logs of chats", "stored files"])
def test_a_chat_that_is_deleted_beside_the_checks_is_no_fault(desk: Path, kept: Path, moment: str) -> None:
    store = Store.open(DataDir(desk))
    try:
        settings = Settings(_env_file=None, data_dir=desk)  # pyright: ignore[reportCallIssue]
        found: list[Finding] = []
        for finding in deep_checks.deep_findings(settings, kept):
            found.append(finding)
            if finding.name == moment:
                [chat] = store.read(read_contents).chat_ids
                store.files.erase(store.submit(lambda tx, chat=chat: delete_chat(tx, chat)).result(60))
        assert [finding for finding in found if not finding.ok] == []
        assert len(found) == len(deep_checks.CHECKS)
    finally:
        store.close()


def test_a_desk_that_is_not_there_is_no_new_one(tmp_path: Path, smoldesk: Commands) -> None:
    (tmp_path / "empty").mkdir()
    for folder in (tmp_path / "none", tmp_path / "empty"):
        code, output = smoldesk("doctor", "--deep", "--data-dir", folder)
        assert (code, "Check --data-dir" in output) == (1, True)
    assert not [*(tmp_path / "empty").iterdir()]


def test_a_clock_that_differs_from_the_databases_is_named(
    tmp_path: Path, postgres_of_a_desk: str, smoldesk: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    now = time.time
    monkeypatch.setattr(deep_checks.time, "time", lambda: now() - 90)
    code, output = smoldesk("doctor", "--deep", "--data-dir", tmp_path / "here", url=postgres_of_a_desk)
    assert (code, "differs from the database's by 9" in output) == (1, True), output


def test_a_second_desk_on_one_data_directory_is_refused(tmp_path: Path) -> None:
    with Servers(tmp_path) as servers:
        first = servers.start()
        second = DeskProcess(tmp_path / "data", free_port(), {"SMOLDESK_ALLOW_UNISOLATED": "true"})
        try:
            assert second.process.wait(120) == 2
            assert "Another smoldesk uses the data directory" in second.errors()
            assert first.process.poll() is None
        finally:
            second.close()


def test_copies_of_one_data_directory_at_one_database_are_named(
    tmp_path: Path, postgres_of_a_desk: str, smoldesk: Commands
) -> None:
    (tmp_path / "a").mkdir()
    with live_desk(tmp_path / "a", database_url=postgres_of_a_desk):
        shutil.copytree(tmp_path / "a", tmp_path / "b")
        with live_desk(tmp_path / "b", database_url=postgres_of_a_desk):

            def named() -> str | None:
                output = smoldesk("doctor", "--deep", "--data-dir", tmp_path / "a", url=postgres_of_a_desk)[1]
                return output if "several use copies of the data directory" in output else None

            assert len(faults(come_true(named))) == 1
