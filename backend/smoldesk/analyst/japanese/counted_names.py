"""何タイトルの本, 一番大きい魚は?体長で: the name of a column as a counter, and the one to rank by said at the end."""

import re
from collections.abc import Iterator, Mapping, Sequence

from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.words.japanese import COUNTERS, KINDS

Rule = tuple[re.Pattern[str], str]
_COUNTERS = frozenset((*COUNTERS, *KINDS))
_TIME = re.compile("[日月年時週分]")
_MOST = "(?:一番|いちばん|最も|もっとも)"

_DIFFERENT = "[かカヶヵケ箇個]所|都市|[かカヶヵケ箇]国|種類|通り|パターン|社|店舗|校|部署|銘柄|路線|駅|市町村|県|地区|地点"
"""Counters of which each is counted once: 出張先は全部で何か所."""
_PEOPLE = re.compile("(?:者|員|師|客|人|手|生|担当|スタッフ|先生|さん|主|長)$")
_OF_NUMBERS = re.compile("[(（]([人台回本個枚冊杯匹頭件])[)）]$|([人台回本個枚冊件])数$|(者)数$")


def _counter(column: ColumnInfo) -> str:
    """人 of 来場者数(人): what the numbers of a column count."""
    found = _OF_NUMBERS.search(column.name.strip())
    if column.is_id or not found:
        return ""
    return found[1] or found[2] or "人"


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
            people = "|".join(name for name in said if _PEOPLE.search(name))
            if people and 0 < len(column.values) < table.rows:  # 担当者は何人: each is counted once
                yield (
                    re.compile(
                        rf"({people})(?:は|って|が)、?(?:全部で|ぜんぶで|全部合わせて|合計で)?(?:何[人名]|いくつ)(?=い|です|[。?？]|$)"
                    ),
                    r"\1は何種類",
                )
            yield (
                re.compile(
                    rf"({named})(は|って|が)、?(?:全部で|ぜんぶで|全部合わせて|合計で|トータルで)(?=何(?:{_DIFFERENT})|いくつ(?:あ|です|[。?？]|$))"
                ),
                r"\1\2",
            )
        if column.kind == "number" and (counter := _counter(column)):
            who = rf"|(?:お?客(?:さん|様)?|人)(?={_MOST}|が)" if counter == "人" else ""
            asked = (
                rf"何{counter}(?:くらい|ほど)?(?:だった|でした|です|だ|か|の)*"
                rf"|(?:{counter}数|数字|数|{named})(?:は|を|も)?(?:教えて)?(?:いくつ|何{counter})?(?:だった|でした|です|か)*"
            )
            most = rf"が?{_MOST}(?:多|少な)(?:い|かった)(?:月|日|年|週)"
            yield (
                re.compile(rf"((?:{named}{who}){most})(?:は|の|と、?|で、?)(?:その)?(?:{asked})[。?？]*$"),
                r"\1はどれ",
            )
        if column.kind == "number" and not column.is_id:
            yield re.compile(rf"^([^。?？]*?)({_MOST})([^。?？]+)[?？]、?({named})で[。]?$"), r"\1\4が\2\3?"
