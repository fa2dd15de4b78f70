"""Numbers whose decimals follow a comma, as much of Europe writes them: 24,65; 1.234,50 €. Pure."""

import re
from collections.abc import Sequence

COMMA = "comma"
"""The form of a column of texts that are such numbers."""
_DECIMALS = re.compile(r"(?<![\d.,])(\d{1,3}(?:[. ]\d{3})+|\d+),(\d+)(?![\d.,])")
_GROUPS = re.compile(r"(?<![\d.,])\d{1,3}(?:\.\d{3})+(?![\d.,])")
_MAY_BE_GROUPED = re.compile(r"(?<![\d.,])[1-9]\d{0,2},\d{3}(?![\d.,])")
_POINT = re.compile(r"\d\.\d")


def with_points(texts: Sequence[str]) -> list[str] | None:
    """The texts with a point before their decimals; None where a comma may part thousands, or a point decimals."""
    if not any(_DECIMALS.search(text) for text in texts) or any(
        _MAY_BE_GROUPED.search(text) for text in texts
    ):
        return None
    turned = [_turned(text) for text in texts]
    return None if None in turned else [text for text in turned if text is not None]


def _turned(text: str) -> str | None:
    if found := _DECIMALS.search(text):
        whole = re.sub("[. ]", "", found[1])
        return f"{text[: found.start()]}{whole}.{found[2]}{text[found.end() :]}"
    if found := _GROUPS.search(text):
        return f"{text[: found.start()]}{found[0].replace('.', '')}{text[found.end() :]}"
    return None if _POINT.search(text) or "," in text else text
