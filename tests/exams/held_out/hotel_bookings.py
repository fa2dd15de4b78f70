"""About hotel_bookings; not to be looked at by who improves the analyst."""

from collections.abc import Iterator

import pandas as pd

from tests.exams.case import Question, no, q


def questions(t: pd.DataFrame) -> Iterator[Question]:
    kept = t[t.gone == 0]
    yield q("en", "aggregate", "how many nights were booked in total", number=t.nights.sum())
    yield q("en", "aggregate", "typical stay length? median nights", number=t.nights.median())
    yield q("en", "filter", "average rate of suites", number=t[t.kind == "suite"].rate.mean())
    yield q(
        "en",
        "filter",
        "bookings from germany or france with breakfast - count",
        number=(t.country.isin(["Germany", "France"]) & t.breakfast).sum(),
    )
    yield q("en", "filter", "mean guest rating without breakfast", number=t[~t.breakfast].rating.mean())
    yield q(
        "en",
        "sort",
        "countries sorted by number of bookings, most first",
        pairs=t.country.value_counts(),
        order=True,
        extra=1,
    )
    yield q(
        "en",
        "top",
        "which country books the most",
        names=[t.country.value_counts().idxmax()],
        others=sorted(set(t.country.dropna())),
    )
    yield q(
        "en",
        "top",
        "priciest room type on avg",
        names=[t.groupby("kind").rate.mean().idxmax()],
        others=sorted(set(t.kind)),
    )
    yield q(
        "en", "follow-up", "bookings per year", "without the cancelled ones", pairs=kept.year.value_counts()
    )
    yield q(
        "en",
        "follow-up",
        "avg rate by room type",
        "and by country?",
        pairs=t.groupby("country").rate.mean(),
        extra=1,
    )
    yield no("en", "look up the weather in Paris for our guests")
    yield no("en", "how many penthouse bookings", word="penthouse")
    yield q("ja", "groupby", "部屋タイプごとの予約数", pairs=t.kind.value_counts())
