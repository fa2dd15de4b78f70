"""Questions about stays in a parking garage."""

import pandas as pd

from tests.exams.case import Question, no, q

DAYS = ("Monday | Mon | 月曜日 | 月曜 | 月", "Tuesday | Tue | 火曜日 | 火曜 | 火", "Wednesday | Wed | 水曜日 | 水曜 | 水",
        "Thursday | Thu | 木曜日 | 木曜 | 木", "Friday | Fri | 金曜日 | 金曜 | 金",
        "Saturday | Sat | 土曜日 | 土曜 | 土", "Sunday | Sun | 日曜日 | 日曜 | 日")  # fmt: skip


def read(raw: pd.DataFrame) -> pd.DataFrame:
    at = pd.to_datetime(raw["entry_time"])
    return raw.assign(at=at, day=at.dt.strftime("%Y-%m-%d"))


def questions(p: pd.DataFrame) -> list[Question]:
    stay, fee, kind, level, paid = p["stay_hrs"], p["fee_eur"], p["vehicle type"], p["lvl"], p["payMethod"]
    daily = fee.groupby(p["day"]).sum()
    best = daily.sort_values(ascending=False).index.tolist()
    rolling = daily.rolling(3).mean().dropna()
    weekdays = fee.groupby(p["at"].dt.day_of_week.map(dict(enumerate(DAYS)))).mean()
    return [
        q("en", "filter", "how many evs parked here", number=p["isEV"].sum()),
        q("en", "filter", "how many vans on B1 stayed more than 5 hours",
          number=((kind == "van") & (level == "B1") & (stay > 5)).sum()),
        q("en", "filter", "stays not paid in cash, count", number=(paid != "cash").sum(),
          **{"or": [(paid.notna() & (paid != "cash")).sum()]}),  # pyright: ignore[reportArgumentType]
        q("en", "filter", "how many came in before 9am", number=(p["at"].dt.hour < 9).sum()),
        q("en", "aggregate", "total fees", number=fee.sum()),
        q("en", "describe", "describe stay hrs", numbers=[stay.mean(), stay.std(), stay.max()]),
        q("en", "shape", "how big is this table", numbers=[84, 8]),
        q("en", "groupby", "avg stay by level", pairs=stay.groupby(level).mean()),
        q("en", "percent", "what % was paid with the app", percent=100 * (paid == "app").mean(),
          or_without_blanks=100 * (paid.dropna() == "app").mean()),
        q("en", "resample", "mean fee per weekday", pairs=weekdays),
        q("en", "resample", "entries by hour of the day", pairs=p.groupby(p["at"].dt.hour).size(),
          extra=7),
        q("en", "top", "which day had the highest total fees", names=best[:1], others=best[1:]),
        q("en", "sort", "levels by number of vehicles, most first", pairs=level.value_counts(), order=True),
        q("en", "rolling", "3 day moving average of the daily fees", extra=14, pairs=rolling.iloc[[0, 5, -1]]),
        q("en", "plot", "daily total fee as a line chart", image=True, plot="line",
          code_names=["entry_time", "fee_eur"]),
        q("en", "plot", "stacked bars: vehicle type per level", image=True, plot="stacked",
          code_names=["vehicle type", "lvl"]),
        q("en", "follow-up", "total fees by vehicle type", "only evs", "as a pie", image=True, plot="pie",
          code_names=["fee_eur", "vehicle type", "isEV"]),
        q("en", "follow-up", "avg fee by level", "same for the stay hours", pairs=stay.groupby(level).mean()),
        no("en", "how many vehicles were stolen", word="stolen"),
        no("en", "whats the weather going to be like in town tomorrow"),
        no("en", "total fees on level L9", word="L9"),
        q("ja", "filter", "現金で払った車は何台?", number=((paid == "cash") & (kind == "car")).sum(),
          **{"or": [(paid == "cash").sum()]}),  # pyright: ignore[reportArgumentType]
    ]  # fmt: skip
