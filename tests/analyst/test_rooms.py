"""The rooms of the analyst, from what the agent calls down to the words: every import points down, as in the house."""

from pathlib import Path

import pytest

from tests.test_architecture import ROOT, house, imported, python_files

FLOORS: tuple[tuple[str, ...], ...] = (
    ("model",),
    ("by_interpreter",),
    ("write",),
    ("read", "phrases", "plans"),
    ("errands",),
    ("building",),
    ("talk", "writing"),
    ("request", "questions"),
    ("japanese",),
    ("reading",),
    ("english",),
    ("tables",),
    ("words",),
    ("cell",),
    ("intents", "meanings"),
)
"""From the roof down; rooms and single files of one floor stand beside each other."""
LEVEL = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}


def upward_imports(root: Path) -> list[str]:
    """Imports between the analyst's rooms that do not point down, as `a -> b`; unknown rooms count as such."""
    wrong: list[str] = []
    for file, name in python_files(root):
        if name[:2] != ("smoldesk", "analyst") or len(name) < 3:
            continue
        for target, _ in imported(file, name):
            if target[:2] != ("smoldesk", "analyst") or len(target) < 3 or target[2] == name[2]:
                continue
            here, there = LEVEL.get(name[2]), LEVEL.get(target[2])
            if here is None or there is None or there <= here:
                wrong.append(f"{'.'.join(name[2:])} -> {'.'.join(target[2:])}")
    return wrong


def test_imports_point_down_the_list_of_rooms() -> None:
    assert upward_imports(ROOT) == []


def test_every_room_says_what_it_is_for() -> None:
    rooms = [
        folder for folder in (ROOT / "backend" / "smoldesk" / "analyst").iterdir() if any(folder.glob("*.py"))
    ]
    assert {room.name for room in rooms} <= set(LEVEL)
    assert [room.name for room in rooms if not (room / "__init__.py").read_text(encoding="utf-8")] == []


@pytest.mark.parametrize(
    ("file", "text", "wrong"),
    [
        ("words__dates", "from smoldesk.analyst.tables.lexicon import Lexicon", "tables.lexicon.Lexicon"),
        ("talk__read_data", "from smoldesk.analyst.writing.sheet import code", "writing.sheet.code"),
        ("attic__dust", "from smoldesk.analyst.words import text", "words.text"),
    ],
)
def test_an_upward_import_is_found(tmp_path: Path, file: str, text: str, wrong: str) -> None:
    root = house(tmp_path, **{f"smoldesk__analyst__{file}": text})
    assert upward_imports(root) == [f"{file.replace('__', '.')} -> {wrong}"]
