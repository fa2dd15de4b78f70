"""午前中(12時前)に, 割引なし(0%)の客: what stands in brackets says once more what stands before them, in other words.

One of the two is read in place of both, for a second reading: where the words before the brackets were not understood, or
where both are understood and pick rows by the same columns. Anything else in brackets may be a condition of its own.
"""

import re
from collections.abc import Callable

from smoldesk.analyst.intents import DataIntent, Intent, Refusal
from smoldesk.analyst.words.text import is_japanese, tidy

_SAID_TWICE = re.compile(r"(?P<first>[^\s、。,?？()のはがをにでと]{1,12})[(](?P<again>[^()]{1,24})[)]")


def said_once(text: str, read: Callable[[str], Intent]) -> str:
    """The request without the brackets, in the words that were in them; empty where that would say something else."""
    said = tidy(text).replace("（", "(").replace("）", ")")
    twice = _SAID_TWICE.search(said) if is_japanese(said) else None
    if twice is None:
        return ""
    first = said[: twice.start("again") - 1] + said[twice.end() :]
    again = said[: twice.start()] + twice["again"] + said[twice.end() :]
    one, other = read(first), read(again)
    if not isinstance(other, DataIntent):
        return ""
    if isinstance(one, Refusal):
        lost = bool(one.words) and all(word in twice["first"] for word in one.words)
        return again if lost else ""
    alike = isinstance(one, DataIntent) and _picks(one) == _picks(other)
    return again if alike and _picks(other) else ""


def _picks(intent: DataIntent) -> tuple[str, set[tuple[str, str]]]:
    """What is done, and by which columns rows are picked."""
    return intent.operation, {(one.column, one.part) for one in intent.filters}
