"""Parts of a whole said by a column or its cells: 判定の内訳を%で, 担当者の人数, 新郎側, 出席者."""

import re
from collections.abc import Iterator, Sequence

from smoldesk.analyst.reading.asked_person import is_doer
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.words.text import name_words, tidy

Rule = tuple[re.Pattern[str], str]
_PERCENT = "(?:%|パーセント|パーセンテージ|割合|比率|構成比|百分率)"
_SHOWN = "(?:を|は|も)?(?:それぞれ)?(?:の)?"

_DEED = re.compile("[一-龥]{2,3}")
"""A cell that somebody does or does not: 出席, 合格, 不参加."""
_MOST = 8


def spoken_parts(column: ColumnInfo, names: Sequence[str]) -> Iterator[Rule]:
    """The patterns for one column of words that is called by `names`."""
    said = [re.escape(name) for name in names if len(name) > 1]
    if column.kind not in ("text", "bool") or not said:
        return
    named = f"({'|'.join(said)})"
    yield (
        re.compile(rf"{named}(?:ごと|別)?の?(?:内訳|割り振り|分布){_SHOWN}{_PERCENT}(?:表示)?(?:で|を|は)?"),
        r"\1別の割合",
    )
    yield re.compile(rf"{named}の{_PERCENT}の内訳"), r"\1別の割合"
    again = bool(column.values) and len(column.values) >= 2
    if is_doer(column) and again and not column.yes_no:
        asked = "(?=(?:を|は|って|だけ|の?一覧)|[。?？]|$)"
        yield re.compile(rf"(?<![一-龥ァ-ヶー]){named}の(?:名前|氏名|お名前){asked}"), r"\1"
        yield (
            re.compile(rf"(?<![一-龥ァ-ヶー]){named}の?人数(?=(?:は|って|を(?:教え|知り|出し)|[。?？])|$)"),
            r"\1は何種類",
        )
    side = re.search("側$", "".join(name_words(column.name)))
    if not again or len(column.values) > _MOST:
        return
    cells = "|".join(sorted((re.escape(tidy(one)) for one in column.values), key=len, reverse=True))
    done = "|".join(re.escape(tidy(one)) for one in column.values if _DEED.fullmatch(one))
    if done:
        yield from _doers(done)
    if column.yes_no and _DEED.fullmatch(column.name):
        yield from _doers(column.name)
    joined = re.fullmatch("(.{2,}?)(?:加入|入会|加盟|参加)(?:有無|の有無)?", tidy(column.name))
    if joined and column.yes_no:
        entered = rf"{re.escape(joined[1])}(?:に|へ)(?:は)?(?:入|加入し)"
        yield (
            re.compile(rf"{entered}って(?:い)?な(?:い|かった)|{entered}て(?:い)?な(?:い|かった)"),
            f"{tidy(column.name)}がない",
        )
        yield re.compile(rf"{entered}(?:っ)?て(?:い)?なくて、?"), f"{tidy(column.name)}がなく、"
        yield re.compile(rf"{entered}(?:っ)?て(?:い)?る"), f"{tidy(column.name)}がある"
    if side:
        yield re.compile(rf"({cells})側(?:の(?!人|方))?"), r"\1の"


def _doers(done: str) -> Iterator[Rule]:
    """出席者 where a cell says 出席: only those, never all rows."""
    yield re.compile(rf"(?<![一-龥])({done})者(?=数)"), r"\1した人の"
    yield re.compile(rf"(?<![一-龥])({done})者(?!数|[一-龥])"), r"\1した人"
