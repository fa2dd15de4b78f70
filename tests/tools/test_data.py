"""Datasets as files, and results saved as files, also while someone plants links and odd names."""

import csv
import io
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoldesk.errors import BadInput, DeskError, NotFound
from smoldesk.folders import add, file_name
from smoldesk.tables.results import TableFile
from smoldesk.tools import csv_text
from smoldesk.tools.data import ListDatasets, LoadDataset, SaveData
from smoldesk.tools.datasets import Datasets


@pytest.fixture
def save_data(folder: Path) -> SaveData:
    return SaveData(folder)


def table(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# --- load_dataset, list_datasets ---


def test_a_dataset_is_put_into_the_folder_whole(datasets: Datasets, folder: Path) -> None:
    result = LoadDataset(datasets, folder)("titanic")
    assert result == TableFile("titanic.csv", 891, datasets.columns("titanic"))
    assert (folder / "titanic.csv").read_bytes() == datasets.path("titanic").read_bytes()
    assert names(folder) == ["titanic.csv"]


@pytest.mark.parametrize("name", ["Titanic", "titanic.csv", " ＴＩＴＡＮＩＣ "])
def test_a_dataset_is_found_by_a_loose_name(datasets: Datasets, folder: Path, name: str) -> None:
    assert LoadDataset(datasets, folder)(name).name == "titanic.csv"


@pytest.mark.parametrize("name", ["iris", "", "../titanic", "titanic/../titanic", "\0", "x" * 10_000])
def test_an_unknown_dataset_is_refused_naming_the_others(datasets: Datasets, folder: Path, name: str) -> None:
    with pytest.raises(NotFound, match="Datasets: measurement, titanic") as caught:
        LoadDataset(datasets, folder)(name)
    assert len(str(caught.value)) < 200
    assert names(folder) == []


def test_loading_twice_uses_the_file_that_is_there(datasets: Datasets, folder: Path) -> None:
    load_dataset = LoadDataset(datasets, folder)
    assert [load_dataset("titanic").name for _ in range(3)] == ["titanic.csv"] * 3
    assert names(folder) == ["titanic.csv"]


def test_loading_never_replaces_a_file_of_the_person(datasets: Datasets, folder: Path) -> None:
    (folder / "titanic.csv").write_text("mine\n1\n")
    load_dataset = LoadDataset(datasets, folder)
    assert [load_dataset("titanic").name for _ in range(2)] == ["titanic_2.csv"] * 2
    assert (folder / "titanic.csv").read_text() == "mine\n1\n"
    assert names(folder) == ["titanic.csv", "titanic_2.csv"]


def test_loading_does_not_write_through_a_link(datasets: Datasets, folder: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (folder / "titanic.csv").symlink_to(victim)
    (folder / "titanic_2.csv").symlink_to(tmp_path / "not-there-yet")
    assert LoadDataset(datasets, folder)("titanic").name == "titanic_3.csv"
    assert victim.read_text() == "precious"
    assert not (tmp_path / "not-there-yet").exists()


def test_a_link_to_the_same_content_is_not_taken_for_the_file(
    datasets: Datasets, folder: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.csv"
    copy.write_bytes(datasets.path("titanic").read_bytes())
    (folder / "titanic.csv").symlink_to(copy)
    assert LoadDataset(datasets, folder)("titanic").name == "titanic_2.csv"


def test_a_pipe_or_a_folder_of_the_name_does_not_hang_or_break_loading(
    datasets: Datasets, folder: Path
) -> None:
    os.mkfifo(folder / "titanic.csv")
    (folder / "titanic_2.csv").mkdir()
    assert LoadDataset(datasets, folder)("titanic").name == "titanic_3.csv"


def test_the_list_tells_name_rows_and_columns(datasets: Datasets) -> None:
    listing = ListDatasets(datasets)()
    assert [(entry["name"], entry["rows"]) for entry in listing] == [("measurement", 6720), ("titanic", 891)]
    assert listing[0]["columns"] == {
        "Brightness": "number",
        "Humidity": "number",
        "SetpointHistory": "number",
        "Temperature": "number",
        "roomname": "text",
        "date": "date",
    }
    assert "synthetic" in listing[1]["about"]


# --- save_data ---


def test_columns_become_a_csv_file(save_data: SaveData, folder: Path) -> None:
    report = save_data({"room": ["Room1", "台所, 2"], "mean": [21.5, None]}, "means")
    assert report == "Saved 2 rows and 2 columns as means.csv."
    assert table(folder / "means.csv") == [["room", "mean"], ["Room1", "21.5"], ["台所, 2", ""]]
    assert names(folder) == ["means.csv"]


@pytest.mark.parametrize(
    "dataset",
    [
        {"a": [1, 2], "b": ["x", "y"]},
        {"a": {"0": 1, "1": 2}, "b": {"0": "x", "1": "y"}},
        [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}],
    ],
)
def test_every_shape_a_data_frame_gives_is_taken(save_data: SaveData, folder: Path, dataset: Any) -> None:
    save_data(dataset, "out")
    assert table(folder / "out.csv") == [["a", "b"], ["1", "x"], ["2", "y"]]


def test_single_values_make_one_row(save_data: SaveData, folder: Path) -> None:
    assert save_data({"mean": 29.7, "n": 714}, "one") == "Saved 1 row and 2 columns as one.csv."
    assert table(folder / "one.csv") == [["mean", "n"], ["29.7", "714"]]


def test_odd_values_are_written_readably(save_data: SaveData, folder: Path) -> None:
    save_data({"v": [float("nan"), True, [1, "é"], "a\nb", "\ud800"]}, "odd")
    assert [row[0] for row in table(folder / "odd.csv")[1:]] == ["", "True", '[1, "é"]', "a\nb", "?"]


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@settings(deadline=None)
@given(
    st.dictionaries(TEXTS, st.lists(TEXTS, min_size=2, max_size=2), min_size=1, max_size=4),
    st.sampled_from(["=1+1", "+cmd|' /C calc'!A0", "-5", "@SUM(A1)", "\r", "a\r\nb", '"', "\0"]),
)
def test_texts_come_back_as_they_were_also_those_a_spreadsheet_would_compute(
    columns: dict[str, list[str]], odd: str
) -> None:
    columns["odd"] = ["plain", odd]
    content = csv_text.csv_text(columns).content.decode()
    assert list(csv.reader(io.StringIO(content, newline=""))) == [
        list(columns),
        *map(list, zip(*columns.values(), strict=True)),
    ]


def test_numbers_without_end_and_deep_nesting_are_said(save_data: SaveData, folder: Path) -> None:
    save_data({"v": [float("inf"), -float("inf"), {"a": [1]}]}, "odd")
    assert [row[0] for row in table(folder / "odd.csv")[1:]] == ["inf", "-inf", '{"a": [1]}']
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(BadInput, match="is nested too deeply"):
        save_data.forward({"v": [deep]}, "deep")
    assert names(folder) == ["odd.csv"]


def test_no_rows_make_a_header(save_data: SaveData, folder: Path) -> None:
    assert save_data({"a": [], "b": []}, "none") == "Saved 0 rows and 2 columns as none.csv."
    assert table(folder / "none.csv") == [["a", "b"]]


@pytest.mark.parametrize(
    ("dataset", "report"),
    [
        ({}, "The dataset has no columns."),
        ({"a": [1, 2], "b": [1]}, "The columns have different lengths: a 2, b 1."),
        ({"a": [1], "b": 2}, "Column 'b' is of type int, not a list."),
        ("a,b", "The dataset is of type str, not a dict."),
        (None, "The dataset is of type NoneType, not a dict."),
        ([1, 2], "The dataset is a list, but not of rows"),
        ([], "The dataset is a list, but not of rows"),
    ],
)
def test_a_dataset_of_no_shape_is_refused(
    save_data: SaveData, folder: Path, dataset: Any, report: str
) -> None:
    with pytest.raises(BadInput, match=report):
        save_data.forward(dataset, "x")
    assert names(folder) == []


def test_a_dataset_too_large_is_refused(
    save_data: SaveData, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_text, "MAX_CELLS", 6)
    monkeypatch.setattr(csv_text, "MAX_BYTES", 100)
    assert save_data({"a": [0] * 3, "b": [0] * 3}, "fits") == "Saved 3 rows and 2 columns as fits.csv."
    with pytest.raises(BadInput, match="7 cells are too many"):
        save_data({"a": [0] * 7}, "x")
    with pytest.raises(BadInput, match="The file would have 106 bytes"):
        save_data({"a": ["x" * 103]}, "x")
    assert names(folder) == ["fits.csv"]


def test_saving_again_replaces_the_file(save_data: SaveData, folder: Path) -> None:
    save_data({"a": [1]}, "out")
    save_data({"a": [2]}, "out.CSV")
    assert names(folder) == ["out.csv"]
    assert table(folder / "out.csv") == [["a"], ["2"]]


BAD_NAMES = [
    "",
    "   ",
    ".csv",
    "..",
    ".",
    "../out",
    "..\\out",
    "a/../../out",
    "/etc/cron.d/out",
    "C:\\out",
    "C:out",
    "~/out",
    "sub/out",
    ".bashrc",
    "out\0",
    "out\0.png",
    "a\nb",
    "a\rb",
    "\x7f",
    "x" * 300,
    "台" * 100,
    "\ud800",
    "CON",
    "nul.txt",
    "a|b",
    "a*",
    'a"b',
]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_bad_name_is_a_clear_error_and_nothing_is_written(
    save_data: SaveData, folder: Path, name: str
) -> None:
    before = sorted(folder.parent.rglob("*"))
    with pytest.raises(BadInput, match="file name") as caught:
        save_data({"a": [1]}, name)
    assert len(str(caught.value)) < 250
    assert sorted(folder.parent.rglob("*")) == before


@pytest.mark.parametrize("name", [None, 7, ["out"], {"a": 1}, b"out"])
def test_a_name_that_is_no_text_is_refused(save_data: SaveData, name: Any) -> None:
    with pytest.raises(BadInput, match="A file name is text"):
        save_data({"a": [1]}, name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("out", "out.csv"),
        ("out.csv", "out.csv"),
        (" out\n", "out.csv"),
        ("v1.2", "v1.2.csv"),
        ("出力", "出力.csv"),
    ],
)
def test_a_good_name_gets_its_extension_once(text: str, name: str) -> None:
    assert file_name(text, ".csv") == name


def test_saving_replaces_a_link_and_leaves_what_it_points_to(
    save_data: SaveData, folder: Path, tmp_path: Path
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (folder / "out.csv").symlink_to(victim)
    (folder / "new.csv").symlink_to(tmp_path / "not-there-yet")
    save_data({"a": [1]}, "out")
    save_data({"a": [1]}, "new")
    assert victim.read_text() == "precious"
    assert not (tmp_path / "not-there-yet").exists()
    assert not (folder / "out.csv").is_symlink()
    assert table(folder / "out.csv") == [["a"], ["1"]]


def test_saving_breaks_a_hard_link_instead_of_writing_through_it(
    save_data: SaveData, folder: Path, tmp_path: Path
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    os.link(victim, folder / "out.csv")
    save_data({"a": [1]}, "out")
    assert victim.read_text() == "precious"


def test_a_chat_folder_that_became_a_link_is_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "chat").symlink_to(elsewhere)
    with pytest.raises(OSError, match=r"chat"):
        SaveData(tmp_path / "chat")({"a": [1]}, "out")
    assert names(elsewhere) == []


def test_a_folder_in_the_way_is_a_clear_error(save_data: SaveData, folder: Path) -> None:
    (folder / "out.csv").mkdir()
    (folder / "out.csv" / "inside").write_text("kept")
    with pytest.raises(DeskError, match="there is a folder of that name"):
        save_data({"a": [1]}, "out")
    assert names(folder) == ["out.csv"]
    assert (folder / "out.csv" / "inside").read_text() == "kept"


def test_adding_gives_up_after_a_thousand_names(folder: Path) -> None:
    (folder / "x.csv").mkdir()
    for number in range(2, 1000):
        (folder / f"x_{number}.csv").mkdir()
    with pytest.raises(DeskError, match="too many files"):
        add(folder, "x.csv", b"1")
    assert len(names(folder)) == 999
