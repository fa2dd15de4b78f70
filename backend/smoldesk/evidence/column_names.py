"""Columns that a text names. Pure."""

import re
from collections.abc import Sequence

from smoldesk.evidence.row_names import fold, token, tokens_of
from smoldesk.evidence.units import without_unit

# Columns of `agg`, whose names pandas writes in English.
_STATISTICS = {"平均": "mean", "中央値": "median", "合計": "sum", "件数": "count", "標準偏差": "std"} | {
    **dict.fromkeys(("最大", "最高", "最長"), "max"),
    **dict.fromkeys(("最小", "最低", "最安", "最短"), "min"),
}


def named_columns(columns: Sequence[str], text: str) -> set[str]:
    """Return the columns that a text names with all their words, without those that a longer name includes."""
    folded, present = fold(text), {*tokens_of(text)}
    present |= {token(word) for japanese, word in _STATISTICS.items() if japanese in text}
    present |= {re.sub(r"(?:ed|ing)$", "", word) for word in present if len(word) > 5}
    named: dict[str, set[str]] = {}
    for column in columns:
        name = without_unit(column)
        tokens = {*tokens_of(re.sub(r"[(\[（].*", "", name))} or {*tokens_of(column)}
        tokens = {_in_full(word, column, present) for word in tokens}
        if not tokens:
            continue
        is_japanese = any(ord(char) > 0x3040 for char in column)
        if fold(name) in folded if is_japanese else tokens <= present:
            named[column] = tokens
    if not named:  # "math" names all columns such as "math / mean"
        levels = {
            column: [level for level in column.split(" / ") if {*tokens_of(level)} <= present]
            for column in columns
            if " / " in column
        }
        most = max(map(len, levels.values()), default=0)
        return {column for column, parts in levels.items() if most and len(parts) == most}
    return {name for name, tokens in named.items() if not any(tokens < longer for longer in named.values())}


def _in_full(word: str, column: str, present: set[str]) -> str:
    """Return the word of a text that a column's name shortens: `unemployment` for `unemp`, `population` for `POP`."""
    is_short = word.isascii() and word.isalpha() and len(word) >= (3 if column.isupper() else 4)
    longer = (other for other in present if len(other) > len(word) + 2 and other.startswith(word))
    return next(longer, word) if is_short and word not in present else word


def statistics_of(text: str) -> set[str]:
    """Return the statistics that a text names, as words of `tokens_of`."""
    names = {token(word) for japanese, word in _STATISTICS.items() if japanese in text}
    return (names | {*tokens_of(text)}) & {token(word) for word in (*_STATISTICS.values(), "median")}


def columns_of_statistic(columns: Sequence[str], text: str) -> set[str]:
    """Return the columns of a statistic that a text names: `avg_amount` for "average loan size"."""
    statistics = {token(word) for word in ("mean", "max", "min", "std")} & {*tokens_of(text)}
    return {column for column in columns if statistics & {*tokens_of(column)}}
