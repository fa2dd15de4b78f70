"""Every public function and class says what it is, in words that a reader of the field knows."""

import ast
import re
from collections.abc import Iterator

from tests.test_architecture import ROOT

PACKAGE = ROOT / "backend" / "smoldesk"
FILES = [
    file
    for file in sorted(PACKAGE.rglob("*.py"))
    if not {"analyst", "migrations"} & set(file.relative_to(PACKAGE).parts)
]
RIDDLES = re.compile(r"\bwhoever\b|\bnobody's\b|\bwhat becomes of\b|\bwhomever\b", re.I)
"""Words for which there is always a plainer one: the caller, a waiter, a client, the operator."""

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def undocumented(text: str) -> list[str]:
    """Public functions and classes of a module without a docstring, and "module" for the module itself."""
    tree = ast.parse(text)
    results = ["module"] if tree.body and not ast.get_docstring(tree) else []
    return results + [
        node.name
        for node in tree.body
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    ]


def riddles(text: str) -> Iterator[str]:
    """Docstrings of a module that hold such a word."""
    for node in ast.walk(ast.parse(text)):
        message = ast.get_docstring(node) if isinstance(node, Documented) else None
        if message and RIDDLES.search(message):
            yield message


def test_what_is_public_says_what_it_is() -> None:
    texts = {str(file.relative_to(PACKAGE)): file.read_text(encoding="utf-8") for file in FILES}
    assert {name: names for name, text in texts.items() if (names := undocumented(text))} == {}
    assert {name: words for name, text in texts.items() if (words := list(riddles(text)))} == {}


def test_a_function_without_words_and_a_riddle_are_found() -> None:
    text = '"""A module."""\n\n\ndef f() -> None: ...\n\n\ndef g() -> None:\n    """For whoever asks."""\n'
    assert undocumented(text) == ["f"]
    assert list(riddles(text)) == ["For whoever asks."]
