"""What the rows of a table are called, by the noun of its id, of a measure or of its own name."""

import re
from functools import lru_cache

from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.words import glossary
from smoldesk.analyst.words.text import (
    inflections,
    is_japanese,
    key,
    name_words,
)


def row_nouns(column: ColumnInfo, rows: int) -> set[str]:
    """What the rows are called after their id or a measure: `Order ID` gives orders, `ride minutes` gives rides."""
    words = [
        word for word in name_words(column.name) if any(map(str.isalnum, word)) and word[0] != "/"
    ]  # maths %
    if not words:
        return set()
    if column.is_id:
        if (
            column.values and len(column.values) < rows
        ):  # the same id in several rows: it numbers something else
            return set()
        noun = re.sub(r"(?:番号|コード|id|#)$", "", words[0]) if is_japanese(words[0]) else words[0]
        return row_synonyms(noun) if len(noun) > 1 and noun != words[-1] else set()
    if column.kind == "text" or len(words) < 2 or is_japanese(words[0]) or _measures(words[0]):
        return set()
    return {
        form
        for form in row_synonyms(words[0])
        if (form.endswith("s") and form != words[0]) or is_japanese(form)
    }


def kind_noun(column: ColumnInfo) -> str:
    """動物 of a column 動物種, which says of what kind each row is; empty for others."""
    word = "".join(name_words(column.name))
    noun = word.removesuffix("種類").removesuffix("種")
    return noun if column.kind == "text" and noun != word and len(noun) > 1 and is_japanese(noun) else ""


def event_noun(column: ColumnInfo) -> str:
    """出張 of a column 出張先: what the rows are, which the column only tells the place of; empty for others."""
    word = "".join(name_words(column.name))
    noun = word.removesuffix("先").removesuffix("り").removesuffix("れ").removesuffix("し")
    return noun if column.kind == "text" and noun != word and noun in _EVENTS else ""


_EVENTS = frozenset(
    ("出張", "訪問", "派遣", "旅行", "遠征", "外出", "出荷", "発送", "配送", "納品", "発注", "貸出", "貸し出", "寄付", "寄贈",
     "搬送", "見学", "視察", "往診", "出動", "納入", "引越", "引っ越")
)  # fmt: skip


def _measures(word: str) -> bool:
    """The distances of `distance_km` are no rows."""
    return any(words[0] == word and word in glossary.MEASURES for words in glossary.COLUMNS)


def row_synonyms(noun: str) -> set[str]:
    """A noun in singular and plural with its other words in both languages: order, orders, 注文."""
    return set(_synonyms(noun))


@lru_cache(maxsize=4096)
def _synonyms(noun: str) -> frozenset[str]:
    same = [
        noun,
        *(word for words in glossary.NOUNS if set(inflections(noun)) & set(words) for word in words),
    ]
    return frozenset(key(form) for word in same for form in inflections(word))
