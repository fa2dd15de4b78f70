"""Charts in a real browser: drawn from data, hovered, zoomed, filtered by the legend, brushed, and there after a reload."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.accessibility import Axe
from tests.browser.conftest import Scripted
from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.page_menu import from_menu
from tests.support.scripted_model import code
from tests.support.waiting import until

pytestmark = pytest.mark.browser

POINTS = """
import pandas as pd
df = pd.DataFrame({"重さ": range(40), "price": [n * n % 37 for n in range(40)], "kind": ["りんご", "pear"] * 20})
display(chart(df, {"title": "価格 by weight", "mark": {"type": "point", "filled": True, "size": 80},
    "encoding": {"x": {"field": "重さ"}, "y": {"field": "price"}, "color": {"field": "kind"}}}))
final_answer("drawn")
"""
COLOURS = """(canvas) => {
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    const counts = {};
    for (let i = 0; i < data.length; i += 4) {
        if (data[i + 3] < 200) continue;
        const key = [data[i], data[i + 1], data[i + 2]].join();
        counts[key] = (counts[key] ?? 0) + 1;
    }
    return counts;
}"""
"""Opaque pixels of a chart by their colour."""
SHADES = {"light": ("59,111,224", "230,159,0"), "dark": ("122,162,255", "240,180,60")}
"""What pears and apples are drawn in."""


def drawn(page: DeskPage) -> Locator:
    """The one chart, once it is drawn and its colours have come."""
    chart = page.page.locator(".chart-block[data-state=drawn]")
    expect(chart).to_have_count(1)
    expect(chart.locator("canvas")).to_be_visible()
    return chart


def colours(chart: Locator) -> dict[str, int]:
    return chart.locator("canvas").evaluate(COLOURS)


def place(chart: Locator, x: float, y: float) -> tuple[float, float]:
    """A place of the chart's picture, in parts of it, in pixels of the page."""
    chart.scroll_into_view_if_needed()
    box = chart.locator("canvas").bounding_box()
    assert box is not None
    return box["x"] + box["width"] * x, box["y"] + box["height"] * y


def mark_at(chart: Locator, shade: str, left: float = 0.12, right: float = 0.75) -> tuple[float, float]:
    """Where in the page a mark of this colour is, between two parts of the width: by default beside the legend."""
    script = """(canvas, [shade, left, right]) => {
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
        copy.drawImage(canvas, 0, 0);
        const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
        for (let y = 4; y < canvas.height * 0.85; y += 1) {
            let run = 0;
            for (let x = Math.round(canvas.width * left); x < canvas.width * right; x += 1) {
                const i = 4 * (y * canvas.width + x);
                run = [data[i], data[i + 1], data[i + 2]].join() === shade ? run + 1 : 0;
                if (run === 6) return [(x - 3) / canvas.width, (y + 2) / canvas.height];
            }
        }
        return null;
    }"""
    result = chart.locator("canvas").evaluate(script, [shade, left, right])
    assert result is not None, f"no mark in {shade}: {colours(chart)}"
    return place(chart, *result)


@pytest.mark.parametrize(
    ("theme", "locale"), [pytest.param("light", "en-GB", marks=pytest.mark.slow), ("dark", "ja-JP")]
)
def test_a_chart_answers_to_hands_in_both_themes_and_is_there_after_a_reload(
    scripted: Scripted, open_page: OpenPage, axe: Axe, theme: str, locale: str
) -> None:
    scripted.script(code(POINTS), code("final_answer(f'{len(chart_selection)} {sorted(chart_selection)}')"))
    page = open_page(scripted.url, theme=theme, locale=locale)
    mouse = page.page.mouse
    pear, apple = SHADES[theme]
    page.ask("draw")
    chart = drawn(page)
    page.see_image()
    assert colours(chart).get(pear, 0) > 200
    assert axe.violations(page.page) == []

    mouse.move(*mark_at(chart, pear))
    tip = page.page.locator(".chart-tip")
    expect(tip).to_be_visible()
    expect(tip.locator("dt")).to_have_text(["重さ", "price", "kind"])
    expect(tip.locator("dd").last).to_have_text("pear")
    weight, price, _ = tip.locator("dd").all_inner_texts()
    assert int(weight) ** 2 % 37 == int(price), "the values are those of the mark under the pointer"
    assert axe.violations(page.page) == []

    before = colours(chart)[pear]
    chart.get_by_role("button", name=re.compile("Zoom in|拡大")).click()
    chart.get_by_role("button", name=re.compile("Zoom in|拡大")).click()
    until(page.page, lambda: colours(chart).get(pear, 0), lambda received: 0 < received < before * 0.8)
    chart.locator(".chart-canvas").focus()
    page.page.keyboard.press("0")
    until(page.page, lambda: colours(chart).get(pear, 0), lambda received: received == before)
    mouse.move(*place(chart, 0.4, 0.5))
    page.page.keyboard.down("Control")
    mouse.wheel(0, -400)
    page.page.keyboard.up("Control")
    until(page.page, lambda: colours(chart).get(pear, 0), lambda received: 0 < received < before * 0.8)
    chart.get_by_role("button", name=re.compile("Show all|全体を表示")).click()
    until(page.page, lambda: colours(chart).get(pear, 0), lambda received: received == before)

    mouse.click(*mark_at(chart, pear, 0.85, 1))
    until(
        page.page,
        lambda: sorted([colours(chart).get(pear, 0) > 200, colours(chart).get(apple, 0) > 200]),
        lambda received: received == [False, True],
    )
    mouse.click(*place(chart, 0.5, 0.97))
    until(page.page, lambda: colours(chart).get(pear, 0) > 200 and colours(chart).get(apple, 0) > 200, bool)

    chart.get_by_role("button", name=re.compile("Select a range|範囲を選択して")).click()
    expect(chart.locator(".chart-words")).to_have_text(re.compile("Drag|ドラッグ"))
    mouse.move(*place(chart, 0.3, 0.2))
    mouse.down()
    mouse.move(*place(chart, 0.4, 0.5))
    mouse.move(*place(chart, 0.55, 0.8))
    mouse.up()
    chip = page.page.locator(".chart-chip")
    expect(chip).to_contain_text("重さ")
    expect(chip).to_contain_text("price")
    assert axe.violations(page.page) == []
    turn = page.ask("how many are these?")
    expect(turn.locator(".answer")).to_have_text(re.compile(r"^[1-9]\d? \['kind', 'price', '重さ'\]\s*$"))
    expect(chip).to_have_count(0)
    report = str(scripted.model.seen[-1][-1].content)
    assert "selected rows of the chart '価格 by weight' (重さ from" in report

    chart.get_by_role("button", name=re.compile("table|表で")).click()
    expect(chart.get_by_role("region").locator("tbody tr")).to_have_count(40)
    assert axe.violations(page.page) == []
    for form, begin in (("PNG", b"\x89PNG"), ("SVG", b"<svg ")):
        with page.page.expect_download() as download:
            chart.get_by_role("link", name=form).click()
        assert download.value.suggested_filename == f"価格 by weight.{form.lower()}"
        assert Path(download.value.path()).read_bytes().startswith(begin)
    spec = chart.get_attribute("data-spec")
    page.reload()
    assert drawn(page).get_attribute("data-spec") == spec


def test_a_chart_is_drawn_again_when_the_theme_changes(scripted: Scripted, open_page: OpenPage) -> None:
    scripted.script(code(POINTS))
    page = open_page(scripted.url)
    page.ask("draw")
    chart = drawn(page)
    assert colours(chart).get(SHADES["light"][0], 0) > 200
    from_menu(page.page, "Switch to dark")
    until(page.page, lambda: colours(chart).get(SHADES["dark"][0], 0) > 200, bool)


TOWNS = """
import pandas as pd
df = pd.DataFrame({"town": ["Oslo", "Rome", "Kyoto", "Lima"], "people": [5, 30, 3, 44]})
display(chart(df, {"title": "Towns", "mark": "bar", "encoding": {"y": {"field": "town"}, "x": {"field": "people"}}}))
final_answer("drawn")
"""


def test_a_chart_is_changed_by_its_controls_with_the_keyboard_alone(
    scripted: Scripted, open_page: OpenPage, axe: Axe
) -> None:
    scripted.script(code(TOWNS))
    page = open_page(scripted.url)
    turn = page.ask("draw")
    chart = drawn(page)
    before = colours(chart)
    button = chart.get_by_role("button", name="Change the chart")
    button.focus()
    page.page.keyboard.press("Enter")
    controls = chart.get_by_role("group", name="Settings of the chart Towns")
    order = controls.get_by_label("Order")
    expect(order).to_have_value("name")
    order.focus()
    order.press("l")  # the first choice with this letter: largest first
    expect(order).to_be_focused()
    expect(order).to_have_value("descending")
    code_block = turn.locator(".code-text")
    expect(code_block).to_contain_text("sort='descending'")
    kind = controls.get_by_label("Type")
    kind.focus()
    kind.press("p")
    expect(code_block).to_contain_text("type='point', sort='descending'")
    until(page.page, lambda: colours(drawn(page)), lambda now: now != before)
    assert axe.violations(page.page) == []
    for field in controls.locator("select").all():
        box = field.bounding_box()
        assert box is not None and box["height"] >= 24
    below, canvas = controls.bounding_box(), chart.locator("canvas").bounding_box()
    assert below is not None and canvas is not None
    assert below["y"] >= canvas["y"] + canvas["height"], "the controls cover nothing of the chart"

    page.page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    chart = drawn(page)
    expect(page.page.locator(".code-text").first).to_contain_text("type='point', sort='descending'")
    chart.get_by_role("button", name="Change the chart").click()
    sheet = page.page.get_by_role("dialog", name="Change the chart")
    expect(sheet.get_by_label("Type")).to_have_value("point")
    sheet.get_by_role("button", name="Done").click()
    expect(sheet).to_have_count(0)


BROKEN = """
import pandas as pd
df = pd.DataFrame({"a": [1, 2], "b": [3, 4]})
try:
    chart(df, {"mark": "bar", "encoding": {"x": {"field": "nowhere"}, "y": {"field": "b"}}})
except ValueError as fault:
    print(fault)
final_answer("went on")
"""


def test_a_chart_that_cannot_be_shown_is_said_and_the_run_goes_on(
    scripted: Scripted, open_page: OpenPage
) -> None:
    scripted.script(code(BROKEN))
    page = open_page(scripted.url)
    turn = page.ask("draw")
    expect(turn.locator(".answer")).to_have_text("went on")
    turn.get_by_text("Step 1").click()
    expect(turn).to_contain_text("there is no column 'nowhere' for this chart; the columns are a, b")


def test_a_chart_whose_drawing_never_ended_waits_for_the_person(
    scripted: Scripted, open_page: OpenPage
) -> None:
    scripted.script(code(POINTS))
    page = open_page(scripted.url)
    page.ask("draw")
    spec = drawn(page).get_attribute("data-spec")
    page.page.evaluate("(id) => localStorage.setItem('smoldesk.drawing', id)", spec)
    page.reload()
    chart = page.page.locator(".chart-block")
    expect(chart.locator(".chart-words")).to_contain_text("did not finish last time")
    expect(chart.locator("img")).to_be_visible()
    chart.get_by_role("button", name="Draw it anyway").click()
    drawn(page)


def test_a_desk_without_the_program_shows_pictures(scripted: Scripted, open_page: OpenPage) -> None:
    scripted.script(code(POINTS))
    page = open_page(scripted.url)
    page.forgive("404")
    page.page.route("**/static/charts.js", lambda route: route.fulfill(status=404, body=""))
    page.ask("draw")
    chart = page.page.locator(".chart-block[data-state=still]")
    expect(chart.locator("img")).to_be_visible()
    expect(chart.locator(".chart-words")).to_contain_text("could not be drawn")
    page.page.unroute("**/static/charts.js")
