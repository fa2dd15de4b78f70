"""Rows that are sums of others without a word for it: found by their numbers, at several levels."""

from pathlib import Path

import pandas as pd
import pytest

from smoldesk.tables.inside.reading import read_file
from tests.support.loaded_tables import assert_loads_alike

# Each company, and each kind of delay in it, has a row with the sum of the rows below; the change is a rate.
DELAYS = """\
company,kind,cause,2022,2023,change
c3,all,all,75469,70233,-0.07
c3,own,own,28153,25667,-0.09
c3,own,trains,12381,11967,-0.03
c3,own,crew,15772,13700,-0.13
c3,others,others,47316,44566,-0.06
c3,others,track,12381,11967,-0.03
c3,others,weather,15772,13700,-0.13
c3,others,signals,19163,18899,-0.01
c5,all,all,116739,110123,-0.06
c5,own,own,44661,41623,-0.07
c5,own,trains,20635,19945,-0.03
c5,own,crew,24026,21678,-0.10
c5,others,others,72078,68500,-0.05
c5,others,track,20635,19945,-0.03
c5,others,weather,24026,21678,-0.10
c5,others,signals,27417,26877,-0.02
"""
# A continent has its regions below it, a region its countries; one region lacks a country.
PEOPLE = "type,name,people\n" + "\n".join(
    f"{kind},{name},{people}"
    for kind, name, people in (
        ("world", "World", 5190.703),
        ("region", "North", 1403.218),
        *[("country", f"n{at}", people) for at, people in enumerate((301.207, 512.684, 589.327))],
        ("region", "East", 2116.095),
        *[("country", f"e{at}", people) for at, people in enumerate((1201.944, 730.012, 184.139))],
        ("region", "South", 866.412),
        *[("country", f"s{at}", people) for at, people in enumerate((400.301, 266.008, 200.103))],
        ("region", "West", 804.978),
        *[("country", f"w{at}", people) for at, people in enumerate((401.338, 303.64, 55.101))],
    )
)
# The last block has the sums of the others, without a word.
DEATHS = {
    ("65-69", "car"): (571, 493, 528), ("65-69", "cycle"): (308, 203, 231), ("65-69", "foot"): (632, 511, 597),
    ("70-74", "car"): (382, 501, 463), ("70-74", "cycle"): (489, 292, 224), ("70-74", "foot"): (813, 832, 727),
    ("both", "car"): (953, 994, 991), ("both", "cycle"): (797, 495, 455), ("both", "foot"): (1445, 1343, 1324),
}  # fmt: skip
BLOCKS = "age,by,2021,2022,2023\n" + "\n".join(
    ",".join(map(str, (*labels, *counts))) for labels, counts in DEATHS.items()
)
CONVERTED = "kg,g,lb\n" + "".join(f"{kg},{kg * 1000},{kg * 2.205:.3f}\n" for kg in range(90, 0, -10))
SALES = "shop,sold,paid\n" + "".join(
    f"s{at},{(at * 7919) % 997},{(at * 104729) % 9973}\n" for at in range(200)
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("text", "column", "total", "left_out"),
    [(DELAYS, "2022", 192208, 6), (PEOPLE, "people", 5145.804, 5), (BLOCKS, "2021", 3195, 3)],
    ids=["levels", "category", "block"],
)
def test_sums_of_other_rows_are_left_out_and_can_be_included(
    text: str, column: str, total: float, left_out: int
) -> None:
    Path("t.csv").write_text(text)
    [table] = read_file(Path("t.csv")).tables
    assert_loads_alike(table)
    assert table.frame[column].sum() == pytest.approx(total)
    assert table.total_rows == left_out
    everything = eval(table.load_with_totals, {"pd": pd})
    assert len(everything) == len(table.frame) + left_out


@pytest.mark.parametrize("text", [CONVERTED, SALES], ids=["two units", "chance"])
def test_rows_that_are_sums_by_chance_stay(text: str) -> None:
    Path("t.csv").write_text(text)
    [table] = read_file(Path("t.csv")).tables
    assert (len(table.frame), table.total_rows) == (len(text.splitlines()) - 1, 0)


@pytest.mark.parametrize("first", [True, False])
def test_one_row_that_is_the_sum_of_all_others_is_left_out_without_a_word(
    tmp_path: Path, first: bool
) -> None:
    rows = [(f"p{at}", at * 7919 % 99_991 + 5_000, at * 104_729 % 9_973) for at in range(1, 40)]
    total = ("Japan", sum(row[1] for row in rows), sum(row[2] for row in rows))
    rows = [total, *rows] if first else [*rows, total]
    path = tmp_path / "areas.csv"
    path.write_text("area,firms,others\n" + "".join(f"{name},{one},{two}\n" for name, one, two in rows))
    (table,) = read_file(path).tables
    assert len(table.frame) == 39
    assert "Japan" not in table.frame["area"].tolist()
    assert table.total_rows == 1
