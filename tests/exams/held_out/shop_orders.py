"""About shop_orders; not to be looked at by who improves the analyst."""

from collections.abc import Iterator

import pandas as pd

from tests.exams.case import Question, no, q


def questions(t: pd.DataFrame) -> Iterator[Question]:
    done = t[t.status == "completed"]
    t.groupby("customer").total.sum().sort_values(ascending=False)
    yield q("en", "aggregate", "whats the avg order total", number=t.total.mean())
    yield q("en", "aggregate", "total revenue overall?", number=t.total.sum())
    yield q("en", "filter", "revenue from completed orders only", number=done.total.sum())
    yield q(
        "en",
        "filter",
        "average total of orders that are not electronics",
        number=t[t.category != "Electronics"].total.mean(),
    )
    yield q("en", "percent", "share of gift orders in percent", percent=100 * (t.gift == "yes").mean(), d=1)
    yield q("en", "groupby", "sales by category", pairs=t.groupby("category").total.sum())
    yield q("en", "groupby", "nr of orders per payment method pls", pairs=t.pay.value_counts())
    yield q(
        "en",
        "top",
        "cheapest product category on average unit price?",
        names=[t.groupby("category").price.mean().idxmin()],
        others=sorted(set(t.category)),
    )
    yield q("en", "distinct", "what payment methods exist", names=sorted(set(t.pay)))
    yield q("en", "plot", "pie of orders by status", image=True, plot="pie", code_names=["Status"])
    yield no("en", "forecast next months sales")
    yield no("en", "avg shipping cost per category", word="shipping")
    yield q("ja", "filter", "キャンセルされた注文は何件？", number=(t.status == "cancelled").sum())
    yield no("ja", "送料の平均はいくら？", word="送料")
