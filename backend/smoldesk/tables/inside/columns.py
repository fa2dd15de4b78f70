"""Short descriptions of columns: the kind, and the values if they are few."""

import re
from collections.abc import Collection, Iterator
from typing import Any

from .panels import lasting, panel_of, thing_numbers
from .periods import in_order, is_integer_days, is_year_months
from .roles import counted_like_others, is_year_header, period_columns, role_of, role_of_first
from .shapes import MAX_COLUMNS, MAX_VALUES
from .traits import explained_by, traits_of
from .whole_values import repeated, whole_values
from .written import (
    CLOCK,
    ISO_DAYS,
    are_days,
    date_format,
    form_of_numbers,
    is_clock,
    only_days,
    span,
    step,
)

LONGEST = 200
# Texts checked first; only if these may be days, the others are checked.
SAMPLE = 1_000
# Maximum characters of all values described for one file; further columns have no values.
MAX_CHARACTERS = 200_000
# A telephone number (0287-62-7128) begins like a day only without these bounds.
_ISO_DAY = re.compile(r"[12]\d{3}-(?:0?[1-9]|1[0-2])-(?:0?[1-9]|[12]\d|3[01])(?!\d)")


class Describer:
    """Describes the columns of one file's tables within one budget of characters."""

    def __init__(self) -> None:
        self._remaining_characters = MAX_CHARACTERS

    def columns(
        self, frame: Any, codes: Collection[str] = (), with_wholes: bool = True
    ) -> list[dict[str, Any]]:
        """Return `name`, `kind`, `values` and `role` of the first columns, `form` of values that are text, `span` of dates
        and numbers.

        `whole` is the value that stands for the sum of the others. Columns in `codes` are text, although they look like numbers
        or days.
        """
        described = list(self._described(frame, codes))
        numbers = [column for column in described if column["kind"] == "number"]
        periods = period_columns([column["name"] for column in numbers])
        for column in numbers:
            is_year = periods and is_year_header(periods[0]) and is_year_header(column["name"])
            if (column["name"] in periods or is_year) and column["role"] != "constant":
                column["role"] = "period"
        if described:
            described[0]["role"] = role_of_first(frame, [column["role"] for column in described])
        by_name = {column["name"]: column for column in described}
        for name in counted_like_others(described):
            by_name[name]["role"] = "measure"
        for name in repeated(frame, described):
            by_name[name]["role"] = "text"
        for name in thing_numbers(frame, described):
            by_name[name]["role"] = "id"
        traits = traits_of(frame, described)
        if panel := panel_of(frame, described):
            by_name[panel.times[0]] |= {"latest": panel.latest} if panel.latest else {}
            measures = [column["name"] for column in described if column["role"] == "measure"]
            for name, facts in lasting(frame, panel, measures).items():
                traits.setdefault(name, set()).update(facts)
        for name, facts in traits.items():
            by_name[name]["traits"] = tuple(sorted(facts))
        for name, shares in explained_by(frame, described).items():
            by_name[name]["explained"] = shares
        wholes = whole_values(frame, described) if with_wholes else {}
        return [
            column
            | ({"whole": sums[0]} if (sums := wholes.get(column["name"])) else {})
            | ({"divisions": sums[1:]} if sums and sums[1:] else {})
            for column in described
        ]

    def _described(self, frame: Any, codes: Collection[str]) -> Iterator[dict[str, Any]]:
        for place, name in enumerate(frame.columns[:MAX_COLUMNS]):
            column = _once(frame.iloc[:, place].dropna())
            kind, form = kind_of(column), ""
            if name in codes:
                kind = "text"
            elif kind == "text" and len(column):
                kind, form = _read_as(column, frame.iloc[:, place])
            elif kind == "number" and is_year_months(column):
                kind, form = "date", "%Y%m"
            elif kind == "number" and is_integer_days(column):
                kind, form = "date", "%Y%m%d"
            elif kind == "date" and only_days(column):
                form = ISO_DAYS
            values = [] if kind == "date" else _few(column)
            size = sum(map(len, values))
            if size > self._remaining_characters:
                values = []
            else:
                self._remaining_characters -= size
            described = {"name": str(name)[:LONGEST], "kind": kind, "values": values}
            if kind == "text" and any(value != value.strip() for value in values):
                described["values"] = list(dict.fromkeys(value.strip() for value in values))
                form = "spaces"
            elif kind == "text" and not form:
                form = in_order(values)
            if form:
                described["form"] = form
            if kind == "date" and (days := span(column, form)):
                described["span"] = days
                described |= {"step": found} if (found := step(column, form)) else {}
            elif kind == "number" and not form and len(column):
                described["span"] = [repr(float(column.min())), repr(float(column.max()))]
            described["role"] = role_of(frame.iloc[:, place], kind, form, name in codes)
            yield described


def holds_text(column: Any) -> bool:
    """Check whether the values of a column are text, neither numbers nor dates nor times written as text."""
    values = column.dropna()
    return kind_of(values) == "text" and len(values) > 0 and _read_as(_once(values), values) == ("text", "")


def _once(column: Any) -> Any:
    """Return each text of a text column once, to save checks; other columns unchanged."""
    from pandas.api import types

    return column.drop_duplicates() if types.is_string_dtype(column) else column


def kind_of(column: Any) -> str:
    """Return number, text, date or bool. Texts that all begin like 2024-01-31, and that pandas reads, are dates."""
    from pandas.api import types

    if types.is_bool_dtype(column):
        return "bool"
    if types.is_numeric_dtype(column) and not types.is_complex_dtype(column):
        return "number"
    if (
        types.is_datetime64_any_dtype(column)
        or types.infer_dtype(column.iloc[:SAMPLE], skipna=True) == "date"
    ):
        return "date"  # Parquet's dates are objects
    if (
        len(column)
        and types.is_string_dtype(column)
        and all(_ISO_DAY.match(str(text)) for text in column.iloc[:SAMPLE])
        and column.astype(str).str.match(_ISO_DAY.pattern).all()
        and are_days(column)
    ):
        return "date"
    return "text"


def _read_as(column: Any, original: Any) -> tuple[str, str]:
    """Return the kind that texts represent, and their form: ("number", "text"), ("date", "%d/%m/%Y").

    `column` has the distinct texts of `original`.
    """
    try:
        numbers = form_of_numbers(original.dropna())
        first = column.iloc[:SAMPLE]
        if not numbers and not date_format(first) and not is_clock(first):
            return "text", ""
        written = "" if numbers else date_format(column)
        if not written and not numbers and is_clock(column):
            return "text", CLOCK
    except TypeError:  # lists in the cells cannot be compared
        return "text", ""
    if numbers:
        return "number", numbers
    return ("date", written) if written else ("text", "")


def _few(column: Any) -> list[str]:
    try:
        distinct = column.unique()
    except TypeError:  # lists in the cells cannot be compared
        return []
    return [str(value)[:LONGEST] for value in distinct] if len(distinct) <= MAX_VALUES else []
