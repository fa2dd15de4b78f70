"""何タイトルの本, 一番大きい魚は?体長で: the name of a column as a counter, and the one to rank by said at the end."""

import re
from collections.abc import Iterator, Mapping, Sequence

from backend.builtin.catalogue import TableInfo
from backend.builtin.japanese import COUNTERS, KINDS

Rule = tuple[re.Pattern[str], str]
_COUNTERS = frozenset((*COUNTERS, *KINDS))
_TIME = re.compile("[日月年時週分]")
_MOST = "(?:一番|いちばん|最も|もっとも)"


def counted_names(table: TableInfo, names: Mapping[str, Sequence[str]]) -> Iterator[Rule]:
    """The patterns for one table, whose columns are called by `names`."""
    for column in table.columns:
        said = [re.escape(name) for name in names[column.name] if len(name) > 1]
        if not said:
            continue
        named = "|".join(said)
        if column.kind == "text" and not column.yes_no and not column.is_id:
            counted = "|".join(
                name
                for name in said
                if not _TIME.search(name) and not name.isascii() and name not in _COUNTERS
            )
            if counted:
                yield (
                    re.compile(
                        rf"(?<![一-龥])何({counted})(?:の[一-龥ァ-ヶー]{{1,6}})?(?:が|は|を|くらい|ほど)*(?=[あい借使売][っりるまたいらわ]|[。?？]|$)"
                    ),
                    r"\1は何種類",
                )
        if column.kind == "number" and not column.is_id:
            yield re.compile(rf"^([^。?？]*?)({_MOST})([^。?？]+)[?？]、?({named})で[。]?$"), r"\1\4が\2\3?"
