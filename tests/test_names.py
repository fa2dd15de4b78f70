"""One word for one thing: names that stand twice are listed, with what they have in common."""

import ast
import tomllib
from collections import Counter

import pytest

from tests.test_architecture import ROOT

LISTED = tomllib.loads((ROOT / "tests" / "names_that_stand_twice.toml").read_text(encoding="utf-8"))
FILES = [
    file
    for file in (ROOT / "backend" / "smoldesk").rglob("*.py")
    if "analyst" not in file.relative_to(ROOT / "backend" / "smoldesk").parts
]


def listed(kind: str) -> list[str]:
    return sorted(name for names in LISTED[kind].values() for name in names)


def test_modules_of_one_name_are_meant_to() -> None:
    names = Counter(file.stem for file in FILES if not file.stem.startswith("__"))
    assert sorted(name for name, count in names.items() if count > 1) == listed("modules")


@pytest.mark.long
def test_classes_of_one_name_are_meant_to() -> None:
    names = Counter(
        node.name
        for file in FILES
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert sorted(name for name, count in names.items() if count > 1) == listed("classes")
