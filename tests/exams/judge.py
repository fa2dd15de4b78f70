"""Judges an answer by what its case expects: right, wrong, or declined though it could be answered.

Every expectation has a check here: a function that returns why the answer does not hold it, empty when it does.
`wrong` is for an answer that claims something else; a refusal, a question back or a failed run claims nothing and is
`declined`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from tests.exams.answer import Answer
from tests.exams.case import Case, Expect
from tests.exams.claims import (
    REFUSALS,
    declines,
    key_words,
    language_fault,
    made_up,
)
from tests.exams.figures import close, numbers
from tests.exams.naming import cell_is, is_begun_in, place_in
from tests.exams.pairing import pairs_fault

Verdict = Literal["right", "wrong", "offered", "declined"]


@dataclass(frozen=True)
class Judgement:
    """`why` says what did not hold."""

    verdict: Verdict
    why: str = ""


BLANKS = re.compile(
    r"blank|missing|empty|known|without|exclud|non-null|欠損|空|未|除|不明|無回答", re.IGNORECASE
)
PLOTS = {
    "bar": r'"mark": "bar"|\.bar\(|countplot',
    "stacked": r'"mark": "bar"(?!.*"[xy]Offset").*"color"|stacked=True',
    "line": r'"type": "line"|"mark": "line"|\.plot\(|lineplot',
    "scatter": r'"type": "point"|"mark": "point"|scatter',
    "hist": r'"mark": "bar".*"bin": |hist',
    "box": r'"mark": "boxplot"|box',
    "violin": r"violin",
    "pie": r'"mark": "arc"|pie',
    "heatmap": r'"mark": "rect"|heatmap',
    "pair": r"pairplot|PairGrid|scatter_matrix",
}
"""What the code of each kind of plot must hold."""


def judge_shown(case: Case, answer: Answer) -> Judgement:
    """The verdict on the opened answer, or `offered` if a folded one is right instead."""
    opened = judge(case, answer)
    if opened.verdict != "right" and any(judge(case, other).verdict == "right" for other in answer.others):
        return Judgement("offered", f"one of {1 + len(answer.others)}")
    return opened


def judge(case: Case, answer: Answer) -> Judgement:
    """The verdict on the answer to the case's last turn."""
    expect = case.expect
    if "says it cannot" in expect:
        return _decline(case, answer)
    if answer.fault:
        return Judgement("declined", f"the run failed: {answer.fault}")
    faults = [check(answer, expect) for key, check in CHECKS.items() if key in expect]
    assert faults, f"{case.id} expects nothing that is known: {expect}"
    why = next((fault for fault in faults if fault), "")
    if not why:
        stray = language_fault(case, answer)
        return Judgement("wrong", stray) if stray else Judgement("right")
    if declines(case, answer):
        return Judgement("declined", why)
    return Judgement("wrong", why)


# --- one check for each kind of expectation ----------------------------------------------------------------------


def _number(answer: Answer, expect: Expect) -> str:
    expected = [expect["number"], *expect.get("or", [])]
    return (
        ""
        if any(_is_key_figure(answer, item) for item in expected)
        else f"the key figure is not {expected[0]}"
    )


def _percent(answer: Answer, expect: Expect) -> str:
    if any(_is_key_figure(answer, value) for value in (expect["percent"], round(expect["percent"], 1))):
        return ""
    other = expect.get("or without blanks, said so")
    if other is None or not _is_key_figure(answer, other):
        return f"the key figure is not {expect['percent']} %"
    return "" if BLANKS.search(answer.text) else f"{other} % leaves blanks out and does not say so"


def _is_key_figure(answer: Answer, value: float) -> bool:
    """In the first paragraph, in a list of at most two, or in a table of one row."""
    listing = [line for line in answer.text.splitlines() if re.match(r"\s*[-*•・]\s", line)]
    written = numbers(key_words(answer.text)) + [
        number for line in listing if len(listing) <= 2 for number in numbers(line)
    ]
    for grid in answer.tables:
        if len(grid.rows) == 1:
            written += [
                repr(cell)
                for cell in grid.rows[0]
                if isinstance(cell, int | float) and not isinstance(cell, bool)
            ]
    return any(close(item, value) for item in written)


def _numbers(answer: Answer, expect: Expect) -> str:
    written = numbers(answer.text) + _cells(answer)
    missing = [item for item in expect["numbers"] if not any(close(results, item) for results in written)]
    return f"{missing} is nowhere" if missing else ""


def _cells(answer: Answer) -> list[str]:
    cells = [cell for grid in answer.tables for row in grid.rows for cell in row]
    return [repr(cell) for cell in cells if isinstance(cell, int | float) and not isinstance(cell, bool)]


def _pairs(answer: Answer, expect: Expect) -> str:
    spare, ordered = expect.get("extra"), bool(expect.get("order"))
    why = pairs_fault(answer, expect["pairs"], spare, ordered)
    if why and "or pairs" in expect and not pairs_fault(answer, expect["or pairs"], spare, ordered):
        return ""
    return why


def _names(answer: Answer, expect: Expect) -> str:
    choices: list[list[str]] = [expect["names"], *([expect["or names"]] if "or names" in expect else [])]
    return (
        ""
        if any(_is_named(answer, names, expect.get("others", [])) for names in choices)
        else f"not named: {choices[0]}"
    )


def _is_named(answer: Answer, names: list[str], other_items: list[str]) -> bool:
    """The text says them, before any other; or the first rows of a table do."""
    if not other_items:
        all_tables = [cell for grid in answer.tables for row in grid.rows for cell in row]
        heads = [column for grid in answer.tables for column in grid.columns]
        return all(
            place_in(answer.text, name) >= 0 or any(cell_is(cell, name) for cell in [*all_tables, *heads])
            for name in names
        )
    message = _said_in(key_words(answer.text), {*names, *other_items})
    fewer = len(message) < len(names) > 1  # the best three stand in the list below the first of them
    if fewer and set(_said_in(answer.text, {*names, *other_items})) == set(names):
        return True
    if message:
        return set(message[: len(names)]) == set(names)
    top = [row for grid in answer.tables[:1] for row in grid.rows[: len(names)]]
    return bool(top) and all(any(cell_is(cell, name) for row in top for cell in row) for name in names)


def _said_in(text: str, names: set[str]) -> list[str]:
    """Those of the names that a text says, in its order."""
    places = {name: place_in(text, name) for name in names}
    return sorted((name for name, place in places.items() if place >= 0), key=lambda name: places[name])


def _image(answer: Answer, expect: Expect) -> str:
    if not any(message["type"] in ("image", "chart") for message in answer.messages):
        return "no image was shown"
    kind = expect.get("plot")
    return "" if kind is None or re.search(PLOTS[kind], answer.code, re.DOTALL) else f"no {kind} in the code"


def _code_names(answer: Answer, expect: Expect) -> str:
    missing = [name for name in expect["code names"] if name not in answer.code]
    return f"the code does not name {missing}" if missing else ""


def _code_leaves_out(answer: Answer, expect: Expect) -> str:
    stray = [name for name in expect["code leaves out"] if name in answer.code]
    return f"the code names {stray}, which nobody asked for" if stray else ""


def _file(answer: Answer, expect: Expect) -> str:
    ending = "." + expect["file"]
    names = [name for name, _ in answer.files]
    return "" if any(name.lower().endswith(ending) for name in names) else f"no {ending} file came"


def _messages(answer: Answer, expect: Expect) -> str:
    missing = [
        item for item in expect["messages"] if not any(_fits(item, message) for message in answer.messages)
    ]
    return f"not sent: {missing}" if missing else ""


def _fits(expected: dict[str, Any], message: dict[str, Any]) -> bool:
    content = message.get("content") or {}
    overlays = content.get("overlays", []) if isinstance(content, dict) else []
    if expected["type"] == "arrow" and message["type"] == "map":
        sign = {"type": "bitmap", "bitmapId": f"arrow_{expected['direction']}", "at": expected["room"]}
        return any(_overlay(sign, overlay) for overlay in overlays)
    if expected["type"] != message["type"]:
        return False
    if expected["type"] == "arrow":
        return (content["room"], content["direction"]) == (expected["room"], expected["direction"])
    rooms = {item["name"]: item for item in content.get("rectangles", [])}
    names = {item["name"] for item in expected.get("rectangles", [])}
    if expected.get("only") and set(rooms) != names:
        return False
    return names <= set(rooms) and all(
        any(_overlay(sign, overlay) for overlay in overlays) for sign in expected.get("overlays", [])
    )


def _overlay(expected: dict[str, Any], overlay: dict[str, Any]) -> bool:
    same = all(overlay.get(key) == value for key, value in expected.items() if key != "at")
    return same and overlay.get("position", {}).get("name") == expected["at"]


CHECKS: dict[str, Callable[[Answer, Expect], str]] = {
    "number": _number,
    "percent": _percent,
    "numbers": _numbers,
    "pairs": _pairs,
    "names": _names,
    "image": _image,
    "code names": _code_names,
    "code leaves out": _code_leaves_out,
    "file": _file,
    "messages": _messages,
}


# --- declines -----------------------------------------------------------------------------------------------------


def _decline(case: Case, answer: Answer) -> Judgement:
    """Nothing is shown or claimed, the words say so in the person's language, and name what is missing."""
    if answer.shows:
        return Judgement("wrong", "it shows a result")
    if answer.fault:
        return Judgement("declined", f"the run failed: {answer.fault}")
    text = key_words(answer.text)
    if not REFUSALS.search(text):
        return Judgement("wrong", "it does not say that it cannot")
    if claimed := made_up(case, text):
        return Judgement("wrong", f"it claims {claimed}")
    if stray := language_fault(case, answer):
        return Judgement("declined", stray)
    word = case.expect.get("names the missing column")
    if word is not None and not is_begun_in(text, word):
        return Judgement("declined", f"it does not name {word!r}")
    return Judgement("right")
