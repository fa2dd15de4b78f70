"""Words after a column's name that say what its unit says already: 時間 of スマホ時間 beside スマホ(h/日), 点 of 国語の平均点.

Taken out of a request before a table is chosen, where the column right before them is measured so.
"""

import re
from dataclasses import replace

from smoldesk.analyst.meanings import (
    ColumnRef,
    Cue,
    Mention,
    Number,
)
from smoldesk.analyst.tables.column_names import unit_of
from smoldesk.analyst.words.text import bracketed

_TIMES = frozenset(("second", "minute", "hour", "day"))
_MONEY = frozenset(("yen", "ten thousand yen", "dollar", "euro", "pound"))
_HEADS = {
    "時間": "time", "分数": "time", "秒数": "time", "時間数": "time", "タイム": "time",
    "点": "point", "点数": "point", "てん": "point", "得点": "point", "スコア": "point", "ポイント": "point",
    "額": "money", "金額": "money", "料金": "money", "代": "money", "値段": "money",
    "値": "any", "の値": "any", "数値": "any",
}  # fmt: skip
_FIGURE = re.compile("平均|合計|最大|最小|最高|最低|最長|最短|中央")
_SPLIT = re.compile("(合計|総計|トータルの?|累計|平均)(?=.)")


def without_heads(mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """The mentions without such words."""
    kept: list[Mention] = []
    for at, mention in enumerate(mentions):
        after = mentions[at + 1] if at + 1 < len(mentions) else None
        grouped = after is not None and after.says("per") and after.start == mention.end
        if not grouped and _says_its_unit(mention, kept):
            continue
        kept += _split(mention)
    return tuple(kept)


def _says_its_unit(mention: Mention, before: list[Mention]) -> bool:
    kind = _HEADS.get(mention.text)
    if kind is None or any(ref.strength >= 2.0 for ref in mention.all(ColumnRef)):
        return False
    at = len(before) - 1
    if (
        at > 0
        and before[at].says("agg")
        and before[at].end == mention.start
        and _FIGURE.match(before[at].text)
    ):
        at -= 1  # 国語の平均点
    if at < 0 or before[at].first(Number) or before[-1].end != mention.start:
        return False
    refs = [ref for ref in before[at].all(ColumnRef) if ref.strength >= 1.4]
    return any(_measured_in(ref.column, kind) for ref in refs)


def _measured_in(column: str, kind: str) -> bool:
    said = {part for one in bracketed(column) for part in re.split(r"[/／・、 ]", one)[:1]}
    if kind == "any":
        return bool(said)
    if kind == "point":
        return any(one.endswith("点") or one in ("pt", "pts", "points") for one in said)
    units = {unit for one in said if (unit := unit_of(one))}
    return bool(units & (_TIMES if kind == "time" else _MONEY))


def _split(mention: Mention) -> list[Mention]:
    """合計金額 of a column 金額(税込) is its total: the figure and the column, each a mention of its own."""
    figure = _SPLIT.match(mention.text)
    refs = mention.all(ColumnRef)
    if (
        figure is None
        or not refs
        or len(refs) < len(mention.meanings)
        or max(r.strength for r in refs) >= 2.75
    ):
        return [mention]
    if any(figure[1] in ref.column for ref in refs):
        return [mention]
    at = mention.start + figure.end()
    meaning = Cue("agg", "mean" if figure[1] == "平均" else "sum")
    return [
        Mention(mention.start, at, figure[0], (meaning,), lead=mention.lead),
        replace(mention, start=at, text=mention.text[figure.end() :]),
    ]
