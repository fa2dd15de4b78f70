"""The tables of a chat's folder, as children of their own read them."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from smoldesk.errors import Stopped
from smoldesk.sandbox.children import Children
from smoldesk.stopping import StopFlag
from smoldesk.tables import CHILD_PACKAGES
from smoldesk.tables.models import NOT_BELIEVED, FileProfile, believed
from smoldesk.tables.table_profiles import AT_ONCE, Profiles, _Listener


@pytest.fixture(scope="module")
def profiles() -> Iterator[Profiles]:
    created = Profiles(Children(packages=CHILD_PACKAGES, preload=[], max_children=AT_ONCE, cell_seconds=30))
    yield created
    created.close()


def read(profiles: Profiles, folder: Path, name: str) -> FileProfile:
    """The profile of one file, as after an upload."""
    stop = StopFlag()
    try:
        return profiles.start(str(folder), folder, name, stop).result(90)
    finally:
        stop.close()


def test_tables_are_known_by_their_columns_values_and_rows(profiles: Profiles, tmp_path: Path) -> None:
    (tmp_path / "sales 2024.csv").write_text(
        "region,units,sold at,new\nnorth,3,2024-01-02,True\nsouth,5,2024-01-03,False\n"
    )
    (tmp_path / "wide.tsv").write_text("a\tb\n1\tx\n")
    (tmp_path / "broken.csv").write_bytes(b"a,b\n1,\x002\n")
    (tmp_path / "notes.txt").write_text("no table")
    (tmp_path / "secret.csv").symlink_to("/etc/passwd")
    sales, wide = profiles.tables("c1", tmp_path, StopFlag())
    assert (sales.file, sales.name, sales.rows, sales.width) == ("sales 2024.csv", "sales 2024", 2, 4)
    assert [(c.name, c.kind) for c in sales.columns] == [
        ("region", "text"),
        ("units", "number"),
        ("sold at", "date"),
        ("new", "bool"),
    ]
    assert sales.columns[0].values == ["north", "south"]
    assert sales.load == 'pd.read_csv("sales 2024.csv")'
    assert wide.load == 'pd.read_csv("wide.tsv", sep="\\t")'


def test_a_changed_file_is_read_again_and_an_unchanged_one_is_not(profiles: Profiles, tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("a\n1\n")
    first = read(profiles, tmp_path, "t.csv")
    assert first.tables[0].rows == 1
    assert read(profiles, tmp_path, "t.csv") is first
    file.write_text("a\n1\n2\n")
    assert read(profiles, tmp_path, "t.csv").tables[0].rows == 2


def test_a_folder_without_tables_starts_nothing(tmp_path: Path) -> None:
    children = Children(command=["/nonexistent"])
    profiles = Profiles(children)
    assert profiles.tables("c3", tmp_path, StopFlag()) == []
    profiles.close()


def test_two_tables_of_one_name_are_told_apart(profiles: Profiles, tmp_path: Path) -> None:
    (tmp_path / "sales.csv").write_text("a\n1\n")
    (tmp_path / "sales.tsv").write_text("a\tb\n1\t2\n")
    tables = profiles.tables("c4", tmp_path, StopFlag())
    assert [table.name for table in tables] == ["sales", "sales (sales.tsv)"]


def test_a_chat_that_is_stopped_does_not_wait_for_its_files(profiles: Profiles, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\n1\n")
    stop = StopFlag()
    stop.set("enough")
    with pytest.raises(Stopped):
        profiles.tables("c5", tmp_path, stop)


def test_a_reader_that_takes_too_long_dies_or_lies_is_told_and_the_next_file_is_read(tmp_path: Path) -> None:
    program = tmp_path / "rogue.py"
    program.write_text(ROGUE)
    children = Children(
        command=[sys.executable, str(program), "{fd}", str(tmp_path / "what")], max_children=2, cell_seconds=1
    )
    profiles = Profiles(children)
    folder = tmp_path / "chat"
    folder.mkdir()
    report: dict[str, str] = {}
    for what in ("sleep", "die", "garbage", "lie"):
        (tmp_path / "what").write_text(what)
        (folder / f"{what}.csv").write_text("a\n1\n")
        report[what] = read(profiles, folder, f"{what}.csv").problems[0].message
    profiles.close()
    assert report["sleep"] == "Reading it took longer than 1 s and was given up."
    assert "broke down" in report["die"]
    assert "ProtocolError" in report["garbage"] or "broke down" in report["garbage"]
    assert report["lie"] == NOT_BELIEVED


ROGUE = """
import json, os, socket, struct, sys, time
sock = socket.socket(fileno=int(sys.argv[1]))
def send(frame):
    body = json.dumps(frame).encode()
    sock.sendall(struct.pack(">I", len(body)) + body)
def receive():
    head = sock.recv(4, socket.MSG_WAITALL)
    if len(head) < 4: os._exit(0)
    return json.loads(sock.recv(struct.unpack(">I", head)[0], socket.MSG_WAITALL))
send({"type": "ready"})
while (frame := receive())["type"] != "cell": pass
what = open(sys.argv[2]).read()
if what == "sleep": time.sleep(600)
if what == "die": os._exit(1)
if what == "garbage": sock.sendall(b"\\xff" * 100); time.sleep(600)
table = {"file": "/etc/passwd", "name": "t", "rows": 1, "width": 1, "columns": [], "load": "pd"}
value = {"tables": [table], "problems": []}
send({"type": "done", "cell": frame["cell"], "output": None, "value": value, "parts": [], "error": None})
time.sleep(600)
"""

COLUMN = {"name": "a", "kind": "number", "values": ["1"]}
TABLE: dict[str, Any] = {
    "file": "t.csv",
    "name": "t",
    "rows": 1,
    "width": 1,
    "columns": [COLUMN],
    "load": 'pd.read_csv("t.csv")',
}
LIES = [
    "no json",
    7,
    None,
    {"tables": TABLE},
    {"tables": [TABLE | {"file": "/etc/passwd"}]},
    {"tables": [TABLE | {"rows": -1}]},
    {"tables": [TABLE | {"columns": [COLUMN] * 301}]},
    {"tables": [TABLE | {"columns": [COLUMN | {"name": "x" * 201}]}]},
    {"tables": [TABLE | {"columns": [COLUMN | {"values": ["1"] * 51}]}]},
    {"tables": [TABLE | {"columns": [COLUMN | {"kind": "code"}]}]},
    {"tables": [TABLE | {"more": 1}]},
    {"tables": [TABLE] * 51},
    {"tables": [TABLE | {"load": "__import__('os').system('id')"}]},
    {"tables": [TABLE | {"load": "import os"}]},
    {"tables": [TABLE | {"load": "(" * 5_000}]},
    {"tables": [], "problems": [{"where": "", "message": "x" * 501}]},
]


@pytest.mark.parametrize("lie", LIES)
def test_a_child_that_lies_about_its_tables_is_not_believed(lie: object) -> None:
    profile = believed(lie, "t.csv")
    assert profile.tables == []
    assert [problem.message for problem in profile.problems] == [NOT_BELIEVED]


def test_an_honest_answer_is_believed() -> None:
    assert len(believed({"tables": [TABLE], "problems": []}, "t.csv").tables) == 1


def test_nothing_is_left_after_a_file_was_read(tmp_path: Path) -> None:
    children = Children(packages=CHILD_PACKAGES, preload=[], max_children=AT_ONCE)
    profiles = Profiles(children)
    (tmp_path / "t.csv").write_text("a\n1\n")
    assert read(profiles, tmp_path, "t.csv").tables
    assert not children.alive(str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]
    profiles.close()


def test_a_child_that_prints_nothing_but_shares_keeps_nobody_busy() -> None:
    reports: list[float] = []
    listener = _Listener(reports.append)
    for line in ("0.5", "0.5", "0.5001", "-1", "2", "NaN", '"x"', "0.4", "0.9", "1.0"):
        listener.printed('{"share": ' + line + "}\n")
    assert reports == [0.5, 0.9, 1.0]
