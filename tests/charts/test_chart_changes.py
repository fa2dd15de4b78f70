"""Changes of charts: what each control does to a spec, where code has them, and that both give the same chart."""

import json

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
    boxes = "{'mark': 'boxplot', 'encoding': {'x': {'field': 'n'}}}"
    chart, _ = shown_by(chart_desk, f"{CITIES}chart(df, {boxes})")
    assert chart.at is None
    for broken in (
        {**bars, "encoding": {**bars["encoding"], "x": {"field": {"repeat": "row"}, "type": "quantitative"}}},
        {**bars, "encoding": {**bars["encoding"], "x": {"aggregate": {"argmax": "n"}, "field": "n"}}},
        {**bars, "transform": []},
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
