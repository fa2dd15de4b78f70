"""Tables of a grid: lines before and after them, header lines, units, totals, tables beside and below each other.

Rows and columns count from 0. Uncertain parts go into `Block.doubts`, and the page asks about them. Pure.
"""

import re
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise

from .block import LONGEST_NAMES, Block
from .cell_kinds import Grid, kind_of, text_of
from .grid_lines import HEAD, stands
from .name_lines import WIDE, clean_name
from .row_lines import RowLines
from .shapes import literal


def blocks(
    grid: Grid,
    *,
    comma: bool = False,
    header: int | None = None,
    row_overrides: Mapping[int, bool] | None = None,
    ends: bool = True,
) -> list[Block]:
    """Return the tables of a grid, at least one unless all cells are blank.

    `header` is the header row that a person chose, -1 for none. `row_overrides` maps rows to True (keep) or False
    (skip). Without `ends` the grid is only the beginning of a file.
    """
    finder = _Finder(grid, comma, row_overrides or {}, ends)
    if header is not None:
        return finder.from_header(header)
    parts = finder.parts()
    return parts if parts else finder.from_header(None)


# Name of a column of names that has none, by whether the others are in ASCII.
NAMES = {True: "name", False: "名前"}
_BRACKETS = re.compile(r"[(（][^()（）]*[)）]")
# Most lines of a header that differs from the rows in its layout only.
MAX_HEAD_LINES = 8


class _Finder(RowLines):
    # --- places of tables -------------------------------------------------------------------------------------

    def parts(self) -> list[Block]:
        """Return the certain tables, each with the rows from its header to the next table's."""
        sure_tables: list[tuple[Block, list[int]]] = []
        reach: list[
            tuple[Block, list[int]]
        ] = []  # the last tables, beside each other: what follows may be theirs
        first: list[int] = []
        for band in self._bands():
            tables = [table for columns in self._sides(band) if (table := self._table(band, columns))]
            if tables and not (sure_tables and self._goes_on(sure_tables[-1][0], tables)):
                first = first if sure_tables else [row for row in range(band[0]) if self.filled[row]]
                reach = [(table, [*band]) for table in tables]
                sure_tables += reach
            else:
                for _table, rows in reach:
                    rows += band
        for block, _rows in reach:
            block.goes_on = not self.ends
        for place, (block, rows) in enumerate(sure_tables):
            neighbours = [
                other for other, theirs in sure_tables if other is not block and theirs[0] == rows[0]
            ]
            block.has_neighbours = bool(neighbours)
            self._widen(block, rows, neighbours)
            self._fill(block, rows)
            block.skipped_rows |= {} if place else dict.fromkeys(first, "before")
        return [block for block, _rows in sure_tables]

    def _widen(self, block: Block, rows: list[int], neighbours: list[Block]) -> None:
        """Add columns that only later rows fill, up to the next table."""
        first = block.columns[0] if any(other.columns[0] < block.columns[0] for other in neighbours) else 0
        end = min((at for other in neighbours if (at := other.columns[0]) > block.columns[0]), default=None)
        if block.goes_on and not neighbours:
            block.columns = self._places(rows)
            return
        filled = {at for row in rows if row >= block.names[0] for at in self.filled[row]}
        ours = {at for at in filled if first <= at and (end is None or at < end)}
        block.columns = sorted({*block.columns, *ours})

    def _goes_on(self, last: Block, tables: list[Block]) -> bool:
        """Check whether these rows continue the table above and only repeat its header."""
        same = (
            len(tables) == 1
            and bool(last.names)
            and self.texts(tables[0].names[-1]) == self.texts(last.names[-1])
        )
        return same and not tables[0].caption

    def _bands(self) -> list[list[int]]:
        """Return groups of rows without a blank row between them."""
        bands: list[list[int]] = []
        for row, filled in enumerate(self.filled):
            if filled:
                if bands and bands[-1][-1] == row - 1:
                    bands[-1].append(row)
                else:
                    bands.append([row])
        return bands

    def _sides(self, band: list[int]) -> list[list[int]]:
        """Return the columns of a band, in groups where tables stand beside each other."""
        used = sorted({at for row in band for at in self.filled[row]})
        groups: list[list[int]] = []
        for at in used:
            if groups and groups[-1][-1] == at - 1:
                groups[-1].append(at)
            else:
                groups.append([at])
        if len(groups) < 2 or any(len(group) < 2 for group in groups):
            return [used]
        tables = [self._table(band, group) for group in groups]
        if not all(tables):
            return [used]
        lengths = {sum(bool(self.within(row, group)) for row in band) for group in groups}
        neighbours = [(table, group) for table, group in zip(tables, groups, strict=True) if table]
        heads = [text for table, group in neighbours for text in self.texts(table.names[-1], group)]
        captions = all(table.caption for table, _group in neighbours)
        apart = len(lengths) > 1 or len(set(heads)) < len(heads) or captions
        return groups if apart else [used]

    def _table(self, band: list[int], columns: list[int]) -> Block | None:
        """Return the table of these rows and columns: a header line over at least two rows with numbers or days."""
        rows = [row for row in band if self.within(row, columns)]
        if len(rows) < 3 or len(columns) < 2:
            return None
        place = self.names_row(rows, columns)
        if place is None or len(rows) - place < 3:
            return None
        above = [row for row in rows[:place] if len(self.within(row, columns)) == 1]
        lower = self.lower_lines(rows[place:], columns)
        return Block(
            [rows[place], *lower], [], columns, caption=self.within_text(above[-1], columns) if above else ""
        )

    # --- one table ----------------------------------------------------------------------------------------------

    def from_header(self, header: int | None) -> list[Block]:
        """Return the complete grid as one table."""
        rows = [row for row, cells in enumerate(self.filled) if cells]
        if not rows or (header or 0) > rows[-1]:
            return []
        columns = self._places(rows)
        if header == -1:
            block = Block([], [], columns)
        elif header is not None:
            rows = [row for row in rows if row >= header]
            columns = self._places(rows)
            block = Block([rows[0]], [], columns)
        else:
            block = self._without_contrast(rows, columns)
        block.goes_on = not self.ends
        above = [row for row in rows if block.body and row < block.body[0]]
        self._fill(block, [row for row in rows if row not in above], is_header_fixed=header is not None)
        block.skipped_rows |= dict.fromkeys(above, "before")
        return [block]

    def _places(self, rows: list[int]) -> list[int]:
        """Return the columns of these rows; for the beginning of a file also those that are blank so far."""
        return [*range(max(self.filled[row][-1] + 1 if self.ends else len(self.grid[row]) for row in rows))]

    def _without_contrast(self, rows: list[int], columns: list[int]) -> Block:
        """Return a table whose header looks like its values: the first wide line, unless it has numbers or days
        itself. Its `body` starts with the first row if it has no header.
        """
        if self._counts_the_rest(rows):
            return Block([], [rows[1]], columns, doubts={"header": [*rows[:2]]})
        wide = self.width(rows)
        first = next((row for row in rows[:HEAD] if len(self.filled[row]) >= wide * WIDE), rows[0])
        body = rows[rows.index(first) :]
        if len(body) > 2 and len(columns) > 1 and not self.may_be_names(first, columns):
            ours = self.kinds(first, columns)
            pairs = [pair for row in body[:HEAD] for pair in zip(ours, self.kinds(row, columns), strict=True)]
            if all("blank" in pair or pair[0] == pair[1] for pair in pairs):
                return Block([], [first], columns, doubts={"header": [*dict.fromkeys((rows[0], first))]})
        block = Block(self._head_lines(body, columns, wide), [], columns)
        if first != rows[0]:
            block.doubts["header"] = [rows[0], first]
        return block

    def _head_lines(self, rows: list[int], columns: list[int], wide: int) -> list[int]:
        """Return the first row, and those up to the first row of numbers if a table's names are on several lines."""
        typed = self.typed(rows[MAX_HEAD_LINES:][:HEAD], columns, "number")
        for place, row in enumerate(rows[: MAX_HEAD_LINES + 1]):
            numbers = [at for at in typed if kind_of(self.cell(row, at)) == "number"]
            if place and len(self.within(row, columns)) >= wide * WIDE and 2 * len(numbers) > len(typed):
                lines = rows[:place]
                words = [line for line in lines if {*self.kinds(line, columns)} - {"number", "blank"}]
                return words if place > 1 and not self._has_blanks(words, columns) else rows[:1]
        return rows[:1]

    def _has_blanks(self, lines: list[int], columns: list[int]) -> bool:
        """Check whether a column has no name in any of these lines."""
        return any(not any(text_of(self.cell(line, at)) for line in lines) for at in columns)

    def _counts_the_rest(self, rows: list[int]) -> bool:
        """Check whether the first line has the number of the lines below, as in the data sets of scikit-learn."""
        return len(rows) > 3 and self.ends and text_of(self.cell(rows[0], 0)) == str(len(rows) - 1)

    def _fill(self, block: Block, rows: list[int], is_header_fixed: bool = False) -> None:
        """Set the header lines, rows and columns of a block from the rows that it may have."""
        columns = sorted({*block.columns})
        block.skipped_rows.clear()
        remaining = [
            row for row in rows if (not block.names or row > block.names[-1]) and self.within(row, columns)
        ]
        if block.names:
            last = block.names[-1]
            uppers = (
                []
                if is_header_fixed
                else self.upper_lines([row for row in rows if row < block.names[0]], last, columns)
            )
            block.names = [*uppers, *block.names] if len(block.names) == 1 else block.names
            lines = block.names
            units = remaining[0] if remaining and self.is_units(last, remaining[0], columns) else None
            is_by_year = (
                not is_header_fixed and lines[1:] == self.lower_lines(lines + remaining, columns) != []
            )
            heads = self.names_by_year(lines, columns) if is_by_year else self.joined(lines, units, columns)
            above = (
                []
                if is_header_fixed or is_by_year or units is not None
                else self.quantity(rows, lines, columns)
            )
            heads = above or heads
            before = [row for row in rows if row < lines[0] and self.within(row, columns)]
            least = self.width(remaining, columns) * WIDE
            wide = [row for row in before if len(self.within(row, columns)) >= least]
            has_words = is_by_year or "words" in self.kinds(last, columns)
            if not is_header_fixed and (wide or not has_words):
                block.doubts["header"] = [*wide, last]
            if units is not None:
                remaining = remaining[1:]
                block.skipped_rows[units] = "units"
            plain = len(lines) == 1 and units is None and not above and self._has_plain_names(last, columns)
            if block.goes_on and len(self.grid[last]) <= columns[-1]:  # one separator too many, blank so far
                plain = plain and any(self.filled[row][-1] >= len(self.grid[last]) for row in remaining)
            block.skipped_rows |= dict.fromkeys(before, "before")
        else:
            heads, plain, lines = [], True, []
        self.leave_out(block, remaining, columns, lines)
        filled_columns = {at for at in columns if any(stands(self.cell(row, at)) for row in block.body)}
        named = {at for line in lines for at in self.filled[line]}
        for place, (at, other) in enumerate(pairwise(columns)):
            # A name over two columns, whose first one only has the headings of groups.
            if (
                "group" in block.skipped_rows.values()
                and at in named - filled_columns
                and other in filled_columns - named
            ):
                heads, plain, named = [*heads], False, named - {at}
                heads[place + 1] = heads[place]
        block.columns = [at for at in columns if at in named or at in filled_columns or block.goes_on]
        if lines and not block.goes_on and self._counts_rows(block, named):
            block.columns = block.columns[1:]
        elif lines and columns[0] not in named and self._names_rows(block):
            heads, plain = [NAMES["".join(heads[1:]).isascii()], *heads[1:]], False
        block_columns = {*block.columns}
        block.heads = (
            [] if plain else [head for at, head in zip(columns, heads, strict=True) if at in block_columns]
        )
        if len(literal(block.heads)) > LONGEST_NAMES:
            block.heads = _without_brackets(block.heads)

    def _has_plain_names(self, line: int, columns: list[int]) -> bool:
        """Check for names that pandas reads as shown: texts without spaces that `clean_name` removes, no numbers (2010)."""
        cells = [self.cell(line, at) for at in columns]
        return all(cell == clean_name(cell) if isinstance(cell, str) else not stands(cell) for cell in cells)

    def _names_rows(self, block: Block) -> bool:
        """Check whether the first column has words, as the names of R's rows."""
        cells = [self.cell(row, block.columns[0]) for row in block.body]
        heads = {text_of(self.cell(line, at)).casefold() for line in block.names for at in block.columns}
        has_words = {*map(kind_of, cells)} == {"words"} and len({*map(text_of, cells)}) > 1
        return has_words and len(cells) > 2 and len(block.columns) > 1 and heads.isdisjoint(NAMES.values())

    def _counts_rows(self, block: Block, named: set[int]) -> bool:
        """Check whether the first column has no name and counts the rows, as an index does."""
        first = block.columns[0] if block.columns else 0
        if first in named or len(block.body) < 2 or len(block.columns) < 2:
            return False
        totals = {row for row, why in block.skipped_rows.items() if why == "total"}
        texts = [text_of(self.cell(row, first)) for row in sorted({*block.body} | totals)]
        return any(texts == [str(start + at) for at in range(len(texts))] for start in (0, 1))


def _without_brackets(heads: list[str]) -> list[str]:
    """Return long names without what is in brackets, such as a translation, unless it tells them apart; none if too long.

    Without names pandas takes those of the last header line.
    """
    short = [" ".join(_BRACKETS.sub(" ", _BRACKETS.sub(" ", head)).split()) or head for head in heads]
    counts = Counter(short)
    short = [name if counts[name] == 1 else head for name, head in zip(short, heads, strict=True)]
    return short if len(literal(short)) <= LONGEST_NAMES else []
