"""`explain_change` in cells: the parts of a change, their chart, and what is refused. A real child and its DuckDB."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from smoldesk.charts import CELL_CHARTS
from smoldesk.charts import CHILD_PACKAGES as CHART_PACKAGES
from smoldesk.sandbox.cell import CellChart, CellTable
from smoldesk.sandbox.children import Children
from smoldesk.tables import CELL_SQL
from smoldesk.tables import CHILD_PACKAGES as TABLE_PACKAGES
from tests.sandbox.conftest import Desk

SALES = """month,shop,kind,sales,visits
2024-01-05,North,web,100,50
2024-01-20,South,web,60,30
2024-01-25,North,hall,40,10
2024-02-03,North,web,150,50
2024-02-14,South,web,30,30
2024-02-20,,hall,40,20
2025-02-20,North,hall,1000,20
"""


@pytest.fixture(scope="module")
def chat(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with closing(
        Children(
            packages=dict(CHART_PACKAGES) | dict(TABLE_PACKAGES),
            modules={CELL_CHARTS: {}, CELL_SQL: {"bundled": [], "room": 1 << 30}},
            max_children=1,
            cell_seconds=60,
            grace_seconds=5,
        )
    ) as children:
        desk = Desk(children, "change", tmp_path_factory.mktemp("change"))
        (desk.folder / "sales.csv").write_text(SALES)
        yield desk
        desk.close()


def rows_of_chart(desk: Desk, chart: CellChart) -> list[dict[str, object]]:
    """The rows that a chart draws."""
    (rows,) = json.loads(Path(desk.folder / chart.path).read_text("utf-8"))["datasets"].values()
    return rows


def test_a_change_of_a_sum_is_told_drawn_and_listed_by_category(chat: Desk) -> None:
    result = chat.run(
        'explain_change("sales", "sales", over="month", before="2024-01", after="2024-02", by="shop")'
    )
    chart, table = result.output_items
    assert isinstance(chart, CellChart)
    assert isinstance(table, CellTable)
    assert result.printed == (
        "sales: 200 (2024-01) → 220 (2024-02) (+20).\nBy shop: (blank) +40, South −30, North +10.\n"
    )
    assert table.columns[-1]["name"] == "share of the change (%)"
    assert [row[-1] for row in table.rows] == [200, -150, 50]
    assert [(row["label"], row["from"], row["to"]) for row in rows_of_chart(chat, chart)] == [
        ("2024-01", 0, 200),
        ("(blank)", 200, 240),
        ("South", 240, 210),
        ("North", 210, 220),
        ("2024-02", 0, 220),
    ]


def test_a_change_of_a_rate_is_split_into_rates_and_mix(chat: Desk) -> None:
    result = chat.run(
        'parts = explain_change("sales", "sales", over="month", before="2024-01", after="2024-02", by="kind", per="visits")\n'
        "parts"
    )
    assert result.printed.splitlines() == [
        "sales per visits: 2.22 (2024-01) → 2.20 (2024-02) (−0.0222).",
        "Changed rates: −0.1000; changed mix: +0.0778.",
        "By kind: hall −0.2410, web +0.2188.",
    ]
    checked = chat.run(
        'both = parts["effect of rates"] + parts["effect of the mix"]\n'
        '(abs(both - parts["part of the change"]).max() < 1e-12,\n'
        ' abs(parts["part of the change"].sum() - (220 / 100 - 200 / 90)) < 1e-12)'
    )
    assert checked.value == [True, True]


def test_without_a_column_the_one_with_the_most_different_changes_is_chosen(chat: Desk) -> None:
    code = """
import pandas as pd
rows = [(year, a, b, 100 + 50 * (year == 2024) * (b == "y")) for year in (2023, 2024) for a in "pq" for b in "xyz"]
table = pd.DataFrame(rows, columns=["year", "even", "uneven", "amount"])
explain_change(table, "amount", over="year")
"""
    printed = chat.run(code).printed
    assert "amount: 600 (2023) → 700 (2024) (+100)." in printed
    assert "By uneven: y +100, x +0, z +0." in printed
    assert "Other columns to split by: even." in printed


def test_many_categories_are_drawn_as_ten_and_the_others(chat: Desk) -> None:
    code = """
import pandas as pd
table = pd.DataFrame([(side, f"c{n:02}", n * side) for side in (1, 2) for n in range(1, 31)], columns=["t", "c", "v"])
explain_change(table, "v", over="t", by="c", language="ja")
"""
    result = chat.run(code)
    chart, table = result.output_items
    assert isinstance(chart, CellChart)
    labels = [row["label"] for row in rows_of_chart(chat, chart)]
    assert (len(labels), labels[-2]) == (13, "その他 20 件")
    assert isinstance(table, CellTable)
    assert table.row_count == 30
    assert "c別: c30 +30, c29 +29, c28 +28, その他 27 件 +378。" in result.printed


def test_a_category_that_is_called_like_a_side_has_a_bar_of_its_own(chat: Desk) -> None:
    code = """
import pandas as pd
table = pd.DataFrame({"t": ["a", "b"] * 2, "c": ["a", "a", "x", "x"], "v": [1, 2, 3, 9]})
explain_change(table, "v", over="t", by="c")
"""
    chart, _ = chat.run(code).output_items
    assert isinstance(chart, CellChart)
    labels = [row["label"] for row in rows_of_chart(chat, chart)]
    assert len({*labels}) == len(labels) == 4


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (
            '"sales", "price", over="month"',
            "no column 'price'; its columns are month, shop, kind, sales, visits",
        ),
        ('"sales", "shop", over="kind", by="month"', "shop holds VARCHAR, and its change needs numbers"),
        (
            '"sales", "sales", over="shop", before="North", after="West", by="kind"',
            "no row has shop 'West'; it has",
        ),
        (
            '"sales", "sales", over="month", before="2024-13", after="2024-02"',
            "'2024-13' is not in the calendar",
        ),
        (
            '"sales", "sales", over="month", before="yesterday", after="2024"',
            "expected 2024, 2024-Q1, 2024-03",
        ),
        ('"sales", "sales", over="month", before="2024"', "give both `before` and `after`"),
        (
            '"sales", over="visits", before="many", after=20',
            "visits holds numbers, but 'many' is not a number",
        ),
        ('"sales", over="month", how="median"', "expected one of sum, mean, count"),
        ('"sales", "sales", over="month", how="mean", per="visits"', "does not go with `per`"),
        ('"sales", over="month", how="mean"', "need the name of a column as `measure`"),
        ('"sales", "sales", over="shop", before=[], after="North"', "an empty list"),
    ],
)
def test_what_cannot_be_explained_is_refused_in_words(chat: Desk, call: str, expected: str) -> None:
    error = chat.run(f"explain_change({call})").error
    assert error is not None
    assert error.name == "ValueError"
    assert expected in error.message


def test_names_and_values_are_never_read_as_sql(chat: Desk) -> None:
    code = """
import pandas as pd
table = pd.DataFrame({'a"; DROP': ["x'); --", "y"], 'v"': [1, 5], "c'": ["p", "p"]})
explain_change(table, 'v"', over='a"; DROP', before="x'); --", after="y", by="c'")
"""
    assert chat.run(code).printed.startswith("v\": 1 (x'); --) → 5 (y) (+4).")
