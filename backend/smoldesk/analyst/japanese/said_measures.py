"""1時間半, 半日, 2時間15分, 一週間: amounts as they are spoken, in a number and its unit."""

import re
from collections.abc import Callable

Rewritten = tuple[str, str | Callable[[re.Match[str]], str]]

_BOUND = (
    r"(?=(?:より(?!前|後|早|遅)|よりも|以上|以下|未満|以内|を?超|を?こえ|を?越え|を?上回|を?下回|を?切|も?かか|を?過ぎ|じゃ|でも?終|で終"
    r"|は?かか|ちょうど|足らず))"
)
"""What compares an amount: 半日 alone may be a cell, 半年ごと is a length of time."""
_KANJI = {char: number for number, char in enumerate("一二三四五六七八九", start=1)} | {"十": 10}
_NUMBER = r"(?<![\d月.一二三四五六七八九十])(?P<n>\d+|[一二三四五六七八九十])"
_HALVES = {"日": "12時間", "時間": "30分", "年": "6ヶ月", "月": "15日間", "トン": "500kg", "キロ": "500g"}
_UNITS = (
    r"(?:時間|日間?|週間|(?:ヶ|か|カ|ヵ|箇)月間?|年間?|分間?|秒|キロ|km|kg|トン|万円|億円|リットル|メートル)"
)


def _number(said: str) -> int:
    return _KANJI.get(said) or int(said)


def _hours_and_a_half(said: re.Match[str]) -> str:
    return f"{_number(said['n']) * 60 + 30}分"


def _hours_and_minutes(said: re.Match[str]) -> str:
    return f"{_number(said['n']) * 60 + int(said['m'])}分"


def _days_and_a_half(said: re.Match[str]) -> str:
    return f"{_number(said['n']) * 24 + 12}時間"


def _years_and_a_half(said: re.Match[str]) -> str:
    return f"{_number(said['n']) * 12 + 6}ヶ月"


def _mixed(said: re.Match[str]) -> str:
    thousands = {"千": 1000, "百": 100}.get(said["scale"] or "", 1)
    return f"{float(said['n']) * 10_000 + float(said['m']) * thousands:g}"


SAID_MEASURES_JA: tuple[Rewritten, ...] = (
    (rf"{_NUMBER}時間半(?![ァ-ヶー])", _hours_and_a_half),
    (rf"{_NUMBER}時間(?P<m>\d+)分{_BOUND}", _hours_and_minutes),
    (rf"{_NUMBER}日半{_BOUND}", _days_and_a_half),
    (rf"{_NUMBER}年半{_BOUND}", _years_and_a_half),
    (rf"(?<![\d〇一-十])半(?P<unit>{'|'.join(_HALVES)}){_BOUND}", lambda said: _HALVES[said["unit"]]),
    (r"(?<![\d.])(?P<n>\d+)万(?P<m>\d+)(?P<scale>千|百)?(?=円)", _mixed),
    (
        rf"(?:丸|まる)?{_NUMBER}(?P<unit>{_UNITS}){_BOUND}",
        lambda said: f"{_number(said['n'])}{'日間' if said['unit'] == '日' else said['unit']}",
    ),
)
"""Patterns and what is written in their place, before any other short form."""
