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
    wanted = [expect["number"], *expect.get("or", [])]
    return "" if any(_is_key_figure(answer, one) for one in wanted) else f"the key figure is not {wanted[0]}"


def _percent(answer: Answer, expect: Expect) -> str:
    if any(_is_key_figure(answer, one) for one in (expect["percent"], round(expect["percent"], 1))):
        return ""
    other = expect.get("or without blanks, said so")
    if other is None or not _is_key_figure(answer, other):
        return f"the key figure is not {expect['percent']} %"
    return "" if BLANKS.search(answer.text) else f"{other} % leaves blanks out and does not say so"


def _is_key_figure(answer: Answer, value: float) -> bool:
    """In the first paragraph, in a list of at most two, or in a table of one row."""
    listed = [line for line in answer.text.splitlines() if re.match(r"\s*[-*•・]\s", line)]
    written = numbers(key_words(answer.text)) + [
        number for line in listed if len(listed) <= 2 for number in numbers(line)
    ]
    for grid in answer.tables:
        if len(grid.rows) == 1:
            written += [
                repr(cell)
                for cell in grid.rows[0]
                if isinstance(cell, int | float) and not isinstance(cell, bool)
            ]
    return any(close(one, value) for one in written)


def _numbers(answer: Answer, expect: Expect) -> str:
    written = numbers(answer.text) + _cells(answer)
    missing = [one for one in expect["numbers"] if not any(close(found, one) for found in written)]
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


def _is_named(answer: Answer, names: list[str], others: list[str]) -> bool:
    """The text says them, before any other; or the first rows of a table do."""
    if not others:
        shown = [cell for grid in answer.tables for row in grid.rows for cell in row]
        heads = [column for grid in answer.tables for column in grid.columns]
        return all(
            place_in(answer.text, name) >= 0 or any(cell_is(cell, name) for cell in [*shown, *heads])
            for name in names
        )
    said = _said_in(key_words(answer.text), {*names, *others})
    fewer = len(said) < len(names) > 1  # the best three stand in the list below the first of them
    if fewer and set(_said_in(answer.text, {*names, *others})) == set(names):
        return True
    if said:
        return set(said[: len(names)]) == set(names)
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
        one for one in expect["messages"] if not any(_fits(one, message) for message in answer.messages)
    ]
    return f"not sent: {missing}" if missing else ""


def _fits(wanted: dict[str, Any], message: dict[str, Any]) -> bool:
    content = message.get("content") or {}
    overlays = content.get("overlays", []) if isinstance(content, dict) else []
    if wanted["type"] == "arrow" and message["type"] == "map":
        sign = {"type": "bitmap", "bitmapId": f"arrow_{wanted['direction']}", "at": wanted["room"]}
        return any(_overlay(sign, overlay) for overlay in overlays)
    if wanted["type"] != message["type"]:
        return False
    if wanted["type"] == "arrow":
        return (content["room"], content["direction"]) == (wanted["room"], wanted["direction"])
    rooms = {one["name"]: one for one in content.get("rectangles", [])}
    asked = {one["name"] for one in wanted.get("rectangles", [])}
    if wanted.get("only") and set(rooms) != asked:
        return False
    return asked <= set(rooms) and all(
        any(_overlay(sign, overlay) for overlay in overlays) for sign in wanted.get("overlays", [])
    )


def _overlay(wanted: dict[str, Any], overlay: dict[str, Any]) -> bool:
    same = all(overlay.get(key) == value for key, value in wanted.items() if key != "at")
    return same and overlay.get("position", {}).get("name") == wanted["at"]


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
    words = key_words(answer.text)
    if not REFUSALS.search(words):
        return Judgement("wrong", "it does not say that it cannot")
    if claimed := made_up(case, words):
        return Judgement("wrong", f"it claims {claimed}")
    if stray := language_fault(case, answer):
        return Judgement("declined", stray)
    word = case.expect.get("names the missing column")
    if word is not None and not is_begun_in(words, word):
        return Judgement("declined", f"it does not name {word!r}")
    return Judgement("right")
