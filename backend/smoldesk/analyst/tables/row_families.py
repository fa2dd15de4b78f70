"""What the rows of a table are called by what its columns speak of: calls where there is an operator, parcels where there
are deliveries, and 予約 where the only date is 予約日.

The families are in row_families.toml.
"""

import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

from smoldesk.analyst.tables.catalogue import TableInfo
from smoldesk.analyst.words.japanese import words_of
from smoldesk.analyst.words.text import (
    inflections,
    is_japanese,
    key,
    name_words,
)

_DATA: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_FAMILIES = tuple((words_of(one["seen"]), words_of(one["rows"])) for one in _DATA["family"])
_DATED = re.compile(r"([\u4e00-\u9fff]{2,4})(?:日|日時|年月日|月日|時刻|年月)")
_NO_EVENT = frozenset(
    (
        "生年",
        "誕生",
        "有効期限",
        "賞味期限",
        "消費期限",
        "期限",
        "更新",
        "最終",
        "曜",
        "年月",
        "締切",
        "営業",
        "平",
        "休",
    )
)


def family_nouns(table: TableInfo) -> frozenset[str]:
    """The nouns of all families of which the table's columns or its name show a word, and the event of its only date."""
    return _nouns(table.name, tuple((column.name, column.kind) for column in table.columns))


@lru_cache(maxsize=256)  # it is asked for again in each request
def _nouns(table: str, columns: tuple[tuple[str, str], ...]) -> frozenset[str]:
    names = [key(" ".join(name_words(one))) for one in (*(name for name, _ in columns), table)]
    words = {word for name in names for word in name.split(" ")} | set(names)
    found: set[str] = set()
    for seen, rows in _FAMILIES:
        if any(_shown(one, names, words) for one in seen):
            found |= {form for noun in rows for form in inflections(key(noun))}
    dates = [name for name, kind in columns if kind == "date"]
    dated = _DATED.fullmatch("".join(name_words(dates[0]))) if len(dates) == 1 else None
    if dated and dated[1] not in _NO_EVENT:
        found |= {dated[1], f"{dated[1]}者"}
    return frozenset(found)


def _shown(seen: str, names: list[str], words: set[str]) -> bool:
    if is_japanese(seen):
        return any(seen in name for name in names)
    return seen in words
