"""About hotel_bookings."""

from collections.abc import Iterator

import pandas as pd

from tests.exams.case import Question, no, q
from tests.exams.questions.cleaning import number


def read(raw: pd.DataFrame) -> pd.DataFrame:
    raw.columns = [
        "ref",
        "date",
        "year",
        "nights",
        "kind",
        "adults",
        "kids",
        "rate",
        "country",
        "breakfast",
        "gone",
        "rating",
    ]
    raw["date"] = pd.to_datetime(raw["date"], format="%d/%m/%Y")
    raw["rate"] = number(raw["rate"])
    return raw


def questions(t: pd.DataFrame) -> Iterator[Question]:
    t[t.gone == 0]
    yield q("en", "aggregate", "avg nightly rate", number=t.rate.mean())
    yield q("en", "aggregate", "highest and lowest rate per night", numbers=[t.rate.max(), t.rate.min()])
    yield q("en", "filter", "how many bookings in 2023", number=(t.year == 2023).sum())
    yield q("en", "filter", "bookings w/ kids, how many", number=(t.kids > 0).sum())
    yield q("en", "filter", "number of stays of 7 nights or more", number=(t.nights >= 7).sum())
    yield q(
        "en",
        "filter",
        "how many check-ins between 1 june 2023 and 31 aug 2023",
        number=t.date.between("2023-06-01", "2023-08-31").sum(),
    )
    yield q("en", "percent", "cancellation rate", percent=100 * t.gone.mean(), d=1)
    yield q("en", "percent", "cancellation rate by room type", pairs=100 * t.groupby("kind").gone.mean(), d=1)
    yield q("en", "percent", "what pct of bookings include breakfast", percent=100 * t.breakfast.mean(), d=1)
    yield q(
        "en",
        "percent",
        "share of each country in %",
        pairs=100 * t.country.value_counts(normalize=True),
        or_pairs=100 * t.country.value_counts() / len(t),
        d=1,
        extra=1,
    )
    yield q("en", "groupby", "bookings per year", pairs=t.year.value_counts())
    yield q("en", "groupby", "avg price per room type", pairs=t.groupby("kind").rate.mean())
    yield q("en", "groupby", "nights by country, sum", pairs=t.groupby("country").nights.sum(), extra=1)
    yield q(
        "en", "groupby", "mean rating by year and roomtype", pairs=t.groupby(["year", "kind"]).rating.mean()
    )
    yield q("en", "missing", "hw many bookings have no rating", number=t.rating.isna().sum())
    yield q("en", "distinct", "how many countries do guests come from", number=t.country.nunique())
    yield q(
        "en",
        "crosstab",
        "pivot: room type by year, count of bookings",
        pairs=t.groupby(["kind", "year"]).size(),
    )
    yield q(
        "en",
        "difference",
        "growth of bookings year over year in percent",
        pairs=100 * t.year.value_counts().sort_index().pct_change(),
        d=1,
        extra=1,
    )
    yield q(
        "en",
        "resample",
        "bookings per month in 2024",
        pairs=t[t.year == 2024].groupby(t.date.dt.strftime("%Y-%m")).size(),
    )
    yield q(
        "en",
        "plot",
        "bar chart of avg rate by room type",
        image=True,
        plot="bar",
        code_names=["room_type", "Rate per Night"],
    )
    yield q("en", "plot", "pie chart of countries", image=True, plot="pie", code_names=["Country"])
    yield q("en", "save", "save bookings per year to csv", file="csv", pairs=t.year.value_counts())
    yield no("en", "how much did guests spend in the minibar", word="minibar")
    yield no("en", "how many bookings in 1999", word="1999")
    yield no("en", "average age of the guests", word="age")
    yield q("ja", "percent", "キャンセル率は何%?", percent=100 * t.gone.mean(), d=1)
