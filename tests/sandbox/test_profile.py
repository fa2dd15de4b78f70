"""The tables of a chat's folder, as its own child reads them."""

import json
from pathlib import Path

import pytest

from backend.sandbox.children import Children
from backend.sandbox.profile import Profiles, believed
from backend.stopping import StopFlag


@pytest.fixture(scope="module")
def children():
    children = Children(preload=[])
    yield children
    children.close()


def test_tables_are_known_by_their_columns_values_and_rows(children: Children, tmp_path: Path) -> None:
    (tmp_path / "sales 2024.csv").write_text(
        "region,units,sold at,new\nnorth,3,2024-01-02,True\nsouth,5,2024-01-03,False\n"
    )
    (tmp_path / "wide.tsv").write_text("a\tb\n1\tx\n")
    (tmp_path / "broken.csv").write_bytes(b"\xff\xfe\x00,\x01")
    (tmp_path / "notes.txt").write_text("no table")
    (tmp_path / "secret.csv").symlink_to("/etc/passwd")
    sales, wide = Profiles().tables(children.child("c1", tmp_path), StopFlag())
    assert (sales.file, sales.rows) == ("sales 2024.csv", 2)
    assert [(c.name, c.kind) for c in sales.columns] == [
        ("region", "text"),
        ("units", "number"),
        ("sold at", "date"),
        ("new", "bool"),
    ]
    assert sales.columns[0].values == ["north", "south"]
    assert sales.load == "pd.read_csv('sales 2024.csv')"
    assert wide.load == "pd.read_csv('wide.tsv', sep='\\t')"


def test_a_changed_file_is_read_again(children: Children, tmp_path: Path) -> None:
    profiles, child = Profiles(), children.child("c2", tmp_path)
    (tmp_path / "t.csv").write_text("a\n1\n")
    assert profiles.tables(child, StopFlag())[0].rows == 1
    (tmp_path / "t.csv").write_text("a\n1\n2\n")
    assert profiles.tables(child, StopFlag())[0].rows == 2


def test_a_folder_without_tables_starts_nothing(children: Children, tmp_path: Path) -> None:
    child = children.child("c3", tmp_path)
    before = child.process
    assert Profiles().tables(child, StopFlag()) == []
    assert child.process is before


COLUMN = {"name": "a", "kind": "number", "values": ["1"]}
LIES = [
    "no json",
    "[" * 100_000,
    json.dumps({"file": "t.csv"}),
    json.dumps([{"file": "/etc/passwd", "rows": 1, "columns": [COLUMN]}]),
    json.dumps([{"file": "t.csv", "rows": -1, "columns": [COLUMN]}]),
    json.dumps([{"file": "t.csv", "rows": 1, "columns": [COLUMN] * 201}]),
    json.dumps([{"file": "t.csv", "rows": 1, "columns": [COLUMN | {"name": "x" * 201}]}]),
    json.dumps([{"file": "t.csv", "rows": 1, "columns": [COLUMN | {"values": ["1"] * 51}]}]),
    json.dumps([{"file": "t.csv", "rows": 1, "columns": [COLUMN | {"kind": "code"}]}]),
    7,
]


@pytest.mark.parametrize("lie", LIES)
def test_a_child_that_lies_about_its_tables_is_not_believed(lie: object) -> None:
    assert believed(lie, ["t.csv"]) == []


def test_an_honest_answer_is_believed() -> None:
    assert len(believed(json.dumps([{"file": "t.csv", "rows": 1, "columns": [COLUMN]}]), ["t.csv"])) == 1
