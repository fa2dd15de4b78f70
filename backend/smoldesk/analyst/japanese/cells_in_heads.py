"""ラインごと, 班別: a column said by what its cells end with, where its header is ライン名 or 担当班."""

import re
from collections.abc import Iterable, Iterator, Sequence

from smoldesk.analyst.tables.catalogue import TableInfo
from smoldesk.analyst.words.text import tidy

Rule = tuple[re.Pattern[str], str]
_NOUN = re.compile("[一-龥々]{1,3}|[ァ-ヶー]{2,}")
_LONGEST = 12
_CUT = "(?=ごと|別|毎(?!日|月|週|年))"


def cells_in_heads(table: TableInfo) -> Iterator[Rule]:
    """The patterns for the columns of one table."""
    texts = [one for one in table.columns if one.kind == "text" and not one.is_id and not one.yes_no]
    for column in texts:
        noun = ending(column.values)
        header = tidy(column.name)
        if not noun or header == noun or noun not in header:
            continue
        if [one for one in table.columns if noun in tidy(one.name)] != [column]:
            continue
        yield re.compile(rf"(?<![一-龥ァ-ヶー\w]){noun}{_CUT}"), header
        yield re.compile(rf"(?<=どの){noun}(?![一-龥ァ-ヶー])"), header


def cell_endings(tables: Iterable[TableInfo]) -> list[str]:
    """The nouns that all cells of a column end with, in the tables of the desk's own; longest first."""
    found = {
        ending(column.values)
        for table in tables
        if not table.bundled and not table.produced
        for column in table.columns
        if column.kind == "text" and not column.is_id
    }
    return sorted(found - {""}, key=len, reverse=True)


def ending(values: Sequence[str]) -> str:
    """ライン of 第1ライン and 第2ライン: the noun that all cells end with; empty where there is none."""
    if len(values) < 2:
        return ""
    ends = [tidy(value) for value in values]
    size = next((at for at in range(1, _LONGEST) if len({one[-at:] for one in ends}) > 1), _LONGEST)
    shared = ends[0][len(ends[0]) - size + 1 :]
    found = re.search(rf"(?:{_NOUN.pattern})$", shared)
    return found[0] if found and all(tidy(value) != found[0] for value in values) else ""
