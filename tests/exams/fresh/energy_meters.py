"""Questions about energy meters."""

from typing import Any

import pandas as pd

from tests.exams.case import Question, no, q
from tests.exams.fresh.wording import (
    a_day,
    first,
    odd_ones,
    share,
    shares,
)

USE = "Energy Use [kWh]"


def read(table: pd.DataFrame) -> pd.DataFrame:
    """The table with real times and costs."""
    table["reading_time"] = pd.to_datetime(table["reading_time"], format="%m/%d/%Y %H:%M")
    table["Cost"] = table["Cost"].str.strip("€").astype(float)
    return table


def questions(t: Any) -> list[Question]:
    """English and Japanese ones, each with what pandas says."""
    return [*figures(t), *groups(t), *days(t), *pictures(t), *japanese(t), *unanswerable()]


def figures(t: Any) -> list[Question]:
    use, house = t[USE], t["Building Name"]
    return [
        q("en", "aggregate", "total energy used", number=use.sum()),
        q("en", "aggregate", "what did the library cost in total", number=t["Cost"][house == "Library"].sum()),
        q("en", "aggregate", "avg co2 at peak tariff", number=t["CO2e kg"][t["TARIFF"] == "peak"].mean()),
        q("en", "filter", "how many alarms in the laboratory", number=t["alarm"][house == "Laboratory"].sum()),
        q("en", "filter", "estimated readings with energy use of at least 60, how many",
          number=((t["Reading Type"] == "estimated") & (use >= 60)).sum()),
        q("en", "filter", "average energy use when its colder than 5 degrees outside",
          number=use[t["Outdoor Temp (C)"] < 5].mean()),
        q("en", "percent", "percentage of readings that are estimated",
          percent=share(t["Reading Type"] == "estimated"), d=1),
        q("en", "correlation", "correlation matrix of energy use, peak load and co2",
          numbers=[use.corr(t["peak_load_kW"]), use.corr(t["CO2e kg"]), t["peak_load_kW"].corr(t["CO2e kg"])]),
        q("en", "outliers", "are there outliers in the energy use", **odd_ones(use)),
    ]  # fmt: skip


def groups(t: Any) -> list[Question]:
    by_house = t.groupby("Building Name")
    peak = t[(t["TARIFF"] == "peak") & (t["Building Name"] != "Laboratory")]
    return [
        q("en", "groupby", "total energy by building and tariff", pairs=t.groupby(["Building Name", "TARIFF"])[USE].sum()),
        q("en", "groupby", "std of energy use per building", pairs=by_house[USE].std()),
        q("en", "top", "which building costs the least overall", **first(by_house["Cost"].sum(), least=True)),
        q("en", "top", "top 2 buildings by total co2", order=True, pairs=by_house["CO2e kg"].sum().nlargest(2)),
        q("en", "percent", "each building's share of the total cost", **shares(by_house["Cost"].sum())),
        q("en", "follow-up", "avg energy use per building", "only peak tariff", "without the laboratory",
          pairs=peak.groupby("Building Name")[USE].mean()),
        q("en", "save", "export avg energy use per building to excel", file="xlsx", pairs=by_house[USE].mean()),
    ]  # fmt: skip


def days(t: Any) -> list[Question]:
    at, use = t["reading_time"], t[USE]
    daily = use.groupby(at.dt.strftime("%Y-%m-%d")).sum()
    growth = daily.pct_change()
    return [
        q("en", "resample", "daily kwh total", pairs=daily),
        q("en", "resample", "avg energy use by hour of day", pairs=use.groupby(at.dt.hour).mean()),
        q("en", "filter", "total energy use on november 14", number=use[at.dt.day == 14].sum()),
        q("en", "rolling", "3 day rolling average of the daily energy use total", extra=2,
          pairs=daily.rolling(3).mean()),
        q("en", "difference", "day over day change of total energy use in percent", extra=1,
          pairs=(growth * 100).round(1), or_pairs=growth),
        q("en", "top", "on which day was the most energy used in total", names=[a_day(pd.Timestamp(str(daily.idxmax())))],
          others=[a_day(pd.Timestamp(str(day))) for day in daily.drop(daily.idxmax()).index]),
    ]  # fmt: skip


def pictures(_t: Any) -> list[Question]:
    return [
        q("en", "plot", "line chart of energy use over time for the dormitory", image=True, plot="line",
          code_names=[USE, "reading_time", "Dormitory"]),
        q("en", "plot", "violin plot of energy use by building", image=True, plot="violin",
          code_names=[USE, "Building Name"]),
        q("en", "follow-up", "daily total cost", "plot it please", image=True, code_names=["Cost", "reading_time"]),
        q("en", "follow-up", "total cost per building", "as a pie chart", image=True, plot="pie",
          code_names=["Cost", "Building Name"]),
    ]  # fmt: skip


def japanese(t: Any) -> list[Question]:
    return [
        q("ja", "groupby", "建物ごとの電力使用量の合計", pairs=t.groupby("Building Name")[USE].sum()),
        q("ja", "aggregate", "外気温の最低は?", number=t["Outdoor Temp (C)"].min()),
        q("ja", "plot", "外気温と電力使用量の散布図", image=True, plot="scatter", code_names=["Outdoor Temp (C)", USE]),
    ]  # fmt: skip


def unanswerable() -> list[Question]:
    return [
        no("en", "how much will we use next week"),
        no("en", "water consumption of the dormitory", word="water"),
        no("en", "total cost of the chapel", word="chapel"),
        no("ja", "ガスの使用量の合計は?", word="ガス"),
        no("en", "purple monkey dishwasher"),
    ]
