"""What wires of other clients read and write: chats under derived ids, what was asked, what was told before."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from smoldesk.agents.wrapper.memory import steps_from
from smoldesk.events import (
    Ask,
    AskOpened,
    RunQueued,
    RunWaiting,
)
from smoldesk.store import (
    ask_queries as asked,
)
from smoldesk.store import (
    asks,
    chats,
    event_log,
    run_lists,
    run_queue,
    run_rows,
)
from smoldesk.store.asks import Answer
from smoldesk.store.data_dir import DataDir
from smoldesk.store.import_history import PastTurn, append_turns
from smoldesk.store.store import Store
from smoldesk.store.transaction import Tx

LATER = datetime(2100, 1, 1, tzinfo=UTC)


def ask(ask_id: str) -> Ask:
    return Ask(id=ask_id, kind="approval", tool="pay", call_id=f"call of {ask_id}", expires_at=LATER)


def asking(store: Store, chat_id: str, *rounds: list[str]) -> str:
    """A run that asks in rounds, each of which it waits for; the run's id."""

    def job(tx: Tx) -> str:
        run = run_queue.enqueue_run(tx, chat_id, "pay", 10)
        for ids in rounds:
            asks.open_asks(tx, chat_id, run.id, [ask(item) for item in ids])
            tx.append(chat_id, [AskOpened(ask=ask(item)) for item in ids], run.id)
            tx.append(chat_id, [RunWaiting(ask_ids=ids)], run.id)
        return run.id

    return store.submit(job).result(30)


def test_a_chat_is_begun_once_however_many_begin_it(
    store: Store, tmp_path_factory: pytest.TempPathFactory
) -> None:
    shared = store.shared
    other = Store.open(
        DataDir(tmp_path_factory.mktemp("other")),
        store.url.render_as_string(hide_password=False) if shared else "",
    )
    servers = [store, other] if shared else [store]
    try:
        with ThreadPoolExecutor(8) as pool:

            def begin(number: int) -> str:
                server = servers[number % len(servers)]
                return server.submit(lambda tx: chats.begin_chat(tx, "c_same")).result(30).id

            assert set(pool.map(begin, range(16))) == {"c_same"}
    finally:
        other.close()
    store.submit(lambda tx: tx.append("c_same", [RunQueued(message="hi")])).result(30)
    assert store.submit(lambda tx: chats.begin_chat(tx, "c_same")).result(30).last_seq == 1


def test_asks_of_a_chat_are_found_by_their_ids_and_those_that_are_open(store: Store) -> None:
    mine, theirs = (store.submit(chats.new_chat).result(30).id for _ in range(2))
    run = asking(store, mine, ["a1", "a2", "a3"])
    asking(store, theirs, ["b1"])
    store.submit(lambda tx: asks.close_ask(tx, "a1", Answer(True))).result(30)
    store.submit(lambda tx: asks.close_ask(tx, "a2", Answer(False))).result(30)

    result = store.read(lambda connection: asked.ask_states(connection, mine, ["a1", "b1", "nobody"]))
    assert {(item.ask.id, item.state, item.run_id) for item in result} == {
        ("a1", "granted", run),
        ("a3", "open", run),
    }
    assert {item.run_goes_on for item in result} == {False}  # it waits in the queue
    store.submit(lambda tx: run_rows.set_state(tx, run, "waiting")).result(30)
    assert all(
        item.run_goes_on for item in store.read(lambda connection: asked.ask_states(connection, mine, []))
    )

    assert store.read(lambda connection: asked.chat_of_ask(connection, ["b1"])) == theirs
    assert store.read(lambda connection: asked.chat_of_ask(connection, ["nobody"])) is None
    remaining = store.read(lambda connection: asked.still_open(connection, ["a1", "a3", "b1"]))
    assert {item.id for item in remaining} == {"a3", "b1"}


def test_the_log_knows_where_an_ask_was_last_waited_for(store: Store) -> None:
    chat_id = store.submit(chats.new_chat).result(30).id
    first = asking(store, chat_id, ["a1"])
    run = asking(store, chat_id, ["b1", "b2"], ["b3"])
    assert store.read(lambda connection: event_log.seq_before_run(connection, chat_id, first)) == 0
    assert store.read(lambda connection: event_log.seq_before_run(connection, chat_id, run)) == 3

    def last(*ids: str) -> int:
        return store.read(lambda connection: asked.last_ask_seq(connection, chat_id, run, ids))

    assert (last("b1"), last("b1", "b2"), last("b2", "b3"), last("a1"), last()) == (7, 7, 9, 0, 0)


def test_what_was_told_is_remembered_as_runs_are(store: Store) -> None:
    chat_id = store.submit(chats.new_chat).result(30).id
    turns = [PastTurn("one?", "One."), PastTurn("two\0?", "")]
    store.submit(lambda tx: append_turns(tx, chat_id, turns)).result(30)
    steps = steps_from(store.events(chat_id))
    messages = [getattr(step, "task", None) or getattr(step, "model_output", None) for step in steps]
    assert messages == ["one?", "One.", "two\ufffd?"]
    run = store.read(lambda connection: run_lists.last_run(connection, chat_id))
    assert run is not None and (run.message, run.state) == ("two\ufffd?", "finished")
    assert store.read(lambda connection: run_rows.open_runs(connection, chat_id)) == []
    queued = store.submit(lambda tx: run_queue.enqueue_run(tx, chat_id, "three?", 10)).result(30)
    last = store.read(lambda connection: run_lists.last_run(connection, chat_id))
    assert last is not None and last.id == queued.id
