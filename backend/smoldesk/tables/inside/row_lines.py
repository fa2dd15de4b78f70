"""Lines within a table that are not its rows: repeated headers, page numbers, notes below it, totals. Pure."""

import re
from collections.abc import Mapping
from typing import Any

from .block import Block
from .cell_kinds import Grid, kind_of, text_of
from .grid_lines import HEAD
from .name_lines import NameLines
from .nested_totals import nested_totals
from .totals import total_rows

_NOTE = re.compile(
    r"\s*(?:[*＊#]|\d{1,2} ?[)）]|注|資料|以上|.{12,}[.。．]$|(?:notes?|sources?|generated|printed|created|exported|as of)\b)",
    re.IGNORECASE,
)
_SURE_NOTE = re.compile(
    r"\s*(?:※|[(（]?注 ?\d*[)）:：]|(?:備考|出典|出所|資料|notes?|sources?) ?[:：]|-{3,}|={3,})",
    re.IGNORECASE,
)
_PAGE = re.compile(
    r"[-–—]+ ?\d+ ?[-–—]+|(?:page|p\.) ?\d+(?: ?(?:/|of) ?\d+)?|\d+ ?(?:/ ?\d+ ?)?(?:ページ|頁)",
    re.IGNORECASE,
)


class RowLines(NameLines):
    """Grid whose rows are sorted into rows of a table and other lines."""

    def __init__(self, grid: Grid, comma: bool, row_overrides: Mapping[int, bool], ends: bool) -> None:
        super().__init__(grid)
        self.comma, self.row_overrides, self.ends = comma, row_overrides, ends

    def leave_out(
        self, block: Block, candidate_rows: list[int], columns: list[int], lines: list[int]
    ) -> None:
        """Set the block's `body` and `skipped_rows` from the rows below its header `lines`."""
        names = [(self.within(line, columns), self.texts(line, columns), line) for line in lines]
        body: list[int] = []
        for row in candidate_rows:
            here = self.within(row, columns)
            if any(
                here == filled
                and self.grid[row][here[0]]
                == self.grid[line][here[0]]  # cheap, before all texts are compared
                and self.texts(row, columns) == texts
                for filled, texts, line in names
            ):
                block.skipped_rows[row] = "names"
            elif len(here) == 1 and len(columns) > 1 and _PAGE.fullmatch(self.within_text(row, columns)):
                block.skipped_rows[row] = "page"
            else:
                body.append(row)
        excluded_rows = {row for row in body if self.row_overrides.get(row) is False}
        block.skipped_rows |= dict.fromkeys(excluded_rows, "told")
        body = [row for row in body if row not in excluded_rows]
        if not block.goes_on and len(columns) > 1:
            for row, sure in self._notes(body, columns).items():
                if sure:
                    block.skipped_rows[row] = "note"
                elif row not in self.row_overrides:
                    block.doubts.setdefault("note", []).append(row)
            block.skipped_rows |= dict.fromkeys(self._headings(body, columns), "group")
            body = [row for row in body if row not in block.skipped_rows]
        if not block.goes_on:
            nested = [body[place] for place in nested_totals(self._cells(body, columns), self.comma)]
            block.skipped_rows |= dict.fromkeys(nested, "total")
            body = [row for row in body if row not in block.skipped_rows]
        totals, doubted = total_rows(self._cells(body, columns), self.comma, not block.goes_on)
        block.skipped_rows |= {body[place]: "total" for place in totals}
        if doubted:
            block.doubts["total"] = [
                body[place] for place in doubted if body[place] not in self.row_overrides
            ]
        rows_after_all = ("total", "note", "page", "names", "units", "group")
        back = {
            row
            for row, why in block.skipped_rows.items()
            if why in rows_after_all and self.row_overrides.get(row) is True
        }
        if block.goes_on:
            block.retained_rows = [
                row for row, why in block.skipped_rows.items() if why in rows_after_all[:4]
            ]
            back |= {*block.retained_rows}
            block.doubts.pop("total", None)
        block.skipped_rows = {row: why for row, why in block.skipped_rows.items() if row not in back}
        block.body = sorted({row for row in body if row not in block.skipped_rows} | back)

    def _cells(self, rows: list[int], columns: list[int]) -> list[list[Any]]:
        return [[self.cell(row, at) for at in columns] for row in rows]

    def _notes(self, body: list[int], columns: list[int]) -> dict[int, bool]:
        """Return the last rows that may be notes below the table, and whether they surely are.

        Each is a single cell of words, or few cells of many. Three signs count: it begins like a note, a blank row separates
        it, it is far longer than the cells above. One sign makes a doubt, two are sure.
        """
        first = len(body)
        while first > 1 and self._is_alone(body[first - 1], columns):
            first -= 1
        typed = {*self.typed(body[:first][:HEAD], columns)}
        if len(body) - first > 1 and any(typed & {*self.within(row, columns)} for row in body[first:]):
            return dict.fromkeys(body[first:], True)  # words where the rows above have numbers or days
        notes: dict[int, bool] = {}
        apart = False
        for place in range(first, len(body)):
            row = body[place]
            apart = apart or body[place - 1] < row - 1
            at = self.within(row, columns)[0]
            longest = max((len(text_of(self.cell(row, at))) for row in body[:first]), default=0)
            text = str(self.grid[row][at])
            certainty = 2 if _SURE_NOTE.match(text) else bool(_NOTE.match(text))
            long = len(text_of(self.grid[row][at])) > max(20, 2 * longest)
            if certainty or apart or long:
                notes[row] = certainty + apart + long > 1
        return notes

    def _headings(self, body: list[int], columns: list[int]) -> list[int]:
        """Return the rows that only name the group of the rows below, in a column that is blank in these."""
        alone = [
            row for row in body[:-1] if len(self.within(row, columns)) == 1 and self._is_alone(row, columns)
        ]
        if len(alone) < 2 or len(columns) < 3:
            return []
        [at, *_] = self.within(alone[0], columns)
        groups = {row for row in alone if self.within(row, columns) == [at]}
        filled = [row for row in body if row not in groups and at in self.within(row, columns)]
        follow = [
            row for place, row in enumerate(body) if place and body[place - 1] in groups and row not in groups
        ]
        are_headings = len(filled) < 0.1 * len(body) and 2 * len(follow) > len(groups) > 1
        return sorted(groups) if are_headings else []

    def _is_alone(self, row: int, columns: list[int]) -> bool:
        here = self.within(row, columns)
        is_sparse = 0 < len(here) <= max(1, len(columns) // 3)
        return is_sparse and all(kind_of(self.grid[row][at]) == "words" for at in here)
