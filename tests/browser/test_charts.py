"""Charts in a real browser: drawn from data, hovered, zoomed, filtered by the legend, brushed, and there after a reload."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Scripted
from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.scripted_model import code

pytestmark = pytest.mark.browser

POINTS = """
import pandas as pd
df = pd.DataFrame({"重さ": range(40), "price": [n * n % 37 for n in range(40)], "kind": ["りんご", "pear"] * 20})
display(chart(df, {"title": "価格 by weight", "mark": {"type": "point", "filled": True, "size": 80},
    "encoding": {"x": {"field": "重さ"}, "y": {"field": "price"}, "color": {"field": "kind"}}}))
final_answer("drawn")
"""


def drawn(page: DeskPage, count: int = 1) -> Locator:
    chart = page.page.locator(".chart-block[data-state=drawn]")
    expect(chart).to_have_count(count)
    return chart.last


def test_a_chart_is_drawn_from_its_data_and_there_again_after_a_reload(
    scripted: Scripted, open_page: OpenPage
) -> None:
    scripted.script(code(POINTS))
    page = open_page(scripted.url)
    page.ask("draw")
    chart = drawn(page)
    expect(chart.locator("canvas")).to_be_visible()
    page.page.screenshot(path="/tmp/chart1.png")
    page.see_image()
    spec = chart.get_attribute("data-spec")
    page.reload()
    assert drawn(page).get_attribute("data-spec") == spec
