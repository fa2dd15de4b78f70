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
    (chart,) = result.output_items
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


def test_a_chart_of_a_table_has_its_rows_and_the_types_of_its_columns(chart_desk):
    chart, spec = shown_by(
        chart_desk,
        f"{TABLE}chart(df, {{'mark': 'line', 'encoding': {{'x': {{'field': 'day'}}, 'y': {{'field': 'amount'}}}}}})",
    )
    assert [channel["type"] for channel in spec["encoding"].values()] == ["temporal", "quantitative"]
    assert rows_of(spec)[0] == {"day": "2024-01-01T00:00:00.000", "amount": 1.0}
    assert rows_of(spec)[-1]["amount"] is None
    assert (chart.title, chart.rows, chart.plotted_rows, chart.reduced) == ("line: x day, y amount", 6, 6, "")


def test_charts_of_altair_are_shown_as_their_spec(chart_desk):
    above = "alt.Chart(df, title='売上').mark_bar().encode(x='kind', y='sum(amount)')"
    below = "alt.Chart(df).mark_point().encode(x='day:T', y='amount')"
    code = f"{TABLE}import altair as alt\n{above} & {below}"
    chart, spec = shown_by(chart_desk, code)
    assert spec["vconcat"][0]["title"] == "売上"
    assert {"kind", "amount", "day"} <= set(rows_of(spec)[0])
    assert chart.rows == 6


def test_a_large_table_is_sampled_evenly_and_only_the_columns_that_are_drawn(chart_desk):
    code = f"{LARGE}chart(df, {{'mark': 'point', 'encoding': {{'x': {{'field': 'day'}}, 'y': {{'field': 'amount'}}}}}})"
    chart, spec = shown_by(chart_desk, code)
    rows = rows_of(spec)
    assert (chart.rows, chart.plotted_rows, chart.reduced, len(rows)) == (20_000, 5_000, "sampled", 5_000)
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
def test_what_a_chart_computes_over_a_large_table_is_exact(chart_desk, encoding, expected):
    chart, spec = shown_by(chart_desk, f"{LARGE}chart(df, {{'mark': 'bar', 'encoding': {encoding}}})")
    field = spec["encoding"]["y"]["field"]
    assert {row["kind"]: row[field] for row in rows_of(spec)} == expected
    assert (chart.rows, chart.plotted_rows, chart.reduced) == (20_000, 2, "aggregated")


def test_bins_and_months_of_a_large_table_are_computed_over_all_of_it(chart_desk):
    histogram = "{'x': {'field': 'amount', 'bin': True}, 'y': {'aggregate': 'count'}}"
    _, spec = shown_by(chart_desk, f"{LARGE}chart(df, {{'mark': 'bar', 'encoding': {histogram}}})")
    assert spec["encoding"]["x"]["bin"] == {"step": 2000.0}
    assert [(row["amount"], row["count"]) for row in rows_of(spec)][:2] == [(1000.0, 2000), (3000.0, 2000)]
    months = "{'x': {'field': 'day', 'timeUnit': 'yearmonth'}, 'y': {'field': 'amount', 'aggregate': 'max'}}"
    _, spec = shown_by(chart_desk, f"chart(df, {{'mark': 'line', 'encoding': {months}}})")
    first = rows_of(spec)[0]
    assert first == {"day": "2023-01-01T00:00:00.000", "max of amount": 743}


def test_a_sum_over_a_sample_is_never_drawn(chart_desk):
    code = f"{LARGE}display(chart(df, {{'mark': 'errorbar', 'encoding': {{'y': {{'field': 'amount'}}}}}}))"
    result = chart_desk.run(code)
    assert result.output_items == []
    assert "computes over 20,000 rows" in result.printed
    assert "groupby" in result.printed


UNEVEN = """
import pandas as pd
rates = [number % 11 / 10 for number in range(11_000)]
df = pd.DataFrame({"rate": rates, "price.usd": 2, "text": [str(number % 5) for number in range(11_000)], "count": "a"})
df["day"] = pd.date_range("2023-01-01", periods=11_000, freq="h", tz="Asia/Tokyo")
df["gaps"] = [None if number % 2 else 1.0 for number in range(11_000)]
"""


def test_names_with_signs_are_computed_over_as_they_are(chart_desk):
    sums = "{'x': {'field': 'text'}, 'y': {'field': 'price.usd', 'aggregate': 'sum'}}"
    _, spec = shown_by(chart_desk, f"{UNEVEN}chart(df, {{'mark': 'bar', 'encoding': {sums}}})")
    assert spec["encoding"]["y"]["title"] == "Sum of price.usd"
    assert spec["encoding"]["y"]["field"] == "sum of price\\.usd"
    assert {row["sum of price.usd"] for row in rows_of(spec)} == {4_400}
    counts = "{'x': {'field': 'price.usd', 'type': 'nominal'}, 'y': {'aggregate': 'count'}}"
    _, spec = shown_by(chart_desk, f"{UNEVEN}chart(df, {{'mark': 'bar', 'encoding': {counts}}})")
    assert rows_of(spec) == [{"price.usd": 2, "count_": 11_000}]


def test_fractions_are_in_the_bins_that_vega_puts_them_in(chart_desk):
    bins = "{'x': {'field': 'rate', 'bin': {'maxbins': 10}}, 'y': {'aggregate': 'count'}}"
    _, spec = shown_by(chart_desk, f"{UNEVEN}chart(df, {{'mark': 'bar', 'encoding': {bins}}})")
    assert [row["count_"] for row in rows_of(spec)] == [1_000] * 9 + [2_000]


def test_figures_of_text_and_of_blanks_are_those_of_a_small_table(chart_desk):
    figures = "{'x': {'field': 'gaps', 'type': 'nominal'}, 'y': {'field': 'text', 'aggregate': 'sum'}}"
    _, spec = shown_by(chart_desk, f"{UNEVEN}chart(df, {{'mark': 'bar', 'encoding': {figures}}})")
    assert sum(row["sum of text"] for row in rows_of(spec)) == 22_000
    blanks = "{'x': {'field': 'count'}, 'y': {'field': 'gaps', 'aggregate': 'distinct'}}"
    _, spec = shown_by(chart_desk, f"{UNEVEN}chart(df, {{'mark': 'bar', 'encoding': {blanks}}})")
    assert rows_of(spec) == [{"count": "a", "distinct of gaps": 2}]
    text = "{'x': {'field': 'text'}, 'y': {'field': 'count', 'aggregate': 'mean'}}"
    result = chart_desk.run(f"{UNEVEN}display(chart(df, {{'mark': 'bar', 'encoding': {text}}}))")
    assert "the mean of 'count' needs numbers, got 'a'" in result.printed


def test_moments_with_a_zone_are_drawn_as_its_clocks_tell_them(chart_desk):
    code = f"{UNEVEN}chart(df.head(9), {{'mark': 'line', 'encoding': {{'x': {{'field': 'day'}}, 'y': {{'field': 'rate'}}}}}})"
    assert rows_of(shown_by(chart_desk, code)[1])[0]["day"] == "2023-01-01T00:00:00.000"
    months = "{'x': {'field': 'day', 'timeUnit': 'yearmonth'}, 'y': {'aggregate': 'count'}}"
    _, spec = shown_by(chart_desk, f"{UNEVEN}chart(df, {{'mark': 'bar', 'encoding': {months}}})")
    assert rows_of(spec)[0] == {"day": "2023-01-01T00:00:00.000", "count_": 31 * 24}


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        ("bar", "{'x': {'field': 'count'}, 'y': {'field': 'rate'}, 'color': {'field': 'text'}}"),
        ("area", "{'x': {'field': 'day'}, 'y': {'field': 'rate'}, 'color': {'field': 'text'}}"),
        ("arc", "{'theta': {'field': 'rate'}, 'color': {'field': 'text'}}"),
        (
            "bar",
            "{'x': {'field': 'day', 'timeUnit': 'yearmonth'}, 'color': {'field': 'day', 'timeUnit': 'year'}, "
            "'y': {'aggregate': 'count'}}",
        ),
    ],
)
def test_what_adds_up_unsaid_or_groups_one_column_in_two_ways_is_refused_when_large(
    chart_desk, mark, encoding
):
    result = chart_desk.run(f"{UNEVEN}display(chart(df, {{'mark': '{mark}', 'encoding': {encoding}}}))")
    assert result.output_items == []
    assert "computes over 11,000 rows" in result.printed


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        (
            "{'mark': 'bar', 'encoding': {'x': {'field': 'nowhere'}}}",
            "there is no column 'nowhere' for this chart; the columns are day, amount",
        ),
        ("{'encoding': {}}", 'there is no "mark"'),
        ("{'mark': 'no such mark'}", "not a valid Vega-Lite spec"),
        ("'{broken'", "not valid JSON"),
        ("17", "got int"),
        (
            "{'layer': [{'mark': 'bar', 'data': {'url': 'x'}}]}",
            '"url" is not allowed',
        ),
        ("{'mark': 'image'}", "image marks"),
        ("{'mark': 'bar', 'width': 1_000_000}", "its width is 1,000,000"),
        ("{'mark': 'bar', 'params': [{'name': 'p', 'expr': 'sequence(1e9)'}]}", "sequence()"),
        ("{'mark': 'bar', 'usermeta': {'embedOptions': {}}}", "usermeta"),
    ],
)
def test_a_spec_that_cannot_be_shown_is_an_error_that_says_why(chart_desk, spec, text):
    assert text in fault_of(chart_desk, f"{TABLE}chart(df, {spec})")


def test_a_spec_with_too_many_rows_of_its_own_is_said_and_nothing_else_is_lost(chart_desk):
    rows = "alt.Data(values=[{'a': n} for n in range(6_000)])"
    code = f"{TABLE}import altair as alt\ndisplay(alt.Chart({rows}).mark_bar().encode(x='a:Q'))\ndf"
    result = chart_desk.run(code)
    assert "6,000 rows in its spec, at most 5,000 are drawn" in result.printed
    assert [type(item) for item in result.output_items] == [CellTable]


def test_boxes_of_a_large_table_are_computed_over_all_of_it_and_show_the_rows_outside(chart_desk):
    boxes = "{'mark': 'boxplot', 'encoding': {'x': {'field': 'amount'}, 'y': {'field': 'kind'}}}"
    outside = "df.loc[[0, 1], 'amount'] = [90_000, -90_000]\n"
    chart, spec = shown_by(chart_desk, f"{LARGE}{outside}chart(df, {boxes})")
    assert (chart.reduced, chart.rows, chart.plotted_rows) == ("aggregated", 20_000, 2)
    box = spec["datasets"]["rows"][0]
    assert (box["kind"], box["low"], box["median"], box["high"]) == ("a", 2, 10_001, 19_998)
    assert sorted(row["amount"] for row in spec["datasets"]["outside"]) == [-90_000, 90_000]
    assert [layer["mark"]["type"] for layer in spec["layer"]] == ["rule", "bar", "tick", "point"]


def test_names_with_signs_moments_and_many_names_are_drawn_as_they_are(chart_desk):
    table = "import pandas as pd\ndf = pd.DataFrame({'a.b [c]': ['x', 'y'] * 50, 'n': range(100), 'lo': 1, 'hi': 2})\n"
    table += "df['day'] = pd.date_range('2024-01-01', periods=100, freq='MS')\n"
    bars = "{'mark': 'bar', 'encoding': {'x': {'field': 'lo'}, 'x2': {'field': 'hi'}, 'y': {'field': 'a.b [c]'}}}"
    _, spec = shown_by(chart_desk, f"{table}chart(df, {bars})")
    assert spec["encoding"]["y"] | {"type": ""} == {"field": "a\\.b \\[c\\]", "title": "a.b [c]", "type": ""}
    assert rows_of(spec)[1]["a.b [c]"] == "y" and "type" not in spec["encoding"]["x2"]
    months = "{'mark': 'bar', 'encoding': {'x': {'field': 'day'}, 'y': {'field': 'n', 'type': 'ordinal'}}}"
    _, spec = shown_by(chart_desk, f"{table}chart(df, {months})")
    assert (spec["encoding"]["x"]["timeUnit"], spec["encoding"]["x"]["axis"]["format"]) == (
        "yearmonth",
        "%Y-%m",
    )
    assert spec["height"] == 900
    years = (
        "{'mark': 'line', 'encoding': {'x': {'field': 'year', 'type': 'quantitative'}, 'y': {'field': 'n'}}}"
    )
    _, spec = shown_by(chart_desk, f"{table}df['year'] = 1952 + df['n']\nchart(df, {years})")
    assert spec["encoding"]["x"]["axis"] == {"format": "d", "tickMinStep": 1}
    assert "axis" not in spec["encoding"]["y"]


PLOTLY = "import plotly.graph_objects as go, pandas as pd\n"


def test_a_figure_of_plotly_is_a_chart_with_its_data_titles_and_colours(chart_desk):
    pytest.importorskip("plotly")
    bars = "[go.Bar(x=['b', 'a'], y=[1, 2], name=n, marker_color=c) for n, c in (('now', 'crimson'), ('then', '#888'))]"
    axes = "title='<b>売上</b>', xaxis_title='shop', barmode='group'"
    result = chart_desk.run(f"{PLOTLY}go.Figure({bars}).update_layout({axes})")
    (chart,) = result.output_items
    spec = json.loads((chart_desk.folder / chart.path).read_text("utf-8"))
    encoding = spec["encoding"]
    assert (chart.title, spec["mark"], encoding["x"]["title"], encoding["x"]["sort"]) == (
        "売上",
        "bar",
        "shop",
        None,
    )
    assert encoding["color"]["scale"] == {"domain": ["now", "then"], "range": ["crimson", "#888"]}
    assert rows_of(spec)[0] == {"trace": "now", "shop": "b", "y": 1}
    assert "shown as a chart of the desk" in result.printed


@pytest.mark.parametrize(
    ("figure", "mark", "channels"),
    [
        ("go.Figure(go.Scatter(x=['2024-01-01', '2024-02-01'], y=[1, 2]))", "line", {"x": "temporal"}),
        ("go.Figure(go.Scattergl(x=[1, 2], y=[1, 2], mode='markers'))", "point", {"x": "quantitative"}),
        ("go.Figure(go.Bar(x=[1, 2], y=['a', 'b'], orientation='h'))", "bar", {"y": "ordinal"}),
        ("go.Figure(go.Histogram(x=[1, 2, 2]))", "bar", {}),
        ("go.Figure(go.Box(y=[1, 2, 9], x=['a', 'a', 'b']))", "boxplot", {"y": "ordinal"}),
        ("go.Figure(go.Pie(labels=['a', 'b', 'a'], values=[1, 2, 3]))", "arc", {"color": "nominal"}),
        ("go.Figure(go.Heatmap(z=[[1, 2], [3, 4]], x=['a', 'b']))", "rect", {"color": "quantitative"}),
    ],
)
def test_kinds_of_plotly_become_marks(chart_desk, figure, mark, channels):
    pytest.importorskip("plotly")
    _, spec = shown_by(chart_desk, PLOTLY + figure)
    assert (spec["mark"] if isinstance(spec["mark"], str) else spec["mark"]["type"]) == mark
    assert {place: spec["encoding"][place]["type"] for place in channels} == channels


@pytest.mark.parametrize(
    "figure",
    [
        "go.Figure(go.Scatter3d(x=[1], y=[2], z=[3]))",
        "go.Figure([go.Bar(x=['a'], y=[1]), go.Scatter(x=['a'], y=[2], yaxis='y2')])",
        "go.Figure(go.Scatter(x=[1, 2], y=[1, 2], stackgroup='one'))",
        "go.Figure(go.Bar(x=['a', 'b'], y=[object(), 2]))",
    ],
)
def test_a_figure_of_plotly_that_would_be_another_is_its_data_and_says_so(chart_desk, figure):
    pytest.importorskip("plotly")
    result = chart_desk.run(PLOTLY + figure)
    assert [type(item) for item in result.output_items] == [CellTable]
    assert "would take a browser" in result.printed


def test_vl_convert_is_refused_before_its_engine_ends_the_process(chart_desk):
    drawn = "alt.Chart(pd.DataFrame({'a': [1]})).mark_bar().encode(x='a').save('a.png')"
    chart_desk.run("kept = 1")
    for code in ("import vl_convert", f"import altair as alt, pandas as pd\n{drawn}"):
        error = chart_desk.run(code).error
        assert error.name == "OSError" and "the cell's last value" in error.message
    assert chart_desk.run("kept").value == 1
