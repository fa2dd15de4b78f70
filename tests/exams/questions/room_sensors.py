"""About room_sensors, whose rooms are rooms of the bundled building."""

from collections.abc import Iterator

import pandas as pd

from tests.exams.case import Question, no, q


def read(raw: pd.DataFrame) -> pd.DataFrame:
    raw.columns = ["time", "room", "temp", "hum", "co2", "lux", "window"]
    raw["time"] = pd.to_datetime(raw["time"])
    return raw


def questions(t: pd.DataFrame) -> Iterator[Question]:
    day = t.time.dt.strftime("%Y-%m-%d")
    rooms = sorted(set(t.room))
    yield q("en", "aggregate", "hows the average humidity in room_sensors", number=t.hum.mean())
    yield q("en", "aggregate", "max co2 in room_sensors", number=t.co2.max())
    yield q("en", "quantile", "95% quantile of lux in room_sensors", number=t.lux.quantile(0.95))
    yield q("en", "groupby", "in room_sensors, temp per room (avg)", pairs=t.groupby("room").temp.mean())
    yield q(
        "en",
        "groupby",
        "co2 by room and window state in room_sensors, mean",
        pairs=t.groupby(["room", "window"]).co2.mean(),
    )
    yield q(
        "en", "filter", "room_sensors: avg temp in the kitchen", number=t[t.room == "Kitchen"].temp.mean()
    )
    yield q(
        "en", "filter", "how many readings in room_sensors have co2 above 1000", number=(t.co2 > 1000).sum()
    )
    yield q(
        "en",
        "filter",
        "hottest reading after 2024-06-08 in room_sensors",
        number=t[t.time >= "2024-06-09"].temp.max(),
        **{"or": [t[t.time >= "2024-06-08"].temp.max()]},  # pyright: ignore[reportArgumentType]
    )
    yield q(
        "en",
        "percent",
        "percent of readings with open window in room_sensors",
        percent=100 * (t.window == "open").mean(),
        d=1,
    )
    yield q(
        "en",
        "top",
        "which room is the most humid in room_sensors",
        names=[t.groupby("room").hum.mean().idxmax()],
        others=rooms,
    )
    yield q(
        "en",
        "top",
        "coldest room on average in room_sensors?",
        names=[t.groupby("room").temp.mean().idxmin()],
        others=rooms,
    )
    yield q("en", "missing", "missing temps in room_sensors?", number=t.temp.isna().sum())
    yield q("en", "resample", "daily mean temp in room_sensors", pairs=t.groupby(day).temp.mean())
    yield q(
        "en",
        "rolling",
        "3 day rolling mean of daily average temp, room_sensors",
        pairs=t.groupby(day).temp.mean().rolling(3).mean(),
        extra=2,
    )
    yield q(
        "en",
        "plot",
        "heatmap of correlations in room_sensors",
        image=True,
        plot="heatmap",
        code_names=["room_sensors"],
    )
    yield q(
        "en",
        "follow-up",
        "mean temp per room in room_sensors",
        "only when the window is closed",
        pairs=t[t.window == "closed"].groupby("room").temp.mean(),
    )
    yield q("en", "map", "colour the rooms by average temp in room_sensors", messages=[_painted(rooms)])
    yield no("en", "noise level per room in room_sensors", word="noise")
    yield no("en", "predict co2 for tomorrow from room_sensors")
    yield no("en", "why is the kitchen so stuffy in room_sensors", word="why")
    yield q("ja", "groupby", "room_sensorsの部屋ごとの平均CO2", pairs=t.groupby("room").co2.mean())
    yield q("ja", "map", "room_sensorsの平均気温で部屋を色分けして", messages=[_painted(rooms)])
    yield no("ja", "room_sensorsの騒音の最大値", word="騒音")


def _painted(rooms: list[str]) -> dict[str, object]:
    return {"type": "map", "rectangles": [{"name": room} for room in rooms], "only": True}
