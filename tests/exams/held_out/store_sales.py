"""About store_sales; not to be looked at by who improves the analyst."""

from collections.abc import Iterator

import pandas as pd

from tests.exams.case import Question, no, q


def questions(t: pd.DataFrame) -> Iterator[Question]:
    by_shop = t.groupby("shop").sales.sum().sort_values(ascending=False)
    yield q("ja", "aggregate", "1日あたりじゃなくて、来客数の平均を出して", number=t.guests.mean())
    yield q("ja", "aggregate", "売上の中央値", number=t.sales.median())
    yield q("ja", "groupby", "店舗ごとの売上合計", pairs=by_shop)
    yield q("ja", "filter", "札幌支店の売上合計いくら？", number=t[t.shop == "札幌支店"].sales.sum())
    yield q("ja", "filter", "来客数が100人未満の日は何件ある？", number=(t.guests < 100).sum())
    yield q("ja", "percent", "特売日の割合は何パーセント", percent=100 * (t.offer == "はい").mean(), d=1)
    yield q("ja", "top", "売上トップ3の店舗", pairs=by_shop.head(3), order=True)
    yield q(
        "ja",
        "follow-up",
        "店舗ごとの売上合計",
        "円グラフにして",
        image=True,
        plot="pie",
        code_names=["店舗名", "売上(円)"],
    )
    yield no("ja", "なんで札幌支店の売上が悪いの", word="なんで")
    yield q("en", "groupby", "total sales by store", pairs=by_shop)
