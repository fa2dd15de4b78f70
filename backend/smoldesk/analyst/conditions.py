"""Reader that turns the numbers, values and dates of an interpretation into conditions on columns."""

import re
from dataclasses import replace
from itertools import pairwise
from typing import cast

from smoldesk.analyst.date_conditions import DateConditions
from smoldesk.analyst.lexicon import lexicon
from smoldesk.analyst.marks import MAX_DISTANCE, Conditions, Total
from smoldesk.analyst.mentions import QUOTED_STRENGTH, is_extreme
from smoldesk.analyst.query import Condition, OtherColumn, Value
from smoldesk.analyst.schema import Column
from smoldesk.analyst.times import When
from smoldesk.analyst.units import key_of

# Words allowed between a column and its number.
IS = frozenset(["is", "are", "was", "were", "of", "=", "equals", "が", "は", "の", "`"])
# Number of a cell that may have a unit: 100m.
_CELL = re.compile(r"\d+(?:\.\d+)?(?=\D*$)")
_COUNTED = ("top", "end", "op", "adjective", "cmp", "range", "column")


class ConditionReader(DateConditions):
    """Reader of the conditions of one interpretation."""

    def read(self) -> Conditions:
        """Read all conditions.

        The order matters: each rule marks the mentions it used, and later rules skip these.
        """
        self._selection()
        self._blanks()
        self._idioms()
        self._two_columns()
        self._ranges()
        self._exact()
        self._numbers()
        self._values()
        self.read_dates()
        self._flags()
        self._join()
        self._alternatives()
        return self.conditions

    def _join(self) -> None:
        """Merge the conditions on both sides of an `or` into alternatives; values of one column already are."""
        for at, _ in self.of_kind("or"):
            previous, following = (self.mark(self.past(at, step, "column", "pad")) for step in (-1, 1))
            if previous.kind == following.kind == "value" and previous.column == following.column:
                continue
            before = [(spot, n) for n, spot in self.spots.items() if spot < at]
            after = [(spot, n) for n, spot in self.spots.items() if spot > at]
            if before and after:
                first, second = max(before)[1], min(after)[1]
                self.conditions.where[first] = [*self.conditions.where[first], *self.conditions.where[second]]
                del self.conditions.where[second]
                self.conditions.used.add(at)
                return

    def _alternatives(self) -> None:
        """Merge equalities on one column into alternatives, since a cell has one value: rated 1 or 2 stars."""
        groups: dict[tuple[str, int], list[Condition]] = {}
        for at, group in enumerate(self.conditions.where):
            column = group[0].column
            equal = all((condition.op, condition.column) == ("==", column) for condition in group)
            groups.setdefault((column, -1 if equal else at), []).extend(group)
        self.conditions.where = [list(dict.fromkeys(group)) for group in groups.values()]

    def _selection(self) -> None:
        """Convert the selected rooms to conditions on the room column."""
        room = self.schema.room_column
        for at, _ in self.of_kind("selection") if room else ():
            names = dict.fromkeys(name for _, name in self.schema.selected)
            self.add_condition({at}, *(Condition(room, "==", (name,)) for name in names))

    def _blanks(self) -> None:
        """Read blank cells of a column, and a column with one of its few numbers: GRADE 1, a `rating` of 4."""
        for at, mark, column in self.columns():
            after = self.mark(at + 1)
            if after.kind == "blank":
                op = "missing" if after.value == "yes" else "present"
                self.add_condition({at, at + 1}, Condition(column.name, op))
                continue
            if not column.is_number or after.kind not in ("number", "date") or not self.adjacent(at, at + 1):
                continue
            compared = self.mark(at + 2).kind in ("cmp", "range") and self.adjacent(at + 1, at + 2)
            is_one = _holds(column, after.value) and self._is_equality(at)
            if (is_one or mark.strength >= QUOTED_STRENGTH) and not compared:
                number = after.value.year if isinstance(after.value, When) else float(str(after.value))
                condition = Condition(column.name, "==", (float(number or 0),))
                self.add_condition({at, at + 1}, condition, spot=at + 1)

    def _is_equality(self, at: int) -> bool:
        """Return whether only `is`, `of` or が separates a mention from the next, and no comparison follows the number."""
        between = {unit.raw for unit in self.request.units[self.marks[at].end : self.marks[at + 1].first]}
        return between <= IS and not self.between(at + 2, at + 4, "cmp", "range", "unit", "column")

    def _idioms(self) -> None:
        """Read words that imply a condition: late, out of stock."""
        for at, mark in self.of_kind("idiom"):
            _, op, number = str(mark.value).rsplit(" ", 2)
            if mark.column is not None:
                self.add_condition({at}, Condition(mark.column.name, op, (float(number),)))

    def _two_columns(self) -> None:
        """Read comparisons of two columns of a row: actual exceeded budget, 実績が予算を上回る."""
        for at, mark in self.of_kind("cmp"):
            around = [n for n, _, column in self.columns() if column.is_number or column.is_date]
            before, after = [n for n in around if n < at], [n for n in around if n > at]
            if self.between(at - 2, at + 3, "number", "date"):
                continue
            pair = before[-2:] if self.japanese(at) else [*before[-1:], *after[:1]]
            columns = [column for n, _, column in self.columns() if n in pair]
            if len(columns) == 2 and columns[0].is_date == columns[1].is_date:
                other = OtherColumn(columns[1].name)
                self.add_condition({at, *pair}, Condition(columns[0].name, str(mark.value), (other,)))

    # --- numbers ----------------------------------------------------------------------------------------------------

    def _exact(self) -> None:
        """Read a number directly before its column: with 3 bedrooms. It may be a cell among words: 1, 2, Studio."""
        for at, mark in self.of_kind("number"):
            behind = self.mark(at + 1)
            if behind.kind != "column" or behind.column is None:
                continue
            column, number = behind.column, float(str(mark.value))
            cell = number if column.is_number else f"{number:g}"
            if not column.is_number and cell not in column.info.values:
                continue
            oldest = self.request.units[behind.first].raw.endswith("est")  # the 3 oldest
            more = self.mark(at + 2).kind == "cmp"  # 7 nights or more
            counted = self.mark(at - 1).kind in _COUNTED or not self.request.units[mark.first].key.isdigit()
            if self.adjacent(at, at + 1, 0) and not (oldest or more or counted or self.japanese(at + 1)):
                self.add_condition({at}, Condition(column.name, "==", (cell,)))
                self.mark_compared(at + 1)

    def _amount(self, at: int) -> tuple[float, str]:
        """Return a number multiplied by its scale, and its unit."""
        value, unit, scaled, number = float(str(self.marks[at].value)), "", False, at + 1
        while self.mark(number).kind in ("unit", "scale") and self.adjacent(number - 1, number, 0):
            mark = self.marks[number]
            self.conditions.used.add(number)
            if mark.kind == "scale":
                value, scaled = value * float(str(mark.value)), True
            else:
                unit = str(mark.value)
            number += 1
        if self.mark(at - 1).kind == "unit" and self.adjacent(at - 1, at, 0):  # $100
            unit = unit or str(self.marks[at - 1].value)
            self.conditions.used.add(at - 1)
        behind = self.mark(number).column  # 1万部: not yen, where a column has the name
        is_named = behind is not None and behind.is_number and self.adjacent(number - 1, number, 0)
        return value, unit or ("yen" if scaled and not is_named else "")

    def _ranges(self) -> None:
        for (start, _), (end, _) in pairwise(self.of_kind("number")):
            if start in self.conditions.used:
                continue
            inside = {mark.kind for mark in self.marks[start + 1 : end]}
            tokens = self.request.raw(self.marks[start].first, self.marks[end].end).split()
            opened = self.mark(start - 1).kind == "range" and {"to", "and"} & set(tokens)
            meant = opened or "range" in inside or ("to" in tokens and self._cmp(start) is None)
            if not meant or inside - {"unit", "scale", "range", "and", "vs", "pad"}:
                continue
            low, first = self._amount(start)
            high, second = self._amount(end)
            column = self._column(end, second or first) or self._column(start, second or first)
            if column is None:
                continue
            low = converted(low, first or second, column.unit)
            high = converted(high, second or first, column.unit)
            used = self.between(start - 1, end, "range", "and", "vs") | {start, end}
            until = end + 1 < len(self.marks) and self.mention_text(end + 1) == "まで"
            used |= {end + 1} if until else set()
            self.add_condition(used, Condition(column.name, "between", (low, high)))

    def _numbers(self) -> None:
        for at, mark in self.of_kind("number"):
            next_kind = self.mark(at + 1).kind
            is_each = mark.value == 1 and self.mark(at + 2).kind == "per" and self.adjacent(at, at + 1, 0)
            if is_each and next_kind in ("grain", "row", "column"):
                self.conditions.used.add(at)  # 1時間ごと, 1区画あたり
                continue
            if self._decade(at):
                continue
            compared = self._cmp(at)
            if compared is None:
                if not self._of_unit(at):
                    self.conditions.limits.append((at, self._amount(at)[0]))
                continue
            value, unit = self._amount(at)
            column = self.figure_column(at, compared[1])
            if column is None and not self.counts_rows(at, compared):
                column = self._column(at, unit, compared[1])
            if column is None:
                self.conditions.limits.append((at, value))
                self.rows_compared(at, compared, value, None)
                continue
            condition = Condition(column.name, compared[0], (_in_units_of(column, value, unit),))
            self.add_condition({at, compared[1]}, condition, spot=at)
            self.rows_compared(at, compared, value, condition)
            op, op_at = compared
            fn = self.figure_of(op_at if self.mark(op_at - 1).column == column else at, column)
            limit = float(str(condition.values[0]))
            self.conditions.totals.append(Total(fn, column.name, op, limit, op_at, condition, bool(fn)))

    def _decade(self, at: int) -> bool:
        """Read decades of age: 30代 is from 30 to 39."""
        ages = [number for number in self.schema.numbers if _is_age(number)]
        if not ages or self.mark(at + 1).kind != "unit" or self.mention_text(at + 1) != "代":
            return False
        low = float(str(self.marks[at].value))
        self.add_condition({at, at + 1}, Condition(ages[0].name, "between", (low, low + 9)))
        return True

    def _of_unit(self, at: int) -> bool:
        """Read a number that is a cell of the only column with its unit: the 50 m races."""
        behind, value = self.mark(at + 1), self.marks[at].value
        named = {column.name for _, _, column in self.columns()}
        numbers = self.schema.numbers if behind.kind == "unit" and behind.value else []
        fitting = [number for number in numbers if number.unit == behind.value]
        fitting = fitting or [number for number in numbers if not number.unit and _holds(number, value)]
        if len(fitting) != 1 or fitting[0].name in named or not _holds(fitting[0], value):
            return False
        self.add_condition({at, at + 1}, Condition(fitting[0].name, "==", (float(str(value)),)), spot=at)
        return True

    def _cmp(self, at: int) -> tuple[str, int] | None:
        """Return the comparison of a number, before it or after its unit; a comparative adjective counts."""
        before, counted = self.past(at, -1, "unit", "pad"), at
        times = ["calc"] if self.mark(at + 1).is_a("calc", "times") else []
        after = self.past(at, 1, "unit", "scale", "pad", *times)
        if self.mark(after).kind == "column" and self.adjacent(after - 1, after, 0):
            counted, after = after, after + 1  # 7 nights or more
        for near, neighbour in ((after, counted), (before, at)):
            mark = self.mark(near)
            unusable = mark.kind not in ("cmp", "adjective") or near in self.conditions.used
            if unusable or not self.adjacent(near, neighbour, 3):
                continue
            if mark.kind == "cmp":
                return str(mark.value), near
            if near == before and str(mark.value).startswith("er"):
                return (">" if str(mark.value).endswith("desc") else "<"), near
        return None

    def _column(self, at: int, unit: str, op_at: int | None = None) -> Column | None:
        """Return the column compared with a number: that of an adjective, the nearest named one, or the one with the unit."""
        if op_at is not None and (implied := self._implied_column(op_at)) is not None:
            return implied
        numbers = self.schema.numbers
        marks = [(n, mark) for n, mark in enumerate(self.marks) if not str(mark.value).startswith("est")]
        named = [(n, mark.column) for n, mark in marks if mark.kind in ("column", "adjective")]
        named = [(n, column) for n, column in named if column and column.is_number and not column.is_id]
        near = [(self._distance(at, n, unit), n) for n, _ in named]
        if unit not in ("", "percent", "year") and any(number.unit == unit for number in numbers):
            near = [(away, n) for away, n in near if self.marks[n].column.unit == unit]  # type: ignore[union-attr]
        near = [pair for pair in near if pair[0] <= MAX_DISTANCE]
        if near:
            number = min(near)[1]
            if self.marks[number].kind == "adjective":
                self.conditions.used.add(number)
            self.mark_compared(number)
            return self.marks[number].column
        measured = [number for number in numbers if unit and number.unit == unit]
        if unit == "year" and not measured:
            measured = [c for c in numbers if "age" in c.name.casefold() or "齢" in c.name]
        ages = [number for number in numbers if not unit and _is_age(number)]  # women over 65
        for doubt, fitting in (("unit", measured), ("age", ages), ("only", numbers)):
            if len(fitting) == 1:
                self.conditions.doubts.append(doubt)
                return fitting[0]
        return None

    def _implied_column(self, op_at: int) -> Column | None:
        """Return the column that a comparison itself names: older than, cheaper than."""
        mark = self.marks[op_at]
        if mark.kind == "adjective":
            return mark.column
        for unit in self.request.units[mark.first : mark.end]:
            concepts = lexicon().adjectives.get((unit.key,), ([], False))[0]
            terms = (term for concept in concepts for term in self.schema.terms.get(concept, ()))
            columns = [term.column for term in terms if term.column is not None and term.column.is_number]
            if columns:  # days warmer than 30 degrees: by temp_max rather than temp_min
                return max(columns, key=lambda column: is_extreme(column, str(mark.value) in (">", ">=")))
        return None

    def _distance(self, at: int, number: int, unit: str) -> float:
        """Return the distance of a column from a number compared with it, in mentions; a matching unit reduces it."""
        column = self.marks[number].column
        assert column is not None
        away = abs(number - at) + (0.5 if number > at else 0)
        away += 3 * bool(self.between(min(number, at) + 1, max(number, at), "number"))
        away -= number < at and bool(self.between(number + 1, at, "cmp"))  # age over 2 and fare: age
        if unit and column.unit == unit:
            away -= 2
        return away

    # --- values, flags ------------------------------------------------------------------------------------------------

    def _values(self) -> None:
        by_column: dict[tuple[str, bool], list[Condition]] = {}
        places: dict[str, int] = {}
        negative, last = False, -9
        for at, mark in enumerate(self.marks):
            if mark.kind != "value" or mark.column is None:
                continue
            name, sign = mark.column.name, self.negated(at)
            carried = negative and at - last <= 2 and self.marks[last].column == mark.column
            negative = sign is not None or carried
            self.conditions.used |= {at} if sign is None else {at, sign}
            condition = Condition(name, "!=" if negative else "==", (cast(Value, mark.value),))
            by_column.setdefault((name, negative), []).append(condition)
            places.setdefault(name, at)
            before = at - 2 if sign == at - 1 else at - 1
            if self.mark(before).kind == "column" and self.marks[before].column == mark.column:
                self.mark_compared(before)  # sex is female, sex is not male
            last = at
        denies_all = any(particle in self.request.text for particle in ("でも", "以外"))
        for (name, negative), conditions in list(by_column.items()):  # AでもBでもない, AとB以外
            if negative and denies_all:
                conditions += [replace(other, op="!=") for other in by_column.pop((name, False), [])]
        for (name, negative), conditions in by_column.items():
            if negative:
                self.conditions.where += [[condition] for condition in conditions]
            else:
                self.add_condition((), *conditions, spot=places[name])

    def _flags(self) -> None:
        """Read yes-or-no columns: with, without, or alone."""
        constrained = {group[0].column for group in self.conditions.where}
        for at, mark, column in self.columns():
            sign, before = self.negated(at), self.mark(at - 1).kind
            sure = 0.7 if sign is None or column.info.yes_no else 0.55
            if at in self.conditions.used or mark.strength < sure or column.name in constrained:
                continue
            if column.info.yes_no is not None:
                after_per = self.mark(at + 1).kind == "per" and self.japanese(at + 1)
                english_per = before == "per" and not self.japanese(at - 1)
                if english_per or before == "and" or after_per:
                    continue
                yes, no = column.info.yes_no
                self.conditions.used |= {sign} if sign is not None else set()
                self.conditions.flags[at] = Condition(column.name, "==", (no if sign is not None else yes,))
            elif sign is not None:
                is_full = column.is_number and not column.info.has_blanks
                has_zero = is_full or (
                    column.info.role != "time" and _holds(column, 0.0)
                )  # a year is never 0
                none = Condition(column.name, "==", (0.0,)) if has_zero else None
                self.add_condition({sign, at}, none or Condition(column.name, "missing"))
            elif (column.is_date and self._is_done(at)) or self._is_had(at):
                self.add_condition({at}, Condition(column.name, "present"))

    def _is_had(self, at: int) -> bool:
        """Return whether rows have a cell in a text column with blank cells: 駐車場がある公園, parks with parking."""
        column, near = self.marks[at].column, at + 1 if self.japanese(at) else at - 1
        is_blank = column is not None and column.info.has_blanks and not (column.is_number or column.is_date)
        alone = self.mark(at + 1).kind not in ("value", "number", "cmp", "blank")
        return is_blank and alone and self.mark(near).kind == "with" and self.adjacent(near, at)

    def _is_done(self, at: int) -> bool:
        """Return whether a date with blank cells is a verb in the past: 退会した人 of 退会日."""
        mark, column = self.marks[at], self.marks[at].column
        behind = self.request.text[self.request.units[mark.end - 1].end :]
        may_be_blank = column is not None and column.info.has_blanks
        is_verb = not self.mention_text(at).endswith(("日", "時"))
        return may_be_blank and is_verb and behind.startswith(("した", "済み", "された"))


def converted(value: float, source_unit: str, target_unit: str) -> float:
    """Convert a number to the unit of its column; return it unchanged if the units are not convertible.

    A column without a unit has money in whole units: 50万円 is 500000 there.
    """
    money = lexicon().money
    if not target_unit and source_unit in money:
        return value * money[source_unit]
    for factors in lexicon().measures:
        if source_unit in factors and target_unit in factors and source_unit != target_unit:
            return value * factors[source_unit] / factors[target_unit]
    return value


def _in_units_of(column: Column, value: float, unit: str) -> float:
    """Convert a number to the unit of a column; percent to shares if all its numbers lie between 0 and 1."""
    bounds = column.info.bounds
    if unit == "percent" and bounds is not None and bounds[0] >= 0 and bounds[1] <= 1 < value:
        return value / 100
    return converted(value, unit, column.unit)


def _is_age(column: Column) -> bool:
    key = key_of(column.name)
    return key[:1] in (("age",), ("年",)) and ("age" in key or "齢" in column.name)


def _holds(column: Column, value: object) -> bool:
    """Return whether a number is one of the column's few values, or stands beside a column of times: time 21."""
    if column.info.role == "time" and column.is_number and isinstance(value, float):
        return True
    cells = (_CELL.match(text) for text in column.info.values)
    return isinstance(value, float) and value in [float(cell[0]) for cell in cells if cell]
