"""Charts that code makes: of a table and a spec, of Altair, bounded and exact, refused in words that the code can act on."""

import json

import pytest

from smoldesk.sandbox.cell import CellChart, CellTable

TABLE = """
import pandas as pd
days = pd.date_range("2024-01-01", periods=6)
df = pd.DataFrame({"day": days, "amount": [1, 2, 3, 4, 5, float("nan")], "kind": list("aabbcc")})
"""
LARGE = """
import pandas as pd
days = pd.date_range("2023-01-01", periods=20_000, freq="h")
df = pd.DataFrame({"amount": range(20_000), "kind": ["a", "b"] * 10_000, "day": days, "other": "x" * 100})
"""


def shown_by(desk, code):
    """The one chart that a cell shows, and its spec."""
    result = desk.run(code)
    (chart,) = result.shown
    assert isinstance(chart, CellChart)
    return chart, json.loads((desk.folder / chart.path).read_text("utf-8"))


def rows_of(spec):
    (rows,) = spec["datasets"].values()
    return rows


def fault_of(desk, code):
    """The words of the ValueError that a cell ends with."""
    error = desk.run(code).error
    assert error.name == "ValueError"
    return error.message


def test_a_chart_of_a_table_has_its_rows_and_the_types_of_its_columns(science_desk):
    chart, spec = shown_by(
        science_desk,
        f"{TABLE}chart(df, {{'mark': 'line', 'encoding': {{'x': {{'field': 'day'}}, 'y': {{'field': 'amount'}}}}}})",
    )
    assert [channel["type"] for channel in spec["encoding"].values()] == ["temporal", "quantitative"]
    assert rows_of(spec)[0] == {"day": "2024-01-01T00:00:00.000", "amount": 1.0}
    assert rows_of(spec)[-1]["amount"] is None
    assert (chart.title, chart.rows, chart.shown, chart.reduced) == ("line: x day, y amount", 6, 6, "")


def test_charts_of_altair_are_shown_as_their_spec(science_desk):
    above = "alt.Chart(df, title='売上').mark_bar().encode(x='kind', y='sum(amount)')"
    below = "alt.Chart(df).mark_point().encode(x='day:T', y='amount')"
    code = f"{TABLE}import altair as alt\n{above} & {below}"
    chart, spec = shown_by(science_desk, code)
    assert spec["vconcat"][0]["title"] == "売上"
    assert {"kind", "amount", "day"} <= set(rows_of(spec)[0])
    assert chart.rows == 6


def test_a_large_table_is_sampled_evenly_and_only_the_columns_that_are_drawn(science_desk):
    code = f"{LARGE}chart(df, {{'mark': 'point', 'encoding': {{'x': {{'field': 'day'}}, 'y': {{'field': 'amount'}}}}}})"
    chart, spec = shown_by(science_desk, code)
    rows = rows_of(spec)
    assert (chart.rows, chart.shown, chart.reduced, len(rows)) == (20_000, 5_000, "sampled", 5_000)
    assert [row["amount"] for row in rows[:3]] == [0, 4, 8]
    assert set(rows[0]) == {"day", "amount"}


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [
        (
            "{'x': {'field': 'kind'}, 'y': {'field': 'amount', 'aggregate': 'sum'}}",
            {"a": 99_990_000, "b": 100_000_000},
        ),
        (
            "{'x': {'field': 'kind'}, 'y': {'field': 'amount', 'aggregate': 'mean'}}",
            {"a": 9_999, "b": 10_000},
        ),
        ("{'x': {'field': 'kind'}, 'y': {'aggregate': 'count'}}", {"a": 10_000, "b": 10_000}),
    ],
)
def test_what_a_chart_computes_over_a_large_table_is_exact(science_desk, encoding, expected):
    chart, spec = shown_by(science_desk, f"{LARGE}chart(df, {{'mark': 'bar', 'encoding': {encoding}}})")
    field = spec["encoding"]["y"]["field"]
    assert {row["kind"]: row[field] for row in rows_of(spec)} == expected
    assert (chart.rows, chart.shown, chart.reduced) == (20_000, 2, "aggregated")


def test_bins_and_months_of_a_large_table_are_computed_over_all_of_it(science_desk):
    histogram = "{'x': {'field': 'amount', 'bin': True}, 'y': {'aggregate': 'count'}}"
    _, spec = shown_by(science_desk, f"{LARGE}chart(df, {{'mark': 'bar', 'encoding': {histogram}}})")
    assert spec["encoding"]["x"]["bin"] == {"step": 2000.0}
    assert [(row["amount"], row["count"]) for row in rows_of(spec)][:2] == [(1000.0, 2000), (3000.0, 2000)]
    months = "{'x': {'field': 'day', 'timeUnit': 'yearmonth'}, 'y': {'field': 'amount', 'aggregate': 'max'}}"
    _, spec = shown_by(science_desk, f"chart(df, {{'mark': 'line', 'encoding': {months}}})")
    first = rows_of(spec)[0]
    assert first == {"day": "2023-01-01T00:00:00.000", "max of amount": 743}


def test_a_sum_over_a_sample_is_never_drawn(science_desk):
    code = f"{LARGE}display(chart(df, {{'mark': 'boxplot', 'encoding': {{'y': {{'field': 'amount'}}}}}}))"
    result = science_desk.run(code)
    assert result.shown == []
    assert "computes over 20,000 rows" in result.printed
    assert "groupby" in result.printed


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (
            "{'mark': 'bar', 'encoding': {'x': {'field': 'nowhere'}}}",
            "there is no column 'nowhere' for this chart; the columns are day, amount",
        ),
        ("{'encoding': {}}", 'there is no "mark"'),
        ("{'mark': 'no such mark'}", "no Vega-Lite spec"),
        ("'{broken'", "no JSON"),
        ("17", "not a int"),
        (
            "{'layer': [{'mark': 'bar', 'data': {'url': 'x'}}]}",
            '"url" is not taken',
        ),
        ("{'mark': 'image'}", "image marks"),
        ("{'mark': 'bar', 'width': 1_000_000}", "its width is 1,000,000"),
        ("{'mark': 'bar', 'params': [{'name': 'p', 'expr': 'sequence(1e9)'}]}", "sequence()"),
        ("{'mark': 'bar', 'usermeta': {'embedOptions': {}}}", "usermeta"),
    ],
)
def test_a_spec_that_cannot_be_shown_is_an_error_that_says_why(science_desk, spec, words):
    assert words in fault_of(science_desk, f"{TABLE}chart(df, {spec})")


def test_a_spec_with_too_many_rows_of_its_own_is_said_and_nothing_else_is_lost(science_desk):
    rows = "alt.Data(values=[{'a': n} for n in range(6_000)])"
    code = f"{TABLE}import altair as alt\ndisplay(alt.Chart({rows}).mark_bar().encode(x='a:Q'))\ndf"
    result = science_desk.run(code)
    assert "6,000 rows in its spec, at most 5,000 are drawn" in result.printed
    assert [type(item) for item in result.shown] == [CellTable]


def test_a_figure_of_plotly_is_its_data_and_says_that_it_is_not_drawn(science_desk):
    pytest.importorskip("plotly")
    code = "import plotly.graph_objects as go\ngo.Figure([go.Bar(x=['a', 'b'], y=[1, 2], name='n')])"
    result = science_desk.run(code)
    (table,) = result.shown
    assert (table.rows, [column["name"] for column in table.columns]) == (
        [["n", "a", 1], ["n", "b", 2]],
        ["trace", "x", "y"],
    )
    assert "would take a browser" in result.printed
