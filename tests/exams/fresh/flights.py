"""Questions about departures."""

from typing import Any

import pandas as pd

from tests.exams.case import Question, no, q
from tests.exams.fresh.wording import (
    by_week,
    by_weekday,
    either,
    first,
    rates,
    share,
)


def read(table: pd.DataFrame) -> pd.DataFrame:
    """The table with real times, shares and fares."""
    table["sched_departure"] = pd.to_datetime(table["sched_departure"])
    table["Load Factor"] = table["Load Factor"].str.strip("%").astype(float)
    table["avg fare"] = table["avg fare"].str.strip("$").astype(float)
    return table


def questions(t: Any) -> list[Question]:
    """English and Japanese ones, each with what pandas says."""
    return [*figures(t), *groups(t), *pictures(t), *japanese(t), *unanswerable()]


def figures(t: Any) -> list[Question]:
    late, at, line = t["Delay (min)"], t["sched_departure"], t["AIRLINE"]
    on_time = (late > 15)[late.notna()]
    gap = late[line == "BlueJet"].mean() - late[line == "Skyline"].mean()
    return [
        q("en", "aggregate", "mean delay", number=late.mean()),
        q("en", "aggregate", "longest delay of bluejet", number=late[line == "BlueJet"].max()),
        q("en", "filter", "how many flights got cancelled", number=(t["Cancelled"] == "Y").sum()),
        q("en", "filter", "nordwind flights to IST that were more than 20 min late, how many",
          number=((line == "Nordwind") & (t["Dest"] == "IST") & (late > 20)).sum()),
        q("en", "filter", "flights out of STN or LGW, count", number=t["origin"].isin(["STN", "LGW"]).sum()),
        q("en", "filter", "how many departures have a negative delay", number=(late < 0).sum()),
        q("en", "filter", "how many flights on weekends", number=(at.dt.day_of_week >= 5).sum()),
        q("en", "filter", "average delay between june 1 and june 15",
          number=late[(at >= "2023-06-01") & (at < "2023-06-16")].mean()),
        q("en", "percent", "share of flights with a delay over 15 min", percent=share(late > 15),
          or_without_blanks=share(on_time), d=1),
        q("en", "difference", "difference in avg delay between Skyline and BlueJet", number=gap, **either(-gap)),
        q("en", "distinct", "what aircraft types are there", names=sorted(t["Aircraft"].unique())),
        q("en", "shape", "how many rows and columns", numbers=[len(t), 16]),
    ]  # fmt: skip


def groups(t: Any) -> list[Question]:
    late, at = t["Delay (min)"], t["sched_departure"]
    by_line = t.groupby("AIRLINE")
    return [
        q("en", "groupby", "avg delay per airline, worst first", order=True,
          pairs=by_line["Delay (min)"].mean().sort_values(ascending=False)),
        q("en", "groupby", "avg load factor by destination", pairs=t.groupby("Dest")["Load Factor"].mean()),
        q("en", "top", "which destination got the most passengers", **first(t.groupby("Dest")["pax"].sum())),
        q("en", "percent", "cancellation rate by airline", **rates(t["Cancelled"] == "Y", t["AIRLINE"])),
        q("en", "resample", "flights per weekday", pairs=by_weekday(at.dt.day_of_week.value_counts().sort_index())),
        q("en", "resample", "weekly passenger totals", pairs=by_week(t.groupby(at.dt.to_period("W"))["pax"].sum())),
        q("en", "follow-up", "how many flights to BCN", "and to DUB?", number=(t["Dest"] == "DUB").sum()),
        q("en", "follow-up", "avg delay by airline", "same for pax", pairs=by_line["pax"].mean()),
        q("en", "follow-up", "mean delay per origin", "only in july",
          pairs=late[at.dt.month == 7].groupby(t["origin"]).mean()),
    ]  # fmt: skip


def pictures(_t: Any) -> list[Question]:
    return [
        q("en", "plot", "stacked bar of flights by airline and delay reason", image=True, plot="stacked",
          code_names=["AIRLINE", "delay reason"]),
        q("en", "plot", "line chart of the average delay per week", image=True, plot="line",
          code_names=["Delay (min)", "sched_departure"], code_leaves_out=["avg fare"]),
        q("en", "plot", "bar chart of flights per airline", image=True, plot="bar", code_names=["AIRLINE"]),
        q("en", "follow-up", "avg delay by dest", "just Skyline", "show it as a bar chart", image=True, plot="bar",
          code_names=["Delay (min)", "Dest", "AIRLINE", "Skyline"]),
        q("en", "plot", "heatmap of average delay by origin and dest", image=True, plot="heatmap",
          code_names=["Delay (min)", "origin", "Dest"]),
    ]  # fmt: skip


def japanese(t: Any) -> list[Question]:
    return [
        q(
            "ja",
            "groupby",
            "航空会社別の欠航便数は?",
            pairs=t[t["Cancelled"] == "Y"]["AIRLINE"].value_counts(),
        ),
        q("ja", "aggregate", "遅延の中央値は何分?", number=t["Delay (min)"].median()),
        q("ja", "filter", "座席数が200を超える便はいくつ?", number=(t["seats"] > 200).sum()),
    ]


def unanswerable() -> list[Question]:
    return [
        no("en", "which flights will be late tomorrow?"),
        no("en", "how many flights to JFK", word="JFK"),
        no("en", "average refund per passenger", word="refund"),
        no("en", "did the passengers like the food", word="food"),
        no("en", "google the current price of jet fuel"),
    ]
