"""How the English questions of this set are put down: tables from rows, and who comes first or last, never in a tie."""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Any, cast

import pandas as pd

from tests.exams.case import Question, no, q


def csv_text(header: str, rows: Iterable[Sequence[object]]) -> str:
    """CSV text of a header, written with commas, and rows; None becomes an empty cell."""
    kept = io.StringIO()
    writer = csv.writer(kept, lineterminator="\n")
    writer.writerows([header.split(","), *rows])
    return kept.getvalue()


def day(start: str, days: int) -> date:
    """The day that many days after an ISO date."""
    return date.fromisoformat(start) + timedelta(days=days)


def dates(column: Any, **written: Any) -> Any:
    """A column of a table as dates; `written` says how, as pandas puts it."""
    return cast(Any, pd.to_datetime(column, **written))


def en(kind: str, *turns: str, d: int = 2, **expect: Any) -> Question:
    """An answerable question in English."""
    return q("en", kind, *turns, d=d, **expect)


def cannot(*turns: str, word: str | None = None) -> Question:
    """A question to decline; `word` is the absent thing that must be named."""
    return no("en", *turns, word=word)


def either(figure: Any, other: Any) -> dict[str, Any]:
    """A key figure that has two fair readings, as an expectation."""
    return {"number": figure, "or": [other]}


def first(figures: Any, *agreeing: Any) -> dict[str, Any]:
    """The name with the largest figure as an expectation; other fair figures must agree with it, and none may tie."""
    ranked = figures.sort_values(ascending=False)
    assert ranked.iloc[0] > ranked.iloc[1], f"a tie: {ranked.head(3)}"
    for other in agreeing:
        assert other.idxmax() == ranked.index[0], f"another reading: {other}"
        assert (other == other.max()).sum() == 1, f"a tie: {other}"
    others = [str(name) for name in ranked.index[1:]]
    return {"names": [str(ranked.index[0])], "others": others}


def last(figures: Any, *agreeing: Any) -> dict[str, Any]:
    """The name with the smallest figure, as `first`."""
    return first(-figures, *(-other for other in agreeing))


def best(figures: Any, count: int) -> Any:
    """The largest figures in order, no two of them the same, nor the same as the next."""
    ranked = figures.sort_values(ascending=False)
    assert ranked.iloc[: count + 1].is_unique, f"a tie: {ranked.head(count + 1)}"
    return ranked.head(count)


def row_at(table: Any, column: str, by: Any) -> dict[str, Any]:
    """What a column says in the one row where a figure is largest, as an expectation.

    Neither the first row nor the commonest value says the same, or a wrong answer could pass for it.
    """
    assert (by == by.max()).sum() == 1, f"a tie: {by.max()}"
    name = str(table.loc[by.idxmax(), column])
    counts = table[column].value_counts()
    assert name != str(table[column].iloc[0]), f"the first row says {name}, too"
    common = counts.index[counts == counts.max()].map(str)
    assert len(common) == len(counts) or name not in common, f"{name} is the commonest, too"
    return {
        "names": [name],
        "others": [str(one) for one in table[column].dropna().unique() if str(one) != name],
    }
