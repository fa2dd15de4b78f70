"""What is erased from the store is in none of its files, while the desk runs."""

import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from smoldesk.events import Ask
from smoldesk.store import asks, chats, checkpoints, run_queue
from smoldesk.store.asks import Answer
from smoldesk.store.chat_lists import list_chats
from smoldesk.store.data_dir import DataDir
from smoldesk.store.store import Store
from smoldesk.store.transaction import Tx

SECRET = "zq9-sword-of-fish"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def stored(folder: Path) -> Iterator[Store]:
    store = Store.open(DataDir(folder))
    yield store
    store.close()


def answered(store: Store) -> str:
    """The id of an ask that was answered with the secret."""

    def job(tx: Tx) -> str:
        chat_id = chats.new_chat(tx).id
        run = run_queue.enqueue_run(tx, chat_id, "log in", 10)
        later = datetime(2100, 1, 1, tzinfo=UTC)
        asks.open_asks(
            tx, chat_id, run.id, [Ask(id="a", kind="input", input_type="password", expires_at=later)]
        )
        return "a"

    ask_id = store.submit(job).result(30)
    store.submit(lambda tx: asks.close_ask(tx, ask_id, Answer(True, SECRET))).result(30)
    return ask_id


def is_found(folder: Path) -> bool:
    results = False
    for path in folder.rglob("*"):
        with suppress(OSError):
            results = results or (path.is_file() and SECRET.encode() in path.read_bytes())
    return results


def test_a_password_that_was_entered_is_in_no_file_once_its_run_has_it(stored: Store, folder: Path) -> None:
    ask_id = answered(stored)
    assert is_found(folder)  # where the run finds it, until then
    stored.submit(lambda tx: asks.forget_value(tx, ask_id)).result(30)
    assert not is_found(folder)


def test_while_somebody_reads_it_is_put_off_not_forgotten(stored: Store, folder: Path) -> None:
    ask_id = answered(stored)

    def while_reading(connection: object) -> None:
        stored.submit(lambda tx: asks.forget_value(tx, ask_id)).result(30)

    stored.read(lambda connection: (list_chats(connection), while_reading(connection)))
    assert is_found(folder)
    stored.submit(chats.new_chat).result(30)
    assert not is_found(folder)


def test_what_was_put_off_is_erased_also_when_nothing_is_committed_any_more(
    stored: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "ERASE_SECONDS", 0.01)
    ask_id = answered(stored)

    def while_reading(connection: object) -> None:
        stored.submit(lambda tx: asks.forget_value(tx, ask_id)).result(30)

    stored.read(lambda connection: (list_chats(connection), while_reading(connection)))
    end = time.monotonic() + 30
    while is_found(folder):
        assert time.monotonic() < end
        time.sleep(0.01)
