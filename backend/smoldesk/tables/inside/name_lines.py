"""Header lines of a table: the one with the column names, groups above it, units below it. Pure."""

import re
from collections import Counter

from .cell_kinds import are_labels, kind_of, line_text, number_of, text_of
from .grid_lines import HEAD, GridLines
from .roles import is_year_header

# Least share of a table's columns that a header line fills; most lines of a header below its first wide one.
WIDE, MAX_LOWER = 0.6, 3
# Most characters of a word for the figures of years.
LONGEST_WORD = 20
_UNIT = re.compile(r"[(（\[［【][^)）\]］】]{1,16}[)）\]］】]")
_DATED = re.compile(r"(?:19|20)\d\d ?[年/.-] ?\d")
_SERIES_CODE = re.compile(r"(?=.*[A-Z])(?=.*\d)[A-Z0-9'@_.%/-]{6,}")
_RATE = re.compile(r"= ?100\b|%|率")


# Characters that spaces set apart: 総 数.
_STRETCHED = re.compile(r"(?<!\S)(?:[\u3040-\u9fff][ \u3000]+)+[\u3040-\u9fff](?![\u3040-\u9fff])")

# Overrides of the direction: they would turn around the figures that follow a name in a sentence.
_OVERRIDES: dict[int, None] = dict.fromkeys((0x202D, 0x202E))


# Control characters as Excel escapes them in a workbook: _x000D_ before a line break.
_ESCAPED = re.compile(r"\s*_x00[01][0-9A-Fa-f]_\s*")


def clean_name(text: str) -> str:
    """Return a name without spaces around it and between its single characters (人 口), overrides, control characters."""
    text = _ESCAPED.sub(" ", text.translate(_OVERRIDES))
    return _STRETCHED.sub(lambda match: re.sub(r"\s", "", match[0]), text.strip())


class NameLines(GridLines):
    """Grid whose rows are rated as header lines."""

    def names_row(self, rows: list[int], columns: list[int]) -> int | None:
        """Return the index in `rows` of the last header line; None if no line differs from the rows below."""
        wide = self.width(rows, columns)
        below = self.typed(rows[1 : HEAD + 1], columns)
        for place, row in enumerate(rows[: HEAD // 2]):
            here = self.within(row, columns)
            if len(here) < max(2, wide * WIDE) or not self.may_be_names(row, columns):
                continue
            if len(here) > 2 and len({text_of(self.cell(row, at)) for at in here[1:]}) == 1:
                continue  # a secret row: Town, x, x, x
            body = rows[place + 1 : place + 1 + HEAD]
            body = body[1:] if body and self.is_units(row, body[0], columns) else body
            if len(here) > 2 and body and len(self.within(body[0], columns)) == 1:  # the heading of a section
                body = body[1:]
            typed = self.typed(body, columns) or below
            typed_here = {*typed} & {*here}
            if body and any(kind_of(self.cell(body[0], at)) in ("number", "day") for at in typed_here):
                return place
        return None

    def upper_lines(self, above: list[int], last: int, columns: list[int]) -> list[int]:
        """Return lines above the last header line that group its columns."""
        lines: list[int] = []
        lower = last
        for row in reversed(above):
            texts, under = self.texts(row, columns), self.texts(lower, columns)
            spans = [at for at, text in enumerate(texts) if not text and at and under[at]]
            alike = len({text for text in under if text}) < sum(map(bool, under))
            fills = any(text and not other for text, other in zip(texts, under, strict=True))
            # A name stands over each of its columns, or over the first one only.
            repeats = 1 < len({*filter(None, texts)}) < sum(map(bool, texts))
            groups = ((spans or repeats) and (alike or fills)) or (
                self._are_codes(lower, columns) and all(texts) and len({*texts}) == len(texts)
            )
            filled = [text for text in texts if text]
            # A title, or a name over all columns, and the unit of all figures.
            has_unit = len(filled) == 2 and any(map(_UNIT.fullmatch, filled))
            # A title and the day of the table.
            has_unit |= len(filled) == 2 and all(map(_DATED.search, filled))
            if row != lower - 1 or len(filled) < 2 or has_unit or not groups:
                break
            if not self.may_be_names(row, columns):  # a row of numbers
                break
            lines.insert(0, row)
            lower = row
        return lines

    def lower_lines(self, rows: list[int], columns: list[int]) -> list[int]:
        """Return the lines below the first of `rows` down to one that has years instead of numbers, if there is one.

        The columns of labels are named on one of these lines.
        """
        typed = self.typed(rows[MAX_LOWER + 1 : HEAD], columns, "number")
        for place in range(min(MAX_LOWER, len(rows) - 2), 0, -1):
            lines, last = rows[: place + 1], rows[place]
            if len(self._years(last, typed)) < 3 or self._years(rows[place + 1], typed):
                continue
            first_labels, labels = ({*self.within(line, columns)} - {*typed} for line in (lines[0], last))
            # A line with a label next to the names is a row.
            is_row = first_labels & labels or (labels and place == 1) or len(typed) == len(columns)
            kinds = {kind for line in lines[1:-1] for kind in self.kinds(line, columns)}
            if not is_row and not {"number", "day"} & kinds and {*typed} <= {*self.within(last, columns)}:
                return lines[1:]
        return []

    def _years(self, row: int, columns: list[int]) -> list[int]:
        """Return the columns in which a row has years, such as 2010 and (2010), if it has no other numbers there."""
        numbers = [at for at in columns if kind_of(self.cell(row, at)) == "number"]
        values = [number_of(self.cell(row, at)) or 0 for at in numbers]
        are_years = len({*values}) == len(values) and all(1900 <= abs(value) <= 2100 for value in values)
        return numbers if are_years else []

    def names_by_year(self, lines: list[int], columns: list[int]) -> list[str]:
        """Return the names of columns below `lower_lines`: years, the words above other columns, the lowest for labels."""
        years = self._years(lines[-1], columns)
        first = columns.index(years[0])
        texts = [[clean_name(self.texts(line, [at])[0]) for line in lines] for at in columns]
        lowest = next((row for row in list(zip(*texts[:first], strict=True))[::-1] if any(row)), [""] * first)
        split = "".join(lowest).split("・")
        labels = split if len(split) == first > sum(map(bool, lowest)) else [*lowest]
        names = [[label] for label in labels] + texts[first:]
        # Years of rates, which are not added up, have the unit in their names.
        above_all = self.texts(lines[0] - 1, columns) if lines[0] else []
        units = [match[0] for text in above_all if (match := _UNIT.search(text))]
        rates = [unit for unit in units if _RATE.search(unit)][:1]
        for at in years:
            *above, year = texts[columns.index(at)]
            unit = re.search(r"年度?$", "".join(above))
            names[columns.index(at)] = [re.sub(r"\D", "", year) + (unit[0] if unit else ""), *rates]
        return self._named_apart(names)

    def quantity(self, rows: list[int], lines: list[int], columns: list[int]) -> list[str]:
        """Return the names of a single header line with the one word above its years in brackets: 2010年（人口）; else none."""
        above = [row for row in rows if row < lines[0] and self.within(row, columns)][-1:]
        years = [at for at in columns if is_year_header(line_text(self.cell(lines[0], at)))]
        if len(lines) > 1 or len(years) < 3 or not above or self.within(above[0], columns) != years[:1]:
            return []
        word = clean_name(re.sub(r"[(（\[].*", "", line_text(self.cell(above[0], years[0]))))
        names = [[clean_name(line_text(self.cell(lines[0], at)))] for at in columns]
        is_word = word and len(word) <= LONGEST_WORD and kind_of(word) == "words"
        for at in years if is_word else ():
            names[columns.index(at)] = [f"{names[columns.index(at)][0]}（{word}）"]
        return self._named_apart(names) if is_word else []

    def joined(self, lines: list[int], units: int | None, columns: list[int]) -> list[str]:
        """Return a name for each column: the texts above it from the top, then its unit."""
        lines = self._without_types(lines, columns)
        parts: list[list[str]] = [[] for _ in columns]
        for place, line in enumerate(lines):
            carried = ""
            lower = [
                any(texts)
                for texts in zip(*(self.texts(below, columns) for below in lines[place + 1 :]), strict=True)
            ]
            begins = [
                any(texts)
                for texts in zip(*(self.texts(above, columns) for above in lines[:place]), strict=True)
            ]
            for at, text in enumerate(line_text(self.cell(line, column)) for column in columns):
                carried = "" if begins and begins[at] else carried  # another group of the lines above begins
                carried = text or (carried if lower and lower[at] else "")
                if carried and carried not in parts[at]:
                    parts[at].append(carried)
        if units is not None:
            for at, text in enumerate(line_text(self.cell(units, column)) for column in columns):
                parts[at] += [text if not text or _UNIT.fullmatch(text) else f"({text})"]
        return self._named_apart(parts)

    def _without_types(self, lines: list[int], columns: list[int]) -> list[int]:
        """Return only the line that names all columns apart if those below it repeat a few words (string, string), or
        are codes.
        """
        texts = [self.texts(line, columns) for line in lines]
        repeats = [
            (all(row) and 2 * len({*row[1:]}) < len(row)) or self._are_codes(line, columns)
            for line, row in zip(lines, texts, strict=True)
        ]
        for place, row in enumerate(texts[:-1]):
            if all(row) and len({*row}) == len(row) and all(repeats[place + 1 :]):
                return [lines[place]]
        return lines

    def _are_codes(self, line: int, columns: list[int]) -> bool:
        """Check for codes of series below a label: MD02'MAM1YAM2M2MO."""
        codes = self.texts(line, columns)[1:]
        return len(codes) > 1 and all(map(_SERIES_CODE.fullmatch, codes))

    def _named_apart(self, parts: list[list[str]]) -> list[str]:
        """Return the name of each column from its parts; columns of the same name get numbers."""
        heads = [
            " ".join(map(clean_name, filter(None, part))) or f"column_{at + 1}"
            for at, part in enumerate(parts)
        ]
        name_counts: Counter[str] = Counter()
        apart: list[str] = []
        for head in heads:
            apart.append(f"{head}.{name_counts[head]}" if name_counts[head] else head)
            name_counts[head] += 1
        return apart

    def is_units(self, names: int, row: int, columns: list[int]) -> bool:
        """Check whether a row has units: all in brackets, or short words over numbers only."""
        if row <= names:
            return False
        here = [at for at in self.within(row, columns) if text_of(self.grid[row][at])]
        texts = [text_of(self.grid[row][at]) for at in here]
        if not texts or any(kind in ("number", "day") for kind in self.kinds(row, columns)):
            return False
        later = [
            below for below in range(row + 1, min(row + HEAD, len(self.grid))) if self.within(below, columns)
        ]
        typed = self.typed(later, columns, "number")
        if not typed or not set(here) <= set(self.within(names, columns)):
            return False
        if all(_UNIT.fullmatch(text) for text in texts):
            return True
        untyped = [at for at in columns if at not in typed]
        short = all(len(text) <= 8 and " " not in text and kind_of(text) == "words" for text in texts)
        return bool(untyped) and set(here) <= set(typed) and short and len(here) * 2 > len(typed)

    def may_be_names(self, row: int, columns: list[int]) -> bool:
        kinds = self.kinds(row, columns)
        numbers = [self.cell(row, at) for at, kind in zip(columns, kinds, strict=True) if kind == "number"]
        days = [self.cell(row, at) for at, kind in zip(columns, kinds, strict=True) if kind == "day"]
        if numbers and not are_labels(numbers):
            return False
        return not days or (len(days) > 1 and len(set(map(str, days))) == len(days) and not numbers)
