"""Road accidents and recycling rounds."""

import random
from typing import Any

from tests.exams.case import Question
from tests.exams.wide.asking import (
    cannot,
    csv_text,
    dates,
    day,
    either,
    en,
    first,
    last,
)


def accidents() -> str:
    pick = random.Random(4113)
    rows: list[list[object]] = []
    for at in range(50):
        severity = pick.choices(["Slight", "Serious", "Fatal"], [10, 4, 1])[0]
        weather = pick.choices(["Fine", "Rain", "Fog", "Snow", None], [9, 6, 2, 1, 1])[0]
        hurt = 9 if at == 22 else pick.choice([1, 1, 2, 3])
        when = day("2023-01-04", at * 7 + pick.randrange(7)).strftime("%d-%b-%Y")
        road = pick.choices(["A30", "A39", "B3285", "High Street", "Mill Lane"], [6, 4, 3, 3, 2])[0]
        clock = f"{pick.randrange(24):02}:{pick.randrange(60):02}"
        rows.append(
            [
                f"RTC/{310 + at}",
                when,
                clock,
                road,
                severity,
                pick.choice([1, 2, 2, 3]),
                hurt,
                weather,
                pick.choice([20, 30, 40, 60, 70]),
                pick.choice(["Daylight", "Dark"]),
            ]
        )
    return csv_text(
        "Ref,Date,Time,Road,Severity,Vehicles involved,Casualties,Weather,Speed limit,Light", rows
    )


def accidents_questions(t: Any) -> list[Question]:
    severity, hurt, weather, road = t["Severity"], t["Casualties"], t["Weather"], t["Road"]
    when = dates(t["Date"], format="%d-%b-%Y")
    assert set(when.dt.year) == {2023}
    written = {1: "2023-01-01 | 2023-03-31", 2: "2023-04-01 | 2023-06-30", 3: "2023-07-01 | 2023-09-30"}
    written[4] = "2023-10-01 | 2023-12-31"
    quarters = {
        f"Q{at} | 2023Q{at} | 2023-Q{at} | Q{at} 2023 | 2023 Q{at} | {at} | {ways}": (
            when.dt.quarter == at
        ).sum()
        for at, ways in written.items()
    }
    return [
        en("shape", "how many accidents are in the file", number=len(t)),
        en("filter", "how many were fatal", number=(severity == "Fatal").sum()),
        en("groupby", "casualties by severity", pairs=hurt.groupby(severity).sum()),
        en("top", "road with the most crashes", **first(road.value_counts())),
        en(
            "percent",
            "what share of accidents happened in the rain",
            percent=100 * (weather == "Rain").mean(),
            or_without_blanks=100 * (weather == "Rain").sum() / weather.notna().sum(),
        ),
        en(
            "filter",
            "serious accidents in the dark",
            number=((severity == "Serious") & (t["Light"] == "Dark")).sum(),
        ),
        en(
            "filter",
            "how many happened on roads with a speed limit above 50",
            number=(t["Speed limit"] > 50).sum(),
        ),
        en("resample", "crashes per quarter", pairs=quarters),
        en(
            "filter",
            "average number of vehicles when it was foggy",
            number=t["Vehicles involved"][weather == "Fog"].mean(),
        ),
        en("aggregate", "most casualties in one accident?", number=hurt.max()),
        en(
            "plot",
            "stacked bar of severty by weather",
            image=True,
            plot="stacked",
            code_names=["Severity", "Weather"],
        ),
        en("head", "show me the first 5 rows", names=list(t["Ref"].head(5))),
        cannot("how many drivers were drunk", word="drunk"),
        cannot("why are there so many accidents on the A30"),
        cannot("how many accidents on the M5", word="M5"),
    ]


def recycling() -> str:
    pick = random.Random(4114)
    base = {"Paper": 14, "Glass": 9, "Plastic": 6, "Garden": 11}
    rows: list[list[object]] = []
    for at in range(48):
        material = list(base)[at % 4]
        week = day("2024-01-01", at // 4 * 7)
        ward = pick.choices(["Eastgate", "Riverside", "Hilltop"], [4, 4, 3])[0]
        tonnes = round(base[material] + pick.uniform(-3, 4) - (1.5 if ward == "Hilltop" else 0), 2)
        dirty = "" if at in (5, 19) else f"{pick.uniform(1, 14):.1f}%"
        rows.append(
            [
                week,
                ward,
                material,
                tonnes,
                dirty,
                pick.choice(["Crew A", "Crew B"]),
                pick.choice([0, 0, 1, 2, 5, 8]),
            ]
        )
    return csv_text("Week Starting,Ward,Material,Tonnes,Contamination,Crew,Bins Missed", rows)


def recycling_questions(t: Any) -> list[Question]:
    tonnes, material, ward, missed = t["Tonnes"], t["Material"], t["Ward"], t["Bins Missed"]
    dirty = t["Contamination"].str.rstrip("%").astype(float)
    week = dates(t["Week Starting"])
    weekly = tonnes.groupby(week.dt.strftime("%Y-%m-%d")).sum()
    monthly = tonnes.groupby(week.dt.strftime("%Y-%m")).sum()
    return [
        en("aggregate", "total tonnage collected", number=tonnes.sum()),
        en("groupby", "tonnes per material", pairs=tonnes.groupby(material).sum()),
        en(
            "filter",
            "avg contamination for glass",
            **either(dirty[material == "Glass"].mean(), dirty[material == "Glass"].mean() / 100),
        ),
        en("groupby", "how many bins did each crew miss", pairs=missed.groupby(t["Crew"]).sum()),
        en(
            "top",
            "ward with the least recycling in tonnes",
            **last(tonnes.groupby(ward).sum(), tonnes.groupby(ward).mean()),
        ),
        en(
            "filter",
            "paper collected in feb (tonnes)",
            number=tonnes[(material == "Paper") & (week.dt.month == 2)].sum(),
        ),
        en(
            "plot",
            "plot total tonnes per week as a line",
            image=True,
            plot="line",
            code_names=["Week Starting", "Tonnes"],
        ),
        en("filter", "rows with contamination over 10%", number=(dirty > 10).sum()),
        en("difference", "month over month change in total tonnes", numbers=list(monthly.diff().dropna())),
        en(
            "crosstab",
            "tonnes by ward and material as a pivot",
            pairs=tonnes.groupby([ward, material]).sum(),
            extra=8,
        ),
        en(
            "rolling",
            "3 week rolling avarage of total tonnes",
            numbers=list(weekly.rolling(3).mean().tail(3)),
        ),
        en(
            "follow-up",
            "tonnes of plastic in Riverside?",
            "and Eastgate?",
            number=tonnes[(material == "Plastic") & (ward == "Eastgate")].sum(),
        ),
        cannot("how much goes to landfill", word="landfill"),
        cannot("tonnes of batteries collected", word="batteries"),
        cannot("look up the national recycling rate and compare ours"),
    ]
