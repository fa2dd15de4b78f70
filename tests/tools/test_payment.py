"""`process_payment` over a real wallet: what it returns, and what is refused before anybody is asked."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoldesk.errors import BadInput, Refused
from smoldesk.store import chats, run_queue
from smoldesk.store.data_dir import DataDir
from smoldesk.store.store import Store
from smoldesk.store.wallet import ChatWallet
from smoldesk.tables.results import to_frame
from smoldesk.tools.demo.payment import ProcessPayment


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    store = Store.open(DataDir(tmp_path_factory.mktemp("wallet")))
    yield store
    store.close()


class Till:
    """A payment tool of a new chat, and the ids of its calls."""

    def __init__(self, store: Store) -> None:
        chat_id = store.submit(chats.new_chat).result(30).id
        self._run = store.submit(lambda tx: run_queue.enqueue_run(tx, chat_id, "pay", 9)).result(30).id
        store.submit(lambda tx: run_queue.claim_next(tx, chat_id, run_queue.Claimant("me", 60))).result(30)
        self.tool = ProcessPayment(ChatWallet(store, chat_id))
        self.calls = 0

    def pay(
        self, amount: Any, currency: Any = "USD", recipient: Any = "Alice", **more: Any
    ) -> dict[str, Any]:
        self.calls += 1
        arguments = {"recipient": recipient, "amount": amount, "currency": currency, **more}
        return self.tool.run_call(f"{self._run}.{self.calls}", arguments)


@pytest.fixture
def till(store: Store) -> Till:
    return Till(store)


def test_a_payment_returns_its_receipt(till: Till) -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    report = till.pay(30, "usd", "  Alice ", description="lunch")
    assert re.fullmatch(r"tx_[0-9a-f]{16}", report.pop("transaction_id"))
    at = report.pop("timestamp")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", at)
    assert before <= datetime.fromisoformat(at) <= datetime.now(UTC)
    assert report == {
        "success": True,
        "amount": 30,
        "currency": "USD",
        "recipient": "Alice",
        "description": "lunch",
        "wallet_balance": 970,
    }
    to_frame(report)  # what code receives


@pytest.mark.parametrize("left_out", [{}, {"description": None}, {"description": ""}])
def test_a_description_may_be_left_out(till: Till, left_out: dict[str, Any]) -> None:
    assert till.pay(0.01, **left_out)["description"] == ""


def test_the_balance_is_that_of_the_currency_and_nothing_is_converted(till: Till) -> None:
    assert [
        till.pay(*order)["wallet_balance"]
        for order in ((30.5, "USD"), (40, "EUR"), (999, "JPY"), (9.5, "USD"))
    ] == [969.5, 960, 1, 960]


def test_insufficient_funds_name_the_balance_and_pay_nothing(till: Till) -> None:
    till.pay(1000 - 0.01)
    with pytest.raises(BadInput, match=r"Insufficient funds.*0\.02 USD.*has 0\.01 USD left") as refused:
        till.pay(0.02)
    assert refused.value.code == "insufficient_funds"
    assert "Nothing was paid" in refused.value.hint
    assert till.pay(0.01)["wallet_balance"] == 0


BAD = [
    ({"amount": 0}, "greater than 0"),
    ({"amount": -5}, "greater than 0"),
    ({"amount": float("nan")}, "not finite"),
    ({"amount": float("inf")}, "not finite"),
    ({"amount": True}, "not a number"),
    ({"amount": "30"}, "not a number"),
    ({"amount": None}, "not a number"),
    ({"amount": 1.001}, "finer than USD"),
    ({"currency": "JPY", "amount": 1.5}, "no decimals"),
    ({"currency": "DOGE"}, "Expected one of: USD"),
    ({"currency": None}, "Expected one of: USD"),
    ({"recipient": ""}, "recipient is blank"),
    ({"recipient": " \u3000\t "}, "recipient is blank"),
    ({"recipient": "\u200b\u200d"}, "recipient is blank"),
    ({"recipient": "x" * 101}, "recipient has 101 characters.*at most 100"),
    ({"recipient": 7}, "recipient is not a text"),
    ({"recipient": None}, "recipient is not a text"),
    ({"recipient": "Alice\nMallory"}, "cannot be seen"),
    ({"recipient": "Al\0ice"}, "cannot be seen"),
    ({"recipient": "Alice \u202eyrollaM"}, "cannot be seen"),
    ({"recipient": "\ud800"}, "cannot be seen"),
    ({"description": "x" * 501}, "description has 501 characters"),
    ({"description": "for\u2028you"}, "cannot be seen"),
    ({"description": ["x"]}, "description is not a text"),
]


@pytest.mark.parametrize(("wrong", "report"), BAD)
def test_what_could_never_be_paid_is_refused_before_anybody_is_asked(
    till: Till, wrong: dict[str, Any], report: str
) -> None:
    arguments = {"recipient": "Alice", "amount": 30, "currency": "USD", **wrong}
    with pytest.raises(BadInput, match=report):
        till.tool.check(arguments)
    with pytest.raises(BadInput, match=report):
        till.pay(**arguments)
    assert till.pay(30)["wallet_balance"] == 970


@pytest.mark.parametrize("name", ["O'Brien & Söhne", "山田 太郎", "👩‍🚀", "مریم‌السادات", "x" * 100, "7"])
def test_names_of_all_kinds_are_taken(till: Till, name: str) -> None:
    till.tool.check({"recipient": name, "amount": 1, "currency": "USD"})
    assert till.pay(1, recipient=name)["recipient"] == name


def test_more_than_a_purse_holds_is_no_reason_not_to_ask(till: Till) -> None:
    till.tool.check({"recipient": "Alice", "amount": 5_000, "currency": "USD"})
    with pytest.raises(BadInput, match="Insufficient funds"):
        till.pay(5_000)


def test_only_a_call_with_an_id_pays(till: Till) -> None:
    with pytest.raises(Refused, match="id of its call"):
        till.tool.forward("Alice", 30, "USD")
    with pytest.raises(Refused, match="id of its call"):
        till.tool(recipient="Alice", amount=30, currency="USD")
    assert till.pay(30)["wallet_balance"] == 970


def test_without_a_wallet_nothing_is_paid() -> None:
    with pytest.raises(Refused, match="no wallet"):
        ProcessPayment(None).run_call("r.1", {"recipient": "Alice", "amount": 1, "currency": "USD"})


@settings(max_examples=40, deadline=None)
@given(st.lists(st.decimals(min_value="0.01", max_value="700", places=2).map(float), max_size=8))
def test_the_balance_is_a_thousand_less_what_was_paid_and_never_below_zero(
    store: Store, amounts: list[float]
) -> None:
    till = Till(store)
    remaining = 100_000
    for amount in amounts:
        cents = round(amount * 100)
        if cents > remaining:
            with pytest.raises(BadInput, match="Insufficient funds"):
                till.pay(amount)
            continue
        remaining -= cents
        assert till.pay(amount)["wallet_balance"] == remaining / 100 >= 0
