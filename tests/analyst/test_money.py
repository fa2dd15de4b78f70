"""Sums of money in words, signs and codes, in both languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoldesk.analyst.words.money import Money, read_money

SUMS: dict[str, tuple[float, str]] = {
    "30 USD": (30, "USD"),
    "USD 30": (30, "USD"),
    "30usd": (30, "USD"),
    "$20": (20, "USD"),
    "US$20": (20, "USD"),
    "$20 CAD": (20, "CAD"),
    "1,250.50 dollars": (1250.5, "USD"),
    "12.50 euros": (12.5, "EUR"),
    "€12,50": (12.5, "EUR"),
    "5 quid": (5, "GBP"),
    "£1,000": (1000, "GBP"),
    "¥3000": (3000, "JPY"),
    "twenty-five dollars": (25, "USD"),
    "two hundred and fifty euros": (250, "EUR"),
    "a thousand yen": (1000, "JPY"),
    "5k USD": (5000, "USD"),
    "2 million won": (2_000_000, "KRW"),
    "-5 USD": (-5, "USD"),
    "30 XYZ": (30, "XYZ"),
    "30ドル": (30, "USD"),
    "20ユーロ": (20, "EUR"),
    "3,000円": (3000, "JPY"),
    "三千円": (3000, "JPY"),
    "十円": (10, "JPY"),
    "1万円": (10_000, "JPY"),
    "1万5千円": (15_000, "JPY"),
    "4.35万円": (43_500, "JPY"),
    "百二十万円": (1_200_000, "JPY"),
    "2億円": (200_000_000, "JPY"),
    "100元": (100, "CNY"),
}


@pytest.mark.parametrize("text", SUMS)
def test_a_sum_is_read(text: str) -> None:
    assert read_money(text) == Money(*SUMS[text])


@pytest.mark.parametrize(
    "text",
    [
        "30",
        "USD",
        "30 xyz",
        "5 apples",
        "€20 USD",
        "1.000,50 EUR",
        "1,00,000円",
        "1,2 USD",
        "$",
        "9" * 400 + " USD",
        "",
    ],
)
def test_what_is_no_clear_sum_is_not_guessed(text: str) -> None:
    assert read_money(text) is None


@given(
    st.decimals(min_value=0, max_value=10**9, places=2, allow_nan=False), st.sampled_from(["USD", "€", "円"])
)
def test_every_amount_in_figures_is_read_exactly(amount: object, unit: str) -> None:
    money = read_money(f"{amount} {unit}")
    assert money is not None and money.amount == float(str(amount))
