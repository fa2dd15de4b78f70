"""Evidence of an answer on the page: its figures, the seal, and the list that leads to their places; by mouse and keyboard."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Scripted
from tests.browser.desk_page import OpenPage
from tests.support.scripted_model import code

pytestmark = pytest.mark.browser

SALES = '''import pandas as pd
sales = pd.DataFrame({"shop": ["Tokyo", "Osaka"], "sales": [1203450, 954321]})
display(sales)
final_answer("""**Tokyo** sold 1,203,450, Osaka 954,321: 249,129 less than Tokyo. Online it was 45,000.

Tokyo had planned 954,321.""")'''


def test_figures_lead_to_their_cells_and_one_without_evidence_says_so(
    scripted: Scripted, open_page: OpenPage
) -> None:
    scripted.script(code(SALES))
    desk = open_page(scripted.url)
    desk.ask("sales by shop")
    turn = desk.turns.last
    marks, lit = turn.locator(".figure-mark"), turn.locator("td[data-lit]")
    expect(marks).to_have_text(["1,203,450", "954,321", "249,129", "45,000", "954,321"])
    expect(marks.nth(3)).to_have_attribute("title", "no evidence in this run")
    expect(marks.nth(4)).to_have_attribute(
        "title", "the value of sales: Osaka, sales, perhaps not what is meant"
    )

    marks.nth(2).hover()
    expect(lit).to_have_text(["1,203,450", "954,321"])
    desk.page.mouse.move(0, 0)
    expect(lit).to_have_count(0)

    turn.get_by_role("button", name="3 of 5 figures from this run").focus()
    desk.page.keyboard.press("Enter")
    rows = desk.page.get_by_role("dialog", name="Evidence of the figures").get_by_role("listitem")
    expect(rows.nth(2)).to_have_text("249,129difference of 2 values: sales, sales")
    expect(rows.nth(3)).to_have_text("45,000no evidence in this run")
    rows.nth(1).get_by_role("button").first.focus()
    desk.page.keyboard.press("Enter")
    expect(lit).to_have_text(["954,321"])


CHART = """import pandas as pd
sales = pd.DataFrame({"shop": ["Tokyo", "Osaka"], "sales": [1203450, 954321]})
spec = {"mark": "bar", "encoding": {"x": {"field": "shop"}, "y": {"field": "sales"}}, "title": "All: 2,157,771 of 9,000,000"}
display(chart(sales, spec))
color_rooms({"Room1": 21.5}, unit="°C")
final_answer("Tokyo sold 1,203,450.")"""


def test_values_of_charts_are_evidence_and_their_titles_and_the_plan_need_it(
    scripted: Scripted, open_page: OpenPage
) -> None:
    scripted.script(code(CHART))
    desk = open_page(scripted.url)
    desk.ask("sales by shop")
    turn = desk.turns.last
    turn.get_by_role("button", name="2 of 4 figures from this run").click()
    rows = desk.page.get_by_role("dialog", name="Evidence of the figures").get_by_role("listitem")
    expect(rows).to_have_text(
        [
            "1,203,450data of the chart: sales",
            "2,157,771All: 2,157,771 of 9,000,000: sum of 2 values: data of the chart: sales",
            "9,000,000All: 2,157,771 of 9,000,000: no evidence in this run",
            "21.5 °CRoom1: 21.5 °C: no evidence in this run",
        ]
    )
    rows.nth(2).get_by_role("button").click()
    expect(turn.locator(".chart-block[data-lit]")).to_have_count(1)


GROUPS = """import pandas as pd
orders = pd.DataFrame({"region": ["Tokyo", "Osaka", "Tokyo", "Osaka"], "sales": [1200, 2301, 3400, 4500]})
by_region = orders.groupby("region", as_index=False)["sales"].sum()
display(by_region)
final_answer("Tokyo sold 4,600, Osaka 6,801.")"""


def test_the_rows_behind_a_figure_open_in_the_grid_until_the_variables_are_gone(
    scripted: Scripted, open_page: OpenPage
) -> None:
    scripted.script(code(GROUPS), code("del orders, by_region\nfinal_answer('gone')"))
    desk = open_page(scripted.url)
    desk.ask("sales by region")
    desk.turns.last.get_by_role("button", name="2 of 2 figures from this run").click()
    rows = desk.page.get_by_role("dialog", name="Evidence of the figures").get_by_role("listitem")
    rows.nth(0).get_by_role("button", name="Rows behind it").focus()
    desk.page.keyboard.press("Enter")
    grid = desk.page.get_by_role("dialog", name="2 rows: region = Tokyo · sum of sales")
    expect(grid.get_by_role("gridcell").filter(has_text="Tokyo")).to_have_count(2)
    desk.page.keyboard.press("Escape")
    expect(grid).to_have_count(0)
    desk.page.keyboard.press("Escape")

    desk.ask("forget")
    expect(desk.turns.last).to_contain_text("gone")
    desk.turns.first.get_by_role("button", name="2 of 2 figures from this run").click()
    rows.nth(1).get_by_role("button", name="Rows behind it").click()
    expect(rows.nth(1).get_by_role("status")).to_have_text("No rows of a variable give this value.")
