"""A year said by what was done in it: 2015年以降に入社した of a column 入社年, where a table may have other dates beside it."""

import re
from collections.abc import Iterator

from backend.builtin.catalogue import ColumnInfo
from backend.builtin.words import tidy

_YEAR_OF = re.compile(r"^([一-龥ァ-ヶー]{2,}?)年度?$")
_AT = r"(?:以降|以前|以後|以上|以下|未満|より前|より後|より以前|まで|から|前|後)?"
_WHEN = rf"(\d{{4}}年度?{_AT}(?:\d{{4}}年度?{_AT})?)"


def years_of_deeds(column: ColumnInfo) -> Iterator[tuple[re.Pattern[str], str]]:
    """Patterns and what is written for them, for a column of years that is called after a deed."""
    named = _YEAR_OF.match(tidy(column.name))
    if column.kind != "number" or not named:
        return
    deed = re.escape(named[1])
    yield (
        re.compile(
            rf"{_WHEN}(?:の間)?(?:に)?{deed}(?:した|された|していた|している|してる|しています|の(?!年))"
        ),
        rf"{tidy(column.name)}が\1の",
    )
