"""Writes the files under cases/ from the questions, each answered with pandas from its table.

Run `python -m tests.exams.generate` after a change of a table or a question; a test holds the files to it. A third of the
questions is held out: in each language and kind those whose ids, which are hashes, come first were moved to `held_out`
when the set was made. New questions go where their author puts them. `fresh`, `aside` and those of `WIDE` are sets with
tables of their own; those of `aside` and `WIDE` travel in their cases as `csv`.
"""

import importlib
import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd

from tests.exams import aside
from tests.exams.case import FOLDER, Case, as_line
from tests.exams.fresh.tables import FRESH
from tests.exams.tables import TABLES
from tests.exams.wide import english, japanese

WIDE = {"wide_en": english.TABLES}
PARTS = {"dev": "questions", "held_out": "held_out", "aside": "aside"}
FILES = (*PARTS, "fresh", *WIDE, "wide_ja")


def cases(part: str) -> Iterator[Case]:
    """The cases of a part, a key of `PARTS`, table by table; last those about the building alone."""
    own = part == "aside"
    for name, make in (aside.TABLES if own else TABLES).items():
        text = make()
        about = importlib.import_module(f"tests.exams.{'aside' if own else 'questions'}.{name}")
        table = about.read(pd.read_csv(io.StringIO(text)))
        asked = importlib.import_module(f"tests.exams.{PARTS[part]}.{name}").questions(table)
        for case in (question.case(name) for question in asked):
            yield replace(case, table=None, csv=text) if own else case
    building = importlib.import_module(f"tests.exams.{PARTS[part]}.building").questions(None)
    yield from (question.case(None) for question in building)


def fresh_cases() -> Iterator[Case]:
    """The cases of the second set, table by table."""
    for name, make in FRESH.items():
        about = importlib.import_module(f"tests.exams.fresh.{name}")
        table = about.read(pd.read_csv(io.StringIO(make())))
        yield from (question.case(name) for question in about.questions(table))


def wide_cases(part: str) -> Iterator[Case]:
    """The cases of a set of many trades, a key of `WIDE`, table by table."""
    for name, (make, questions) in WIDE[part].items():
        text = make()
        asked = questions(pd.read_csv(io.StringIO(text)))
        yield from (replace(question.case(name), table=None, csv=text) for question in asked)


def path_of(part: str) -> Path:
    """Where the cases of a file, one of `FILES`, are kept."""
    return FOLDER / f"{part}.jsonl"


def text_of(part: str) -> str:
    """The cases of a file as JSONL."""
    if part == "wide_ja":
        found = japanese.cases()
    else:
        found = wide_cases(part) if part in WIDE else fresh_cases() if part == "fresh" else cases(part)
    return "".join(as_line(case) + "\n" for case in found)


if __name__ == "__main__":
    for part in FILES:
        path_of(part).write_text(text_of(part), encoding="utf-8")
