"""About room_sensors; not to be looked at by who improves the analyst."""

from collections.abc import Iterator

import pandas as pd

from tests.exams.case import Question, no, q
from tests.exams.questions.room_sensors import _painted


def questions(t: pd.DataFrame) -> Iterator[Question]:
    day = t.time.dt.strftime("%Y-%m-%d")
    rooms = sorted(set(t.room))
    yield q(
        "en",
        "filter",
        "room_sensors: avg co2 when the window is open",
        number=t[t.window == "open"].co2.mean(),
    )
    yield q(
        "en",
        "filter",
        "room_sensors mean temp in Room1 or Room2",
        number=t[t.room.isin(["Room1", "Room2"])].temp.mean(),
    )
    yield q(
        "en",
        "describe",
        "summary stats for room_sensors temp_C",
        numbers=[t.temp.mean(), t.temp.min(), t.temp.max()],
    )
    yield q(
        "en", "resample", "avg lux by hour of day, room_sensors", pairs=t.groupby(t.time.dt.hour).lux.mean()
    )
    yield q(
        "en",
        "difference",
        "day over day change of mean co2 in room_sensors",
        pairs=t.groupby(day).co2.mean().diff(),
        extra=1,
    )
    yield q(
        "en",
        "correlation",
        "correlation matrix for room_sensors",
        numbers=[t.temp.corr(t.hum), t.temp.corr(t.co2), t.hum.corr(t.lux)],
    )
    yield q(
        "en", "correlation", "does lux correlate with temp in room_sensors", number=t.lux.corr(t.temp), d=3
    )
    yield q(
        "en",
        "outliers",
        "outliers in co2 using zscore above 2 in room_sensors",
        number=((t.co2 - t.co2.mean()).abs() / t.co2.std() > 2).sum(),
    )
    yield q(
        "en",
        "plot",
        "room_sensors temp over time, one line per room",
        image=True,
        plot="line",
        code_names=["temp_C", "room", "timestamp"],
    )
    yield q("en", "plot", "pairplot of room_sensors", image=True, plot="pair", code_names=["room_sensors"])
    yield q(
        "en",
        "follow-up",
        "mean temp per room in room_sensors",
        "same for humidity",
        pairs=t.groupby("room").hum.mean(),
    )
    yield q(
        "en",
        "map",
        "highlight the warmest room of room_sensors on the map",
        messages=[_painted([t.groupby("room").temp.mean().idxmax()])],  # pyright: ignore[reportArgumentType]
    )
    yield q(
        "en",
        "map",
        "avg humidity per room in room_sensors",
        "show that on the map",
        messages=[_painted(rooms)],
    )
    yield no("en", "temp in the sauna in room_sensors", word="sauna")
    yield q(
        "ja",
        "filter",
        "room_sensorsで窓が開いているときの平均湿度は?",
        number=t[t.window == "open"].hum.mean(),
    )
