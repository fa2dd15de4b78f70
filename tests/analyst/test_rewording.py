"""A small change of words that keeps the meaning keeps the reading: order, particles and synonyms of the lexicon, generated."""

from collections.abc import Iterator

import pandas as pd
import pytest

from smoldesk.analyst.catalogue import Catalogue
from smoldesk.analyst.lexicon import lexicon
from smoldesk.analyst.query import Query
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.talk import UserTurn
from tests.analyst.desk import table_info

ENGLISH = pd.DataFrame({
    "region": ["north", "south", "east", "north", "south", "east"] * 5,
    "product": ["lamp", "chair", "desk", "desk", "lamp", "chair"] * 5,
    "price": [12.5 + n for n in range(30)],
    "weight": [3 * n % 17 + 0.5 for n in range(30)],
})  # fmt: skip
JAPANESE = pd.DataFrame({
    "店舗": ["新宿", "渋谷", "池袋", "新宿", "渋谷", "池袋"] * 5,
    "商品": ["机", "椅子", "本棚", "椅子", "机", "本棚"] * 5,
    "価格": [1200 + 10 * n for n in range(30)],
    "重量": [3 * n % 17 + 0.5 for n in range(30)],
})  # fmt: skip
KEPT = 0.97
FIGURES = ("mean", "median", "sum", "min", "max")


def synonyms(fn: str, japanese: bool) -> list[str]:
    """What the lexicon knows for a figure, in one language: nouns, not `in total`."""
    all_meanings = [
        key
        for key, means in lexicon().meanings.items()
        for mean in means
        if (mean.kind, mean.value) == ("agg", fn)
    ]
    plain = [key for key in all_meanings if key[-1].isascii() != japanese]
    joined = ["".join(key) if japanese else " ".join(key) for key in plain]
    return [mean for mean in joined if not mean.startswith(("in ", "on ", "全部で", "合わせて"))][:6]


def reworded() -> Iterator[tuple[str, str, str]]:
    """(table, sentence, the same in other words)"""
    for fn, (en, ja) in zip(FIGURES, (("average", "平均"), ("median", "中央値"), ("total", "合計"),
                                            ("minimum", "最小値"), ("maximum", "最大値")), strict=True):  # fmt: skip
        for measure, cut in (("price", "region"), ("weight", "product")):
            base = f"{en} {measure} by {cut}"
            for word in synonyms(fn, japanese=False):
                yield "stock", base, f"{word} {measure} by {cut}"
                yield "stock", base, f"what is the {word} {measure} per {cut}?"
            yield "stock", base, f"by {cut}, the {en} {measure}"
            yield "stock", base, f"show me the {en} of {measure} for each {cut} please"
            yield "stock", f"{en} {measure} where {cut} is lamp", f"for {cut} lamp: {en} {measure}"
        for measure, cut in (("価格", "店舗"), ("重量", "商品")):
            base = f"{cut}ごとの{measure}の{ja}"
            for word in synonyms(fn, japanese=True):
                yield "在庫", base, f"{cut}別の{measure}の{word}"
                yield "在庫", base, f"{measure}の{word}を{cut}ごとに教えてください"
            yield "在庫", base, f"{cut}ごとに{measure}の{ja}を見せて"
            yield "在庫", base, f"{measure}の{ja}は{cut}ごとにどうなっていますか？"


@pytest.mark.long
def test_other_words_for_the_same_are_read_as_the_same() -> None:
    tables = {
        name: Catalogue([table_info(name, frame, "load")], {}, {}, [], "")
        for name, frame in (("stock", ENGLISH), ("在庫", JAPANESE))
    }

    def reading(table: str, text: str) -> Query | None:
        candidates = read_talk([UserTurn(text)], tables[table]).candidates
        return candidates[0].query if candidates else None

    pairs = list(dict.fromkeys(reworded()))
    lost = [(pair, other) for table, pair, other in pairs if reading(table, pair) != reading(table, other)]
    assert len(pairs) > 150
    assert len(lost) <= (1 - KEPT) * len(pairs), lost
