"""Results of tools on their way to the child."""

import json

import pytest

from smoldesk.tables.results import (
    NotSendable,
    Rows,
    TableFile,
    to_frame,
)


def test_a_table_file_travels_by_name() -> None:
    table = TableFile("titanic.csv", 891, ["survived", "age"])
    assert to_frame(table) == {"kind": "table_file", "name": "titanic.csv"}
    assert str(table) == "titanic.csv: 891 rows, columns survived, age"


def test_rows_travel_by_value() -> None:
    frame = to_frame(Rows(["a", "b"], [[1, "x"], [None, 2.5]]))
    assert frame == {"kind": "rows", "columns": ["a", "b"], "rows": [[1, "x"], [None, 2.5]]}


def test_rows_read_as_a_table() -> None:
    assert str(Rows(["a", "b"], [[1, "x"], [None, 2.5]])) == "a | b\n1 | x\n | 2.5\n(2 rows)"
    assert str(Rows(["a"], [[1]])) == "a\n1\n(1 row)"


def test_many_rows_read_short_and_say_so() -> None:
    lines = str(Rows(["n"], [[n] for n in range(30)], truncated=True)).splitlines()
    assert lines[-2:] == ["... 10 more rows", "(30 rows, cut off: there are more)"]
    assert len(lines) == 23


@pytest.mark.parametrize("value", [None, True, 3, 2.5, "MAP_COMMAND: {}", [1, [2, {"a": None}]], {"a": [1]}])
def test_json_travels_as_it_is(value: object) -> None:
    frame = to_frame(value)
    assert frame == {"kind": "json", "value": value}
    json.dumps(frame, allow_nan=False)


@pytest.mark.parametrize(
    ("value", "report"),
    [
        (object(), "the result is of type object"),
        ({"a": [1, {2}]}, r"the result\['a'\]\[1\] is of type set"),
        (b"bytes", "the result is of type bytes"),
        ({1: 2}, "the key 1 is of type int"),
        ([float("nan")], r"the result\[0\] is nan"),
        (float("inf"), "the result is inf"),
    ],
)
def test_what_json_cannot_say_is_refused_with_its_place(value: object, report: str) -> None:
    with pytest.raises(NotSendable, match=report):
        to_frame(value)


def test_a_result_that_holds_itself_is_refused() -> None:
    ring: list[object] = []
    ring.append(ring)
    with pytest.raises(NotSendable, match="nested deeper"):
        to_frame(ring)
