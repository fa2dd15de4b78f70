"""A number that comes again, and so numbers no rows but what they are about: 部屋番号 of readings, 患者ID of calls."""

import re

from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo

_NUMBERED = re.compile(r"(?P<what>[^\x00-\x7f]{1,}?)(?:番号|[NnＮ][oOｏ]\.?|ID|id|コード|名)")


def repeated_numbers(column: ColumnInfo, table: TableInfo) -> list[str]:
    """What such a column is called by its noun: 部屋 for 部屋番号; nothing for a column that numbers the rows."""
    said = _NUMBERED.fullmatch(column.name)
    if said is None or not column.is_id or len(said["what"]) < 2 or column == table.columns[0]:
        return []
    return [said["what"]] if 0 < len(column.values) < table.rows else []
