"""Questions about homes for sale."""

from typing import Any

import pandas as pd

from tests.exams.case import Question, no, q
from tests.exams.fresh.wording import (
    first,
    gaps,
    share,
    shares,
)


def read(table: pd.DataFrame) -> pd.DataFrame:
    """The table with real dates and prices."""
    table["Listed On"] = pd.to_datetime(table["Listed On"], format="%d/%m/%Y")
    table["Asking Price"] = table["Asking Price"].str.strip("£").str.replace(",", "").astype(float)
    return table


def questions(t: Any) -> list[Question]:
    """English and Japanese ones, each with what pandas says."""
    return [*figures(t), *groups(t), *pictures(t), *japanese(t), *unanswerable()]


def figures(t: Any) -> list[Question]:
    price, area, kind = t["Asking Price"], t["Floor Area [sqm]"], t["property type"]
    june = t[t["Listed On"].dt.month == 6]
    return [
        q("en", "aggregate", "avg asking price", number=price.mean()),
        q("en", "aggregate", "median floor area of the flats", number=area[kind == "flat"].median()),
        q("en", "filter", "how many homes are still for sale", number=(t["STATUS"] == "for sale").sum()),
        q("en", "filter", "number of detached homes with a garden",
          number=((kind == "detached") & (t["Garden?"] == "yes")).sum()),
        q("en", "filter", "how many places cost more than 400k?", number=(price > 400_000).sum()),
        q("en", "filter", "cheapest place with 3 bedrooms in docklands, what price",
          number=price[(t["Bedrooms"] == 3) & (t["Neighbourhood"] == "Docklands")].min()),
        q("en", "filter", "listings under 60 sqm built before 1950 - count",
          number=((area < 60) & (t["Year Built"] < 1950)).sum()),
        q("en", "filter", "how many listings are neither sold nor withdrawn",
          number=(~t["STATUS"].isin(["sold", "withdrawn"])).sum()),
        q("en", "filter", "how many went on the market in june", number=len(june)),
        q("en", "filter", "average price of homes listed since august",
          number=price[t["Listed On"] >= "2024-08-01"].mean()),
        q("en", "percent", "what % of homes have a garden", percent=share(t["Garden?"] == "yes"), d=1),
        q("en", "correlation", "does size go along with price? correlation pls", number=area.corr(price)),
        q("en", "describe", "summary stats for the asking price",
          numbers=[price.mean(), price.min(), price.median(), price.max()]),
        q("en", "missing", "which columns have gaps and how many", pairs=gaps(t)),
    ]  # fmt: skip


def groups(t: Any) -> list[Question]:
    price, area = t["Asking Price"], t["Neighbourhood"]
    return [
        q("en", "groupby", "avg price per neighborhood", pairs=price.groupby(area).mean()),
        q("en", "groupby", "median days on market by status",
          pairs=t.groupby("STATUS")["days_on_market"].median()),
        q("en", "groupby", "how many of each property type in castle hill",
          pairs=t[area == "Castle Hill"]["property type"].value_counts()),
        q("en", "groupby", "mean price by property type and garden",
          pairs=price.groupby([t["property type"], t["Garden?"]]).mean()),
        q("en", "top", "top 5 most expensive listings", order=True,
          pairs=t.set_index("listing_id")["Asking Price"].nlargest(5)),
        q("en", "top", "which estate agent sold the most homes",
          **first(t[t["STATUS"] == "sold"]["Estate Agent"].value_counts())),
        q("en", "percent", "share of listings by status", **shares(t["STATUS"].value_counts())),
        q("en", "resample", "new listings per month",
          pairs=t["Listed On"].dt.strftime("%Y-%m").value_counts().sort_index()),
        q("en", "follow-up", "avg price by neighbourhood", "only the sold ones",
          pairs=price[t["STATUS"] == "sold"].groupby(area).mean()),
        q("en", "follow-up", "how many detached homes are there", "and bungalows?",
          number=(t["property type"] == "bungalow").sum()),
        q("en", "follow-up", "how many homes per property type", "as a bar chart", image=True, plot="bar",
          code_names=["property type"]),
    ]  # fmt: skip


def pictures(_t: Any) -> list[Question]:
    return [
        q("en", "plot", "histogram of asking prices", image=True, plot="hist", code_names=["Asking Price"]),
        q("en", "plot", "scatter of floor area against price with a trend line", image=True, plot="scatter",
          code_names=["Floor Area [sqm]", "Asking Price"]),
        q("en", "plot", "grouped bar chart of average price by neighbourhood and garden", image=True, plot="bar",
          code_names=["Asking Price", "Neighbourhood", "Garden?"]),
        q("en", "plot", "pair plot of price, floor area and days on market", image=True, plot="pair",
          code_names=["Asking Price", "Floor Area [sqm]", "days_on_market"]),
    ]  # fmt: skip


def japanese(t: Any) -> list[Question]:
    rooms = t["Bedrooms"] >= 4
    return [
        q("ja", "filter", "寝室が4つ以上の物件は何件?", number=rooms.sum()),
        q("ja", "groupby", "地区ごとの平均価格は?", pairs=t.groupby("Neighbourhood")["Asking Price"].mean()),
        q("ja", "aggregate", "床面積の平均を教えて", number=t["Floor Area [sqm]"].mean()),
    ]


def unanswerable() -> list[Question]:
    return [
        no("en", "why are homes in castle hill so pricey"),
        no("en", "whats the average council tax", word="council"),
        no("en", "how many homes have a pool", word="pool"),
        no("en", "median price in Riverside", word="Riverside"),
        no("ja", "駅からの距離の平均は?", word="駅"),
    ]
