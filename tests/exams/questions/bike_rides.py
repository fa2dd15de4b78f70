"""About bike_rides."""

from collections.abc import Iterator

import pandas as pd

from tests.exams.case import Question, no, q


def read(raw: pd.DataFrame) -> pd.DataFrame:
    raw.columns = ["id", "start", "station", "end", "rider", "minutes", "km", "helmet"]
    raw["start"] = pd.to_datetime(raw["start"])
    return raw


def questions(t: pd.DataFrame) -> Iterator[Question]:
    weekend = t.start.dt.day_of_week >= 5
    long = t[t.minutes > 30]
    yield q("en", "aggregate", "how far do ppl ride on average", number=t.km.mean())
    yield q("en", "aggregate", "shortest ride in minutes", number=t.minutes.min())
    yield q(
        "en",
        "quantile",
        "quartiles of the ride duration",
        numbers=list(t.minutes.quantile([0.25, 0.5, 0.75])),
    )
    yield q(
        "en",
        "filter",
        "rides longer than half an hour without helmet, how many",
        number=(long.helmet == "no").sum(),
    )
    yield q("en", "filter", "rides over 30 min, how many of them", number=len(long))
    yield q("en", "filter", "how many rides on weekends", number=weekend.sum())
    yield q(
        "en",
        "filter",
        "avg duration of rides starting at harbour",
        number=t[t.station == "Harbour"].minutes.mean(),
    )
    yield q("en", "filter", "number of rides before 8 am", number=(t.start.dt.hour < 8).sum())
    yield q("en", "filter", "count rides not by members", number=(t.rider != "member").sum())
    yield q(
        "en",
        "filter",
        "rides from mill lane to the zoo",
        number=((t.station == "Mill Lane") & (t.end == "Zoo")).sum(),
    )
    yield q(
        "en",
        "filter",
        "how many rides between 2024-05-01 and 2024-05-15",
        number=t.start.between("2024-05-01", "2024-05-15 23:59:59").sum(),
    )
    yield q(
        "en",
        "percent",
        "helmet rate by rider type",
        pairs=100 * (t.dropna(subset="helmet").helmet == "yes").groupby(t.rider).mean(),
        or_pairs=100 * (t.helmet == "yes").groupby(t.rider).mean(),
        d=1,
    )
    yield q("en", "groupby", "rides per start station", pairs=t.station.value_counts())
    yield q("en", "groupby", "avg dist per rider type", pairs=t.groupby("rider").km.mean())
    yield q("en", "groupby", "min and max minutes by rider type", pairs=t.groupby("rider").minutes.max())
    yield q("en", "top", "5 longest rides", numbers=list(t.minutes.nlargest(5)))
    yield q(
        "en",
        "top",
        "which start station is the least popular",
        names=[t.station.value_counts().idxmin()],
        others=sorted(set(t.station)),
    )
    yield q(
        "en",
        "top",
        "most popular destination",
        names=[t.end.value_counts().idxmax()],
        others=sorted(set(t.end)),
    )
    yield q("en", "head", "show me the first 3 rows", names=["7000", "7001", "7002"])
    yield q("en", "correlation", "corr between duration and distance", number=t.minutes.corr(t.km), d=3)
    yield q("en", "resample", "rides per weekday", pairs=_weekdays(t.start.dt.day_name().value_counts()))
    yield q("en", "outliers", "any outliers in ride duration (IQR rule)?", number=_outside(t.minutes))
    yield q("en", "plot", "bar chart rides by station", image=True, plot="bar", code_names=["start stn"])
    yield q(
        "en",
        "plot",
        "violin plot of minutes per rider type",
        image=True,
        plot="violin",
        code_names=["dur_min", "rider type"],
    )
    yield q(
        "en",
        "follow-up",
        "rides per station",
        "and only on weekends",
        pairs=t[weekend].station.value_counts(),
    )
    yield q(
        "en",
        "follow-up",
        "rides per station",
        "just the three largest",
        pairs=t.station.value_counts().head(3),
        order=True,
    )
    yield no("en", "average heart rate of riders", word="heart")
    yield no("en", "rides from the airport", word="airport")
    yield q(
        "ja",
        "follow-up",
        "会員種別ごとの平均距離",
        "棒グラフにして",
        image=True,
        plot="bar",
        code_names=["rider type", "dist km"],
    )


def _weekdays(counts: pd.Series) -> dict[str, int]:
    return {f"{day} | {day[:3]}": count for day, count in counts.items()}  # pyright: ignore[reportIndexIssue]


def _outside(column: pd.Series) -> int:
    low, high = column.quantile(0.25), column.quantile(0.75)
    reach = 1.5 * (high - low)
    return int(((column < low - reach) | (column > high + reach)).sum())
