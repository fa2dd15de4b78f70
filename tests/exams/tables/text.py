"""Small helpers that write a table as people export it: CSV text, prices as text, dates in many forms."""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import datetime
from random import Random
from typing import TypeVar

T = TypeVar("T")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """CSV with `\\n` line ends; None is an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(["" if cell is None else cell for cell in row] for row in rows)
    return out.getvalue()


def maybe(random: Random, share: float, value: T) -> T | None:
    """The value, or None for that share of the cells."""
    return None if random.random() < share else value


def day_month_name(day: datetime) -> str:
    """03 May 2024."""
    return f"{day.day:02d} {MONTHS[day.month - 1]} {day.year}"


def slashes(day: datetime) -> str:
    """2024/5/3 14:20."""
    return f"{day.year}/{day.month}/{day.day} {day.hour}:{day.minute:02d}"


def japanese(day: datetime) -> str:
    """2024年5月3日."""
    return f"{day.year}年{day.month}月{day.day}日"


def reiwa(day: datetime) -> str:
    """令和6年5月3日."""
    return f"令和{day.year - 2018}年{day.month}月{day.day}日"
