"""What an English header is called in Japanese, put together from its words: 購入日 for `purchase_date`."""

import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from pathlib import Path

from backend.builtin.words.japanese import words_of
from backend.builtin.words.text import inflections

_LONGEST, _MOST = 3, 120
_SINGLE, _WHOLE, _PART = 2.25, 2.35, 1.9
_VAGUE = frozenset(("time", "level", "score"))


def kind_names(core: Sequence[str]) -> tuple[str, ...]:
    """ゲスト of `guest type`: of what its cells are kinds; none for other headers."""
    kinds = len(core) == 2 and core[1] in ("type", "kind", "category")
    return _japanese(core[0]) if kinds else ()


@cache
def _words() -> dict[str, tuple[str, ...]]:
    data = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {word: words_of(text) for word, text in data["words"].items()}


def japanese_names(core: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Japanese names of a header's words, whole, with their strength; none where one of the words is not known."""
    if len(core) >= 3 and core[-2] == "per":
        yield from _per(core)
        return
    if not 0 < len(core) <= _LONGEST or not all(word.isascii() for word in core):
        return
    known = [_japanese(word) for word in core]
    if not all(known):
        return
    if len(core) == 1:
        yield from ((word, _SINGLE - 0.02 * place) for place, word in enumerate(known[0]))
        return
    if core[-1] in ("name", "names") and len(core) == 2:
        yield from ((word, _PART) for word in known[0])  # サイト for `site name`
    if core[-1] in _VAGUE:
        yield from (("".join(parts), _PART) for parts in product(*known[:-1]))
    for count, parts in enumerate(product(*known)):
        if count >= _MOST:
            return
        yield "".join(parts), _WHOLE
        yield "の".join(("".join(parts[:-1]), parts[-1])), _WHOLE


def _japanese(word: str) -> tuple[str, ...]:
    return next((found for form in inflections(word) if (found := _words().get(form))), ())


_UNITS = {
    "night": "泊", "hour": "時間", "day": "日", "month": "か月", "week": "週", "person": "人", "unit": "個", "item": "個",
    "visit": "回", "guest": "人", "kg": "kg", "km": "km", "piece": "個", "head": "人", "session": "回", "lesson": "回",
}  # fmt: skip
_ONES = ("1", "一", "")


def _per(core: Sequence[str]) -> Iterator[tuple[str, float]]:
    """一泊料金, 1泊あたりの料金 for `rate per night`."""
    unit = _UNITS.get(core[-1])
    if unit is None:
        return
    said = ("料金", "価格", "値段") if core[0] in ("rate", "price", "fee", "charge", "cost") else ()
    whats = dict.fromkeys((*said, *(form for form in _japanese(core[-3]) if form != "率")))
    for what in whats:
        for one in _ONES:
            yield f"{one}{unit}{what}", _WHOLE
            yield f"{one}{unit}あたりの{what}", _WHOLE
            yield f"{one}{unit}あたり{what}", _WHOLE
            yield f"{one}{unit}の{what}", _WHOLE


_NUMBERS = ("番号", "ID", "id", "コード", "no", "ナンバー")


def reference_names(core: Sequence[str]) -> Iterator[str]:
    """予約番号 for `booking_ref`: what a column of numbers of the rows is called in Japanese."""
    if len(core) == 2 and core[1] in ("id", "ref", "no", "no.", "number", "code", "key"):
        yield from (what + number for what in _japanese(core[0]) for number in _NUMBERS)
