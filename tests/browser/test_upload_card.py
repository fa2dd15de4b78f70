"""The card of an uploaded file: what it shows, what can be corrected, its name and its end; and files refused unsent."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.accessibility import Axe
from tests.browser.conftest import Scripted
from tests.browser.desk_page import DeskPage, OpenPage
from tests.exams.case import TABLES
from tests.support.desk_server import LiveDesk

pytestmark = pytest.mark.browser

NOTED = "made by a machine,x\nshop,sold\nNorth,1\nSouth,2\nNorth,4\n"
WINDOWS = "店舗;売上\n東京;10\n大阪;20\n京都;30\n".encode("cp932")


def card(desk: DeskPage) -> Locator:
    return desk.page.locator(".upload-card")


def dropped(desk: DeskPage, name: str, content: str | bytes) -> Locator:
    """A file that was read, and its card."""
    desk.drop(name, content)
    expect(card(desk).locator(".card-edge button").first).to_be_visible()
    return card(desk)


def names(desk: DeskPage) -> Locator:
    return card(desk).locator(".card-column-name")


def test_a_card_shows_columns_bars_and_rows_and_its_questions_are_answered(
    analyst: LiveDesk, open_page: OpenPage
) -> None:
    desk = open_page(analyst.url, locale="ja-JP")
    displayed = dropped(desk, "ryokan.csv", (TABLES / "ryokan.csv").read_bytes())
    expect(names(desk).first).to_be_visible()
    bars = displayed.locator('[data-kind="number"] .card-bars').first
    expect(bars).to_have_attribute("aria-label", re.compile("多くは.*～"))
    heights = re.findall(r"v-([\d.]+)", bars.locator("path").get_attribute("d") or "")
    assert len(heights) > 1
    assert max(map(float, heights)) == 20 > min(map(float, heights))
    expect(displayed.locator('[data-kind="number"] .card-range').first).to_have_text(
        re.compile(r"^[\d,.]+～[\d,.]+$")
    )
    expect(displayed.locator('[data-kind="date"] .card-bars').first).to_be_visible()
    expect(displayed.locator('[data-kind="text"] .card-bars').first).to_be_visible()
    displayed.locator(".card-rows summary").click()
    expect(displayed.locator(".card-rows tbody tr")).to_have_count(5)

    questions = displayed.locator(".card-question")
    expect(questions).to_have_count(3)
    for number in range(3):
        text = questions.nth(number).inner_text()
        questions.nth(number).click()
        turn = desk.turns.nth(number)
        expect(turn.locator(".question")).to_contain_text(text)
        desk.closed(turn)
        expect(turn.locator(".answer")).to_contain_text(re.compile(r"\d"))
        if number == 1:  # the table of the weeks has more than a few rows and takes the place of the card
            expect(displayed).to_have_count(0)
            desk.page.get_by_role("button", name="ryokan.csvの詳細").click()
    expect(desk.page.locator(".fault")).to_have_count(0)


def test_the_line_of_the_names_is_corrected_by_keyboard_and_holds_for_answers_and_a_reload(
    analyst: LiveDesk, open_page: OpenPage
) -> None:
    desk = open_page(analyst.url)
    displayed = dropped(desk, "noted.csv", NOTED)
    expect(names(desk)).to_have_text(["shop", "sold"])
    by_role = displayed.get_by_role("group", name="Which line has the column names?")
    expect(by_role.get_by_role("button", name="2: shop, sold")).to_have_attribute("aria-pressed", "true")
    by_role.get_by_role("button", name="1: made by a machine").click()
    expect(names(desk)).to_have_text(["made by a machine", "x"])
    expect(by_role).to_have_count(0)
    field = displayed.get_by_label("Column names")
    field.focus()
    field.press("ArrowDown")
    expect(names(desk)).to_have_text(["shop", "sold"])
    expect(field).to_be_focused()
    expect(desk.chips.locator("a .chip-size")).to_contain_text("3 rows × 2 columns")
    expect(desk.page.locator(".upload-line")).to_contain_text("3 rows × 2 columns")

    displayed.get_by_label("Type of sold").select_option("text")
    expect(displayed.locator('.card-column[data-kind="text"]')).to_have_count(2)
    expect(displayed.get_by_label("Type of sold")).to_be_focused()
    displayed.get_by_label("Type of sold").select_option(label="Automatic")
    expect(displayed.locator('.card-column[data-kind="number"]')).to_have_count(1)

    desk.reload()
    expect(names(desk)).to_have_text(["shop", "sold"])
    expect(card(desk).get_by_label("Column names")).to_have_value("2")
    expect(desk.ask("total sold by shop").locator("table")).to_contain_text("5")
    desk.page.get_by_role("button", name="Details of noted.csv").click()
    expect(card(desk)).to_have_count(0)
    desk.reload()
    expect(desk.page.locator(".upload-line")).to_be_visible()
    expect(card(desk)).to_have_count(0)


def test_a_total_is_left_out_and_brought_back_by_a_click(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(analyst.url, locale="ja-JP")
    displayed = dropped(desk, "sum.csv", "支店,売上\n東京,10\n大阪,20\n合計,30\n")
    displayed.locator(".card-left summary").click()
    expect(displayed.locator(".card-left li")).to_contain_text(re.compile("4行目：合計.*合計, 30"))
    displayed.get_by_role("button", name="4行目を元に戻す").click()
    expect(displayed.locator(".card-left")).to_have_count(0)
    expect(desk.chips.locator("a .chip-size")).to_contain_text("3行")
    displayed.get_by_role("button", name="自動判定に戻す").click()
    expect(desk.chips.locator("a .chip-size")).to_contain_text("2行")


def test_an_encoding_that_does_not_fit_is_said_and_the_reading_stays(
    analyst: LiveDesk, open_page: OpenPage
) -> None:
    desk = open_page(analyst.url, locale="ja-JP")
    desk.forgive("the server responded with a status of 409")
    displayed = dropped(desk, "shops.csv", WINDOWS)
    field = displayed.get_by_label("文字コード")
    expect(field).to_have_value("cp932")
    field.select_option("utf-8")
    expect(displayed.get_by_role("alert")).to_have_text(
        "1行目、バイト位置0：UTF-8として読み取れません。この位置のバイトが不正です。 設定は元のままです。"
    )
    expect(field).to_have_value("cp932")
    expect(names(desk)).to_have_text(["店舗", "売上"])
    displayed.get_by_label("区切り文字").select_option("comma")
    expect(names(desk)).to_have_count(1)
    expect(displayed.get_by_role("alert")).to_be_hidden()
    displayed.get_by_label("区切り文字").select_option(label="自動")
    expect(names(desk)).to_have_text(["店舗", "売上"])


def test_a_sheet_is_chosen(analyst: LiveDesk, open_page: OpenPage, tmp_path: Path) -> None:
    import pandas as pd

    with pd.ExcelWriter(tmp_path / "book.xlsx") as book:
        pd.DataFrame({"a": [1, 2]}).to_excel(book, sheet_name="First", index=False)
        pd.DataFrame({"b": [5]}).to_excel(book, sheet_name="Second", index=False)
    desk = open_page(analyst.url)
    displayed = dropped(desk, "book.xlsx", (tmp_path / "book.xlsx").read_bytes())
    displayed.locator('select[name="table"]').select_option(label="book_Second")
    expect(names(desk)).to_have_text(["b"])
    displayed.get_by_label("Sheet").select_option("First")
    expect(displayed.locator('select[name="table"]')).to_have_count(0)
    expect(names(desk)).to_have_text(["a"])


def test_a_file_is_renamed_and_removed_and_a_bad_name_loses_nothing(
    analyst: LiveDesk, open_page: OpenPage
) -> None:
    desk = open_page(analyst.url)
    desk.forgive("the server responded with a status of 4")
    displayed = dropped(desk, "first.csv", NOTED)
    displayed.get_by_role("button", name="Rename").click()
    field = displayed.get_by_label("New name of the file")
    expect(field).to_be_focused()
    field.fill("")
    field.press("Enter")
    expect(displayed.get_by_role("alert")).to_contain_text("needs a name")
    field.fill("a/b")
    field.press("Enter")
    expect(displayed.get_by_role("alert")).to_contain_text("not a file name")
    expect(field).to_have_value("a/b")
    field.fill("sales")
    field.press("Enter")
    expect(desk.chips.locator(".chip-name")).to_have_text(["sales.csv"])
    expect(desk.page.locator(".upload-line")).to_contain_text("Added sales.csv")

    desk.drop("other.csv", "c\n1\n")
    expect(desk.page.locator(".upload")).to_have_count(2)
    second = desk.page.get_by_role("tabpanel", name="other.csv").locator(".upload-card")
    second.get_by_role("button", name="Rename").click()
    second.get_by_label("New name of the file").fill("sales.csv")
    second.get_by_role("button", name="Save").click()
    expect(second.get_by_role("alert")).to_contain_text("already a file called sales.csv")
    second.get_by_role("button", name="Cancel").click()

    second.get_by_role("button", name="Remove").click()
    keep = second.get_by_role("button", name="Keep")
    expect(keep).to_be_focused()
    keep.press("Enter")
    expect(desk.chips).to_have_count(2)
    second.get_by_role("button", name="Remove").click()
    second.get_by_role("button", name="Remove").click()
    expect(desk.chips.locator(".chip-name")).to_have_text(["sales.csv"])
    expect(desk.page.locator(".upload").nth(1)).to_contain_text("Removed other.csv")
    desk.reload()
    expect(desk.page.locator(".upload").nth(1)).to_contain_text("Removed other.csv")
    expect(desk.chips.locator(".chip-name")).to_have_text(["sales.csv"])


OVERFLOWING = """() => {
    const log = document.querySelector(".log");
    const all = [log, ...document.querySelectorAll(":is(.upload, .data-place), :is(.upload, .data-place) *:not(svg *)")];
    const scrolls = (node) => ["auto", "scroll"].includes(getComputedStyle(node).overflowX);
    return all.filter((node) => node.clientWidth > 0 && node.scrollWidth > node.clientWidth + 1 && !scrolls(node))
        .map((node) => `${node.className}: ${node.scrollWidth} > ${node.clientWidth}: ${node.textContent.slice(0, 40)}`);
}"""
MARKUP = "<img src=x onerror=document.title=1>"
NAMES = [
    MARKUP,
    "مبيعات المتجر الشهرية",
    "売上高前年同期比" * 10,
    "n" * 80,
    *(f"measure {at}" for at in range(296)),
]


def test_a_table_of_300_columns_with_any_names_fits_every_width_and_is_searched(
    analyst: LiveDesk, open_page: OpenPage, axe: Axe
) -> None:
    rows = [
        [MARKUP + "w" * 10_000, "القاهرة", "東京", str(at), *map(str, range(at, at + 296))] for at in range(4)
    ]
    desk = open_page(analyst.url, size=(390, 844), locale="ja-JP")
    desk.drop("wide.csv", "\n".join(",".join(row) for row in [NAMES, *rows]))
    fold = desk.page.locator(".upload-head button")
    expect(fold.first).to_have_attribute("aria-expanded", "false")
    fold.first.click()
    expect(names(desk)).to_have_count(12)
    assert names(desk).all_inner_texts()[:4] == NAMES[:4]
    displayed = card(desk)
    displayed.locator(".card-rows summary").click()
    search = displayed.get_by_role("searchbox")
    search.fill("ＭＥＡＳＵＲＥ 290")
    expect(names(desk)).to_have_text(["measure 290"])
    search.fill("")
    displayed.locator(".card-all-columns").click()
    expect(names(desk)).to_have_count(300)
    for size in ((390, 844), (1024, 768), (1440, 900)):
        desk.page.set_viewport_size({"width": size[0], "height": size[1]})
        if size[0] > 900:  # the card also stands in the place of the plan
            expect(desk.page.locator(".data-place .card-column-name").first).to_be_visible()
        expect(desk.page.locator(".upload-card[aria-busy]")).to_have_count(0)
        assert desk.page.evaluate(OVERFLOWING) == []
        if size[0] != 1024:  # axe takes seconds for 300 columns
            assert axe.violations(desk.page) == []
    expect(desk.page.locator("img[src=x]")).to_have_count(0)
    desk.reload()
    for place in (".data-place", ".upload"):  # the card is in both: in the chat it was open, too
        expect(desk.page.locator(place).locator(".card-column-name")).to_have_count(12)


def test_what_is_too_large_or_of_no_known_kind_is_refused_before_it_is_sent(
    scripted: Scripted, open_page: OpenPage
) -> None:
    desk = open_page(scripted.url)
    sent: list[str] = []
    desk.page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    desk.page.evaluate("""() => {
        const file = new File(["a,b"], "huge.csv");
        Object.defineProperty(file, "size", { value: 2_000_000_000 });
        const transfer = new DataTransfer();
        const drop = new DragEvent("drop", { bubbles: true, cancelable: true });
        Object.defineProperty(drop, "dataTransfer", { value: { types: ["Files"], files: [file], items: [] } });
        document.querySelector(".chat").dispatchEvent(drop);
    }""")
    fault = desk.page.locator(".chip-fault")
    expect(fault).to_contain_text("huge.csv: The file is 2.0 GB; the limit is 1.0 MB")
    desk.drop("strange.qqq", b"\x00\x01\x02" * 50)
    expect(fault.last).to_contain_text("This file type is not supported")
    expect(fault).to_have_count(2)
    assert sent == []
    desk.drop("notes.qqq", "plain words")
    expect(desk.chips.locator(".chip-name")).to_have_text(["notes.qqq"])
    expect(card(desk)).to_contain_text("Files that end in .qqq are not read as tables")


def test_a_message_that_is_too_long_is_said_and_stays(scripted: Scripted, open_page: OpenPage) -> None:
    desk = open_page(scripted.url)
    desk.composer.fill("あ" * 100_000)
    desk.composer.press("Enter")
    expect(desk.page.locator(".composer .composer-fault")).to_contain_text(
        "The message is 300 kB; the limit is 256 kB"
    )
    assert len(desk.composer.input_value()) == 100_000
    expect(desk.turns).to_have_count(0)
    desk.reload()
    assert len(desk.composer.input_value()) == 100_000
    assert desk.ask("short") is not None
