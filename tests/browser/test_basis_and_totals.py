"""The basis of an answer is in the footer of its turn; the chip of total rows asks again with them, by mouse and keyboard."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.desk_server import LiveDesk

pytestmark = pytest.mark.browser

SALES = "region,revenue\nNorth,100\nSouth,200\nWest,110\nTotal,410\n"
TOTAL = "410"
ENGLISH = (
    "en-GB",
    "total revenue by region",
    "From 3 of 4 rows; left out: 1 total row.",
    "Include 1 total row",
    "Leave out 1 total row",
)
JAPANESE = (
    "ja-JP",
    "region別のrevenueの合計",
    "4行のうち3行から計算しました（合計の1行を除く）。",
    "合計行（1行）を含める",
    "合計行（1行）を除く",
)
LANGUAGES = pytest.mark.parametrize(
    ("locale", "question", "basis", "include", "leave_out"),
    [pytest.param(*ENGLISH, marks=pytest.mark.slow), JAPANESE],
    ids=["english", "japanese"],
)


@pytest.fixture
def sales(tmp_path: Path) -> Path:
    path = tmp_path / "sales.csv"
    path.write_text(SALES, encoding="utf-8")
    return path


def asked(desk: DeskPage, sales: Path, question: str) -> Locator:
    desk.drop(sales.name, sales.read_bytes())
    expect(desk.page.locator(".upload-card .card-edge button").first).to_be_visible()
    return desk.ask(question)


@LANGUAGES
@pytest.mark.parametrize("by", [pytest.param("mouse", marks=pytest.mark.slow), "keyboard"])
def test_the_chip_of_total_rows_includes_them_and_leaves_them_out_again(
    analyst: LiveDesk,
    open_page: OpenPage,
    sales: Path,
    by: str,
    locale: str,
    question: str,
    basis: str,
    include: str,
    leave_out: str,
) -> None:
    def take(turn: Locator, text: str) -> Locator:
        chip = turn.get_by_role("button", name=text, exact=True)
        count = desk.turns.count()
        if by == "mouse":
            chip.click()
        else:
            chip.focus()
            expect(chip).to_be_focused()
            desk.page.keyboard.press("Enter")
        expect(desk.turns).to_have_count(count + 1)
        desk.closed(desk.turns.nth(count))
        return desk.turns.nth(count)

    desk = open_page(analyst.url, locale=locale)
    first = asked(desk, sales, question)
    expect(first.locator(".turn-foot")).to_contain_text(basis)
    expect(first.locator(".answer")).not_to_contain_text(TOTAL)
    included = take(first, include)
    expect(included.locator(".answer")).to_contain_text(TOTAL)
    again = take(included, leave_out)
    expect(again.locator(".turn-foot")).to_contain_text(basis)
    expect(again.locator(".answer")).not_to_contain_text(TOTAL)


@LANGUAGES
def test_the_basis_stands_small_and_quiet_in_the_footer(
    analyst: LiveDesk,
    open_page: OpenPage,
    sales: Path,
    locale: str,
    question: str,
    basis: str,
    include: str,
    leave_out: str,
) -> None:
    desk = open_page(analyst.url, locale=locale)
    turn = asked(desk, sales, question)
    line = turn.locator(".turn-foot .turn-basis")
    expect(line).to_have_text(basis)
    expect(turn.locator(".answer")).not_to_contain_text(basis)
    look = "node => [getComputedStyle(node).fontSize, getComputedStyle(node).color]"
    size, colour = line.evaluate(look)
    answer_size, answer_colour = turn.locator(".answer > p").first.evaluate(look)
    assert float(size.removesuffix("px")) < float(answer_size.removesuffix("px"))
    assert colour != answer_colour
