"""Answers that are no text on a real page, live and after a reload."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Scripted
from tests.browser.desk_page import OpenPage
from tests.support.answer_kinds import REPR, answer_of, answering

pytestmark = pytest.mark.browser

# Texts and cards of each answer, top to bottom.
DISPLAYED = {
    "table": ["answer", "table-block"],
    "figure": ["answer", "plot"],
    "dict": ["answer"],
    "mixture": ["answer", "table-block", "answer", "plot"],
}
CLASSES = ["answer", "table-block", "plot"]


def displayed(turn: Locator) -> list[str]:
    """The texts and cards of a turn's result, top to bottom."""
    selector = ", ".join(f".{name}" for name in CLASSES)
    return turn.locator(".result").evaluate(
        f"(box) => [...box.querySelectorAll('{selector}')]"
        f".map((node) => {CLASSES}.find((name) => node.classList.contains(name)))"
    )


@pytest.mark.parametrize(
    "kind",
    [pytest.param("dict", marks=pytest.mark.slow), "mixture"],  # a mixture has a table and a figure
)
def test_an_answer_is_no_repr_and_stands_once_live_and_after_a_reload(
    scripted: Scripted, open_page: OpenPage, kind: str
) -> None:
    scripted.script(answer_of(kind))
    desk = open_page(scripted.url)
    turn = desk.ask("Show it")
    for after_reload in (False, True):
        if after_reload:
            desk.reload()
            desk.closed(turn)
        assert displayed(turn) == DISPLAYED[kind]
        assert not REPR.search(turn.locator(".result").inner_text())
        expect(desk.images).to_have_count(1 if "plot" in DISPLAYED[kind] else 0)


def test_a_printed_table_keeps_its_columns(scripted: Scripted, open_page: OpenPage) -> None:
    scripted.script(answering("final_answer(df.to_string())"))
    turn = open_page(scripted.url).ask("Print it")
    text = turn.locator(".result .code-text").evaluate("(node) => node.textContent")
    assert text == "    room  n\n0   hall  1\n1  attic  2"
