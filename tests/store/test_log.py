"""The log of a chat: seqs, fences, group commit, joining, following."""

import asyncio
import itertools
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection
from sqlalchemy import event as database_events

from smoldesk.errors import Conflict, NotFound
from smoldesk.events import (
    Delta,
    Printed,
    RunEvent,
    RunFinished,
    RunQueued,
    RunStarted,
    StepStarted,
    StoredEvent,
    ToolProgress,
    ToolReturned,
)
from smoldesk.store import chats, run_queue
from smoldesk.store.chat_lists import list_chats
from smoldesk.store.data_dir import DataDir
from smoldesk.store.event_log import read_page
from smoldesk.store.followers import StopRequested
from smoldesk.store.store import Store
from smoldesk.store.writer import joined
from tests.support.aio import run_async


def claimed(store: Store, message: str = "hello") -> tuple[str, run_queue.Claim]:
    """A chat with one run that was claimed."""
    chat = store.submit(lambda tx: chats.new_chat(tx)).result()
    store.submit(lambda tx: run_queue.enqueue_run(tx, chat.id, message, 10)).result()
    claim = store.submit(lambda tx: run_queue.claim_next(tx, chat.id, run_queue.Claimant("me", 60))).result()
    assert claim is not None
    return chat.id, claim


def returned(number: int) -> ToolReturned:
    return ToolReturned(step=1, call_id=str(number), tool="t", result="r")


def test_events_get_increasing_seqs_without_holes(store: Store) -> None:
    chat_id, claim = claimed(store)
    futures = [
        store.submit(lambda tx, n=n: tx.append(chat_id, [returned(n)], claim.run.id, claim.epoch))
        for n in range(100)
    ]
    for future in futures:
        future.result()
    log = store.events(chat_id)
    assert [stored.seq for stored in log] == list(range(1, 103))
    assert [type(stored.event) for stored in log[:2]] == [RunQueued, RunStarted]
    assert [stored.event.call_id for stored in log[2:]] == [str(n) for n in range(100)]  # pyright: ignore


def test_an_old_epoch_may_write_no_more(store: Store) -> None:
    chat_id, claim = claimed(store)
    store.submit(
        lambda tx: run_queue.close_run(tx, claim.run, claim.epoch, [RunFinished(text="done")])
    ).result()
    late = store.submit(lambda tx: tx.append(chat_id, [returned(1)], claim.run.id, claim.epoch))
    with pytest.raises(Conflict):
        late.result()
    assert isinstance(store.events(chat_id)[-1].event, RunFinished)


def test_a_run_closes_once(store: Store) -> None:
    _, claim = claimed(store)
    store.submit(lambda tx: run_queue.close_run(tx, claim.run, None, [RunFinished(text="first")])).result()
    with pytest.raises(Conflict):
        store.submit(
            lambda tx: run_queue.close_run(tx, claim.run, None, [RunFinished(text="second")])
        ).result()


def test_small_pieces_are_joined_and_keep_their_place(store: Store) -> None:
    chat_id, claim = claimed(store)
    faults: list[Exception] = []
    for word in ("one ", "two ", "three"):
        store.writer.append_soon(
            chat_id, claim.run.id, claim.epoch, [Delta(step=1, kind="text", text=word)], faults.append
        )
    store.submit(
        lambda tx: tx.append(chat_id, [returned(1)], claim.run.id, claim.epoch), claim.run.id
    ).result()
    events = [stored.event for stored in store.events(chat_id)][2:]
    assert events == [Delta(step=1, kind="text", text="one two three"), returned(1)]
    assert not faults


def test_what_a_quick_run_says_is_written_in_the_transaction_of_its_end(store: Store) -> None:
    chat_id, claim = claimed(store)
    batches: list[list[StoredEvent]] = []
    store.listen_commits(batches.append)
    messages: list[RunEvent] = [StepStarted(step=1), Delta(step=1, kind="text", text="a"), returned(1)]
    locked, gate = threading.Event(), threading.Event()
    store.submit(lambda tx: locked.set() or gate.wait(10))  # the writer is busy, so that nothing is overdue
    assert locked.wait(10)
    for event in messages:
        store.writer.append_soon(chat_id, claim.run.id, claim.epoch, [event], lambda fault: None)
    end = store.submit(
        lambda tx: run_queue.close_run(tx, claim.run, claim.epoch, [RunFinished(text="done")]), claim.run.id
    )
    gate.set()
    end.result()
    assert [[stored.event for stored in batch] for batch in batches] == [
        [*messages, RunFinished(text="done")]
    ]


def test_what_a_run_says_is_written_soon_without_a_job_to_take_it_along(store: Store) -> None:
    chat_id, claim = claimed(store)
    written = threading.Event()
    store.listen_commits(lambda events: written.set())
    store.writer.append_soon(chat_id, claim.run.id, claim.epoch, [StepStarted(step=1)], lambda fault: None)
    assert written.wait(10)


def test_a_refused_piece_is_heard_of(store: Store) -> None:
    chat_id, claim = claimed(store)
    store.submit(lambda tx: run_queue.close_run(tx, claim.run, None, [RunFinished(text="")])).result()
    event_set = threading.Event()
    store.writer.append_soon(
        chat_id, claim.run.id, claim.epoch, [Printed(step=1, text="late")], lambda fault: event_set.set()
    )
    assert event_set.wait(10)


progress = st.builds(
    ToolProgress,
    step=st.integers(1, 2),
    call_id=st.sampled_from(["c1", "c2"]),
    tool=st.just("ask_agent"),
    agent=st.just("weather"),
    text=st.text(max_size=5),
    state=st.sampled_from(["running", "waiting"]),
)
pieces = st.lists(
    st.builds(Delta, step=st.integers(1, 2), kind=st.sampled_from(["text", "code"]), text=st.text(max_size=5))
    | st.builds(Printed, step=st.integers(1, 2), text=st.text(max_size=5))
    | progress,
    max_size=20,
)


@given(pieces)
def test_joining_loses_nothing_and_leaves_no_neighbours_alike(
    events: list[Delta | Printed | ToolProgress],
) -> None:
    def kind(item: RunEvent) -> str:
        return str(item.model_copy(update={"text": ""}))

    def letters(items: list[RunEvent]) -> list[tuple[str, str]]:
        return [(kind(item), letter) for item in items for letter in getattr(item, "text", "")]

    out = joined(events)
    assert letters(out) == letters([*events])
    assert [kind(item) for item in out] == [key for key, _ in itertools.groupby(map(kind, events))]


def test_half_a_surrogate_pair_is_stored_as_a_question_mark(store: Store) -> None:
    chat_id, claim = claimed(store, "broken \ud800 text")
    bad = ToolReturned(step=1, call_id="1", tool="t", result="also \udfff broken")
    store.submit(lambda tx: tx.append(chat_id, [bad], claim.run.id, claim.epoch)).result()
    log = store.events(chat_id)
    assert log[0].event == RunQueued(message="broken ? text")
    assert log[-1].event == bad.model_copy(update={"result": "also ? broken"})


def test_a_follower_sees_what_was_and_what_comes_in_order(store: Store) -> None:
    chat_id, claim = claimed(store)

    async def scenario() -> list[int]:
        received: list[int] = []

        async def follow() -> None:
            async for batch in store.follow(chat_id, 1):
                received.extend(item.seq for item in batch if not isinstance(item, StopRequested))
                if received and received[-1] >= 1202:
                    return

        task = asyncio.create_task(follow())

        def write() -> None:
            for n in range(1200):
                store.submit(lambda tx, n=n: tx.append(chat_id, [returned(n)], claim.run.id, claim.epoch))

        await asyncio.to_thread(write)
        await asyncio.wait_for(task, 30)
        return received

    assert run_async(scenario()) == list(range(2, 1203))


def test_a_follower_holds_little_of_large_events_and_gets_all_of_them(store: Store) -> None:
    chat_id, claim = claimed(store)
    large = ToolReturned(step=1, call_id="1", tool="t", result="x" * 200_000)
    for _ in range(20):
        store.submit(lambda tx: tx.append(chat_id, [large], claim.run.id, claim.epoch)).result()

    async def batches() -> list[list[int]]:
        received: list[list[int]] = []
        async for batch in store.follow(chat_id, 0):
            received.append([item.seq for item in batch if not isinstance(item, StopRequested)])
            if received[-1] and received[-1][-1] == 22:
                break
        return received

    received = run_async(batches())
    assert [seq for batch in received for seq in batch] == [*range(1, 23)]
    assert max(map(len, received)) <= 5, "a page has half a million characters"


def test_the_database_sends_no_more_than_a_page_of_large_events(
    postgres_of_a_desk: str, tmp_path: Path
) -> None:
    """psycopg fetches all rows of a statement: of 500 events, each page would send hundreds that it leaves out."""
    store = Store.open(DataDir(tmp_path), postgres_of_a_desk)
    try:
        chat_id, claim = claimed(store)
        large = ToolReturned(step=1, call_id="1", tool="t", result="x" * 200_000)
        store.submit(lambda tx: tx.append(chat_id, [large] * 10, claim.run.id, claim.epoch)).result()
        fetched: list[int] = []

        def note(_connection: Any, cursor: Any, *_: object) -> None:
            fetched.append(cursor.rowcount)

        def read(connection: Connection) -> bool:
            database_events.listen(connection, "after_cursor_execute", note)
            return read_page(connection, chat_id, 2, 500)[1]

        assert store.read(read)
        assert fetched == [3]
    finally:
        store.close()


def test_two_followers_at_different_places_each_get_their_own(store: Store) -> None:
    chat_id, claim = claimed(store)
    for n in range(1500):
        store.submit(lambda tx, n=n: tx.append(chat_id, [returned(n)], claim.run.id, claim.epoch))

    async def collect(after: int) -> list[int]:
        received: list[int] = []
        async for batch in store.follow(chat_id, after):
            received.extend(item.seq for item in batch)  # pyright: ignore
            if received and received[-1] == 1503:
                return received
        return received

    async def scenario() -> tuple[list[int], list[int]]:
        early, late = asyncio.create_task(collect(0)), asyncio.create_task(collect(1400))
        await asyncio.sleep(0)
        await store.do(lambda tx: tx.append(chat_id, [returned(9)], claim.run.id, claim.epoch))
        return await asyncio.wait_for(early, 30), await asyncio.wait_for(late, 30)

    early, late = run_async(scenario())
    assert early == list(range(1, 1504))
    assert late == list(range(1401, 1504))


def test_what_all_followers_have_read_is_not_kept_in_memory(store: Store) -> None:
    chat_id, claim = claimed(store)

    async def scenario() -> tuple[list[int], list[int]]:
        stalled = store.followers.add(chat_id, 2)
        reading = store.follow(chat_id, 2)
        seqs: list[int] = []
        for number in range(3, 9):
            if number == 6:
                store.followers.remove(stalled)
            await store.do(lambda tx: tx.append(chat_id, [returned(9)], claim.run.id, claim.epoch))
            while not seqs or seqs[-1] != number:
                seqs += [item.seq for item in await anext(reading)]  # pyright: ignore
            if number == 5:
                assert [event.seq for event in store.followers.recent(chat_id, 2) or []] == [3, 4, 5]
        assert store.followers.recent(chat_id, 6) is None
        late = store.follow(chat_id, 0)
        return seqs, [item.seq for item in await anext(late)]  # pyright: ignore

    assert run_async(scenario()) == ([*range(3, 9)], [*range(1, 9)])


def test_closing_the_followers_ends_a_follow(store: Store) -> None:
    chat_id, _ = claimed(store)

    async def scenario() -> None:
        async def follow() -> None:
            async for _ in store.follow(chat_id, 0):
                pass

        task = asyncio.create_task(follow())
        await asyncio.sleep(0.05)
        store.close_followers()
        await asyncio.wait_for(task, 10)

    run_async(scenario())
    assert store.followers.count() == 0


@pytest.mark.parametrize(
    "fault", [KeyError("a bug"), RecursionError("too deep"), Conflict("no"), UnicodeError("half a pair")]
)
def test_a_job_that_fails_in_any_way_takes_no_neighbour_with_it(store: Store, fault: Exception) -> None:
    """Jobs of many chats share a transaction; what one of them cannot write is not another one's trouble."""
    chat_id, claim = claimed(store)
    at_work, go = threading.Event(), threading.Event()

    def hold(_: object) -> None:
        at_work.set()
        assert go.wait(10)

    def fail(_: object) -> None:
        raise fault

    holding = store.submit(hold)
    assert at_work.wait(10)
    before = store.submit(lambda tx: tx.append(chat_id, [returned(1)], claim.run.id, claim.epoch))
    bad = store.submit(fail)
    after = store.submit(lambda tx: tx.append(chat_id, [returned(2)], claim.run.id, claim.epoch))
    go.set()
    holding.result(10)
    assert bad.exception(10) is fault
    before.result(10)
    after.result(10)
    assert [stored.seq for stored in store.events(chat_id)] == [1, 2, 3, 4]


def test_chats_that_nobody_used_are_not_listed_and_forgotten_after_a_day(store: Store) -> None:
    empty = store.submit(lambda tx: chats.new_chat(tx)).result()
    named = store.submit(lambda tx: chats.new_chat(tx, "Sales")).result()
    used, _ = claimed(store)
    assert {chat.chat.id for chat in store.read(list_chats).chats} == {named.id, used}
    store.submit(chats.sweep_empty).result()
    assert store.read(lambda connection: chats.get_chat(connection, empty.id)) == empty
    store.submit(lambda tx: chats.sweep_empty(tx, older_than_seconds=-1)).result()
    with pytest.raises(NotFound):
        store.read(lambda connection: chats.get_chat(connection, empty.id))
    assert {chat.chat.id for chat in store.read(list_chats).chats} == {named.id, used}
