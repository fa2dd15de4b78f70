"""Two stores on one PostgreSQL: each sees what the other commits, at once and in order, whatever breaks in between."""

import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine
from sqlalchemy.exc import DBAPIError

from smoldesk.buildings.layers.layer_history import LayerHistory
from smoldesk.buildings.layers.rows import RoomValue
from smoldesk.errors import Conflict, DeskError
from smoldesk.events import RunFinished, StoredEvent, ToolReturned
from smoldesk.store import (
    audit_rows,
    chats,
    engines,
    followers,
    layers,
    postgres,
    run_queue,
    transactions,
)
from smoldesk.store import (
    notifications as hints,
)
from smoldesk.store import store as store_module
from smoldesk.store.data_dir import DataDir
from smoldesk.store.store import Store
from smoldesk.store.transaction import Tx
from tests.support.aio import run_async
from tests.support.postgres import TestPostgres, break_a_commit

Pair = tuple[Store, Store]


@pytest.fixture
def pair(tmp_path: Path, postgres_url: str) -> Iterator[Pair]:
    here = Store.open(DataDir(tmp_path / "here"), postgres_url)
    existing = Store.open(DataDir(tmp_path / "there"), postgres_url)
    yield here, existing
    here.close()
    existing.close()


def new_chat(store: Store) -> str:
    return store.submit(chats.new_chat).result(30).id


def said(text: object) -> ToolReturned:
    return ToolReturned(step=1, call_id="c", tool="t", result=str(text))


def append(store: Store, chat_id: str, text: object) -> "Future[None]":
    return store.submit(lambda tx: tx.append(chat_id, [said(text)]))


async def seqs(store: Store, chat_id: str, last: int) -> list[int]:
    """Every seq a follower is given, up to `last`."""
    received: list[int] = []

    async def collect() -> None:
        async for batch in store.follow(chat_id, 0):
            received.extend(item.seq for item in batch if isinstance(item, StoredEvent))
            if received and received[-1] >= last:
                return

    await asyncio.wait_for(collect(), 40)
    return received


def test_both_write_to_one_chat_and_both_read_all_of_it_in_order(pair: Pair) -> None:
    chat_id = new_chat(pair[0])

    def write(store: Store) -> None:
        for number in range(200):
            future = append(store, chat_id, number)
            if number % 20 == 0:
                future.result(30)  # so that each writes in many transactions, between those of the other

    async def scenario() -> list[list[int]]:
        reading = [asyncio.create_task(seqs(store, chat_id, 400)) for store in pair]
        await asyncio.sleep(0)
        await asyncio.gather(*(asyncio.to_thread(write, store) for store in pair))
        return [await task for task in reading]

    assert run_async(scenario()) == [list(range(1, 401))] * 2


def test_a_chat_that_two_servers_erase_at_once_is_erased_once(pair: Pair) -> None:
    chat_ids = [new_chat(pair[0]) for _ in range(8)]
    for chat_id in chat_ids:
        append(pair[0], chat_id, "x").result(30)

    def erase(store: Store, chat_id: str) -> "Future[list[str]]":
        return store.submit(lambda tx: chats.erase_chat(tx, chat_id))

    for erased in [erase(store, chat_id) for chat_id in chat_ids for store in pair]:
        assert erased.result(30) == []
    entries = pair[0].read(lambda connection: audit_rows.audit_page(connection, None, 100, 0, None))
    assert sorted(entry.chat_id or "" for entry in entries if entry.action == "chat.erased") == sorted(
        chat_ids
    )


@pytest.fixture
def only_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks by itself; to be asked for before the stores."""
    monkeypatch.setattr(hints, "POLL_SECONDS", 1_000.0)


@pytest.fixture
def quick_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody looks by itself soon; to be asked for before the stores."""
    monkeypatch.setattr(hints, "POLL_SECONDS", 0.1)


def test_large_events_of_a_followed_chat_are_not_cached_and_still_come(pair: Pair) -> None:
    here, _ = pair
    chat_id = new_chat(here)
    large = "x" * (followers.TAIL_SIZE // 3)

    async def scenario() -> tuple[list[int], int]:
        follower = here.followers.add(chat_id, 0)
        reading = asyncio.create_task(seqs(here, chat_id, 9))
        for _ in range(9):
            await asyncio.to_thread(append(here, chat_id, large).result, 30)
        cached = here.followers.recent(chat_id, 7) or []
        assert here.followers.recent(chat_id, 6) is None
        here.followers.remove(follower)
        return await reading, len(cached)

    assert run_async(scenario()) == ([*range(1, 10)], 2)


def test_a_hint_comes_long_before_the_next_look(only_hints: None, pair: Pair) -> None:
    here, existing = pair
    chat_id = new_chat(here)
    listening(existing)

    async def scenario() -> list[int]:
        reading = asyncio.create_task(seqs(existing, chat_id, 3))
        for number in range(3):
            await asyncio.to_thread(append(here, chat_id, number).result, 30)
        return await reading

    assert run_async(scenario()) == [1, 2, 3]


def test_events_of_a_run_that_have_no_hint_of_their_own_come_soon(only_hints: None, pair: Pair) -> None:
    here, existing = pair
    chat_id = new_chat(here)
    here.submit(lambda tx: run_queue.enqueue_run(tx, chat_id, "hi", 5)).result(30)
    claim = here.submit(
        lambda tx: run_queue.claim_next(tx, chat_id, run_queue.Claimant("here:1", 10))
    ).result(30)
    assert claim is not None
    listening(existing)

    async def scenario() -> list[int]:
        reading = asyncio.create_task(seqs(existing, chat_id, 5))
        for number in range(3):
            await asyncio.to_thread(
                here.writer.append_soon, chat_id, claim.run.id, claim.epoch, [said(number)], print
            )
            await asyncio.sleep(0.05)
        return await reading

    assert run_async(scenario()) == [1, 2, 3, 4, 5]


def test_who_holds_a_chat_hears_of_a_message_elsewhere_at_once(
    only_hints: None, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, existing = pair
    chat_id = new_chat(here)
    here.submit(lambda tx: run_queue.enqueue_run(tx, chat_id, "hi", 5)).result(30)
    owner = f"{here.data_dir.id}:1"
    here.submit(lambda tx: run_queue.claim_next(tx, chat_id, run_queue.Claimant(owner, 10))).result(30)
    listening(here)
    monkeypatch.setattr(transactions, "ANNOUNCE_SECONDS", 1_000.0)
    came = threading.Event()
    here.listen(lambda chat_ids: came.set() if chat_id in (chat_ids or ()) else None)
    existing.submit(lambda tx: run_queue.enqueue_run(tx, chat_id, "and you?", 5)).result(30)
    assert came.wait(30)


def test_a_lost_hint_only_costs_time(quick_looks: None, pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    here, existing = pair
    monkeypatch.setattr(
        transactions, "commit", lambda connection, origin, _: postgres.commit(connection, origin, ())
    )
    chat_id = new_chat(here)
    append(here, chat_id, "x").result(30)
    assert run_async(seqs(existing, chat_id, 1)) == [1]

    async def scenario() -> list[int]:
        reading = asyncio.create_task(seqs(existing, chat_id, 2))
        await asyncio.sleep(0.2)
        await asyncio.to_thread(append(here, chat_id, "unheard").result, 30)
        return await reading

    assert run_async(scenario()) == [1, 2]


def test_more_chats_than_a_hint_can_name_are_still_hinted_at(
    only_hints: None, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, existing = pair
    monkeypatch.setattr(postgres, "PAYLOAD_LIMIT", 50)
    anything = threading.Event()
    listening(existing)
    existing.listen(lambda chat_ids: anything.set() if chat_ids is None else None)
    ids = [new_chat(here) for _ in range(3)]

    def job(tx: Tx) -> None:
        for chat_id in ids:
            tx.append(chat_id, [said("x")])

    here.submit(job).result(30)
    assert anything.wait(30)


def test_a_store_does_not_hear_itself(only_hints: None, pair: Pair) -> None:
    here, existing = pair
    listening(here)
    own, other = new_chat(here), new_chat(existing)
    received: set[str] = set()
    came = threading.Event()

    def note(chat_ids: set[str] | None) -> None:
        received.update(chat_ids or ())
        if other in received:
            came.set()

    here.listen(note)
    append(here, own, "x").result(30)
    append(existing, other, "x").result(30)  # its hint comes after the one above would have
    assert came.wait(30)
    assert own not in received


def listening(store: Store) -> None:
    """Wait until the store hears: a hint of somebody else arrives."""
    event_set = threading.Event()
    store.listen(lambda chat_ids: event_set.set())
    notifying = create_engine(store.url)
    for _ in range(300):
        with notifying.connect() as connection:
            connection.exec_driver_sql(f"NOTIFY {postgres.CHANNEL}, 'somebody c_x'")
            connection.commit()
        if event_set.wait(0.1):
            notifying.dispose()
            return
    raise AssertionError("the store hears nothing")


def test_a_chat_that_is_deleted_elsewhere_ends_its_followers_here(quick_looks: None, pair: Pair) -> None:
    here, existing = pair
    chat_id = new_chat(here)

    async def scenario() -> None:
        async def follow() -> None:
            async for _ in existing.follow(chat_id, 0):
                pass

        task = asyncio.create_task(follow())
        await asyncio.sleep(0.1)
        await here.do(lambda tx: chats.delete_chat(tx, chat_id))
        await asyncio.wait_for(task, 30)

    run_async(scenario())


def test_one_of_two_servers_claims_a_run(pair: Pair) -> None:
    for _ in range(20):
        chat_id = new_chat(pair[0])
        pair[0].submit(lambda tx, c=chat_id: run_queue.enqueue_run(tx, c, "x", 10)).result(30)
        claims = [
            store.submit(lambda tx, c=chat_id, me=me: run_queue.claim_next(tx, c, run_queue.Claimant(me, 60)))
            for store, me in zip(pair, ("here:1", "there:1"), strict=True)
        ]
        assert sum(claim.result(30) is not None for claim in claims) == 1


def test_two_servers_queue_one_behind_the_other(pair: Pair) -> None:
    chat_id = new_chat(pair[0])
    queued = [
        store.submit(lambda tx, m=str(number): run_queue.enqueue_run(tx, chat_id, m, 1_000))
        for number in range(50)
        for store in pair
    ]
    for future in queued:
        future.result(30)
    events = [stored.event for stored in pair[0].events(chat_id)]
    assert [event.ahead for event in events] == list(range(100))  # pyright: ignore


def test_a_run_is_closed_by_one_of_two(pair: Pair) -> None:
    for _ in range(20):
        chat_id = new_chat(pair[0])
        run = pair[0].submit(lambda tx, c=chat_id: run_queue.enqueue_run(tx, c, "x", 10)).result(30)
        closing = [
            store.submit(lambda tx, r=run: run_queue.close_run(tx, r, None, [RunFinished(text="x")]))
            for store in pair
        ]
        assert {type(future.exception(30)) for future in closing} == {type(None), Conflict}
        assert len(pair[0].events(chat_id)) == 2


def test_transactions_that_wait_for_each_other_are_both_done(pair: Pair) -> None:
    """A deadlock: PostgreSQL ends one of them, and it is done again."""
    here, existing = pair
    first, second = new_chat(here), new_chat(here)
    both = threading.Barrier(2, timeout=20)

    def job(one: str, other: str) -> Any:
        tries = [0]

        def body(tx: Tx) -> None:
            tries[0] += 1
            tx.append(one, [said("one")])
            if tries[0] == 1:
                both.wait()
            tx.append(other, [said("other")])

        return body

    futures = [here.submit(job(first, second)), existing.submit(job(second, first))]
    for future in futures:
        future.result(30)
    assert [len(here.events(chat_id)) for chat_id in (first, second)] == [2, 2]


# --- the connection breaks -------------------------------------------------------------------------------------------


def test_a_server_that_restarts_costs_neither_words_nor_followers(pair: Pair, postgres: TestPostgres) -> None:
    here, existing = pair
    chat_id = new_chat(here)
    append(here, chat_id, "before").result(30)

    async def scenario() -> list[int]:
        reading = asyncio.create_task(seqs(existing, chat_id, 4))
        await asyncio.sleep(0.1)
        await asyncio.to_thread(postgres.stop)
        meanwhile = [append(here, chat_id, number) for number in range(2)]
        await asyncio.to_thread(postgres.start)
        for future in meanwhile:
            await asyncio.to_thread(future.result, 30)
        await asyncio.to_thread(append(here, chat_id, "after").result, 30)
        return await reading

    assert run_async(scenario()) == [1, 2, 3, 4]
    assert [stored.event.result for stored in existing.events(chat_id)] == ["before", "0", "1", "after"]  # pyright: ignore


def test_a_job_whose_connection_breaks_in_the_middle_is_done_once(pair: Pair, postgres: TestPostgres) -> None:
    here, _ = pair
    chat_id = new_chat(here)
    tries = [0]

    def job(tx: Tx) -> None:
        tries[0] += 1
        tx.append(chat_id, [said("first")])
        if tries[0] == 1:
            postgres.throw_out(str(here.url.database))
        tx.append(chat_id, [said("second")])

    here.submit(job).result(30)
    assert tries == [2]
    assert [stored.event.result for stored in here.events(chat_id)] == ["first", "second"]  # pyright: ignore


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_commit_whose_answer_is_lost_is_neither_lost_nor_done_twice(
    pair: Pair, postgres: TestPostgres, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    """The connection breaks around the commit: before it reached the server, or after, with its answer on the way."""
    here, _ = pair
    chat_id = new_chat(here)
    broken = break_a_commit(monkeypatch, postgres, here, when)
    append(here, chat_id, "once").result(30)
    assert broken == [1]
    assert [stored.event.result for stored in here.events(chat_id)] == ["once"]  # pyright: ignore


def test_a_database_that_stays_away_is_told_and_the_store_goes_on_once_it_is_back(
    pair: Pair, postgres: TestPostgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "WAIT_SECONDS", 0.5)
    here, _ = pair
    chat_id = new_chat(here)
    postgres.stop()
    try:
        with pytest.raises(DBAPIError):
            append(here, chat_id, "lost").result(30)
        with pytest.raises(DBAPIError):
            here.events(chat_id)
    finally:
        postgres.start()
    append(here, chat_id, "kept").result(30)
    assert [stored.event.result for stored in here.events(chat_id)] == ["kept"]  # pyright: ignore


def test_a_listener_that_is_thrown_out_listens_again(
    quick_looks: None, pair: Pair, postgres: TestPostgres
) -> None:
    here, existing = pair
    listening(existing)
    postgres.throw_out(str(existing.url.database))
    listening(existing)
    chat_id = new_chat(here)
    append(here, chat_id, "x").result(30)
    assert run_async(seqs(existing, chat_id, 1)) == [1]


def test_a_listener_that_fails_keeps_nothing_from_the_others(quick_looks: None, pair: Pair) -> None:
    received: list[threading.Event] = [threading.Event(), threading.Event()]

    def fail(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    def note(*_: object) -> None:
        received[0 if not received[0].is_set() else 1].set()

    for listen in (pair[1].listen, pair[1].listen_lists):
        listen(fail)
    pair[1].listen(note)
    assert all(event.wait(30) for event in received), "also after the first one"


def test_two_servers_store_values_of_one_layer_and_neither_loses_the_others(pair: Pair) -> None:
    made = [
        store.submit(lambda tx: layers.ensure_layer(tx, None, "temperature", None, "", "")) for store in pair
    ]
    [layer_id] = {future.result(30).id for future in made}
    histories = [LayerHistory(), LayerHistory()]
    for second in (7, 8):
        saved: list[Future[None]] = []
        for store, history, room in zip(pair, histories, ("Kitchen", "Room1"), strict=True):
            history.add([(("1F", room), RoomValue(room, second, 20.0 + second))])
            frame = {second: history.frame_text(second)}
            saved.append(store.submit(partial(layers.save_frames, layer_id=layer_id, frames=frame, start=0)))
        for future in saved:
            future.result(30)
    restored = LayerHistory()
    restored.restore(pair[0].read(lambda connection: layers.stored_frames(connection, layer_id)))
    both = {("1F", "Kitchen"), ("1F", "Room1")}
    assert [restored.frames[at].values.keys() for at in restored.times()] == [both, both]


def test_a_store_closes_beside_a_database_that_does_not_answer(
    tmp_path: Path, postgres: TestPostgres, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "CLOSE_SECONDS", 0.5)
    store = Store.open(DataDir(tmp_path / "here"), postgres_url)
    chat_id = new_chat(store)
    append(store, chat_id, "confirmed").result(30)
    with postgres.frozen():
        unconfirmed = append(store, chat_id, "not confirmed")
        threads = ThreadPoolExecutor(2)
        read = threads.submit(store.events, chat_id)
        threads.submit(store.close).result(60)
        for result in (unconfirmed, read):
            with pytest.raises((DBAPIError, DeskError)):
                result.result(10)
    later = Store.open(DataDir(tmp_path / "later"), postgres_url)
    assert [event.seq for event in later.events(chat_id)][:1] == [1]
    later.close()


def test_a_stop_that_takes_long_beside_a_database_that_answers_loses_nothing(
    tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "CLOSE_SECONDS", 0.2)
    store = Store.open(DataDir(tmp_path / "here"), postgres_url)
    chat_id = new_chat(store)
    store.limit_close()
    for number in range(12):  # six times as long
        append(store, chat_id, f"run {number}").result(30)
        time.sleep(0.1)
    assert len(store.events(chat_id)) == 12
    store.close()
