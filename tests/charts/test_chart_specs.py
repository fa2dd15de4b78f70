"""What a chart may be: specs that reach beyond themselves are refused, whoever made them, and so is what has no bound."""

import json
from typing import Any

import pytest

from smoldesk.charts import checked_spec
from smoldesk.charts.inside.chart_rules import MAX_BYTES
from smoldesk.charts.selected import selected_rows
from smoldesk.errors import BadInput
from smoldesk.messages import ChartRange

BAR: dict[str, Any] = {
    "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
    "mark": "bar",
    "data": {"name": "rows"},
    "encoding": {"x": {"field": "a", "type": "nominal"}, "y": {"field": "b", "type": "quantitative"}},
    "datasets": {
        "rows": [{"a": "https://nowhere.example/", "b": 1, "url": "x", "href": "javascript:alert(1)"}]
    },
}


def test_rows_may_say_anything() -> None:
    assert json.loads(checked_spec(json.dumps(BAR).encode())) == BAR


ATTACKS: list[tuple[dict[str, Any], str]] = [
    ({"data": {"url": "file:///etc/passwd"}}, "url"),
    ({"data": {"url": "http://127.0.0.1/x.csv"}}, "url"),
    ({"transform": [{"lookup": "a", "from": {"data": {"url": "/api/chats"}, "key": "a"}}]}, "url"),
    ({"layer": [{"mark": "bar", "data": {"url": "x"}}]}, "url"),
    ({"mark": {"type": "image", "width": 10}}, "image"),
    ({"mark": "image"}, "image"),
    ({"encoding": {"url": {"field": "url"}}}, "url"),
    ({"encoding": {"href": {"field": "href"}}}, "href"),
    ({"mark": {"type": "bar", "href": "javascript:alert(1)"}}, "href"),
    ({"usermeta": {"embedOptions": {"loader": {"target": "_blank"}}}}, "usermeta"),
    ({"params": [{"name": "p", "value": 1, "bind": {"element": "#composer"}}]}, "element"),
    ({"data": {"sequence": {"start": 0, "stop": 1e9}}}, "sequence"),
    ({"params": [{"name": "p", "expr": "sequence(1e9)"}]}, "sequence"),
    ({"transform": [{"calculate": "pad('a', 1e9, 'b')", "as": "c"}]}, "pad"),
    ({"transform": [{"filter": "test(regexp('(a+)+$'), datum.a)"}]}, "test"),
    ({"transform": [{"filter": {"and": ["test(/(a+)+$/, datum.a)"]}}]}, "test"),
    ({"transform": [{"calculate": "replace(datum.a, /(a+)+$/, '')", "as": "c"}]}, "regular"),
    ({"encoding": {"y": {"axis": {"labelExpr": "timeSequence('ms', 0, 1e13)"}}}}, "timeSequence"),
    (
        {"params": [{"name": "s", "select": {"type": "interval", "on": "pointermove[sequence(1e9)]"}}]},
        "sequence",
    ),
    ({"encoding": {"x": {"field": "a", "bin": {"maxbins": 1e9}}}}, "maxbins"),
    ({"encoding": {"x": {"field": "a", "axis": {"tickCount": 1e9}}}}, "tickCount"),
    ({"encoding": {"x": {"field": "a", "bin": {"step": -1}}}}, "above 0, got -1"),
    (
        {"mark": {"type": "point", "shape": "http://nowhere.example/x.svg"}},
        "its shape must not be an address",
    ),
    ({"width": 1e9}, "width"),
    ({"transform": [{"density": "b", "steps": 1e9}]}, "steps"),
    ({"config": {"background": "url(http://nowhere.example/)"}}, "background"),
    ({"encoding": {"shape": {"value": "http://nowhere.example/x.svg"}, "href": {"value": "x"}}}, "href"),
    ({"$schema": "https://vega.github.io/schema/vega/v6.json"}, "not a Vega-Lite"),
    ({"note": "x" * 200_000}, "characters"),
]


@pytest.mark.parametrize(("change", "text"), ATTACKS, ids=[str(n) for n in range(len(ATTACKS))])
def test_a_spec_that_reaches_out_or_has_no_end_is_refused_in_words(change: dict[str, Any], text: str) -> None:
    with pytest.raises(BadInput, match=text):
        checked_spec(json.dumps(BAR | change).encode())


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        *((data, "not valid JSON") for data in (b"", b"{", b"\xff", b"[" * 100_000)),
        *((data, "not a JSON object") for data in (b"[]", b"17")),
        (b" " * (MAX_BYTES + 1), f"{MAX_BYTES + 1:,} bytes, more than {MAX_BYTES:,}"),
    ],
    ids=["empty", "open", "not_text", "deep", "list", "number", "large"],
)
def test_what_is_no_spec_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        checked_spec(data)


ROWS = json.dumps(
    {
        "datasets": {
            "rows": [
                {"a": 1, "day": "2024-01-01T00:00:00.000", "kind": "りんご"},
                {"a": 2, "day": "2024-02-01T00:00:00.000", "kind": "pear"},
                {"a": None, "day": None, "kind": None},
            ]
        }
    }
)


@pytest.mark.parametrize(
    ("ranges", "expected"),
    [
        ([{"field": "a", "from": 1.5, "to": 9}], [2]),
        ([{"field": "day", "from": "2023-12-31T12:00:00", "to": "2024-01-15T00:00:00"}], [1]),
        ([{"field": "kind", "values": ["pear", "りんご"]}], [1, 2]),
        ([{"field": "kind", "values": ["pear"]}, {"field": "a", "from": 0, "to": 1}], []),
        ([{"field": "nowhere", "from": 0, "to": 1}], None),
    ],
)
def test_brushed_rows_are_those_within_all_ranges(
    ranges: list[dict[str, Any]], expected: list[int] | None
) -> None:
    columns, rows = selected_rows(
        ROWS, [ChartRange.model_validate(range_, by_alias=True) for range_ in ranges]
    )
    assert [row[0] for row in rows] == (expected or [])
    assert columns == ([] if expected is None else ["a", "day", "kind"])
