"""Writes the files under cases/ from the questions, each answered with pandas from its table.

Run `python -m tests.analyst.generate` after a change of a table or a question; a test holds the files to it. A third of the
questions is held out: in each language and kind those whose ids, which are hashes, come first were moved to `held_out`
when the set was made. New questions go where their author puts them. `fresh` and `aside` are sets with
tables of their own; those of `aside` and of `wide` travel in their cases as `csv`.
"""

import importlib
import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd

from tests.analyst import aside
from tests.analyst.case import FOLDER, Case, as_line
from tests.analyst.fresh.tables import FRESH
from tests.analyst.tables import TABLES

PARTS = {"dev": "questions", "held_out": "held_out", "aside": "aside"}
WIDE = {
    "wide_ja": "japanese",
}
"""The modules of `wide` that give the cases of a file of their own."""
FILES = (*PARTS, "fresh", *WIDE)


def cases(part: str) -> Iterator[Case]:
    """The cases of a part, a key of `PARTS`, table by table; last those about the building alone."""
    own = part == "aside"
    for name, make in (aside.TABLES if own else TABLES).items():
        text = make()
        about = importlib.import_module(f"tests.analyst.{'aside' if own else 'questions'}.{name}")
        table = about.read(pd.read_csv(io.StringIO(text)))
        asked = importlib.import_module(f"tests.analyst.{PARTS[part]}.{name}").questions(table)
        for case in (question.case(name) for question in asked):
            yield replace(case, table=None, csv=text) if own else case
    building = importlib.import_module(f"tests.analyst.{PARTS[part]}.building").questions(None)
    yield from (question.case(None) for question in building)


def fresh_cases() -> Iterator[Case]:
    """The cases of the second set, table by table."""
    for name, make in FRESH.items():
        about = importlib.import_module(f"tests.analyst.fresh.{name}")
        table = about.read(pd.read_csv(io.StringIO(make())))
        yield from (question.case(name) for question in about.questions(table))


def path_of(part: str) -> Path:
    """Where the cases of a file, one of `FILES`, are kept."""
    return FOLDER / f"{part}.jsonl"


def text_of(part: str) -> str:
    """The cases of a file as JSONL."""
    if part in WIDE:
        found = importlib.import_module(f"tests.analyst.wide.{WIDE[part]}").cases()
    else:
        found = fresh_cases() if part == "fresh" else cases(part)
    return "".join(as_line(case) + "\n" for case in found)


if __name__ == "__main__":
    for part in FILES:
        path_of(part).write_text(text_of(part), encoding="utf-8")
