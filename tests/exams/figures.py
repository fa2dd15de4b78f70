"""Numbers in text, and whether one is the number that was expected: within one place of its rounding."""

import re
import unicodedata

NUMBER = re.compile(r"(?<![A-Za-z0-9_.#])(?:(?<=[\s(:：=])-|^-)?\d[\d,]*(?:\.\d+)?")
_INTEGER_SLACK = 0.0101
"""A whole number that was expected may have been rounded to two places on its way."""


def plain(text: str) -> str:
    """Text with full-width characters and the minus sign made plain."""
    return unicodedata.normalize("NFKC", text).replace("\u2212", "-")


def numbers(text: str) -> list[str]:
    """The numbers of a text as written, without thousands' commas; those inside words and dates are left out."""
    without_dates = re.sub(r"\d{4}([-/])\d{1,2}(\1\d{1,2})?", " ", plain(text))
    return [results.replace(",", "").rstrip(",") for results in NUMBER.findall(without_dates)]


def close(written: object, expected: float) -> bool:
    """Whether a number, as written, is the expected one: within a place of the rounding of what is expected.

    Written with fewer places it must be the expected one rounded, with three digits that count (two below 1).
    """
    try:
        value = float(str(written).replace(",", ""))
    except ValueError:
        return False
    away = abs(value - expected)
    if isinstance(expected, int):
        return away <= _INTEGER_SLACK
    places = _places(repr(expected))
    if away <= 1.01 * 10**-places:
        return True
    inputs = _places(str(written))
    digits = len(str(written).replace("-", "").replace(".", "").lstrip("0"))
    return inputs < places and digits >= (3 if abs(expected) >= 1 else 2) and away <= 0.501 * 10**-inputs


def _places(written: str) -> int:
    return len(written.partition(".")[2])
