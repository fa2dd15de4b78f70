"""About bike_rides; not to be looked at by who improves the analyst."""

from collections.abc import Iterator

import pandas as pd

from tests.exams.case import Question, no, q


def questions(t: pd.DataFrame) -> Iterator[Question]:
    yield q("en", "aggregate", "total km ridden", number=t.km.sum())
    yield q(
        "en",
        "percent",
        "% of rides with helmet",
        percent=100 * (t.helmet == "yes").mean(),
        or_without_blanks=100 * (t.helmet.dropna() == "yes").mean(),
        d=1,
    )
    yield q("en", "missing", "any gaps in the data?", names=["dist km", "Helmet"])
    yield q(
        "en", "resample", "at what hour do most rides start?", number=t.start.dt.hour.value_counts().idxmax()
    )
    yield q(
        "en",
        "plot",
        "distance against duration scatterplot plz",
        image=True,
        plot="scatter",
        code_names=["dist km", "dur_min"],
    )
    yield q(
        "en",
        "plot",
        "stacked bar of station by rider type",
        image=True,
        plot="stacked",
        code_names=["start stn", "rider type"],
    )
    yield q(
        "en",
        "follow-up",
        "rides per station",
        "only members",
        "as a bar chart",
        image=True,
        plot="bar",
        code_names=["start stn", "rider type", "member"],
    )
    yield q(
        "en",
        "follow-up",
        "average minutes by rider type",
        "same for distance",
        pairs=t.groupby("rider").km.mean(),
    )
    yield no("en", "will it rain on tomorrows rides")
    yield no("en", "blorp the frungle by station", word="frungle")
    yield q("ja", "groupby", "出発ステーションごとの利用回数", pairs=t.station.value_counts())
