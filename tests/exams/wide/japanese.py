"""Twelve small tables as Japanese offices export them, and what people ask about them: one module for each.

A module holds `text`, the table as CSV; `read`, which makes plain numbers and dates of it; and `questions`. Eight have
Japanese headers, four English ones.
"""

import csv
import importlib
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from tests.exams.case import Case

TABLES = (
    *(
        "dentist",
        "bike_parking",
        "school_lunch",
        "water_tests",
        "stockpile",
        "call_centre",
        "parcels",
        "training",
    ),
    *("cinema", "turnout", "blood_drive", "bus_tours"),
)


def cases() -> Iterator[Case]:
    """Every case, table by table; each brings its table along."""
    for name in TABLES:
        about = importlib.import_module(f"tests.exams.wide.japanese_{name}")
        text = about.text()
        table = about.read(pd.read_csv(io.StringIO(text)))
        for question in about.questions(table):
            yield replace(question.case(name), table=None, csv=text)


def as_csv(header: str, rows: Iterable[Sequence[object]]) -> str:
    """`header` names the columns, divided by commas."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header.split(","))
    writer.writerows(rows)
    return out.getvalue()


def amounts(written: pd.Series) -> pd.Series:
    """Numbers of cells like "¥1,200", "１２" or "36.5kg"; blanks stay blank."""
    return pd.to_numeric(
        written.astype("string").str.normalize("NFKC").str.replace(r"[^\d.-]", "", regex=True)
    )


def reiwa(written: pd.Series) -> pd.Series:
    """Days of cells like "令和6年4月2日" or "R6.4.2"."""
    parts = [[int(one) for one in re.findall(r"\d+", str(cell))] for cell in written]
    return pd.Series(
        [pd.Timestamp(2018 + year, month, day) for year, month, day in parts], index=written.index
    )


def monthly(days: pd.Series) -> pd.Series:
    """The months of days, written like 2024-04."""
    return days.dt.strftime("%Y-%m")


def blanks(table: pd.DataFrame) -> dict[str, int]:
    """How many cells of a column are blank, for those that have any; a unit in brackets may be left out."""
    counts = table.isna().sum()
    return {f"{name} | {str(name).split('(')[0]}": int(count) for name, count in counts.items() if count}


def either(*numbers: float) -> dict[str, Any]:
    """Other key figures that are as right, for `q`."""
    return {"or": list(numbers)}
