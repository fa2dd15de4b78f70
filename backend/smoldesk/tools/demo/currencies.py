"""Exact money: the currencies of the wallet, and amounts as integers of their minor units. Pure.

Amounts are JSON numbers. A float means the shortest decimal that reads back as it (0.1 is a tenth); more decimals
than the currency has are refused, never rounded: a person agreed to the amount that was shown.
"""

import math
from decimal import Decimal

from smoldesk.errors import BadInput

# Currencies by ISO 4217 code, with their number of decimals.
DECIMALS = {
    "USD": 2,
    "EUR": 2,
    "GBP": 2,
    "JPY": 0,
    "CAD": 2,
    "AUD": 2,
    "CHF": 2,
    "CNY": 2,
    "KRW": 0,
    "INR": 2,
}
# Initial balance of a purse, in major units.
PURSE = 1_000
# Larger amounts are refused without parsing.
LARGEST = 1_000_000_000_000


def read_currency(value: object) -> str:
    """Return the code of "usd" or " USD ". Raises BadInput with the known codes."""
    code = value.strip().upper() if isinstance(value, str) else ""
    if code not in DECIMALS:
        shown_value = repr(value[:20]) if isinstance(value, str) else "not a text"
        raise BadInput(f"The currency is {shown_value}.", f"Expected one of: {', '.join(DECIMALS)}.")
    return code


def read_amount(value: object, currency: str) -> int:
    """Return the amount in minor units of a known currency. Raises BadInput for an amount that is not positive and
    exact.
    """
    example = "12.50" if DECIMALS[currency] else "12"
    expected = f"Expected a number greater than 0, such as {example}."
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadInput("The amount is not a number.", expected)
    if isinstance(value, float) and not math.isfinite(value):
        raise BadInput("The amount is not finite.", expected)
    if value <= 0:
        raise BadInput("The amount is not greater than 0.", expected)
    if value > LARGEST:
        raise BadInput("The amount is too large.", f"Expected at most {LARGEST:,}.")
    units = Decimal(str(value)).scaleb(DECIMALS[currency])
    if units != units.to_integral_value():
        decimals = f"{DECIMALS[currency]} decimals" if DECIMALS[currency] else "no decimals"
        raise BadInput(
            f"The amount {value} is finer than {currency}, which has {decimals}.",
            f"Expected such as {example}: nothing is rounded.",
        )
    return int(units)


def full_purse(currency: str) -> int:
    """Return the initial balance of a purse, in minor units."""
    return PURSE * 10 ** DECIMALS[currency]


def major(units: int, currency: str) -> int | float:
    """Return an amount in major units: 3050 cents are 30.5, 3000 are 30."""
    value = Decimal(units).scaleb(-DECIMALS[currency])
    return int(value) if value == value.to_integral_value() else float(value)


def spelled(units: int, currency: str) -> str:
    """1,000.00 USD, 1,000 JPY."""
    return f"{Decimal(units).scaleb(-DECIMALS[currency]):,f} {currency}"
