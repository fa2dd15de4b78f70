"""About school_marks."""

from collections.abc import Iterator

import pandas as pd

from tests.exams.case import Question, no, q


def read(raw: pd.DataFrame) -> pd.DataFrame:
    raw.columns = ["id", "form", "gender", "year", "maths", "english", "science", "absent", "house", "lunch"]
    return raw


def questions(t: pd.DataFrame) -> Iterator[Question]:
    yield q("en", "aggregate", "average maths mark", number=t.maths.mean())
    yield q("en", "aggregate", "avrage scince mark", number=t.science.mean())
    yield q("en", "aggregate", "best english score", number=t.english.max())
    yield q("en", "filter", "how many boys in 8B", number=((t.gender == "boy") & (t.form == "8B")).sum())
    yield q("en", "filter", "kids who missed more than 5 days, how many", number=(t.absent > 5).sum())
    yield q("en", "filter", "maths average in school year 2023", number=t[t.year == 2023].maths.mean())
    yield q(
        "en",
        "filter",
        "mean science mark of everyone except swift house",
        number=t[t.house != "Swift"].science.mean(),
    )
    yield q(
        "en",
        "percent",
        "share of girls per class in %",
        pairs=100 * (t.gender == "girl").groupby(t.form).mean(),
        d=1,
    )
    yield q("en", "groupby", "maths and english avg by class", pairs=t.groupby("form").maths.mean())
    yield q("en", "groupby", "std of maths by class", pairs=t.groupby("form").maths.std())
    yield q(
        "en", "groupby", "avg absences by gender and class", pairs=t.groupby(["gender", "form"]).absent.mean()
    )
    yield q("en", "top", "top 5 pupils in english", names=list(t.nlargest(5, "english").id))
    yield q(
        "en",
        "top",
        "which class has the worst science average",
        names=[t.groupby("form").science.mean().idxmin()],
        others=sorted(set(t.form)),
    )
    yield q("en", "missing", "blank maths marks - how many", number=t.maths.isna().sum())
    yield q("en", "distinct", "how many houses are there", number=t.house.nunique())
    yield q("en", "correlation", "correlation maths vs science", number=t.maths.corr(t.science), d=3)
    yield q("en", "outliers", "outliers in days absent, iqr", number=_outside(t.absent))
    yield q("en", "plot", "histogram of maths", image=True, plot="hist", code_names=["maths"])
    yield q(
        "en",
        "plot",
        "scatter of maths and english",
        image=True,
        plot="scatter",
        code_names=["maths", "english_score"],
    )
    yield q(
        "en",
        "follow-up",
        "average maths by class",
        "only girls",
        "as bars please",
        image=True,
        plot="bar",
        code_names=["maths", "class", "girl"],
    )
    yield q(
        "en", "follow-up", "average maths by class", "english instead", pairs=t.groupby("form").english.mean()
    )
    yield no("en", "average history mark", word="history")
    yield no("en", "which pupil will fail next year")
    yield no("en", "asdf qwer zxcv")
    yield q("ja", "filter", "女子の英語の平均点", number=t[t.gender == "girl"].english.mean())


def _outside(column: pd.Series) -> int:
    low, high = column.quantile(0.25), column.quantile(0.75)
    reach = 1.5 * (high - low)
    return int(((column < low - reach) | (column > high + reach)).sum())
