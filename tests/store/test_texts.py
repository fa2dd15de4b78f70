"""Whatever a person, a client or code writes is kept, on each kind of database: alike, and never a fault."""

import pytest

from smoldesk.errors import NotFound
from smoldesk.events import (
    Ask,
    AskOpened,
    RunQueued,
    RunStarted,
    ToolReturned,
)
from smoldesk.store import (
    asks,
    chats,
    files,
    run_queue,
    run_rows,
)
from smoldesk.store.store import Store

ODD = "a\0b \ud800 c"
PLAIN = "a�b ? c"


def test_a_message_with_characters_no_column_holds_is_mended_everywhere_alike(store: Store) -> None:
    chat = store.submit(chats.new_chat).result(30)
    run = store.submit(lambda tx: run_queue.enqueue_run(tx, chat.id, ODD, 5)).result(30)
    store.submit(lambda tx: run_queue.claim_next(tx, chat.id, run_queue.Claimant("me:1", 60))).result(30)
    assert store.read(lambda connection: run_rows.get_run(connection, run.id)).message == PLAIN
    assert store.read(lambda connection: chats.get_chat(connection, chat.id)).title == PLAIN
    assert [s.event for s in store.events(chat.id)] == [
        RunQueued(message=PLAIN, ahead=0),
        RunStarted(message=PLAIN),
    ]


def test_what_an_event_carries_is_kept_as_it_was(store: Store) -> None:
    chat = store.submit(chats.new_chat).result(30)
    event = ToolReturned(
        step=1, call_id="c", tool="t", result="nul \0, 売上 😀, %s %(x)s :y \\ \u2028, 1e400"
    )
    store.submit(lambda tx: tx.append(chat.id, [event])).result(30)
    assert store.events(chat.id)[0].event == event


def test_titles_and_reasons_are_mended(store: Store) -> None:
    chat = store.submit(lambda tx: chats.new_chat(tx, ODD)).result(30)
    assert store.read(lambda connection: chats.get_chat(connection, chat.id)).title == PLAIN
    store.submit(lambda tx: chats.rename_chat(tx, chat.id, ODD + "!")).result(30)
    assert store.read(lambda connection: chats.get_chat(connection, chat.id)).title == PLAIN + "!"
    run = store.submit(lambda tx: run_queue.enqueue_run(tx, chat.id, "x", 5)).result(30)
    store.submit(lambda tx: run_queue.claim_next(tx, chat.id, run_queue.Claimant("me:1", 60))).result(30)
    store.submit(lambda tx: run_queue.request_cancel(tx, run.id, ODD)).result(30)
    assert store.read(lambda connection: run_rows.get_run(connection, run.id)).cancel_reason == PLAIN


@pytest.mark.parametrize("value", [float("nan"), 10**40, {"a": [None, "x\0y"]}, "\ud800"])
def test_an_answer_may_hold_any_json(store: Store, value: object) -> None:
    chat = store.submit(chats.new_chat).result(30)
    ask = Ask(
        id="a_1",
        kind="input",
        tool="t",
        call_id="c",
        arguments={},
        prompt="?",
        expires_at="2030-01-01T00:00Z",  # pyright: ignore[reportArgumentType]
    )  # pyright: ignore
    store.submit(lambda tx: asks.open_asks(tx, chat.id, "r_1", [ask])).result(30)
    store.submit(lambda tx: tx.append(chat.id, [AskOpened(ask=ask)], "r_1")).result(30)
    store.submit(lambda tx: asks.close_ask(tx, "a_1", asks.Answer(True, value, ODD))).result(30)  # pyright: ignore
    answer = store.read(lambda connection: asks.read_answers(connection, ["a_1"]))["a_1"]
    assert repr(answer.value) == repr(value)
    assert answer.reason == PLAIN


@pytest.mark.parametrize("expected", ["c_\0", "x" * 100_000, "%", "'; DROP TABLE chat; --", "", "売上"])
def test_an_id_that_is_none_is_not_found(store: Store, expected: str) -> None:
    with pytest.raises(NotFound):
        store.read(lambda connection: chats.get_chat(connection, expected))
    with pytest.raises(NotFound):
        store.read(lambda connection: run_rows.get_run(connection, expected))
    with pytest.raises(NotFound):
        store.read(lambda connection: files.find_file(connection, expected, expected))
    with pytest.raises(NotFound):
        store.read(lambda connection: asks.read_open(connection, expected, 0))


def test_a_file_of_many_gigabytes_has_its_size(store: Store) -> None:
    chat = store.submit(chats.new_chat).result(30)
    file = files.StoredFile("f_1", chat.id, "upload", "big.csv", 5_000_000_000, "text/csv")
    store.submit(lambda tx: files.add_file(tx, file)).result(30)
    assert store.read(lambda connection: files.list_files(connection, chat.id)) == [file]
