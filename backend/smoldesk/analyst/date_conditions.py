"""Reader that turns the dates of an interpretation into conditions on a date column, or on a number column of years."""

from dataclasses import replace
from itertools import pairwise

from smoldesk.analyst.marks import FigureIndex
from smoldesk.analyst.mentions import Mention
from smoldesk.analyst.query import Condition
from smoldesk.analyst.schema import Column
from smoldesk.analyst.times import When
from smoldesk.analyst.units import key_of

_UNTIL = dict.fromkeys(("until", "till", "through"), "<=")
_BEFORE = {"since": ">=", "from": ">=", "after": ">", "before": "<", **_UNTIL}
_BEHIND = {"以降": ">=", "以後": ">=", "から": ">=", "より後": ">", "以前": "<", "より前": "<", "まで": "<="}
_TO = ("to", "until", "till", "through", "-", "から", "〜", "~")
_JOINS = ("range", "and", "pad", "vs")


class DateConditions(FigureIndex):
    """Reader of the dates of one interpretation."""

    def read_dates(self) -> None:
        """Read the conditions of all dates."""
        dates = [n for n, mark in enumerate(self.marks) if mark.kind == "date"]
        if not dates:
            return
        named = [column for _, _, column in self.columns() if column.is_date]
        column = next(iter((*named, *self.schema.dates)), None)
        years = [column for _, _, column in self.columns() if _holds_years(column)]
        plain = all((when := _when(self.marks[at])).year and not when.month for at in dates)
        if column is None or (years and plain):
            years = years or [column for column in self.schema.columns if _holds_years(column)]
            asked = {str(_when(self.marks[at]).year) for at in dates}
            # 2015年 is a year of 西暦, not of 和暦: one that the column has, or else one of a column of times.
            years.sort(key=lambda column: (asked.isdisjoint(column.info.values), column.info.role != "time"))
            self._read(dates, years[0].name if years else "", "==", "between", by_year=True)
        else:
            self._read(dates, column.name, "when", "from to", by_year=False)

    def _read(self, dates: list[int], column: str, equal: str, span: str, by_year: bool) -> None:
        self._lend_years(dates)
        alternatives: list[Condition] = []
        done = set[int]() if not by_year else set(self.conditions.used)
        for at, after in zip(dates, [*dates[1:], None], strict=True):
            value = self._value(at, by_year)
            if at in done or value is None or not column:
                continue
            until = self._value(after, by_year) if after is not None else None
            if after is not None and until is not None and self._spans(at, after):
                inside = self.between(at - 1, after + 2, "range", "date", "and", "cmp", "vs")
                self.add_condition(inside | {at, after}, Condition(column, span, (value, until)))
                done |= {at, after}
                continue
            compared, sign = self._compared(at), self.negated(at)
            self.conditions.used.add(at)
            if compared is not None:
                op = compared[0] if by_year else f"when {compared[0]}"
                self.add_condition({compared[1]}, Condition(column, op, (value,)))
            elif sign is not None and not by_year:
                self.add_condition({sign}, Condition(column, "not when", (value,)))
            elif by_year:
                self.add_condition({at}, Condition(column, equal, (value,)))
            else:
                alternatives.append(Condition(column, equal, (value,)))
        kinds = {_parts_of(alternative) for alternative in alternatives}
        if len(alternatives) > 1 and len(kinds) > 1:  # mondays in may: both hold
            self.conditions.where += [[alternative] for alternative in alternatives]
        elif alternatives:
            self.conditions.where.append(alternatives)

    def _lend_years(self, dates: list[int]) -> None:
        """Copy the year of a later month to the months before it: July and August 2025, between 1 June and 31 August 2023."""
        for at, after in reversed(list(pairwise(dates))):
            earlier, later = _when(self.marks[at]), _when(self.marks[after])
            joined = all(mark.kind in (*_JOINS, "or") for mark in self.marks[at + 1 : after])
            is_later = earlier.month and later.month and earlier.month <= later.month
            if joined and is_later and later.year and not earlier.year:
                self.marks[at] = replace(self.marks[at], value=replace(earlier, year=later.year))

    def _value(self, at: int, by_year: bool) -> float | When | None:
        when = _when(self.marks[at])
        return when if not by_year else float(when.year) if when.year is not None else None

    def _spans(self, at: int, after: int) -> bool:
        """Return whether two dates are the ends of a span."""
        between = self.marks[at + 1 : after]
        texts = [self.mention_text(n) for n in range(at + 1, after)]
        kara = any(word.startswith(("から", "〜", "~")) for word in texts)
        opened = at and self.mention_text(at - 1).casefold() in ("between", "from")
        joined = kara or all(mark.kind in _JOINS for mark in between)
        ranged = any(mark.kind == "range" for mark in between)
        return joined and bool(opened or kara or ranged or self.text_between(at, after).strip() in _TO)

    def _compared(self, at: int) -> tuple[str, int] | None:
        """Return the comparison next to a date, and the index of its mention."""
        for near in (at - 1, at + 1):
            is_unused = self.mark(near).kind == "cmp" and near not in self.conditions.used
            if is_unused and self.adjacent(near, at, 2):
                return str(self.marks[near].value), near
        units, mark, text = self.request.units, self.marks[at], self.request.text
        before = text[: units[mark.first].start].rstrip().rsplit(" ", 1)[-1].casefold()
        following = text[units[mark.end - 1].end :]
        behind = (op for word, op in _BEHIND.items() if following.startswith(word))
        op = _BEFORE.get(before) or next(behind, None)
        return (op, at) if op else None


def _when(mark: Mention) -> When:
    assert isinstance(mark.value, When)
    return mark.value


def _holds_years(column: Column) -> bool:
    return column.is_number and bool({"year", "年"} & set(key_of(column.name))) and "齢" not in column.name


def _parts_of(condition: Condition) -> tuple[bool, ...]:
    when = condition.values[0]
    assert isinstance(when, When)
    parts = (when.year, when.quarter, when.month, when.day)
    return (*(part is not None for part in parts), bool(when.weekdays))
