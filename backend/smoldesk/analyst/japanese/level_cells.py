"""優先度が高いもの of a column whose cells are high and low: the rows of that cell, no figure that could be high."""

import re
from collections.abc import Iterator, Mapping, Sequence

from smoldesk.analyst.tables.catalogue import TableInfo
from smoldesk.analyst.words.text import key, tidy

Rule = tuple[re.Pattern[str], str]
_LEVELS = {
    "高": ("high", "高", "高い"),
    "低": ("low", "低", "低い"),
    "大き": ("large", "大"),
    "小さ": ("small", "小"),
}


def level_cells(table: TableInfo, names: Mapping[str, Sequence[str]]) -> Iterator[Rule]:
    """The patterns for the columns of such cells, which are called by `names`."""
    for column in table.columns:
        if column.kind != "text" or not column.values:
            continue
        held = {key(value): value for value in column.values}
        said = "|".join(re.escape(name) for name in names[column.name] if len(name) > 1)
        for stem, cells in _LEVELS.items():
            cell = next((held[one] for one in cells if one in held), None)
            if cell is not None and said:
                yield (
                    re.compile(
                        rf"(?<![一-龥ァ-ヶー])(?<!一番)(?<!最も)(?:{said})[がの]{stem}い(?=もの|やつ|[一-龥ァ-ヶー]|の)(?!順|方から|ほうから)",
                        re.IGNORECASE,
                    ),
                    f"{tidy(column.name)}が{tidy(cell)}の",
                )
