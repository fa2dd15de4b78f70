"""Numbers, values and dates of a reading become conditions on columns. Pure."""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import cast

from smoldesk.analyst.lexicon import lexicon
from smoldesk.analyst.mentions import SURE, Mention, Reading, Request
from smoldesk.analyst.query import Condition, Other, Value
from smoldesk.analyst.schema import Column, TableSchema
from smoldesk.analyst.times import When
from smoldesk.analyst.units import key_of

IS = frozenset(["is", "are", "was", "were", "of", "=", "equals", "が", "は", "の", "`"])
"""What may stand between a column and its number."""
NEAR = 4
"""Mentions between a number and the column it is compared with."""


@dataclass
class Conditions:
    """What was found: alternatives joined by `and`; which mentions it took; numbers that are no comparison."""

    where: list[list[Condition]] = field(default_factory=list[list[Condition]])
    used: set[int] = field(default_factory=set[int])
    limits: list[tuple[int, float]] = field(default_factory=list[tuple[int, float]])
    doubts: list[str] = field(default_factory=list[str])
    flags: dict[int, Condition] = field(default_factory=dict[int, Condition])


class ConditionReader:
    """Reads the conditions of one reading."""

    def __init__(self, request: Request, schema: TableSchema, reading: Reading) -> None:
        self.request = request
        self.schema = schema
        self.marks = list(reading.mentions)
        self.found = Conditions()
        self.spots: dict[int, int] = {}
        """Where a condition's number or value stands, by its place in `where`."""

    def read(self) -> Conditions:
        """All of them."""
        self._selection()
        self._blanks()
        self._idioms()
        self._beside()
        self._ranges()
        self._exact()
        self._numbers()
        self._values()
        self._dates()
        self._flags()
        self._join()
        return self.found

    def _join(self) -> None:
        """Conditions on both sides of an `or` are alternatives."""
        for at, mark in enumerate(self.marks):
            if mark.kind != "or":
                continue
            beside = [n for n in (self._near_value(at, -1), self._near_value(at, 1)) if n is not None]
            if len(beside) == 2 and self.marks[beside[0]].column == self.marks[beside[1]].column:
                continue  # values of one column are alternatives already
            before = [(spot, n) for n, spot in self.spots.items() if spot < at]
            after = [(spot, n) for n, spot in self.spots.items() if spot > at]
            if before and after:
                one, two = max(before)[1], min(after)[1]
                self.found.where[one] = [*self.found.where[one], *self.found.where[two]]
                del self.found.where[two]
                self.found.used.add(at)
                return

    def _near_value(self, at: int, step: int) -> int | None:
        """The nearest value in a direction, past its column."""
        number = at + step
        while 0 <= number < len(self.marks) and self.marks[number].kind in ("column", "pad"):
            number += step
        return number if 0 <= number < len(self.marks) and self.marks[number].kind == "value" else None

    # --- looking around ---------------------------------------------------------------------------------------------

    def _near(self, at: int, step: int, kind: str, far: int = 1) -> int | None:
        """The index of the next mention of a kind in a direction, past pads and units; None beyond `far` others."""
        passed = 0
        number = at + step
        while 0 <= number < len(self.marks):
            mark = self.marks[number]
            if mark.kind == kind and number not in self.found.used:
                return number
            if mark.kind not in ("pad", "unit", "scale", "row", "with", "which", "noun"):
                passed += 1
                if passed >= far:
                    return None
            number += step
        return None

    def _adjacent(self, one: int, other: int, most: int = 2) -> bool:
        """Whether two mentions stand beside each other, but for a few free units."""
        first, second = sorted((one, other))
        inner = {
            n
            for mark in self.marks[first + 1 : second]
            if mark.kind in ("unit", "scale", "pad")
            for n in range(mark.first, mark.end)
        }
        between = [n for n in range(self.marks[first].end, self.marks[second].first) if n not in inner]
        return len(between) <= most and all(n in self.request.free for n in between)

    def _selection(self) -> None:
        """Rooms that were selected are values of the column of rooms."""
        for at, mark in enumerate(self.marks):
            if mark.kind == "selection" and self.schema.room_column:
                names = dict.fromkeys(room for _, room in self.schema.selected)
                self.found.where.append([Condition(self.schema.room_column, "==", (room,)) for room in names])
                self.found.used.add(at)

    def _blanks(self) -> None:
        """A column that is blank, or is not; a column and one of its few numbers: GRADE 1, a `rating` of 4."""
        for at, mark in enumerate(self.marks[:-1]):
            after = self.marks[at + 1]
            if mark.kind != "column" or mark.column is None:
                continue
            if after.kind == "blank":
                self.found.where.append(
                    [Condition(mark.column.name, "missing" if after.value == "yes" else "present")]
                )
                self.found.used |= {at, at + 1}
            elif (
                mark.column.is_number
                and after.kind in ("number", "date")
                and (mark.strength >= SURE or (_holds(mark.column, after.value) and self._says_is(at)))
                and self._adjacent(at, at + 1)
                and not self._compared(at + 1)
            ):
                number = after.value.year if isinstance(after.value, When) else float(str(after.value))
                self.found.where.append([Condition(mark.column.name, "==", (float(number or 0),))])
                self.spots[len(self.found.where) - 1] = at + 1
                self.found.used |= {at, at + 1}

    def _says_is(self, at: int) -> bool:
        """Whether no more than `is`, `of` or が stands behind a mention, and no comparison behind the number that follows."""
        between = {unit.raw for unit in self.request.units[self.marks[at].end : self.marks[at + 1].first]}
        compared = any(one.kind in ("cmp", "range", "unit", "column") for one in self.marks[at + 2 : at + 4])
        return between <= IS and not compared

    def _compared(self, at: int) -> bool:
        """Whether a comparison or a range stands right behind a number."""
        return (
            at + 1 < len(self.marks)
            and self.marks[at + 1].kind in ("cmp", "range")
            and self._adjacent(at, at + 1)
        )

    def _idioms(self) -> None:
        """Words that are a condition: late, negative, out of stock."""
        for at, mark in enumerate(self.marks):
            if mark.kind != "idiom":
                continue
            concept, op, number = str(mark.value).rsplit(" ", 2)
            column = mark.column or next(
                (
                    one.column
                    for one in self.marks[at + 1 : at + 2]
                    if one.kind == "column" and one.column is not None and one.column.is_number
                ),
                None,
            )
            if column is None and concept == "*":
                column = next(
                    (
                        one.column
                        for one in self.marks[max(0, at - 2) : at]
                        if one.kind == "column" and one.column is not None and one.column.is_number
                    ),
                    None,
                )
            if column is not None:
                self.found.where.append([Condition(column.name, op, (float(number),))])
                self.found.used.add(at)
                for near in range(max(0, at - 2), min(at + 2, len(self.marks))):
                    if self.marks[near].kind == "column" and self.marks[near].column == column:
                        self.named(near)

    def _beside(self) -> None:
        """Two columns of a row that are compared: actual exceeded budget, 実績が予算を上回る."""
        for at, mark in enumerate(self.marks):
            if mark.kind != "cmp" or at in self.found.used:
                continue
            around = [
                n
                for n in range(len(self.marks))
                if self.marks[n].kind == "column"
                and self.marks[n].column is not None
                and _is_measured(self.marks[n].column)
            ]
            before, after = [n for n in around if n < at], [n for n in around if n > at]
            near_number = any(
                self.marks[n].kind in ("number", "date")
                for n in range(max(0, at - 2), min(at + 3, len(self.marks)))
            )
            if near_number:
                continue
            japanese = self.request.units[mark.first].is_japanese
            pair = (
                (before[-2], before[-1])
                if japanese and len(before) >= 2
                else (before[-1], after[0])
                if before and after and not japanese
                else None
            )
            if pair is None or self.marks[pair[0]].column.is_date != self.marks[pair[1]].column.is_date:  # type: ignore[union-attr]
                continue
            one, two = (self.marks[n].column for n in pair)
            assert one is not None and two is not None
            self.found.where.append([Condition(one.name, str(mark.value), (Other(two.name),))])
            self.found.used |= {at, *pair}

    def _exact(self) -> None:
        """A number right before the column that has it: with 3 bedrooms."""
        for at, mark in enumerate(self.marks):
            if mark.kind != "number" or at in self.found.used or at + 1 >= len(self.marks):
                continue
            behind = self.marks[at + 1]
            counted = at and self.marks[at - 1].kind in (
                "top",
                "end",
                "op",
                "adjective",
                "cmp",
                "range",
                "column",
            )
            if (
                behind.kind == "column"
                and behind.column is not None
                and behind.column.is_number
                and self._adjacent(at, at + 1, 0)
                and not counted
                and not self.request.units[behind.first].raw.endswith("est")  # the 3 oldest
                and self.request.units[mark.first].key.isdigit()
            ):
                compared = at + 2 < len(self.marks) and self.marks[at + 2].kind == "cmp"  # 7 nights or more
                if self.request.units[behind.first].is_japanese or compared:
                    continue
                self.found.where.append([Condition(behind.column.name, "==", (float(mark.value),))])  # type: ignore[arg-type]
                self.found.used.add(at)
                self.named(at + 1)

    # --- numbers ----------------------------------------------------------------------------------------------------

    def _value(self, at: int) -> tuple[float, str, int]:
        """(number with its scale, its unit, the index after them)"""
        scaled = False
        value, unit, number = float(self.marks[at].value), "", at + 1  # type: ignore[arg-type]
        while (
            number < len(self.marks)
            and self._adjacent(number - 1, number, 0)
            and self.marks[number].kind in ("unit", "scale")
        ):
            mark = self.marks[number]
            self.found.used.add(number)
            if mark.kind == "scale":
                value *= float(mark.value)  # type: ignore[arg-type]
                scaled = True
            else:
                unit = str(mark.value)
            number += 1
        if at and self.marks[at - 1].kind == "unit" and self._adjacent(at - 1, at, 0):  # $100
            unit = unit or str(self.marks[at - 1].value)
            self.found.used.add(at - 1)
        return value, unit or ("yen" if scaled else ""), number

    def _ranges(self) -> None:
        numbers = [n for n, mark in enumerate(self.marks) if mark.kind == "number"]
        for one, two in pairwise(numbers):
            if one in self.found.used or any(n in numbers for n in range(one + 1, two)):
                continue
            inside = {mark.kind for mark in self.marks[one + 1 : two]}
            text = self.request.raw(self.marks[one].first, self.marks[two].end)
            before = one and self.marks[one - 1].kind == "range"
            joined = ("to" in text.split() or "and" in text.split()) and before
            if not (
                joined
                or "range" in inside
                or "〜" in text
                or "~" in text
                or (" to " in text and self._cmp(one) is None)
            ):
                continue
            if inside - {"unit", "scale", "range", "and", "vs", "pad"}:
                continue
            low, unit_one, _ = self._value(one)
            high, unit, _ = self._value(two)
            column = self._column(two, unit or unit_one) or self._column(one, unit or unit_one)
            if column is None:
                continue
            low, high = (
                converted(low, unit_one or unit, column.unit),
                converted(high, unit or unit_one, column.unit),
            )
            self.found.where.append([Condition(column.name, "between", (low, high))])
            self.found.used |= {one, two}
            self.found.used |= {
                n for n in range(max(0, one - 1), two) if self.marks[n].kind in ("range", "and", "vs")
            }
            until = two + 1
            if (
                until < len(self.marks)
                and self.request.raw(self.marks[until].first, self.marks[until].end) == "まで"
            ):
                self.found.used.add(until)

    def _numbers(self) -> None:
        for at, mark in enumerate(self.marks):
            if mark.kind != "number" or at in self.found.used:
                continue
            compared = self._cmp(at)
            if (
                mark.value == 1
                and at + 1 < len(self.marks)
                and self.marks[at + 1].kind == "grain"
                and self._adjacent(at, at + 1, 0)
            ):
                self.found.used.add(at)  # 1時間ごと
                continue
            if compared is None:
                self.found.limits.append((at, float(mark.value)))  # type: ignore[arg-type]
                continue
            op, op_at = compared
            value, unit, _ = self._value(at)
            column = self._column(at, unit, op_at)
            if column is None:
                self.found.limits.append((at, value))
                continue
            self.found.where.append([Condition(column.name, op, (converted(value, unit, column.unit),))])
            self.spots[len(self.found.where) - 1] = at
            self.found.used |= {at, op_at}

    def _cmp(self, at: int) -> tuple[str, int] | None:
        """The comparison of a number: before it, or behind it and its unit; an adjective in the comparative is one."""
        before = at - 1
        while before >= 0 and self.marks[before].kind in ("unit", "pad"):
            before -= 1
        after = at + 1
        while after < len(self.marks) and self.marks[after].kind in ("unit", "scale", "pad"):
            after += 1
        counted = at
        if (
            after < len(self.marks)
            and self.marks[after].kind == "column"
            and self._adjacent(after - 1, after, 0)
        ):
            counted, after = after, after + 1  # 7 nights or more
        for near in (after, before):
            beside = counted if near > at else at
            if (
                0 <= near < len(self.marks)
                and near not in self.found.used
                and self._adjacent(near, beside, 3)
            ):
                mark = self.marks[near]
                if mark.kind == "cmp":
                    return str(mark.value), near
                if mark.kind == "adjective" and near == before and str(mark.value).startswith("er"):
                    return (">" if str(mark.value).endswith("desc") else "<"), near
        return None

    def _column(self, at: int, unit: str, op_at: int | None = None) -> Column | None:
        """The column that a number is compared with: an adjective's, the nearest one that is named, or the unit's own."""
        if op_at is not None and self.marks[op_at].kind == "adjective":
            return self.marks[op_at].column
        if op_at is not None:  # older than, cheaper than: the comparison itself says of what
            for unit_of in self.request.units[self.marks[op_at].first : self.marks[op_at].end]:
                concept, _ = lexicon().adjectives.get((unit_of.key,), ((), False))
                for term in self.schema.terms.get(concept, ()):
                    if term.kind == "column" and term.column is not None and term.column.is_number:
                        return term.column
        best: tuple[float, int] | None = None
        measured = unit not in ("", "percent", "year") and any(
            one.unit == unit for one in self.schema.numbers
        )
        for number, mark in enumerate(self.marks):
            if measured and mark.column is not None and mark.column.unit != unit:
                continue
            if mark.kind not in ("column", "adjective") or mark.column is None or not mark.column.is_number:
                continue
            if mark.kind == "adjective" and str(mark.value).startswith("est"):
                continue
            away = abs(number - at) + (0.5 if number > at else 0)
            between = self.marks[min(number, at) + 1 : max(number, at)]
            if any(one.kind == "number" for one in between):
                away += 3
            if number > at and "and" in {
                unit.raw for unit in self.request.units[self.marks[at].end : mark.first]
            }:
                away += 2  # 36 and beds under 9
            if unit and mark.column.unit == unit:
                away -= 2
            elif unit and mark.column.unit and unit != "percent":
                away += 2
            if away <= NEAR and (best is None or away < best[0]):
                best = (away, number)
        if best is not None:
            self.found.used.add(best[1]) if self.marks[best[1]].kind == "adjective" else None
            self.named(best[1])
            return self.marks[best[1]].column
        if self.found.where and self.found.where[-1][0].op in (">", ">=", "<", "<="):
            return self.schema.column(self.found.where[-1][0].column)  # 10以上20以下
        mine = [one for one in self.schema.numbers if unit and one.unit == unit]
        if unit == "year":
            mine = mine or [
                one for one in self.schema.numbers if "age" in one.name.casefold() or "齢" in one.name
            ]
        if len(mine) == 1:
            self.found.doubts.append("unit")
            for number, mark in enumerate(self.marks):
                if mark.kind == "column" and mark.column == mine[0]:
                    self.named(number)
            return mine[0]
        ages = [
            one
            for one in self.schema.numbers
            if key_of(one.name)[:1] in (("age",), ("年",)) and ("age" in key_of(one.name) or "齢" in one.name)
        ]
        if len(ages) == 1 and not unit:  # women over 65
            self.found.doubts.append("age")
            return ages[0]
        if len(self.schema.numbers) == 1:
            self.found.doubts.append("only")
            return self.schema.numbers[0]
        return None

    def named(self, number: int) -> None:
        """A column mention became the column of a condition; it may still be the measure."""
        self.found.flags.setdefault(number, Condition(self.marks[number].column.name, "compared"))  # type: ignore[union-attr]

    # --- values, flags, dates -----------------------------------------------------------------------------------------

    def _kind(self, at: int) -> str:
        """The kind of a mention; a Japanese ごと or 別 belongs to what stands before it, so it is `per ja`."""
        if not 0 <= at < len(self.marks):
            return ""
        mark = self.marks[at]
        japanese = mark.kind == "per" and self.request.units[mark.first].is_japanese
        return "per ja" if japanese else mark.kind

    def _negated(self, at: int) -> int | None:
        before, after = at - 1, at + 1
        while before >= 0 and self.marks[before].kind in ("column", "pad", "with"):
            before -= 1
        free = self.found.used
        japanese = before >= 0 and self.request.units[self.marks[before].first].is_japanese
        if (
            before >= 0
            and before not in free
            and self.marks[before].kind in ("not", "without")
            and not japanese
            and self._adjacent(before, at, 4)
        ):
            return before
        if (
            after < len(self.marks)
            and after not in free
            and self.marks[after].kind in ("not", "without")
            and self._adjacent(at, after, 2)
        ):
            return after
        return None

    def _values(self) -> None:
        by_column: dict[tuple[str, bool], list[Condition]] = {}
        negative = False
        last: int | None = None
        for at, mark in enumerate(self.marks):
            if mark.kind != "value" or mark.column is None:
                continue
            sign = self._negated(at)
            carried = (
                last is not None and negative and at - last <= 2 and self.marks[last].column == mark.column
            )
            negative = sign is not None or carried
            if sign is not None:
                self.found.used.add(sign)
            by_column.setdefault((mark.column.name, negative), []).append(
                Condition(mark.column.name, "!=" if negative else "==", (_value(mark),))
            )
            self.found.used.add(at)
            before = at - 2 if sign == at - 1 else at - 1
            if (
                before >= 0
                and self.marks[before].kind == "column"
                and self.marks[before].column == mark.column
            ):
                self.named(before)  # sex is female, sex is not male
            last = at
        for (name, negative), conditions in list(by_column.items()):  # AでもBでもない
            if negative and (name, False) in by_column and "でも" in self.request.text:
                conditions += [Condition(name, "!=", one.values) for one in by_column.pop((name, False))]
        for (_, negative), conditions in by_column.items():
            if negative:
                self.found.where += [[one] for one in conditions]
            else:
                self.found.where.append(conditions)
                self.spots[len(self.found.where) - 1] = next(
                    n
                    for n, m in enumerate(self.marks)
                    if m.kind == "value" and m.column is not None and m.column.name == conditions[0].column
                )

    def _flags(self) -> None:
        """Yes-or-no columns that are named: with, without, or as they are."""
        for at, mark in enumerate(self.marks):
            if mark.kind != "column" or mark.column is None or at in self.found.used:
                continue
            if mark.strength < 0.7:
                continue
            if mark.column.info.yes_no is None:
                sign = self._negated(at)
                if sign is not None:
                    self.found.used |= {sign, at}
                    none = Condition(mark.column.name, "==", (0.0,)) if _holds(mark.column, 0.0) else None
                    self.found.where.append([none or Condition(mark.column.name, "missing")])
                elif (
                    mark.column.is_number
                    and at
                    and self._kind(at - 1) == "with"
                    and not self.request.units[self.marks[at - 1].first].is_japanese
                ):
                    self.found.used |= {at - 1, at}
                    self.found.where.append([Condition(mark.column.name, ">", (0.0,))])
                continue
            before, after = self._kind(at - 1), self._kind(at + 1)
            if before in ("per", "and") or after == "per ja":
                continue
            yes, no = mark.column.info.yes_no
            sign = self._negated(at)
            if sign is not None:
                self.found.used.add(sign)
            value = no if sign is not None else yes
            self.found.flags[at] = Condition(mark.column.name, "==", (value,))

    def _dates(self) -> None:
        dates = [(n, mark) for n, mark in enumerate(self.marks) if mark.kind == "date"]
        if not dates:
            return
        column = self._date_column()
        by_year = [
            m.column
            for m in self.marks
            if m.kind == "column"
            and m.column is not None
            and m.column.is_number
            and {"year", "年"} & set(key_of(m.column.name))
            and "齢" not in m.column.name
        ]
        if column is None or (
            by_year
            and all(isinstance(m.value, When) and m.value.year and not m.value.month for _, m in dates)
        ):
            for at, mark in dates:
                year = mark.value.year if isinstance(mark.value, When) else None
                if at in self.found.used:
                    continue
                there = by_year or [
                    one
                    for one in self.schema.columns
                    if one.is_number and {"year", "年"} & set(key_of(one.name)) and "齢" not in one.name
                ]
                if year is not None and there:
                    nxt = next((n for n, _ in dates if n > at), None)
                    opened = at and self.marks[at - 1].kind == "range"
                    later = self.marks[nxt].value if nxt is not None else None
                    until = later.year if isinstance(later, When) else None  # type: ignore[union-attr]
                    if (
                        nxt is not None
                        and until is not None
                        and (opened or any(one.kind == "range" for one in self.marks[at + 1 : nxt]))
                    ):
                        self.found.where.append(
                            [Condition(there[0].name, "between", (float(year), float(until)))]
                        )
                        self.found.used |= {at, nxt} | {
                            n
                            for n in range(max(0, at - 1), nxt)
                            if self.marks[n].kind in ("range", "and", "vs")
                        }
                        continue
                    compared = self._date_cmp(at)
                    op = compared[0] if compared else "=="
                    self.found.where.append([Condition(there[0].name, op, (float(year),))])
                    self.found.used |= {at, compared[1]} if compared else {at}
            return
        done: set[int] = set()
        alternatives: list[Condition] = []
        for at, mark in dates:
            if at in done:
                continue
            nxt = next((n for n, _ in dates if n > at), None)
            kara = nxt is not None and any(
                one.kind in ("cmp", "range")
                and self.request.raw(one.first, one.end).startswith(("から", "〜", "~"))
                for one in self.marks[at + 1 : nxt]
            )
            between = self.marks[at + 1 : nxt] if nxt is not None else []
            opened = bool(at) and self.request.raw(
                self.marks[at - 1].first, self.marks[at - 1].end
            ).casefold() in ("between", "from")
            joined = nxt is not None and (
                kara or all(one.kind in ("range", "and", "pad", "vs") for one in between)
            )
            if (
                joined
                and nxt is not None
                and (opened or kara or any(one.kind == "range" for one in between) or self._to(at, nxt))
            ):
                self.found.where.append(
                    [Condition(column.name, "from to", (_value(mark), _value(self.marks[nxt])))]
                )
                done |= {at, nxt}
                self.found.used |= {*range(max(0, at - 1), nxt + 2)} & {
                    n
                    for n in range(len(self.marks))
                    if self.marks[n].kind in ("range", "date", "and", "cmp", "vs")
                }
                continue
            compared = self._date_cmp(at)
            sign = self._negated(at)
            op = "when"
            if compared is not None:
                op, op_at = f"when {compared[0]}", compared[1]
                self.found.used.add(op_at)
            elif sign is not None:
                op = "not when"
                self.found.used.add(sign)
            one = Condition(column.name, op, (_value(mark),))
            if op == "when":
                alternatives.append(one)
            else:
                self.found.where.append([one])
            self.found.used.add(at)
            done.add(at)
        kinds = {_parts_of(one) for one in alternatives}
        if len(alternatives) > 1 and len(kinds) > 1:  # mondays in may: both hold
            self.found.where += [[one] for one in alternatives]
        elif alternatives:
            self.found.where.append(alternatives)

    def _to(self, one: int, two: int) -> bool:
        words = self.request.text[
            self.request.units[self.marks[one].end - 1].end : self.request.units[self.marks[two].first].start
        ]
        return words.strip() in ("to", "until", "till", "through", "-", "から", "〜", "~")

    def _date_cmp(self, at: int) -> tuple[str, int] | None:
        for near in (at - 1, at + 1):
            if (
                0 <= near < len(self.marks)
                and self.marks[near].kind == "cmp"
                and near not in self.found.used
                and self._adjacent(near, at, 2)
            ):
                return str(self.marks[near].value), near
        start = self.request.units[self.marks[at].first].start
        before = self.request.text[:start].rstrip().rsplit(" ", 1)[-1].casefold()
        end = self.request.units[self.marks[at].end - 1].end
        after = self.request.text[end : end + 3]
        if before in ("since", "from") or after.startswith(("以降", "以後", "から")):
            return ">=", at
        if before == "after" or after.startswith("より後"):
            return ">", at
        if before in ("before",) or after.startswith(("以前", "より前")):
            return "<", at
        if before in ("until", "till", "through") or after.startswith("まで"):
            return "<=", at
        return None

    def _date_column(self) -> Column | None:
        named = [
            mark.column
            for mark in self.marks
            if mark.kind == "column" and mark.column is not None and mark.column.is_date
        ]
        return named[0] if named else self.schema.dates[0] if self.schema.dates else None


FACTORS = {
    "yen": 1.0,
    "thousand yen": 1e3,
    "ten thousand yen": 1e4,
    "million yen": 1e6,
    "hundred million yen": 1e8,
    "second": 1.0,
    "minute": 60.0,
    "hour": 3600.0,
    "day": 86400.0,
    "week": 604800.0,
    "gram": 1.0,
    "kilogram": 1e3,
    "tonne": 1e6,
    "milligram": 1e-3,
    "millimetre": 1e-3,
    "centimetre": 1e-2,
    "metre": 1.0,
    "kilometre": 1e3,
    "mile": 1609.344,
    "millilitre": 1e-3,
    "litre": 1.0,
}
_KINDS = (
    ("yen",),
    ("second", "minute", "hour", "day", "week"),
    ("gram", "tonne"),
    ("metre", "mile"),
    ("litre",),
)


def _is_measured(column: Column | None) -> bool:
    """Whether two cells of a column can be compared as figures or days."""
    return column is not None and (column.is_number or column.is_date)


def _kind_of(unit: str) -> int | None:
    return next((n for n, words in enumerate(_KINDS) if any(unit.endswith(word) for word in words)), None)


def converted(value: float, given: str, wanted: str) -> float:
    """A figure in the unit of its column; as it is where the units measure different things or none is known."""
    if (
        given == wanted
        or given not in FACTORS
        or wanted not in FACTORS
        or _kind_of(given) != _kind_of(wanted)
    ):
        return value
    return value * FACTORS[given] / FACTORS[wanted]


def _parts_of(one: Condition) -> tuple[bool, ...]:
    when = one.values[0]
    assert isinstance(when, When)
    return (
        *tuple(part is not None for part in (when.year, when.quarter, when.month, when.day)),
        bool(when.weekdays),
    )


def _holds(column: Column, value: object) -> bool:
    """Whether a number is one of the few values of a column."""
    return isinstance(value, float) and any(_number(one) == value for one in column.info.values)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _value(mark: Mention) -> Value:
    """What a mention of a value, a number or a date stands for."""
    return cast(Value, mark.value)
