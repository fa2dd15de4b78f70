"""Groups of a stored table, by the process that reads it: long texts and moments with a time zone."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from smoldesk.sandbox.inside.channel import MAX_FRAME
from smoldesk.tables.inside import duck_reading
from smoldesk.tables.inside.table_grid import Grid
from smoldesk.tables.inside.table_groups import MAX_KEY, groups

LETTERS = [f"{at:04}" + "あ" * 9_000 for at in range(1_000)]
FRAME = pd.DataFrame({
    "text": LETTERS,
    "day": pd.date_range("2024-03-01", periods=1_000, freq="h", tz="Asia/Tokyo"),
})  # fmt: skip
Ask = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    folder: Path = tmp_path_factory.mktemp("groups")
    FRAME.to_parquet(folder / "rows.parquet")
    grid = Grid(duck_reading.opened(), str(folder / "rows.parquet"), folder)
    empty = {"view": {}, "by": [], "across": None, "sort": [], "ranges": None}
    return lambda **request: groups(grid, empty | request, lambda: False)


def test_long_texts_are_groups_within_one_answer(ask: Ask) -> None:
    by = [{"column": "text"}] * 3
    answer = ask(by=by, values=[{"measure": "rows"}])
    assert len(answer["rows"]) == 1_000
    assert answer["rows"][0] == [LETTERS[0][:MAX_KEY] + "…"] * 3 + [1]
    assert len(str(answer["rows"]).encode()) < MAX_FRAME / 2


def test_the_first_and_the_last_moment_are_in_the_zone_of_their_column(ask: Ask) -> None:
    values = [{"measure": name, "column": "day"} for name in ("min", "max")]
    assert ask(values=values)["totals"] == ["2024-03-01T00:00:00+09:00", "2024-04-11T15:00:00+09:00"]
