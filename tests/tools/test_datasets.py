"""The catalogue of datasets: what it tells of the bundled ones, and of any folder."""

from pathlib import Path

import pytest

from smoldesk.errors import NotFound
from smoldesk.tools.datasets import Datasets


def test_the_bundled_datasets_are_one_instance() -> None:
    assert Datasets.bundled() is Datasets.bundled()
    assert Datasets.bundled().names() == ["measurement", "titanic"]


def test_kinds_are_read_from_the_values(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(
        "n,t,d,b,empty,mixed\n1,x,2025-01-01,True,,1\n-2.5e3,5 kg,2025-01-01 10:00,False,,x\n,,,,,\n"
    )
    datasets = Datasets(tmp_path)
    assert datasets.schema("t") == [
        ("n", "number"),
        ("t", "text"),
        ("d", "date"),
        ("b", "bool"),
        ("empty", "text"),
        ("mixed", "text"),
    ]
    assert (
        datasets.row_count("t"),
        datasets.missing_count("t", "n"),
        datasets.missing_count("t", "empty"),
    ) == (3, 1, 3)


def test_samples_are_distinct_and_the_most_frequent_come_first(datasets: Datasets) -> None:
    assert datasets.sample_values("titanic", "sex") == ["male", "female"]
    assert datasets.sample_values("titanic", "class") == ["Third", "First", "Second"]
    assert sorted(datasets.sample_values("measurement", "roomname")) == [
        "Bathroom",
        "Kitchen",
        "Room1",
        "Room2",
        "Toilet",
    ]
    assert len(datasets.sample_values("measurement", "date")) == 50


def test_an_unknown_column_is_refused_naming_the_columns(datasets: Datasets) -> None:
    with pytest.raises(NotFound, match=r"titanic has no column 'height'\. Columns: survived, pclass"):
        datasets.sample_values("titanic", "height")


def test_what_is_handed_out_can_be_changed_without_harm(datasets: Datasets) -> None:
    datasets.names().clear()
    datasets.columns("titanic").clear()
    datasets.schema("titanic").clear()
    datasets.sample_values("titanic", "sex").clear()
    assert datasets.schema("titanic")[0] == ("survived", "number")
    assert datasets.columns("titanic")[0] == "survived"
    assert datasets.sample_values("titanic", "sex") == ["male", "female"]
