"""What 一番大きい, 一番高い and the like measure in Japanese where no figure is named: never the number of rows."""

import re

from smoldesk.analyst.intents import Refusal
from smoldesk.analyst.reading.asked_person import asked_person
from smoldesk.analyst.reading.asked_rows import size_column
from smoldesk.analyst.reading.draft import Draft, number_columns
from smoldesk.analyst.reading.read_dates import is_year
from smoldesk.analyst.reading.read_speed import speed_measure
from smoldesk.analyst.reading.resolve import concept_column
from smoldesk.analyst.reading.row_money import row_money
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.tables.column_names import graded_concepts

_SIZE = re.compile("大き|小さ")
_MONEY = re.compile("高[いくか]|安[いくか]")
_LONG = re.compile("長[いくか]|短[いくか]")
_FAST = re.compile("速|最遅")
_TIMELY = re.compile("早|遅")
_COUNTED = re.compile("多|少な|人気|よく|混|忙し")
_AGED = re.compile("古|新し")
_ADJECTIVE = re.compile("(?:一番|最も|もっとも).+[いな]$")
_BUSY = re.compile("混|忙し|賑|にぎ|静|暇|空い")
"""Words that are about how many there were."""
_LONG_ONES = ("duration", "length", "height", "distance")


def spoken_size(draft: Draft) -> ColumnInfo | Refusal | None:
    """The column of numbers that the adjective is about; a refusal where none is, None where no such word was said."""
    said = " ".join(
        item.mention.text
        for at, item in enumerate(draft.items)
        if item.is_cue("top", "high", "low") and at not in draft.used
    )
    if not said or _COUNTED.search(said) or _COUNTED.search(draft.text):
        return None
    column: ColumnInfo | None = None
    if _FAST.search(said) or (_TIMELY.search(said) and (asked_person(draft) or _asks_who(draft))):
        column = speed_measure(draft.table, not _asks_who(draft) and not asked_person(draft))
    elif _SIZE.search(said):
        column = size_column(draft) or _only(draft, ("length", "weight", "size", "floor area"))
    elif _MONEY.search(said):
        column = row_money(draft.table) or concept_column("price", draft.table)
    elif _LONG.search(said):
        column = _only(draft, _LONG_ONES)
    elif _AGED.search(said):
        years = [one for one in draft.table.columns if is_year(one)]
        column = years[0] if len(years) == 1 else None
    elif _ADJECTIVE.search(said) and not _BUSY.search(said):
        return Refusal("too_much", (said,), table=draft.table.name)
    else:
        return None
    if column is not None and column.kind == "number":
        return column
    return Refusal("which_column", (), number_columns(draft), draft.table.name)


def _asks_who(draft: Draft) -> bool:
    """一番早い担当者: of whoever comes again in the rows, 早い is quick; of a row it may be early."""
    return any(
        column.kind == "text" and not column.is_clock and 0 < len(column.values) < draft.table.rows
        for _, column in draft.free()
    )


def _only(draft: Draft, concepts: tuple[str, ...]) -> ColumnInfo | None:
    found = [
        column
        for column in draft.table.columns
        if column.kind == "number"
        and any(graded_concepts(column.name).get(one, 0.0) >= 0.7 for one in concepts)
    ]
    return found[0] if found else None
