"""Chats without activity are deleted once, completely, and only if nothing needs them, on both databases."""

import asyncio
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from sqlalchemy import insert, update

from smoldesk.chats import Chats, retention
from smoldesk.chats.retention import DAY
from smoldesk.errors import DeskError
from smoldesk.store import chats, erasures, files, inactive_chats, run_queue, shared_views
from smoldesk.store.conversation_tables import MemberRow, MembershipRow, ProjectRow
from smoldesk.store.data_dir import DataDir
from smoldesk.store.store import Store
from smoldesk.store.tables import AskRow, ChatRow, LayerFrameRow, LayerRow, RunRow
from smoldesk.store.transaction import Tx
from tests.support.aio import run_async
from tests.support.desk_server import live_desk
from tests.support.one_agent import OneAgent
from tests.support.waiting import come_true

if TYPE_CHECKING:
    from smoldesk.agents import DeskAgents

OLD = time.time() - 40 * DAY


def _pinned(tx: Tx, chat_id: str) -> None:
    chats.pin_chat(tx, chat_id, True)


def _shared(tx: Tx, chat_id: str) -> None:
    shared_views.add_view(tx, chat_id, "{}", 3600)


def _queued(tx: Tx, chat_id: str) -> None:
    run_queue.enqueue_run(tx, chat_id, "later", 10)


def _waiting(tx: Tx, chat_id: str) -> None:
    tx.execute(update(RunRow).where(RunRow.id == _run(tx, chat_id)).values(state="waiting"))


def _asking(tx: Tx, chat_id: str) -> None:
    run_id = _run(tx, chat_id)
    tx.execute(
        update(RunRow).where(RunRow.id == run_id).values(state="done")
    )  # an open one would keep the chat
    row = {"id": f"a_{chat_id}", "chat_id": chat_id, "run_id": run_id, "state": "open", "body": "{}"}
    tx.execute(insert(AskRow), row | {"reason": "", "expires_at": time.time() + 1e6})


def _fed(tx: Tx, chat_id: str) -> None:
    layer = {"id": f"l_{chat_id}", "chat_id": chat_id, "name": "heat", "title": "", "unit": ""}
    tx.execute(insert(LayerRow), layer | {"created_at": OLD})
    tx.execute(insert(LayerFrameRow), {"layer_id": layer["id"], "at": int(time.time()), "body": "{}"})


def _of_a_project(tx: Tx, chat_id: str) -> None:
    tx.execute(insert(ProjectRow), {"id": "p", "name": "p", "created_at": OLD, "last_seq": 0})
    member = {"id": "m", "name": "m", "kind": "ai", "passkey_hash": "", "created_at": OLD}
    tx.execute(insert(MemberRow), member)
    joined = {"project_id": "p", "member_id": "m", "joined_at": OLD, "received_seq": 0, "read_seq": 0}
    tx.execute(insert(MembershipRow), joined | {"chat_id": chat_id})


def _run(tx: Tx, chat_id: str) -> str:
    return run_queue.enqueue_run(tx, chat_id, "hello", 10).id


NEEDED = (_pinned, _shared, _queued, _waiting, _asking, _fed, _of_a_project)


def old_chat(store: Store, name: str, use: Any = None) -> str:
    """A chat with a file in the store and one in its folder, and no activity for 40 days."""
    file_id = store.files.keep_bytes(b"x", 10)

    def job(tx: Tx) -> str:
        chat_id = chats.new_chat(tx, name).id
        files.add_file(tx, files.StoredFile(file_id, chat_id, "upload", "x.csv", 1, "text/csv"))
        if use is not None:
            use(tx, chat_id)
        tx.execute(update(ChatRow).where(ChatRow.id == chat_id).values(updated_at=OLD))
        return chat_id

    chat_id = store.submit(job).result()
    (store.data_dir.chat_folder(chat_id) / "x.csv").write_bytes(b"x")
    return chat_id


def opened(folder: Path, options: dict[str, Any]) -> Store:
    return Store.open(DataDir(folder, options["files_dir"]), options["database_url"])


def service(store: Store) -> Chats:
    return Chats(store, cast("DeskAgents", OneAgent(lambda message, _: message)))


@pytest.fixture
def options(tmp_path: Path, database_url: str) -> dict[str, Any]:
    return {"database_url": database_url, "files_dir": tmp_path / "files"}


def test_a_chat_that_something_needs_stays(tmp_path: Path, options: dict[str, Any]) -> None:
    # a server that has not opened: nothing works on the runs
    store = opened(tmp_path / "a", options)
    needed = {old_chat(store, use.__name__, use) for use in NEEDED}
    fresh = store.submit(lambda tx: chats.new_chat(tx, "new").id).result()
    old = old_chat(store, "old")
    archived = old_chat(store, "archived", lambda tx, chat_id: chats.set_archived(tx, chat_id, True))
    assert run_async(service(store).erase_inactive(30 * DAY)) == 2
    left = store.read(lambda connection: chats.last_seqs_of(connection, [*needed, fresh, old, archived]))
    assert {*left} == {*needed, fresh}
    assert {path.name for path in store.data_dir.chats.iterdir()} == needed
    assert len([*store.data_dir.files.iterdir()]) == len(needed)
    store.close()


@pytest.mark.starts
def test_servers_delete_each_chat_once(tmp_path: Path, postgres_of_a_desk: str) -> None:
    options = {"database_url": postgres_of_a_desk, "files_dir": tmp_path / "files"}
    stores = [opened(tmp_path / name, options) for name in ("a", "b")]
    old = {old_chat(stores[0], str(number)) for number in range(12)}

    async def both() -> list[int]:
        return await asyncio.gather(*(service(store).erase_inactive(30 * DAY) for store in stores))

    assert sum(run_async(both())) == len(old)
    assert [*stores[0].data_dir.files.iterdir()] == [*stores[0].data_dir.chats.iterdir()] == []
    for store in stores:
        store.close()


def test_a_desk_deletes_by_its_setting_and_by_default_nothing(
    tmp_path: Path, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened(tmp_path / "a", options)
    chat_id = old_chat(store, "old")
    older = old_chat(store, "older")
    values = {"updated_at": OLD - 10 * DAY}
    store.submit(lambda tx: tx.execute(update(ChatRow).where(ChatRow.id == older).values(values))).result()
    store.close()
    with live_desk(tmp_path / "a", retention_days=39, **options) as live, live.client() as http:
        assert http.get(f"/api/chats/{chat_id}").status_code == 200, "not at its start"
    monkeypatch.setattr(retention, "FIRST_LOOK", 0.0)
    with live_desk(tmp_path / "a", **options) as live, live.client() as http:
        assert http.get(f"/api/chats/{older}").status_code == 200
    with live_desk(tmp_path / "a", retention_days=45, **options) as live, live.client() as http:
        come_true(lambda: http.get(f"/api/chats/{older}").status_code == 404)
        assert http.get(f"/api/chats/{chat_id}").status_code == 200
    with live_desk(tmp_path / "a", retention_days=39.5, **options) as live, live.client() as http:
        come_true(lambda: http.get(f"/api/chats/{chat_id}").status_code == 404)
        come_true(lambda: not [*live.desk.data_dir.files.iterdir(), *live.desk.data_dir.chats.iterdir()])


def test_a_fault_of_one_chat_does_not_keep_the_others(
    tmp_path: Path, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened(tmp_path / "a", options)
    old = [old_chat(store, str(number)) for number in range(3)]
    erase = inactive_chats.erase_inactive

    def failing(tx: Tx, chat_id: str, *times: float) -> list[str] | None:
        if chat_id == old[1]:
            raise PermissionError(13, "Permission denied")
        return erase(tx, chat_id, *times)

    monkeypatch.setattr(inactive_chats, "erase_inactive", failing)
    assert run_async(service(store).erase_inactive(30 * DAY)) == 2
    assert [path.name for path in store.data_dir.chats.iterdir()] == [old[1]]
    store.close()


def test_a_chat_whose_folder_cannot_be_deleted_is_not_taken_for_erased(tmp_path: Path) -> None:
    store = Store.open(DataDir(tmp_path))
    chat_id = old_chat(store, "1")
    folder = store.data_dir.chats / chat_id
    shutil.rmtree(folder)
    folder.write_text("no folder, which nothing deletes here")
    run_async(service(store).erase_inactive(30 * DAY))
    assert [erasure.chat_id for erasure in store.read(erasures.open_erasures)] == [chat_id]
    store.close()


def test_an_end_leaves_no_chat_half_deleted(
    tmp_path: Path, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened(tmp_path / "a", options)
    old = {old_chat(store, str(number)) for number in range(3)}
    monkeypatch.setattr(retention, "FIRST_LOOK", 0.0)

    async def look() -> None:
        loop, is_removing = asyncio.get_running_loop(), asyncio.Event()
        erase = store.files.erase

        def erasing(file_ids: list[str]) -> None:
            loop.call_soon_threadsafe(is_removing.set)
            erase(file_ids)

        monkeypatch.setattr(store.files, "erase", erasing)
        task = retention.Retention(service(store), 30)
        task.open()
        await is_removing.wait()
        await task.close()

    run_async(look())
    remaining = {*store.read(lambda connection: chats.last_seqs_of(connection, [*old]))}
    assert len(remaining) == 2 and {path.name for path in store.data_dir.chats.iterdir()} == remaining
    assert len([*store.data_dir.files.iterdir()]) == 2
    assert store.read(erasures.open_erasures) == []
    store.close()


def test_nothing_is_deleted_by_a_clock_that_is_wrong(
    tmp_path: Path, postgres_of_a_desk: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened(tmp_path / "a", {"database_url": postgres_of_a_desk, "files_dir": tmp_path / "files"})
    chat_id = store.submit(chats.new_chat).result().id
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + 40 * DAY)
    with pytest.raises(DeskError, match="clock"):
        run_async(service(store).erase_inactive(30 * DAY))
    assert store.read(lambda connection: chats.last_seqs_of(connection, [chat_id]))
    store.close()
