"""スイーツの中で一番高いもの, 飲み物のうち一番売れたのは: which one it is, by what the rows name."""

import re
from collections.abc import Iterator, Mapping, Sequence

from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.column_names import graded_concepts
from smoldesk.analyst.words.text import tidy

Rule = tuple[re.Pattern[str], str]
_MOST = "(?:一番|いちばん|1番|最も|もっとも)"
_AMONG = "(?:の中で|のなかで|のうちで?)は?、?"
_EXTREME = f"[^、。?？]{{0,12}}?{_MOST}[^、。?？]*?[いたる]"
_THINGS = frozenset(("product", "menu", "species", "title", "store", "employee", "customer", "name"))
_END = "(?:は|って)?(?:何|なに|どれ|なん)?(?:です|でした|でしょう|だった)?か?(?=[。?？]*$)"


def ones_among(table: TableInfo, names: Mapping[str, Sequence[str]]) -> Iterator[Rule]:
    """The patterns for one table, whose columns are called by `names`."""
    texts = [column for column in table.columns if column.kind == "text"]
    for column in texts:
        for name in names[column.name]:  # 担当の中で最も売上が少ないのは
            yield (
                re.compile(rf"({re.escape(name)}){_AMONG}(?P<most>{_EXTREME})(?:もの|物|の){_END}"),
                r"\g<most>\1は",
            )
    not_columns = "".join(rf"(?<!{re.escape(name)})" for column in texts for name in names[column.name])
    things = [one for one in texts if _THINGS & {*_sure(one)} and 0 < len(one.values) < table.rows]
    asked = tidy(things[0].name) if len(things) == 1 else "行"
    yield (
        re.compile(rf"{not_columns}(?P<among>{_AMONG})(?P<most>{_EXTREME})(?:もの|物|の){_END}"),
        rf"\g<among>\g<most>{asked}は",
    )


def _sure(column: ColumnInfo) -> list[str]:
    return [concept for concept, grade in graded_concepts(column.name).items() if grade >= 0.95]
