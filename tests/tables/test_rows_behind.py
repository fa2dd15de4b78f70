"""Rows of variables that give the value of a cell, as a chat's process finds them."""

import builtins
import json
from typing import Any

import pytest

from smoldesk.tables.inside.rows_behind import rows_behind

pandas = pytest.importorskip("pandas")

ORDERS = {
    "region": ["Tokyo", "Osaka", "Tokyo", "Osaka", "Tokyo"],
    "year": [2023, 2023, 2024, 2024, 2024],
    "sales": [1200.5, 2301.0, 3400.25, 4500.0, 1000.0],
    "day": ["2024-01-05", "2024-01-09", "2024-02-01", "2024-02-02", "2024-03-01"],
}


@pytest.mark.parametrize(
    ("value", "column", "labels", "expected"),
    [
        (5600.75, "sales", {"region": "Tokyo"}, ("sum", "sales", [0, 2, 4])),
        (1866.92, "avg_sales", {"region": "Tokyo"}, ("mean", "sales", [0, 2, 4])),
        (3400.5, "median", {"region": "Osaka"}, ("mean", "sales", [1, 3])),
        (2, "orders", {"region": "Osaka"}, ("count", "", [1, 3])),
        (4400.25, "2024", {"region": "Tokyo"}, ("sum", "sales", [2, 4])),
        (7900.25, "sales", {"month": 2}, ("sum", "sales", [2, 3])),
        (2480.35, "sales", {"index": "mean"}, ("mean", "sales", [0, 1, 2, 3, 4])),
        (5601.75, "sales", {"region": "Tokyo"}, None),
        (5600.75, "sales", {"shop": "Tokyo"}, None),
        (3, "stars", {"region": "Osaka"}, None),
    ],
)
def test_rows_count_only_if_they_give_the_value_of_the_cell(
    value: float,
    column: str,
    labels: dict[str, Any],
    expected: tuple[str, str, list[int]] | None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    orders = pandas.DataFrame(ORDERS).assign(day=lambda frame: pandas.to_datetime(frame["day"]))
    shown: list[Any] = []
    monkeypatch.setattr(builtins, "display", shown.append, raising=False)
    request = json.dumps({"value": value, "column": column, "labels": labels, "row_count": 2})
    exec("rows_behind(request)", {"orders": orders, "rows_behind": rows_behind, "request": request})
    printed = json.loads(capsys.readouterr().out)
    facts = printed and (printed["how"], printed["column"], [*shown[0].index])
    assert facts == expected
