"""Notes of files as data: every code has its text, with the values that each place gives it."""

import ast
import gzip
import io
import re
import sqlite3
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import smoldesk.tables
from smoldesk.messages import FileContent
from smoldesk.tables.inside.file_notes import (
    KINDS,
    MAX_LISTED,
    REASONS,
    TEXTS,
    bounded_values,
    note_text,
    reason_code,
)
from smoldesk.tables.inside.json_files import read_json
from smoldesk.tables.inside.shapes import Problem, Unreadable
from smoldesk.tables.models import FileProfile, believed, unreadable

FOLDER = Path(smoldesk.tables.__file__).parent
SOURCES = [path for path in FOLDER.rglob("*.py") if path.name != "file_notes.py"]
NOTES = {"Problem", "Unreadable", "UnreadableFile", "unreadable"}


def notes() -> Iterator[tuple[str, str, set[str] | None]]:
    """Each place that makes a note: where it is, its code, and the names of its values if they stand there."""
    for path in SOURCES:
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in NOTES):
                continue
            values = call.args[1] if len(call.args) > 1 else None
            names = (
                {str(ast.literal_eval(key)) for key in values.keys if key}
                if isinstance(values, ast.Dict)
                else set[str]()
            )
            for code in ast.walk(call.args[0]) if call.args else ():
                if isinstance(code, ast.Constant) and isinstance(code.value, str):
                    known = None if isinstance(values, ast.Name) else names
                    yield f"{path.name}:{call.lineno}", code.value, known


def test_every_note_has_a_text_and_the_values_for_it() -> None:
    found = list(notes())
    wrong = [
        (place, code)
        for place, code, names in found
        if code not in TEXTS or (names is not None and names != {*re.findall(r"{(\w+)}", TEXTS[code])})
    ]
    text = "".join(path.read_text("utf-8") for path in SOURCES)

    assert len(found) > 50
    assert wrong == []
    assert [code for code in [*TEXTS, *KINDS] if f'"{code}"' not in text and code != "hides_shared"] == []


def test_values_are_shown_as_text_and_bounded() -> None:
    problem = Problem(
        "sums", {"value": "<b>{column}</b>\n", "column": "x" * 300}, {"sheet": "売\u202e上", "line": 1200}
    )
    values = bounded_values({**problem.values, "list": ["y" * 300] * 99})

    assert problem.message.startswith("Rows with '<b>{column}</b>\\n' in 'xxx")
    assert problem.where == "sheet '売\\u202e上', line 1,200"
    assert [len(str(values["column"])), values["list"]] == [200, ["y" * 200] * MAX_LISTED]
    assert note_text("misnamed", {"expected": "csv", "kind": "zip"}) == (
        "By its name it is a text table, but it is a zip archive."
    )
    assert unreadable("took_longer", {"seconds": "9"}).faults == [
        "Reading it took longer than 9 s and was given up."
    ]


@pytest.mark.parametrize(
    "extra",
    [
        {"values": {"n": ["x"] * 99}},
        {"values": {str(n): n for n in range(9)}},
        {"values": {"n": {"deep": 1}}},
        {"values": {"n": "x" * 201}},
        {"place": {"line": [1]}},
        {"code": "x" * 201},
    ],
)
def test_a_child_cannot_send_a_note_of_another_shape(extra: dict[str, object]) -> None:
    note = {"where": "", "message": "Read so.", "is_note": True, "code": "memory"}

    assert believed({"problems": [note]}, "a.csv").facts(is_note=True)[0].code == "memory"
    assert believed({"problems": [note | extra]}, "a.csv").facts()[0].code == "bad_report"


def test_older_profiles_and_logged_files_load_without_the_data() -> None:
    profile = FileProfile.model_validate({"problems": [{"where": "line 5", "message": "It is odd."}]})
    logged = FileContent.model_validate(
        {
            "fileId": "f1",
            "name": "a.csv",
            "size": 1,
            "mediaType": "text/csv",
            "problems": ["Line 5: It is odd."],
        }
    )

    assert (profile.faults, profile.facts()[0].code) == (["Line 5: It is odd."], "")
    assert logged.problem_facts is None


@pytest.mark.parametrize(
    "text",
    [
        '[{"a" 1}]',
        "[1 2]",
        "{a: 1}",
        '["\x01"]',
        '["\\q"]',
        '["\\u12"]',
        "[1] 2",
        '["abc\n]',
        "[,]",
        '{"a": 1,}',
    ],
)
def test_the_reason_of_broken_json_is_a_code_that_the_page_has(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text, "utf-8")
    with (tmp_path / "a.json").open("rb") as file, pytest.raises(Unreadable) as fault:
        read_json(file, "a.json", "a")
    assert fault.value.problem.values.get("reason") in REASONS


def test_the_reasons_of_a_damaged_archive_and_database_are_codes(tmp_path: Path) -> None:
    with pytest.raises(zipfile.BadZipFile) as no_zip:
        zipfile.ZipFile(io.BytesIO(b"PK"))
    with pytest.raises(EOFError) as early_end:
        gzip.decompress(gzip.compress(b"a,b" * 99)[:-12])
    (tmp_path / "a.db").write_bytes(b"x" * 2000)
    with pytest.raises(sqlite3.DatabaseError) as no_database:
        sqlite3.connect(tmp_path / "a.db").execute("SELECT * FROM sqlite_schema")
    codes = [reason_code(str(fault.value)) for fault in (no_zip, early_end, no_database)]
    assert codes == ["no_zip", "early_end", "no_database"]
