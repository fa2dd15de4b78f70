"""About shop_orders."""

from collections.abc import Iterator

import pandas as pd

from tests.exams.case import Question, no, q
from tests.exams.questions.cleaning import number


def read(raw: pd.DataFrame) -> pd.DataFrame:
    raw.columns = [
        "id",
        "date",
        "customer",
        "category",
        "price",
        "qty",
        "total",
        "pay",
        "status",
        "discount",
        "gift",
    ]
    raw["date"] = pd.to_datetime(raw["date"], format="%Y/%m/%d %H:%M")
    raw["price"], raw["total"] = number(raw["price"]), number(raw["total"])
    raw["discount"] = number(raw["discount"])
    return raw


def questions(t: pd.DataFrame) -> Iterator[Question]:
    done = t[t.status == "completed"]
    month = t.date.dt.strftime("%Y-%m")
    yield q("en", "aggregate", "median unit price", number=t.price.median())
    yield q("en", "aggregate", "biggest order we ever had in $", number=t.total.max())
    yield q("en", "filter", "how many orders got cancelled", number=(t.status == "cancelled").sum())
    yield q(
        "en",
        "filter",
        "how many cancelled or returned orders",
        number=t.status.isin(["cancelled", "returned"]).sum(),
    )
    yield q(
        "en",
        "filter",
        "count orders over 100 dollars paid with paypal",
        number=((t.total > 100) & (t.pay == "PayPal")).sum(),
    )
    yield q(
        "en",
        "filter",
        "orders with total between 50 and 100, how many?",
        number=t.total.between(50, 100).sum(),
    )
    yield q("en", "filter", "how many orders in march 2024", number=(month == "2024-03").sum())
    yield q(
        "en", "percent", "what % of orders are returned", percent=100 * (t.status == "returned").mean(), d=1
    )
    yield q("en", "groupby", "avg qty by status", pairs=t.groupby("status").qty.mean())
    yield q(
        "en",
        "groupby",
        "total revenue by category and status",
        pairs=t.groupby(["category", "status"]).total.sum(),
    )
    top = t.groupby("customer").total.sum().sort_values(ascending=False)
    yield q("en", "top", "top 3 customers by revenue", pairs=top.head(3), order=True)
    yield q(
        "en",
        "top",
        "who is our best customer by total spend",
        names=[top.index[0]],
        others=list(top.index[1:]),
    )
    yield q(
        "en",
        "missing",
        "which col has missing vals and how many",
        names=["Discount %"],
        number=t.discount.isna().sum(),
    )
    yield q("en", "distinct", "how many different customers", number=t.customer.nunique())
    yield q("en", "resample", "monthly revenue", pairs=t.groupby(month).total.sum())
    yield q("en", "percent", "avg discount in percent", number=t.discount.mean())
    yield q(
        "en",
        "follow-up",
        "revenue by category",
        "only completed ones",
        pairs=done.groupby("category").total.sum(),
    )
    yield q(
        "en",
        "follow-up",
        "revenue per month",
        "as a line chart",
        image=True,
        plot="line",
        code_names=["Total ($)", "order_date"],
    )
    yield q(
        "en", "follow-up", "total sales by customer", "just the two largest", pairs=top.head(2), order=True
    )
    yield q(
        "en",
        "follow-up",
        "average order total",
        "and for books?",
        number=t[t.category == "Books"].total.mean(),
    )
    yield q("en", "plot", "hist of order totals", image=True, plot="hist", code_names=["Total ($)"])
    yield q(
        "en", "save", "save revenue per category as csv", file="csv", pairs=t.groupby("category").total.sum()
    )
    yield q("en", "save", "export the cancelled orders to excel", file="xlsx")
    yield no("en", "why did revenue drop in april", word="why")
    yield no("en", "how many orders came from the Berlin warehouse", word="Berlin")
    yield no("en", "what do competitors charge for books online")
    yield q("ja", "groupby", "カテゴリ別の売上合計を教えて", pairs=t.groupby("category").total.sum())
