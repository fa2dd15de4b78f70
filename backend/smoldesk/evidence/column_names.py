"""Columns that a text names. Pure."""

import re
from collections.abc import Sequence

from smoldesk.evidence.row_names import fold, tokens_of
from smoldesk.evidence.units import unit_in


def named_columns(columns: Sequence[str], text: str) -> set[str]:
    """Return the columns that a text names with all their words, without those that a longer name includes."""
    folded, present = fold(text), {*tokens_of(text)}
    present |= {re.sub(r"(?:ed|ing)$", "", word) for word in present if len(word) > 5}
    named: dict[str, set[str]] = {}
    for column in columns:
        name = re.sub(r"_[^_]+$", "", column) if unit_in(column)[0] else column
        tokens = {*tokens_of(re.sub(r"[(\[（].*", "", name))} or {*tokens_of(column)}
        if not tokens:
            continue
        is_japanese = any(ord(char) > 0x3040 for char in column)
        if fold(name if "_" in column else column) in folded if is_japanese else tokens <= present:
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
