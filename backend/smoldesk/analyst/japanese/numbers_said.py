"""Columns of numbers said around a figure: 10得点以上, 全セッション数の何%, 夜の平均予算 of 夜の予算.

Each is written with the column first, as the grammar reads it; a word that names no column stays as it was.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from smoldesk.analyst.tables.catalogue import TableInfo
from smoldesk.analyst.tables.column_names import unit_of
from smoldesk.analyst.words.text import tidy

Rule = tuple[re.Pattern[str], str]
_BOUND = "以上|以下|未満|超|より(?:多|少な)|を(?:超え|上回|下回)|(?:ちょうど)?の(?=選手|人|日|店)"
_FIGURE = "平均|合計|最大|最小|最高|最低"
_PART = "(?:何(?:%|パーセント|割)|どれ(?:くらい|ぐらい|だけ))"


def numbers_said(table: TableInfo, names: Mapping[str, Sequence[str]]) -> Iterator[Rule]:
    """The patterns for the columns of numbers of one table, which are called by `names`."""
    for column in table.columns:
        if column.kind != "number" or column.is_id or column.is_flag:
            continue
        said = [name for name in names[column.name] if len(name) > 1]
        if not said:
            continue
        named = "|".join(map(re.escape, said))
        whole = tidy(column.name)
        yield (
            re.compile(
                rf"(({named})[^。?？]*?)(?<![一-龥ァ-ヶー])全(?:{named})の(?:うち|中)?(?={_PART})",
                re.IGNORECASE,
            ),
            r"\1全体の",
        )
        yield re.compile(rf"(?<![一-龥ァ-ヶー])全({named})に(?=占める)", re.IGNORECASE), r"\1の合計に"
        below = "(?:になっ(?:ている|てる|た)|を(?:記録し|示し)(?:ている|た)|だった|である|な|の(?:値)?の?)"
        for sign, bound in (("マイナス|負", "0未満"), ("プラス", "0より大きい")):
            yield (
                re.compile(rf"({named})(?:の(?:値|数値))?が(?:{sign}){below}", re.IGNORECASE),
                rf"\1が{bound}",
            )
        stems = [name.removesuffix("数") for name in said]
        things = dict.fromkeys(one for one in (*said, *stems) if len(one) > 1 and unit_of(one) is None)
        if things:
            said_after = "|".join(map(re.escape, things))
            yield (
                re.compile(rf"(?<![\d,.年月])([\d,]+)(?:{said_after})({_BOUND})", re.IGNORECASE),
                rf"{whole}が\1\2",
            )
        for name in said:
            owner, of, what = name.partition("の")
            if of and owner and what and "の" not in what:
                yield (
                    re.compile(rf"{re.escape(owner)}の?({_FIGURE}){re.escape(what)}"),
                    rf"{name}の\1",
                )
