"""Wallets: a call pays once or not at all, whatever is retried, and no purse is ever below zero."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select, update
from sqlalchemy.exc import IntegrityError, OperationalError

from smoldesk.errors import Conflict, DeskError, NotFound
from smoldesk.events import RunFinished, ToolCalled
from smoldesk.store import chats, run_queue, writer
from smoldesk.store.data_dir import DataDir
from smoldesk.store.store import Store
from smoldesk.store.tables import PaymentRow, PurseRow
from smoldesk.store.wallet import ChatWallet, Payment
from tests.support.postgres import TestPostgres, break_a_commit

FULL = 100_000
"""1000 dollars, in cents."""


class Shopper:
    """A chat with a live run, and its wallet; `calls` counts the run's calls."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.chat_id = store.submit(chats.new_chat).result(30).id
        self.run = self.begin()
        self.wallet = ChatWallet(store, self.chat_id)
        self.calls = 0

    def begin(self) -> Any:
        self.store.submit(lambda tx: run_queue.enqueue_run(tx, self.chat_id, "buy", 50)).result(30)
        return self.store.submit(
            lambda tx: run_queue.claim_next(tx, self.chat_id, run_queue.Claimant("me", 60))
        ).result(30)

    def end(self) -> None:
        closing = [RunFinished(text="")]
        self.store.submit(lambda tx: run_queue.close_run(tx, self.run.run, None, closing)).result(30)

    def next_call(self) -> str:
        self.calls += 1
        return f"{self.run.run.id}.{self.calls}"

    def pay(
        self, amount: int, call_id: str | None = None, currency: str = "USD", to: str = "Alice"
    ) -> Payment:
        return self.wallet.pay(
            call_id or self.next_call(),
            recipient=to,
            amount=amount,
            currency=currency,
            description="",
            full=FULL,
        )


@pytest.fixture
def shopper(store: Store) -> Shopper:
    return Shopper(store)


def purses(store: Store, chat_id: str) -> dict[str, int]:
    query = select(PurseRow.currency, PurseRow.balance).where(PurseRow.chat_id == chat_id)
    return store.read(lambda connection: {row[0]: row[1] for row in connection.execute(query)})


def payments(store: Store, chat_id: str) -> list[int]:
    query = select(PaymentRow.amount).where(PaymentRow.chat_id == chat_id).order_by(PaymentRow.made_at)
    return store.read(lambda connection: list(connection.execute(query).scalars()))


# --- what a payment does -----------------------------------------------------------------------------------------


def test_a_payment_leaves_what_it_did_not_take(shopper: Shopper) -> None:
    first = shopper.pay(3_000)
    second = shopper.pay(50, to="Bob")
    assert (first.succeeded, first.amount, first.recipient, first.balance) == (True, 3_000, "Alice", 97_000)
    assert (second.succeeded, second.recipient, second.balance) == (True, "Bob", 96_950)
    assert first.transaction_id != second.transaction_id
    assert purses(shopper.store, shopper.chat_id) == {"USD": 96_950}


def test_the_same_call_pays_once_and_hears_the_same(shopper: Shopper) -> None:
    call = shopper.next_call()
    first = shopper.pay(3_000, call)
    shopper.pay(1_000)
    assert shopper.pay(3_000, call) == first
    assert shopper.pay(9_999, call, to="Mallory", currency="EUR") == first
    assert purses(shopper.store, shopper.chat_id) == {"USD": 96_000}
    assert payments(shopper.store, shopper.chat_id) == [3_000, 1_000]


def test_more_than_there_is_pays_nothing(shopper: Shopper) -> None:
    shopper.pay(60_000)
    refused = shopper.pay(40_001)
    assert (refused.succeeded, refused.transaction_id, refused.balance) == (False, "", 40_000)
    assert shopper.pay(40_000).balance == 0
    assert not shopper.pay(1).succeeded
    assert payments(shopper.store, shopper.chat_id) == [60_000, 40_000]


def test_a_number_that_no_column_holds_is_too_much_like_any_other(shopper: Shopper) -> None:
    assert not shopper.pay(10**30).succeeded
    assert purses(shopper.store, shopper.chat_id) == {}


def test_each_currency_and_each_chat_has_a_purse_of_its_own(shopper: Shopper) -> None:
    other = Shopper(shopper.store)
    shopper.pay(1_000)
    shopper.pay(2_000, currency="EUR")
    other.pay(5_000)
    assert purses(shopper.store, shopper.chat_id) == {"USD": 99_000, "EUR": 98_000}
    assert purses(shopper.store, other.chat_id) == {"USD": 95_000}


def test_nothing_can_write_a_purse_below_zero(shopper: Shopper) -> None:
    shopper.pay(1)
    with pytest.raises(IntegrityError):
        shopper.store.submit(lambda tx: tx.execute(update(PurseRow).values(balance=-1))).result(30)


def test_texts_that_a_database_cannot_hold_are_mended(shopper: Shopper) -> None:
    assert shopper.pay(1, to="A\0l\ud800").recipient == "A\ufffdl?"


def test_a_deleted_chat_takes_its_wallet_along(shopper: Shopper) -> None:
    stored = Shopper(shopper.store)
    stored.pay(7)
    shopper.pay(3_000)
    shopper.end()
    shopper.store.submit(lambda tx: chats.delete_chat(tx, shopper.chat_id)).result(30)
    count = select(func.count())
    for table in (PaymentRow, PurseRow):
        query = count.select_from(table)
        assert shopper.store.read(lambda connection, query=query: connection.execute(query).scalar()) == 1
    with pytest.raises(NotFound):
        shopper.pay(1)


# --- who may pay -------------------------------------------------------------------------------------------------


def test_a_call_of_a_closed_run_pays_nothing_but_is_told_what_it_paid(shopper: Shopper) -> None:
    call = shopper.next_call()
    first = shopper.pay(3_000, call)
    shopper.end()
    shopper.begin()
    with pytest.raises(Conflict):
        shopper.pay(1_000)
    assert shopper.pay(3_000, call) == first
    assert payments(shopper.store, shopper.chat_id) == [3_000]


def test_a_call_of_no_run_or_of_another_chat_pays_nothing(shopper: Shopper) -> None:
    other = Shopper(shopper.store)
    for call in (other.next_call(), "r_nobody.1", "no-dot", ""):
        with pytest.raises(Conflict):
            shopper.wallet.pay(call, recipient="A", amount=1, currency="USD", description="", full=FULL)
    assert payments(shopper.store, shopper.chat_id) == []


def test_the_log_says_what_was_called_before_it_is_paid(
    shopper: Shopper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "LINGER_OTHERS_SECONDS", 1_000.0)
    call = shopper.next_call()
    called = ToolCalled(step=1, call_id=call, tool="process_payment", arguments={})
    run = shopper.run
    shopper.store.writer.append_soon(shopper.chat_id, run.run.id, run.epoch, [called], lambda fault: None)
    assert called not in [stored.event for stored in shopper.store.events(shopper.chat_id)]
    shopper.pay(3_000, call)
    assert called in [stored.event for stored in shopper.store.events(shopper.chat_id)]


# --- amounts -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def one_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    store = Store.open(DataDir(tmp_path_factory.mktemp("wallets")))
    yield store
    store.close()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 120_000), st.sampled_from(["USD", "EUR"])), max_size=12))
def test_what_is_left_and_what_was_paid_add_up_whatever_is_asked(
    one_store: Store, expected: list[tuple[int, str]]
) -> None:
    shopper = Shopper(one_store)
    remaining = {"USD": FULL, "EUR": FULL}
    for amount, currency in expected:
        paid = shopper.pay(amount, currency=currency)
        assert paid.succeeded is (amount <= remaining[currency])
        remaining[currency] -= amount if paid.succeeded else 0
        assert paid.balance == remaining[currency] >= 0
    stored = purses(one_store, shopper.chat_id)
    assert {code: stored.get(code, FULL) for code in remaining} == remaining
    assert sum(payments(one_store, shopper.chat_id)) == 2 * FULL - sum(remaining.values())


# --- tried again -------------------------------------------------------------------------------------------------


def test_a_payment_beside_a_failing_neighbour_is_made_once(
    shopper: Shopper, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked, go_on = threading.Event(), threading.Event()

    def busy(tx: object) -> None:
        locked.set()
        go_on.wait(30)

    def broken(tx: object) -> None:
        raise ValueError("a neighbour")

    submit, submitted = shopper.store.submit, threading.Event()

    def noting(*inputs: Any) -> Any:
        future = submit(*inputs)
        submitted.set()
        return future

    first = submit(busy)
    assert locked.wait(30)
    monkeypatch.setattr(shopper.store, "submit", noting)
    with ThreadPoolExecutor(
        1
    ) as pool:  # the payment and its neighbours share a transaction, then are tried alone
        before = submit(broken)
        paying = pool.submit(shopper.pay, 3_000)
        assert submitted.wait(30)
        after = submit(broken)
        go_on.set()
        assert paying.result(30).balance == 97_000
    first.result(30)
    assert [type(future.exception(30)) for future in (before, after)] == [ValueError, ValueError]
    assert payments(shopper.store, shopper.chat_id) == [3_000]


def test_a_payment_whose_commit_nobody_can_tell_the_end_of_is_asked_for_again_and_made_once(
    shopper: Shopper, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit = shopper.store.submit
    lost: list[Payment] = []

    def losing(job: Any, run_id: str | None = None) -> Any:
        future = submit(job, run_id)
        if not lost:
            lost.append(future.result(30))
            raise OperationalError("COMMIT", None, OSError("gone"))
        return future

    monkeypatch.setattr(shopper.store, "submit", losing)
    assert [shopper.pay(3_000)] == lost
    assert payments(shopper.store, shopper.chat_id) == [3_000]


def test_a_wallet_that_cannot_be_reached_says_that_nothing_is_known(
    shopper: Shopper, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> None:
        raise OperationalError("COMMIT", None, OSError("gone"))

    monkeypatch.setattr(shopper.store, "submit", gone)
    with pytest.raises(DeskError, match="not known whether") as report:
        shopper.pay(3_000)
    assert report.value.code == "store_fault"


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_connection_that_breaks_around_the_commit_pays_once(
    tmp_path: Path, postgres_url: str, postgres: TestPostgres, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    store = Store.open(DataDir(tmp_path), postgres_url)
    shopper = Shopper(store)
    try:
        broken = break_a_commit(monkeypatch, postgres, store, when)
        assert shopper.pay(3_000).balance == 97_000
        assert broken == [1]
        assert payments(store, shopper.chat_id) == [3_000]
    finally:
        store.close()


# --- two desks ---------------------------------------------------------------------------------------------------


def test_two_desks_on_one_database_never_pay_twice_nor_more_than_there_is(
    tmp_path: Path, postgres_url: str
) -> None:
    desks = [Store.open(DataDir(tmp_path / name), postgres_url) for name in ("here", "there")]
    try:
        shopper = Shopper(desks[0])
        wallets = [ChatWallet(desk, shopper.chat_id) for desk in desks]
        together = threading.Barrier(8, timeout=60)

        def worker(number: int) -> list[Payment]:
            together.wait()
            return [  # every call is made by both desks, by four threads
                wallets[number % 2].pay(
                    f"{shopper.run.run.id}.{call}",
                    recipient=str(number),
                    amount=7_000,
                    currency="USD",
                    description="",
                    full=FULL,
                )
                for call in range(20)
            ]

        with ThreadPoolExecutor(8) as pool:
            received = list(pool.map(worker, range(8)))
        created = {
            receipt.transaction_id: receipt for report in received for receipt in report if receipt.succeeded
        }
        assert payments(desks[1], shopper.chat_id) == [7_000] * 14  # of 20: there is no more money
        assert sorted(receipt.balance for receipt in created.values()) == list(range(2_000, 100_000, 7_000))
        assert purses(desks[1], shopper.chat_id) == {"USD": 2_000}
        for call in range(20):
            assert len({report[call].transaction_id for report in received}) == 1
    finally:
        for desk in desks:
            desk.close()


def test_a_desk_pays_nothing_for_a_run_that_another_desk_closed(tmp_path: Path, postgres_url: str) -> None:
    desks = [Store.open(DataDir(tmp_path / name), postgres_url) for name in ("here", "there")]
    try:
        shopper = Shopper(desks[0])
        closing = [RunFinished(text="")]
        desks[1].submit(lambda tx: run_queue.close_run(tx, shopper.run.run, None, closing)).result(30)
        with pytest.raises(Conflict):
            shopper.pay(3_000)
        assert payments(desks[1], shopper.chat_id) == []
    finally:
        for desk in desks:
            desk.close()
