"""Changes of charts: what each control does to a spec, where code has them, and that both give the same chart."""

import json
from typing import Any

import pytest

from smoldesk.charts import changed_spec, with_changes
from smoldesk.errors import BadInput
from tests.charts.test_cell_charts import rows_of, shown_by

CITIES = "import pandas as pd\ndf = pd.DataFrame({'city': ['Oslo', 'Bergen', 'Rome', 'Kyoto'], 'n': [5, 300, 3, 44]})\n"
BARS = "{'mark': 'bar', 'encoding': {'y': {'field': 'city', 'sort': None}, 'x': {'field': 'n'}}}"
QUARTERS = (
    "df = pd.DataFrame([(q, k, len(q + k) * i) for i, q in enumerate('ABCD', 1) for k in ('u', 'w')], "
    "columns=['q', 'k', 'v'])\n"
)
SERIES = (
    "{'mark': 'bar', 'encoding': {'x': {'field': 'q'}, 'y': {'field': 'v'}, 'color': {'field': 'k'}, "
    "'xOffset': {'field': 'k'}}}"
)

NAMES, FIGURES = {"field": "city", "type": "nominal"}, {"field": "n", "type": "quantitative"}
MARK: dict[str, Any] = {"mark": "bar", "encoding": {"x": NAMES, "y": FIGURES}}
DOUBLED = {"x": NAMES, "y": {"field": "twice", "type": "quantitative"}}
ROWS = {
    "data": {
        "values": [
            {"city": c, "k": k, "n": len(c) * n}
            for c in ("Oslo", "Bergen", "Rome", "Kyoto")
            for n, k in ((1, "u"), (9, "w"))
        ]
    }
}


def spec_of(desk, code):
    return shown_by(desk, code)[1]


def changed(spec, **changes):
    """The spec after changes, and the controls by name."""
    result = changed_spec(json.dumps(spec).encode(), changes)
    return json.loads(result.spec), {control.name: control for control in result.controls}


@pytest.fixture(scope="module")
def bars(chart_desk):
    return spec_of(chart_desk, f"{CITIES}chart(df, {BARS})")


@pytest.fixture(scope="module")
def series(chart_desk):
    return spec_of(chart_desk, f"{CITIES}{QUARTERS}chart(df, {SERIES})")


def test_each_control_changes_what_it_names(bars):
    spec, controls = changed(bars)
    assert spec == bars, "a chart without changes is as it was"
    assert {name: control.value for name, control in controls.items()} == {
        "type": "bar",
        "x": "n",
        "y": "city",
        "color": "",
        "sort": "data",
        "top": "",
    }
    line, controls = changed(bars, type="line", scale="log")
    assert (line["mark"]["type"], line["encoding"]["x"]["field"]) == ("line", "city")
    assert line["encoding"]["y"]["scale"] == {"type": "log"}
    assert controls["scale"].choices == ["linear", "zero", "log"]
    pie, controls = changed(bars, type="pie")
    assert [pie["encoding"][place]["field"] for place in ("theta", "color")] == ["n", "city"]
    assert "x" not in controls and "scale" not in controls
    turned, _ = changed(bars, x="city", sort="descending", top=3)
    assert [turned["encoding"][place]["field"] for place in "xy"] == ["city", "n"]
    assert turned["encoding"]["x"]["sort"] == {"field": "n", "op": "sum", "order": "descending"}
    assert turned["transform"][-1] == {"filter": "datum.desk_rank <= 3"}
    assert "height" not in turned
    tinted, _ = changed(bars, color="city")
    assert tinted["encoding"]["color"] == {"field": "city", "type": "nominal", "sort": None, "legend": None}
    painted, _ = changed(bars, type="point", color="#009e73")
    assert painted["mark"] == {"type": "point", "filled": True, "size": 60, "color": "#009e73"}


def test_series_change_places_and_are_never_added_up_unasked(series):
    spec, controls = changed(series, x="k")
    assert [spec["encoding"][place]["field"] for place in ("x", "y", "color", "xOffset")] == [
        "k",
        "v",
        "q",
        "q",
    ]
    assert "pie" not in controls["type"].choices and "area" not in controls["type"].choices
    with pytest.raises(BadInput, match="`color` of this chart is '', expected of: k"):
        changed(series, color="")
    lines, _ = changed(series, type="line")
    assert "xOffset" not in lines["encoding"]
    again, _ = changed(lines, type="bar")
    assert again["encoding"]["xOffset"]["field"] == "k", "series of lines become bars side by side"


@pytest.mark.parametrize(
    "changes",
    [
        {"type": "image"},
        {"x": "https://elsewhere"},
        {"color": "nowhere"},
        {"color": "#ffffff"},
        {"top": 1_000_000},
        {"sort": "datum.n; fetch('//elsewhere')"},
        {"mark": "bar"},
        {"url": "https://elsewhere/data.csv"},
        {"transform": [{"calculate": "1", "as": "a"}]},
        {"type": True},
    ],
)
def test_a_change_that_no_control_offers_is_refused(bars, changes):
    with pytest.raises(BadInput, match="The chart cannot be changed") as refused:
        changed(bars, **changes)
    assert refused.value.code == "bad_chart_change"


def test_specs_that_no_control_fits_have_none(chart_desk, bars):
    boxes = "{'mark': 'boxplot', 'encoding': {'x': {'field': 'n'}}}"  # no names to order
    chart, _ = shown_by(chart_desk, f"{CITIES}chart(df, {boxes})")
    assert chart.at is None
    for broken in (
        {**bars, "encoding": {**bars["encoding"], "x": {"field": {"repeat": "row"}, "type": "quantitative"}}},
        {**bars, "encoding": {**bars["encoding"], "x": {"aggregate": {"argmax": "n"}, "field": "n"}}},
        {**bars, "transform": [{"aggregate": [{"op": "sum", "field": "n", "as": "n"}], "groupby": ["city"]}]},
        {**bars, "transform": [{"calculate": "datum.n * 2", "as": "twice"}], "encoding": DOUBLED},
        {"hconcat": [bars, bars]},
        {
            "layer": [MARK, {"mark": "rule", "encoding": {"y": {"field": "n", "type": "quantitative"}}}],
            **ROWS,
        },
        {**bars, "encoding": {**bars["encoding"], "x": 7}},
        {**bars, "data": 3},
    ):
        with pytest.raises(BadInput, match="no controls"):
            changed(broken, type="line")


@pytest.mark.parametrize(
    ("call", "changed_call"),
    [
        ("chart(df, spec)", "chart(df, spec, type='line', top=3)"),
        ("chart(df, spec,)", "chart(df, spec, type='line', top=3)"),
        ("chart(df, (spec))", "chart(df, (spec), type='line', top=3)"),
        (
            "chart(\n    df,  # (the cities\n    spec  # ')'\n)",
            "chart(\n    df,  # (the cities\n    spec, type='line', top=3  # ')'\n)",
        ),
        ("chart(df, spec, sort='name')", "chart(df, spec, type='line', top=3)"),
        (
            "'都市'; chart(df[['city', 'n']], spec)",
            "'都市'; chart(df[['city', 'n']], spec, type='line', top=3)",
        ),
    ],
)
def test_code_with_the_changes_shows_the_same_chart(chart_desk, call, changed_call):
    code = f"{CITIES}spec = {BARS}\n{call}"
    chart, base = shown_by(chart_desk, code)
    wanted, _ = changed(base, type="line", top=3)
    assert chart.at is not None
    again = with_changes(code, chart.at[0], chart.at[1], {"type": "line", "top": "3"})
    assert again == f"{CITIES}spec = {BARS}\n{changed_call}"
    copied, base_again = shown_by(chart_desk, again)
    assert base_again == base
    assert changed(base_again, **copied.changes)[0] == wanted
    assert copied.at is not None
    assert with_changes(again, copied.at[0], copied.at[1], {"sort": "name"}).endswith(
        changed_call.replace("type='line', top=3", "sort='name'")
    )


def test_changes_of_a_large_table_apply_to_its_groups(chart_desk):
    large = "import pandas as pd\ndf = pd.DataFrame({'k': [str(n % 7) for n in range(20_000)], 'v': 2})\n"
    sums = "{'mark': 'bar', 'encoding': {'x': {'field': 'k'}, 'y': {'field': 'v', 'aggregate': 'sum'}}}"
    chart, spec = shown_by(chart_desk, f"{large}chart(df, {sums}, top=3)")
    assert (chart.reduced, chart.changes, len(rows_of(spec))) == ("aggregated", {"top": "3"}, 7)
    assert changed(spec, **chart.changes)[0]["transform"][0]["groupby"] == ["k"]


def test_one_or_two_bars_make_a_small_chart(chart_desk):
    two = "{'mark': 'bar', 'encoding': {'x': {'field': 'city'}, 'y': {'field': 'n'}}}"
    spec = spec_of(chart_desk, f"{CITIES}chart(df.head(2), {two})")
    assert (spec["width"], spec["height"]) == ({"step": 96}, 180)
    lying = spec_of(chart_desk, f"chart(df.head(1), {BARS})")
    assert (lying["width"], lying["height"]) == (240, 52)
    assert not {"width", "height"} & spec_of(chart_desk, f"chart(df, {two})").keys()


def test_panes_change_together_and_their_top_is_one(chart_desk):
    panes = {"column": {"field": "k", "type": "nominal"}}
    spec, controls = changed({**ROWS, **MARK, "encoding": {**MARK["encoding"], **panes}}, type="line")
    assert (spec["encoding"]["column"], spec["mark"]["type"]) == (panes["column"], "line")
    assert {"type", "x", "y", "color", "sort", "scale", "top"} == controls.keys()
    facet = {**ROWS, "facet": panes["column"], "spec": MARK, "columns": 2}
    spec, _ = changed(facet, top=3, sort="descending")
    assert spec["spec"]["encoding"]["x"]["sort"] == {"field": "n", "op": "sum", "order": "descending"}
    assert spec["transform"][-1] == {"filter": "datum.desk_rank <= 3"}, "of all panes, not of each"
    assert "transform" not in spec["spec"] and "data" not in spec["spec"]


def test_labels_stay_on_the_marks_that_change():
    label = {"mark": "text", "encoding": {"text": FIGURES}}
    layers = {**ROWS, "encoding": MARK["encoding"], "layer": [{"mark": "bar"}, label]}
    spec, controls = changed(layers, type="point", sort="descending", color="#009e73")
    assert [layer["mark"] for layer in spec["layer"]] == [
        {"type": "point", "filled": True, "size": 60, "color": "#009e73"},
        "text",
    ]
    assert spec["encoding"]["x"]["sort"] == {"field": "n", "op": "sum", "order": "descending"}
    assert "x" not in controls and "pie" not in controls["type"].choices
    each = {**ROWS, "layer": [MARK, {"mark": "text", "encoding": {**MARK["encoding"], "text": FIGURES}}]}
    spec, _ = changed(each, sort="descending")
    assert [layer["encoding"]["x"]["sort"]["order"] for layer in spec["layer"]] == ["descending"] * 2


def test_boxes_are_ordered_by_their_medians():
    spec, controls = changed({**ROWS, **MARK, "mark": "boxplot"}, sort="descending", top=3)
    assert spec["encoding"]["x"]["sort"] == ["Bergen", "Kyoto", "Oslo", "Rome"]
    assert spec["transform"][0]["joinaggregate"] == [{"op": "median", "as": "desk_total", "field": "n"}]
    assert controls["type"].choices == ["box", "point"] and controls["scale"].choices == [
        "linear",
        "zero",
        "log",
    ]
    points, _ = changed({**ROWS, **MARK, "mark": "boxplot"}, type="point", x="n")
    assert (points["mark"]["type"], points["encoding"]["y"]["field"]) == ("point", "city")


def test_a_heatmap_has_its_rows_colours_and_scale_changed():
    shade = {"field": "n", "type": "quantitative"}
    heat = {
        **ROWS,
        "mark": "rect",
        "encoding": {"x": {"field": "k", "type": "nominal"}, "y": NAMES, "color": shade},
    }
    spec, controls = changed(heat, sort="descending", color="viridis", scale="log", top=3)
    assert spec["encoding"]["y"]["sort"] == {"field": "n", "op": "sum", "order": "descending"}
    assert spec["encoding"]["color"]["scale"] == {"scheme": "viridis", "type": "log"}
    assert spec["transform"][0]["groupby"] == ["city"]
    assert "type" not in controls
    turned, _ = changed(heat, x="city")
    assert [turned["encoding"][axis]["field"] for axis in "xy"] == ["city", "k"]
    inked = {
        **ROWS,
        "encoding": heat["encoding"],
        "layer": [{"mark": "rect"}, {"mark": "text", "encoding": {}}],
    }
    assert "color" not in changed(inked)[1], "ink fits the colours that it was chosen for"


def test_rows_that_a_chart_leaves_out_stay_out():
    spec, _ = changed({**ROWS, **MARK, "transform": [{"filter": "datum.n > 5"}]}, top=3)
    assert [*spec["transform"][0]] == ["filter"]
    assert len(spec["transform"]) == 4


@pytest.mark.parametrize(
    ("shown", "changed_code"),
    [
        (
            "(\n    alt.Chart(df)\n    .mark_bar()\n    .encode(x='city', y='n')\n)",
            "(\n    chart(alt.Chart(df)\n    .mark_bar()\n    .encode(x='city', y='n'), type='line')\n)",
        ),
        ("fig = px.bar(df, x='city', y='n')\nfinal_answer(fig)", "final_answer(chart(fig, type='line'))"),
        ("display(px.bar(df, x='city', y='n'))", "display(chart(px.bar(df, x='city', y='n'), type='line'))"),
    ],
)
def test_charts_of_altair_and_plotly_get_their_changes_around_them(chart_desk, shown, changed_code):
    pytest.importorskip("plotly")
    code = f"{CITIES}import altair as alt, plotly.express as px\n{shown}"
    chart, base = shown_by(chart_desk, code)
    assert chart.at is not None
    again = with_changes(code, *chart.at, {"type": "line"})
    assert again.endswith(changed_code)
    copied, base_again = shown_by(chart_desk, again)
    assert (base_again, copied.changes) == (base, {"type": "line"})
    assert changed(base)[1]["x"].value == "city"


def test_code_that_may_show_several_charts_keeps_its_form(chart_desk):
    pytest.importorskip("plotly")
    code = f"{CITIES}import plotly.express as px\nboth = [px.bar(df, x='city', y='n')]\nfinal_answer(both)"
    chart, _ = shown_by(chart_desk, code)
    assert chart.at is None
