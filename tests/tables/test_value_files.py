"""The values of a table's columns, kept by the child that read it: what is in them, how long they stay, lies in them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from smoldesk.agents.value_indexes import ValueIndexes
from smoldesk.analyst.catalogue import ValueIndex
from smoldesk.sandbox.children import Children
from smoldesk.stopping import StopFlag
from smoldesk.tables import CHILD_PACKAGES
from smoldesk.tables.inside import values
from smoldesk.tables.models import TableProfile
from smoldesk.tables.table_profiles import AT_ONCE, Profiles, stamp_of
from smoldesk.tables.value_files import read_values, sweep_values, values_file


@pytest.fixture(scope="module")
def profiles() -> Iterator[Profiles]:
    created = Profiles(Children(packages=CHILD_PACKAGES, preload=[], max_children=AT_ONCE, cell_seconds=60))
    yield created
    created.close()


def table(folder: Path, columns: dict[str, list[Any]], name: str = "t.csv") -> Path:
    pd.DataFrame(columns).to_csv(folder / name, index=False)
    return folder / name


def look(profiles: Profiles, folder: Path) -> list[TableProfile]:
    """The tables, as before a run."""
    stop = StopFlag()
    try:
        return profiles.tables(str(folder), folder, stop)
    finally:
        stop.close()


def held(folder: Path, name: str = "t.csv") -> dict[str, list[str]]:
    return {value.column: value.values for value in read_values(folder, name, stamp_of(folder, name))}


def test_a_child_keeps_the_texts_of_a_file_the_most_frequent_first(
    profiles: Profiles, tmp_path: Path
) -> None:
    names = ["Yui", "田中", "Yui", "Bob"]
    table(tmp_path, {"who": names, "n": [1, 2, 3, 4], "price": ["1,5", "2,5", "3,5", "4,5"]})
    look(profiles, tmp_path)
    # whole numbers, too: they may be those of rooms
    texts, numbers = read_values(tmp_path, "t.csv", stamp_of(tmp_path, "t.csv"))
    assert (texts.table, texts.column, texts.values, texts.counts) == (
        0,
        "who",
        ["Yui", "田中", "Bob"],
        [2, 1, 1],
    )
    assert not texts.cut
    assert numbers.column == "n"
    assert not list(tmp_path.glob(f"{values.PLACE}/*.[0-9]*")), "half a file was left"


def test_values_of_what_a_file_was_are_not_those_of_what_it_is(profiles: Profiles, tmp_path: Path) -> None:
    table(tmp_path, {"who": ["Yui", "Bob"]})
    look(profiles, tmp_path)
    assert held(tmp_path) == {"who": ["Yui", "Bob"]}
    table(tmp_path, {"who": ["Ann", "Ben", "Cem"]})
    assert held(tmp_path) == {}
    look(profiles, tmp_path)
    assert held(tmp_path) == {"who": ["Ann", "Ben", "Cem"]}


def test_values_go_with_their_file(profiles: Profiles, tmp_path: Path) -> None:
    file = table(tmp_path, {"who": ["Yui", "Bob"]})
    table(tmp_path, {"who": ["Ann"]}, "other.csv")
    look(profiles, tmp_path)
    assert (tmp_path / values_file("t.csv")).is_file()
    file.unlink()
    look(profiles, tmp_path)
    assert not (tmp_path / values_file("t.csv")).exists()
    assert (tmp_path / values_file("other.csv")).is_file()


def test_sweeping_follows_no_link_out_of_the_folder(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    victim = outside / Path(values_file("gone.csv")).name
    victim.write_text("{}")
    folder = tmp_path / "chat"
    (folder / ".smoldesk").mkdir(parents=True)
    (folder / values.PLACE).symlink_to(outside)
    sweep_values(folder, [])
    assert victim.is_file()
    sweep_values(tmp_path / "nowhere", [])


def kept(folder: Path, columns: dict[str, list[Any]]) -> list[Any]:
    """What the child's part keeps of a frame, run here."""
    frame = pd.DataFrame(columns)
    return values.columns_of(frame, ["text"] * len(frame.columns), values.MAX_OF_TABLE)


@pytest.mark.long
def test_a_million_values_are_cut_to_the_most_frequent(tmp_path: Path) -> None:
    many = [f"name {n}" for n in range(1_000_000)]
    (only,) = kept(tmp_path, {"who": [*many, "name 777777"]})
    assert only["cut"]
    assert len(only["values"]) == values.MAX_PER_COLUMN
    assert (only["values"][0], only["counts"][0]) == ("name 777777", 2)


def test_values_that_no_request_can_say_are_left_out_and_it_is_told(tmp_path: Path) -> None:
    odd = ["fine", "x" * 1_000_000, "a\0b", "\ud800", 7, None, float("nan"), "line\nend"]
    (only,) = kept(tmp_path, {"who": odd})
    assert (only["values"], only["cut"]) == (["fine", "line\nend"], True)
    assert kept(tmp_path, {"who": [[1], [2]], "what": [{}, {}]}) == []


def test_a_table_and_a_file_have_a_bound_of_characters(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(values, "MAX_OF_TABLE", 10)
    monkeypatch.setattr(values, "MAX_OF_FILE", 15)
    monkeypatch.chdir(tmp_path)
    Path("t.xlsx").write_text("x")
    frame = pd.DataFrame({"a": ["12345", "67890"], "b": ["abcde", "fghij"]})
    assert values.keep_values("t.xlsx", [(frame, ["text", "text"]), (frame, ["text", "text"])])
    result = read_values(tmp_path, "t.xlsx", stamp_of(tmp_path, "t.xlsx"))
    assert [(item.table, item.column, item.values, item.cut) for item in result] == [
        (0, "a", ["12345", "67890"], False),
        (1, "a", ["12345"], True),
    ]


def test_a_folder_that_takes_no_file_leaves_the_profile_as_it_is(profiles: Profiles, tmp_path: Path) -> None:
    table(tmp_path, {"who": ["Yui", "Bob"]})
    (tmp_path / ".smoldesk").write_text("no folder")
    stop = StopFlag()
    (expected,) = profiles.tables(str(tmp_path), tmp_path, stop)
    stop.close()
    assert expected.columns[0].values == ["Yui", "Bob"]
    assert held(tmp_path) == {}


LINE = {"table": 0, "column": "who", "values": ["Yui"], "counts": [1], "cut": False}


@pytest.mark.parametrize(
    "lie",
    [
        b"",
        b"\xff\xfe",
        b"[" * 100_000,
        b"[]\n",
        json.dumps(LINE | {"values": ["x" * 101]}).encode(),
        json.dumps(LINE | {"values": [f"{n}" for n in range(20_001)], "counts": [1] * 20_001}).encode(),
        json.dumps(LINE | {"values": [1]}).encode(),
        json.dumps(LINE | {"counts": []}).encode(),
        json.dumps(LINE | {"table": 10**9}).encode(),
        json.dumps(LINE | {"column": {"a": 1}}).encode(),
        json.dumps(LINE | {"more": 1}).encode(),
        b'{"table": 0, "column": "who", "values": ["\\ud800"], "counts": [1], "cut": false}',
        b" " * (values.MAX_BYTES + 1),
    ],
)
def test_values_that_code_of_the_chat_made_up_are_not_believed(tmp_path: Path, lie: bytes) -> None:
    file = table(tmp_path, {"who": ["Yui"]})
    target = tmp_path / values_file("t.csv")
    target.parent.mkdir(parents=True)
    status = file.stat()
    head = json.dumps({"size": status.st_size, "changed": status.st_mtime_ns}).encode()
    target.write_bytes(head + b"\n" + json.dumps(LINE).encode() + b"\n")
    assert held(tmp_path) == {"who": ["Yui"]}, "an honest file is believed"
    target.write_bytes(head + b"\n" + lie + b"\n")
    assert held(tmp_path) == {}


def test_a_link_in_place_of_the_values_is_not_followed(tmp_path: Path) -> None:
    file = table(tmp_path, {"who": ["Yui"]})
    status = file.stat()
    secret = tmp_path / "secret"
    secret.write_text(
        json.dumps({"size": status.st_size, "changed": status.st_mtime_ns}) + "\n" + json.dumps(LINE)
    )
    (tmp_path / values.PLACE).mkdir(parents=True)
    (tmp_path / values_file("t.csv")).symlink_to(secret)
    assert held(tmp_path) == {}


def test_indexes_are_read_once_and_the_longest_unused_go_first(profiles: Profiles, tmp_path: Path) -> None:
    indexes = ValueIndexes(max_values=6)
    tables: dict[str, list[TableProfile]] = {}
    for chat in "abc":
        (tmp_path / chat).mkdir()
        table(tmp_path / chat, {"who": [f"{chat} {letter}" for letter in "xyz"]})
        tables[chat] = look(profiles, tmp_path / chat)

    def index(chat: str) -> ValueIndex:
        return indexes.of(chat, tmp_path / chat, tables[chat], 0)

    first, second, third = index("a"), index("b"), index("c")
    assert indexes.value_count == 6
    assert (index("c") is third, index("b") is second, index("a") is first) == (True, True, False)
    assert sorted(index("a")["who"]) == ["a x", "a y", "a z"]
    indexes.forget("a")
    assert indexes.value_count == 3
    (tmp_path / "b" / "t.csv").unlink()
    assert index("b") == {}


def test_values_of_columns_that_a_table_does_not_have_are_left_out(
    profiles: Profiles, tmp_path: Path
) -> None:
    file = table(tmp_path, {"who": ["Yui"], "n": [1]})
    tables = look(profiles, tmp_path)
    status = file.stat()
    lines = [{"size": status.st_size, "changed": status.st_mtime_ns}, LINE | {"column": "nobody"}]
    lines += [LINE | {"column": "n"}, LINE | {"table": 3}, LINE]
    (tmp_path / values_file("t.csv")).write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert ValueIndexes().of("c", tmp_path, tables, 0) == {"who": LINE["values"]}
