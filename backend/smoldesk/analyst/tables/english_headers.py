"""What an English header is called in Japanese, put together from its words: 購入日 for `purchase_date`."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

from smoldesk.analyst.tables.header_words import (
    Words,
    japanese_of,
    segments,
    written_out,
)
from smoldesk.analyst.words import glossary
from smoldesk.analyst.words.grammar import grammar
from smoldesk.analyst.words.japanese import words_of

_LONGEST, _EACH = 3, 5
_SINGLE, _WHOLE, _SAID, _PART, _SHORT = 2.25, 2.35, 2.2, 1.9, 1.45
"""_SHORT is too weak to keep a noun from being what the rows are called."""
_VAGUE = frozenset(("time", "level", "score"))
_LOOSE = frozenset(("date", "days", "count", "cost", "price", "fee", "charge", "amount", "hours", "value"))
"""Last words without which a name is often said: 遅延 for `delay_days`."""

_LAST: dict[str, Words] = {"on": ("日", "日付"), "at": ("日時", "時刻", "日"), "by": ("者", "担当者", "担当")}
_FIRST: dict[str, Words] = {
    "min": ("最低", "最小"), "max": ("最高", "最大"), "avg": ("平均",), "average": ("平均",), "mean": ("平均",),
    "total": ("総", "合計", "延べ"), "minimum": ("最低", "最小"), "maximum": ("最高", "最大"),
}  # fmt: skip

_MONEY = ("料", "料金", "費", "代", "代金", "賃", "額", "金", "給", "価", "税", "手当")
_ENDS: dict[str, Words] = {
    **dict.fromkeys(("cost", "price", "fee", "charge", "amount", "payment", "expense", "rate", "paid"), _MONEY),
    **dict.fromkeys(("date", "day", "on"), ("日", "月日", "期限")),
    **dict.fromkeys(("time", "hours", "duration"), ("時間", "時刻", "時期")),
    **dict.fromkeys(("count", "number", "quantity", "total"), ("数", "量", "人数", "件数")),
    "name": ("会社", "業者", "者", "先", "店", "名", "員", "手", "主", "家", "師"),
    **dict.fromkeys(("type", "category", "kind", "class"), ("種", "種類", "種別", "型", "区分", "分類")),
    **dict.fromkeys(("city", "location", "place", "address", "site"), ("地", "場所", "先", "現場")),
    **dict.fromkeys(("rate", "ratio", "percent", "percentage"), ("率", "比")),
    **dict.fromkeys(("status", "state", "condition"), ("状態", "状況")),
    **dict.fromkeys(("amount", "volume"), ("量", "額", "金")),
    **dict.fromkeys(("level", "score"), ("度", "点", "水準")),
}  # fmt: skip
"""What a Japanese word ends in that says the last word of the header already: 運賃 is a cost."""

_SENT = frozenset(("ship", "ship to", "shipping", "shipment", "delivery", "destination"))
_PLACES = frozenset(words_of("city, country, region, state, prefecture, address, area, location, town, site"))
_SENT_TO = ("配送先", "届け先", "お届け先", "送り先", "発送先", "納品先")


def kind_names(core: Sequence[str]) -> Words:
    """ゲスト of `guest type`: of what its cells are kinds; none for other headers."""
    kinds = len(core) == 2 and core[1] in ("type", "kind", "category")
    return japanese_of(written_out(core)[0]) if kinds else ()


def japanese_names(core: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Japanese names of a header's words, whole, with their strength; none where one of the words is not known."""
    words = [part for word in core for part in re.sub("/", " per ", word).split()]
    if not words or not all(word.isascii() for word in words):
        return
    words = _turned(written_out(words))
    if len(words) >= 3 and words[-2] == "per":
        yield from _per(words)
        return
    pieces = list(segments(words))
    if len(pieces) == 1:
        whole = len(words) > 1
        for place, word in enumerate(pieces[0][1]):
            if whole or word not in _COMPUTED:
                yield word, (_WHOLE if whole else _SINGLE) - 0.02 * place
        parts = [(word, japanese_of(word)) for word in words]
        if (
            whole and len(parts) <= _LONGEST and all(known for _, known in parts)
        ):  # 機器の種類 of `device type`
            yield from ((name, _PART) for name, _ in _together(parts))
        return
    pieces[-1] = (pieces[-1][0], _LAST.get(pieces[-1][0], pieces[-1][1]))
    pieces[0] = (pieces[0][0], _FIRST.get(pieces[0][0], pieces[0][1]))
    if len(pieces) <= _LONGEST and all(known for _, known in pieces):
        yield from _together(pieces)


def _turned(words: list[str]) -> list[str]:
    """`guest number` for `number of guests`."""
    at = words.index("of") if "of" in words[1:-1] and " ".join(words) not in _OF else 0
    return [*words[at + 1 :], *words[:at]] if at else words


_OF = frozenset(
    ("point of sale", "country of origin", "place of origin", "cash on delivery", "years of service")
)


def _together(pieces: Sequence[tuple[str, Words]]) -> Iterator[tuple[str, float]]:
    known = [words[:_EACH] for _, words in pieces]
    said = [piece for piece, _ in pieces]
    if len(said) == 2 and said[0] in _SENT and said[1] in _PLACES:  # 配送先 for `ship city`
        for where in _SENT_TO:
            yield from ((f"{where}{tie}{place}", _WHOLE) for place in known[1] for tie in ("", "の"))
            yield where, _PART
    for parts in product(*known):
        yield "".join(parts), _WHOLE
        yield "の".join(("".join(parts[:-1]), parts[-1])), _WHOLE
    for parts in product(*known[:-1]):
        short = "".join(parts)
        if (strength := _without(said[-1], short)) and said[0] not in _FIRST:
            yield short, strength


def _without(last: str, short: str) -> float:
    """How surely a name is said without its last word; nought for never."""
    if last in ("name", "names") or last in _VAGUE:
        return _SAID if short.endswith(_ENDS.get(last, ())) and len(short) > 1 else _PART
    if len(short) < 2 or short in _nouns() or short in grammar():
        return 0.0
    if short.endswith(_ENDS.get(last, ())):
        return _SAID
    return _SHORT if last in _LOOSE else 0.0


_COMPUTED = frozenset(
    words_of("平均, 割合, 比率, 比, 率, 中央値, 最大, 最小, 最高, 最低, 最初, 相関, 差分, 分散, 標準偏差, 範囲, 順番,"
             " 列, 増減, 件数, 概要, 要約, 関係, 関連, 総, 数, 件, 時, 量, 額, 値, 差, 個, 回, 多い, 全部")
)  # fmt: skip
"""What asks for something of any column, or only counts: no name by itself."""


@cache
def _nouns() -> frozenset[str]:
    """What rows are called: 注文 is an order, not the date of one."""
    lists = (*glossary.NOUNS, *glossary.ROW_NOUNS.values(), *glossary.TABLE_NAMES.values())
    return frozenset(word for words in lists for word in words)


_UNITS = {
    "night": "泊", "hour": "時間", "day": "日", "month": "か月", "week": "週", "person": "人", "unit": "個", "item": "個",
    "visit": "回", "guest": "人", "kg": "kg", "km": "km", "piece": "個", "head": "人", "session": "回", "lesson": "回",
    "year": "年", "minute": "分", "share": "株", "trip": "回", "class": "回", "page": "ページ", "bottle": "本", "box": "箱",
}  # fmt: skip
_ONES = ("1", "一", "")


def _per(words: Sequence[str]) -> Iterator[tuple[str, float]]:
    """一泊料金, 1泊あたりの料金 for `rate per night`; 日照時間 and 1日の日照時間 for `light hours per day`."""
    unit = _UNITS.get(words[-1])
    if unit is None:
        return
    said = ("料金", "価格", "値段") if words[0] in ("rate", "price", "fee", "charge", "cost") else ()
    alone = dict(japanese_names(words[:-2])) if len(words) > 3 else {}
    whats = dict.fromkeys((*said, *(form for form in japanese_of(words[-3]) if form != "率"), *alone))
    yield from ((what, strength - 0.05) for what, strength in alone.items())
    for what in whats:
        for one in _ONES:
            yield f"{one}{unit}{what}", _WHOLE
            yield f"{one}{unit}あたりの{what}", _WHOLE
            yield f"{one}{unit}あたり{what}", _WHOLE
            yield f"{one}{unit}の{what}", _WHOLE


_NUMBERS = ("番号", "ID", "id", "コード", "no", "ナンバー")
_CODES = frozenset(("sku", "barcode", "isbn", "serial", "plate", "vin", "imei"))


def reference_names(core: Sequence[str]) -> Iterator[str]:
    """予約番号 for `booking_ref`: what a column of numbers of the rows is called in Japanese."""
    words = written_out(core)
    if len(words) > 1:
        yield from japanese_of(" ".join(words))  # 便名 of `flight no.`
    if words and words[-1] in _CODES:
        yield from (name for name, _ in japanese_names(words))
    if 2 <= len(words) <= 3 and words[-1] in ("id", "ref", "reference", "number", "code", "key"):
        pieces = list(segments(words[:-1]))
        for parts in product(*(known[:_EACH] for _, known in pieces)):
            yield from ("".join(parts) + number for number in _NUMBERS)
            yield from (f"{''.join(parts)}の{number}" for number in _NUMBERS[:3])
