"""Finished answers at a real desk: words, plot, table, then the steps; what stands beside the words is not said twice."""

import re
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Scripted
from tests.browser.desk_page import OpenPage
from tests.browser.test_charts import SHADES, mark_at
from tests.support.desk_server import LiveDesk
from tests.support.scripted_model import code
from tests.support.waiting import see, until

pytestmark = pytest.mark.browser

SCALE = "(image) => image.getBoundingClientRect().width / image.naturalWidth"


def tops(turn: Locator, *selectors: str) -> list[float]:
    boxes = [turn.locator(selector).first.bounding_box() for selector in selectors]
    return [box["y"] for box in boxes if box is not None]


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_words_plot_table_and_steps_stand_in_this_order(
    analyst: LiveDesk, open_page: OpenPage, theme: str
) -> None:
    desk = open_page(analyst.url, theme=theme)
    turn = desk.ask("bar chart of survival rate by class")

    expect(turn.locator(".step-head")).to_have_text(re.compile(r"^Step 1 · Python · \d+ lines · [\d.]+ m?s$"))
    result = tops(turn, ".question", ".answer", ".chart-block", ".table-block", ".reading", ".step")
    assert len(result) == 6
    assert result == sorted(result)
    expect(turn.locator(".answer li")).to_have_count(0)
    expect(turn.locator(".chart-block")).to_have_attribute("data-state", "drawn")
    plot, column = turn.locator(".chart-block").bounding_box(), turn.locator(".result").bounding_box()
    assert plot is not None and column is not None
    assert plot["width"] > 0.95 * column["width"]
    desk.page.mouse.move(*mark_at(turn.locator(".chart-block"), SHADES[theme][0]))
    values = desk.page.locator(".chart-tip").locator("dt, dd")
    expect(values).to_have_text(["survival rate (%)", "62.963", "class", "First"])


def test_labels_of_a_plot_are_read_where_the_chat_shows_it_and_do_not_glare_at_night(
    analyst: LiveDesk, open_page: OpenPage
) -> None:
    desk = open_page(analyst.url, theme="dark")
    turn = desk.ask("violin plot of age by class")
    plot = turn.locator(".plot")
    expect(plot).to_have_attribute("data-arrival", "ready")
    for width, height in ((390, 844), (1024, 768), (1440, 900)):
        desk.page.set_viewport_size({"width": width, "height": height})
        # points of a label, dots per inch of the file
        until(
            desk.page, lambda: 11 * 144 / 72 * plot.locator("img").evaluate(SCALE), lambda size: size >= 10.9
        )
    plot.scroll_into_view_if_needed()
    plot.locator("img").evaluate("(image) => Promise.all(image.getAnimations().map((one) => one.finished))")
    picture = Image.open(BytesIO(plot.screenshot())).convert("L")
    assert picture.getextrema()[1] <= 225  # pyright: ignore[reportOperatorIssue]


def test_code_of_an_answer_stays_in_it_where_it_stands_although_a_step_ran_it(
    scripted: Scripted, open_page: OpenPage
) -> None:
    ran = "total = 6 * 7\nprint(total)"
    text = f"This is what I ran:\n```python\n{ran}\n```\nand it says 42."
    scripted.script(
        code(ran), code(f"import pandas as pd\ndisplay(pd.DataFrame({{'a': [1]}}))\nfinal_answer({text!r})")
    )
    desk = open_page(scripted.url)

    turn = desk.ask("What did you run?")

    displayed = turn.locator(".result > *")
    expect(displayed).to_have_text(
        [re.compile("^This is"), re.compile(r"total = 6 \* 7"), re.compile("^and it"), re.compile("a")]
    )
    expect(turn.locator(".result .code-text")).to_have_text(ran)


def test_a_plot_in_the_chat_opens_large_and_gives_the_focus_back(
    analyst: LiveDesk, open_page: OpenPage
) -> None:
    desk = open_page(analyst.url, size=(390, 844))
    turn = desk.ask("violin plot of age by class")
    plot = turn.get_by_role("button", name="Enlarge figure-1.png")

    plot.press("Enter")

    dialog = desk.page.get_by_role("dialog", name="figure-1.png")
    expect(dialog).to_be_visible()
    see(desk.page, lambda: dialog.locator("img").evaluate("(image) => image.naturalWidth > 0"), True)
    desk.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(plot).to_be_focused()


def test_the_steps_of_a_route_are_said_once(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(analyst.url)
    turn = desk.ask("How do I get from Room1 to the meeting room on 2F without stairs?")

    expect(turn.locator(".route-step")).to_have_count(6)
    expect(turn.locator(".answer")).to_have_text(re.compile(r"^From Room1 \(1F\) to Meeting Room \(2F\): "))
    expect(turn.locator(".answer li")).to_have_count(0)
    answer, route = tops(turn, ".answer", ".route")
    assert answer < route


def test_newest_output_is_in_sight_while_the_code_runs(scripted: Scripted, open_page: OpenPage) -> None:
    counted = "import time\nfor n in range(40):\n    print('line', n)\nwhile True:\n    time.sleep(0.1)"
    scripted.script(code(counted))
    desk = open_page(scripted.url)
    turn = desk.say("Count")

    output = turn.locator(".printed-text")
    expect(output).to_contain_text("line 39")
    expect(output).not_to_contain_text("line 20")
    expect(turn.get_by_role("button", name="Show 28 earlier lines")).to_be_visible()
    expect(turn.locator(".code-block")).to_be_visible()

    desk.stop.click()
    desk.closed(turn, "cancelled")
    expect(turn.locator(".code-block")).to_be_visible()
    expect(output).to_contain_text("line 0")


def test_labels_of_a_figure_with_a_size_of_its_own_are_read_and_what_is_wider_scrolls(
    scripted: Scripted, open_page: OpenPage
) -> None:
    drawing = (
        "import matplotlib.pyplot as plt\nplt.subplots(figsize=(20, 5))\nplt.plot(range(9))\nplt.show()\n"
    )
    scripted.script(code(f"{drawing}final_answer('as wide as asked')"))
    desk = open_page(scripted.url)
    plot = desk.ask("draw").locator(".plot")
    expect(plot).to_have_attribute("data-arrival", "ready")
    for width, height in ((390, 844), (1440, 900)):
        desk.page.set_viewport_size({"width": width, "height": height})
        until(desk.page, lambda: 11 * 144 / 72 * plot.locator("img").evaluate(SCALE), lambda size: size >= 10)
        assert desk.page.locator(".plot-wide").evaluate("(box) => box.scrollWidth > box.clientWidth")
        assert desk.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
