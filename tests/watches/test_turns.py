"""Turns of watches: whatever servers do at the same time, or die in the middle, each turn reports once."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from smoldesk.store import chats, heartbeats
from smoldesk.store.data_dir import DataDir
from smoldesk.store.store import Store
from smoldesk.store.transaction import Tx
from smoldesk.store.watches import (
    StoredWatch,
    TurnEnd,
    add_watch,
    claim_deliveries,
    claim_turn,
    end_delivery,
    end_turn,
    get_watch,
    new_watch_id,
    read_deliveries,
    read_turns,
)
from smoldesk.watches.notices import NoticeFeed
from tests.support.aio import run_async

END = TurnEnd("fired", "{}", "active", None, "v2", "{}", [("mail", "a@example.org")])


@pytest.fixture
def store(tmp_path: Path, database_url: str) -> Iterator[Store]:
    data_dir = DataDir(tmp_path)
    data_dir.claim()
    store = Store.open(data_dir, database_url, "NORMAL", "")
    yield store
    store.close()
    data_dir.release()


def watched(store: Store) -> StoredWatch:
    def job(tx: Tx) -> StoredWatch:
        chat = chats.new_chat(tx)
        watch = StoredWatch(new_watch_id(), chat.id, "{}", None, "active", 1, None, "v1", "{}", tx.now)
        add_watch(tx, watch)
        return watch

    return store.submit(job).result()


def alive(store: Store, *servers: str) -> None:
    for server in servers if store.shared else ():
        store.submit(lambda tx, server=server: heartbeats.beat(tx, server, 5)).result()


def test_of_two_servers_one_checks_a_turn_and_it_reports_once(store: Store) -> None:
    watch = watched(store)
    alive(store, "first:1", "second:1")
    claims = [
        store.submit(lambda tx, server=server: claim_turn(tx, watch, server, 60)).result()
        for server in ("first:1", "second:1", "first:1")
    ]
    # a desk on SQLite is alone: another name is an earlier start of it
    assert claims == ([True, False, True] if store.shared else [True, True, True])
    owner, other = "first:1", "second:1"

    assert not store.submit(lambda tx: end_turn(tx, watch, other, END)).result()
    assert store.submit(lambda tx: end_turn(tx, watch, owner, END)).result()
    assert not store.submit(lambda tx: end_turn(tx, watch, owner, END)).result()
    assert not store.submit(lambda tx: claim_turn(tx, watch, "third:1", 60)).result()
    assert [turn.turn for turn in store.read(lambda c: read_turns(c, watch.id))] == [1]
    assert [sent.id for sent in store.read(lambda c: read_deliveries(c, watch.id))] == [f"{watch.id}.1.0"]
    now = store.read(lambda c: get_watch(c, watch.id))
    assert (now.turn, now.inputs) == (2, "v2")


def test_the_turn_of_a_dead_server_is_done_by_another_one(store: Store) -> None:
    watch = watched(store)
    alive(store, "second:1")
    assert store.submit(lambda tx: claim_turn(tx, watch, "dead:1", 60)).result()
    assert store.submit(lambda tx: claim_turn(tx, watch, "second:1", 60)).result()
    assert not store.submit(lambda tx: end_turn(tx, watch, "dead:1", END)).result(), "it only seemed dead"
    assert store.submit(lambda tx: end_turn(tx, watch, "second:1", END)).result()


def test_a_check_that_a_fault_interrupted_is_made_again_by_the_same_server(store: Store) -> None:
    watch = watched(store)
    alive(store, "first:1")
    assert store.submit(lambda tx: claim_turn(tx, watch, "first:1", 60)).result()
    assert store.submit(lambda tx: claim_turn(tx, watch, "first:1", 60)).result()
    assert store.submit(lambda tx: end_turn(tx, watch, "first:1", END)).result()
    assert not store.submit(lambda tx: claim_turn(tx, watch, "first:1", 60)).result()


def test_a_report_reaches_a_page_also_when_another_page_opens_meanwhile(store: Store) -> None:
    watch = watched(store)

    async def follow_both() -> list[int]:
        feed = NoticeFeed(store)
        first, second = feed.follow(), feed.follow()
        counts = [(await anext(first)).count]
        waiting = asyncio.create_task(anext(first))
        await asyncio.sleep(0)  # it waits from now on
        await store.do(lambda tx: claim_turn(tx, watch, "first:1", 60))
        await store.do(lambda tx: end_turn(tx, watch, "first:1", END))
        counts.append((await anext(second)).count)
        await feed.refresh()
        counts.append((await asyncio.wait_for(waiting, 20)).count)
        return counts

    assert run_async(follow_both()) == [0, 1, 1]


def test_a_delivery_of_a_dead_server_is_sent_again_under_its_id(store: Store) -> None:
    watch = watched(store)
    alive(store, "second:1")
    store.submit(lambda tx: claim_turn(tx, watch, "dead:1", 60)).result()
    store.submit(lambda tx: end_turn(tx, watch, "dead:1", END)).result()
    [first] = store.submit(lambda tx: claim_deliveries(tx, "dead:1", 60, 9, [])).result()
    [second] = store.submit(lambda tx: claim_deliveries(tx, "second:1", 60, 9, [])).result()
    assert first.id == second.id
    store.submit(lambda tx: end_delivery(tx, first, "dead:1", "failed", "late", 0)).result()
    store.submit(lambda tx: end_delivery(tx, second, "second:1", "sent", "", 0)).result()
    [delivery] = store.read(lambda c: read_deliveries(c, watch.id))
    assert (delivery.state, delivery.attempts) == ("sent", 1)
    assert store.submit(lambda tx: claim_deliveries(tx, "second:1", 60, 9, [])).result() == []
