"""What the question modules of the second set share: who comes first, shares in percent, spellings of days."""

from typing import Any

import pandas as pd

WEEKDAYS = {
    0: "Monday | Mon | 月曜日 | 月曜 | 月 | 0",
    1: "Tuesday | Tue | 火曜日 | 火曜 | 火 | 1",
    2: "Wednesday | Wed | 水曜日 | 水曜 | 水 | 2",
    3: "Thursday | Thu | 木曜日 | 木曜 | 木 | 3",
    4: "Friday | Fri | 金曜日 | 金曜 | 金 | 4",
    5: "Saturday | Sat | 土曜日 | 土曜 | 土 | 5",
    6: "Sunday | Sun | 日曜日 | 日曜 | 日 | 6",
}


def first(figures: "pd.Series[Any]", least: bool = False) -> dict[str, Any]:
    """Expects the name with the largest (or least) figure before the others; a tie is refused."""
    ranked = figures.dropna().sort_values(ascending=least)
    assert ranked.iloc[0] != ranked.iloc[1], "a tie has no first"
    return {"names": [str(ranked.index[0])], "others": [str(name) for name in ranked.index[1:]]}


def share(asked: "pd.Series[bool]") -> float:
    """The rows that fulfil a condition, in percent of all."""
    return float(asked.mean() * 100)


def shares(figures: "pd.Series[Any]") -> dict[str, Any]:
    """Expects each part in percent of the whole, or as a fraction of one."""
    parts = figures / figures.sum()
    return {"pairs": (parts * 100).round(1), "or_pairs": parts}


def rates(asked: "pd.Series[bool]", keys: "pd.Series[Any]") -> dict[str, Any]:
    """Expects how often a condition holds for each key: in percent, or as a fraction of one."""
    held = asked.groupby(keys).mean()
    return {"pairs": (held * 100).round(1), "or_pairs": held}


def renamed(figures: "pd.Series[Any]", names: dict[Any, str]) -> "pd.Series[Any]":
    """The same figures under names with all their spellings."""
    return figures.rename(index=names)


def by_weekday(figures: "pd.Series[Any]") -> "pd.Series[Any]":
    """Figures by the number of the weekday (Monday is 0) under the weekdays' names."""
    return renamed(figures, WEEKDAYS)


def by_week(figures: "pd.Series[Any]") -> "pd.Series[Any]":
    """Figures by weekly periods, each named by its first or last day."""
    return renamed(
        figures, {week: f"{week.start_time:%Y-%m-%d} | {week.end_time:%Y-%m-%d}" for week in figures.index}
    )


def a_day(day: pd.Timestamp) -> str:
    """A day in the spellings an answer may use."""
    month = f"{day:%B}"
    return " | ".join([
        f"{day:%Y-%m-%d}", f"{day.month}/{day.day}/{day.year}", f"{day.year}/{day.month}/{day.day}", f"{day:%Y/%m/%d}",
        f"{day.day} {month}", f"{month} {day.day}", f"{day.year}年{day.month}月{day.day}日",
    ])  # fmt: skip


def odd_ones(figures: "pd.Series[Any]") -> dict[str, Any]:
    """Expects how many lie outside 1.5 times the box, or beyond three standard deviations."""
    low, high = figures.quantile(0.25), figures.quantile(0.75)
    reach = 1.5 * (high - low)
    boxed = int(((figures < low - reach) | (figures > high + reach)).sum())
    far = int((((figures - figures.mean()) / figures.std()).abs() > 3).sum())
    return {"number": boxed, "or": [far]}


def either(*others: float) -> dict[str, Any]:
    """Expects that these numbers are as right as the first."""
    return {"or": list(others)}


def gaps(table: Any) -> Any:
    """How many cells each column lacks, of the columns that lack any."""
    missing = table.isna().sum()
    return missing[missing > 0]
