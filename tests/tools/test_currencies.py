"""Amounts are exact, in both directions; what is not an amount is refused with what was expected."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoldesk.errors import BadInput
from smoldesk.tools.demo.currencies import (
    DECIMALS,
    full_purse,
    major,
    read_amount,
    read_currency,
    spelled,
)

units = st.integers(1, 10**12)
currencies = st.sampled_from(sorted(DECIMALS))


@given(units, currencies)
def test_every_amount_survives_the_way_through_json(amount: int, currency: str) -> None:
    assert read_amount(json.loads(json.dumps(major(amount, currency))), currency) == amount


@given(st.floats(0.001, 10**9), currencies)
def test_an_amount_is_taken_as_it_is_written_or_not_at_all(value: float, currency: str) -> None:
    written = Decimal(repr(value)).scaleb(DECIMALS[currency])
    if written == written.to_integral_value():
        assert read_amount(value, currency) == written
    else:
        with pytest.raises(BadInput, match="finer"):
            read_amount(value, currency)


@pytest.mark.parametrize(
    ("value", "currency", "report"),
    [
        (0, "USD", "not greater than 0"),
        (-0.0, "USD", "not greater than 0"),
        (-30, "USD", "not greater than 0"),
        (float("-inf"), "USD", "not finite"),
        (float("inf"), "USD", "not finite"),
        (float("nan"), "USD", "not finite"),
        (True, "USD", "not a number"),
        (None, "USD", "not a number"),
        ("30", "USD", "not a number"),
        ([30], "USD", "not a number"),
        (1e300, "USD", "too large"),
        (10**5000, "USD", "too large"),
        (-(10**5000), "USD", "not greater than 0"),
        (30.005, "USD", r"finer than USD, which has 2 decimals.*12\.50"),
        (0.1 + 0.2, "EUR", "finer than EUR"),
        (5e-324, "USD", "finer than USD"),
        (30.5, "JPY", "finer than JPY, which has no decimals.*such as 12:"),
    ],
    ids=lambda value: f"{value:.20}" if isinstance(value, str) else type(value).__name__,
)
def test_what_is_no_amount_is_refused(value: object, currency: str, report: str) -> None:
    with pytest.raises(BadInput, match=report) as refused:
        read_amount(value, currency)
    assert "Expected" in refused.value.hint


@pytest.mark.parametrize(
    ("value", "currency", "amount"),
    [(30, "USD", 3000), (0.01, "USD", 1), (19.99, "EUR", 1999), (30.0, "JPY", 30)],
)
def test_amounts_are_whole_numbers_of_minor_units(value: float, currency: str, amount: int) -> None:
    assert read_amount(value, currency) == amount


def test_codes_forgive_case_and_blanks_and_nothing_else() -> None:
    assert [read_currency(text) for text in ("USD", "usd", " Jpy ")] == ["USD", "USD", "JPY"]
    for value in ("XBT", "", "US$", "U S D", None, 840, ["USD"], "$" * 1000):
        with pytest.raises(BadInput, match="Expected one of: USD, EUR, GBP, JPY"):
            read_currency(value)


def test_a_purse_is_a_thousand_of_its_currency() -> None:
    assert (full_purse("USD"), full_purse("JPY")) == (100_000, 1_000)
    assert [major(full_purse(code), code) for code in DECIMALS] == [1_000] * len(DECIMALS)


def test_amounts_are_spelled_with_their_decimals() -> None:
    assert [spelled(100_000, "USD"), spelled(5, "EUR"), spelled(1_000, "JPY")] == [
        "1,000.00 USD",
        "0.05 EUR",
        "1,000 JPY",
    ]
