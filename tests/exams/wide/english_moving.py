"""Ferry crossings and car rentals."""

import random
from typing import Any

import pandas as pd

from tests.exams.case import Question
from tests.exams.wide.asking import (
    cannot,
    csv_text,
    dates,
    day,
    en,
    first,
    row_at,
)


def ferry() -> str:
    pick = random.Random(4107)
    rows: list[list[object]] = []
    for at in range(48):
        hour = ["07:15", "11:00", "17:45"][at % 3]
        wind = pick.randrange(4, 29) + (14 if at == 31 else 0)
        off = wind > 25 and pick.random() < 0.8
        route = pick.choice(["Oban-Craignure", "Mallaig-Armadale", "Largs-Cumbrae"])
        people = 0 if off else pick.randrange(40, 310)
        late = None if off else max(0, round(wind * 0.7 + pick.gauss(0, 6)))
        sailed = f"{day('2024-06-24', at // 3)} {hour}"
        rows.append(
            [
                sailed,
                pick.choice(["Isle of Rona", "Lady Jean", "MV Heron"]),
                route,
                people,
                people // 5,
                late,
                wind,
                "yes" if off else "no",
            ]
        )
    return csv_text("Departure,Vessel,Route,Passengers,Vehicles,Delay (min),Wind kn,Cancelled", rows)


def ferry_questions(t: Any) -> list[Question]:
    people, cars, delay, wind, ship = (
        t["Passengers"],
        t["Vehicles"],
        t["Delay (min)"],
        t["Wind kn"],
        t["Vessel"],
    )
    when = dates(t["Departure"])
    off = t["Cancelled"] == "yes"
    date = when.dt.strftime("%Y-%m-%d")
    daily = people.groupby(date).sum()
    return [
        en("aggregate", "how many passangers did we carry altogether", number=people.sum()),
        en(
            "top",
            "which route carries the most vehicles",
            **first(cars.groupby(t["Route"]).sum(), cars.groupby(t["Route"]).mean()),
        ),
        en("groupby", "avg delay by vessel", pairs=delay.groupby(ship).mean()),
        en("filter", "crossings more than 15 mins late", number=(delay > 15).sum()),
        en("filter", "how many sailings were cancelled", number=off.sum()),
        en("percent", "cancelation rate in %", percent=100 * off.mean(), d=1),
        en(
            "top",
            "on what date was the wind strongest",
            **row_at(pd.DataFrame({"day": date}), "day", wind),
        ),
        en("correlation", "is there a correlation between wind and delay", number=wind.corr(delay)),
        en("groupby", "total passengers by day of the week", pairs=people.groupby(when.dt.day_name()).sum()),
        en(
            "filter",
            "passengers on the Lady Jean in july",
            number=people[(ship == "Lady Jean") & (when.dt.month == 7)].sum(),
        ),
        en(
            "plot",
            "line chart of daily passengers",
            image=True,
            plot="line",
            code_names=["Departure", "Passengers"],
        ),
        en("resample", "passengers per day", pairs=daily),
        en("follow-up", "total passengers per vessel", "and vehicles?", pairs=cars.groupby(ship).sum()),
        cannot("how much fuel did each vessel burn", word="fuel"),
    ]


def rental() -> str:
    pick = random.Random(4108)
    rates = {"Economy": 29, "Compact": 36, "SUV": 61, "Van": 72, "Luxury": 118}
    makes = {
        "Economy": ["Fiat", "Kia"],
        "Compact": ["VW", "Toyota"],
        "SUV": ["Toyota", "Kia"],
        "Van": ["Ford"],
        "Luxury": ["BMW"],
    }
    rows: list[list[object]] = []
    for at in range(45):
        size = pick.choices(list(rates), [9, 8, 6, 3, 2])[0]
        days = pick.choice([1, 2, 3, 3, 5, 7, 14])
        out = day("2024-03-01", at * 2 + pick.randrange(2))
        miles = None if at in (6, 25, 33) else days * pick.randrange(20, 130) + pick.randrange(9)
        damage = pick.choices(["none", "scratch", "dent", None], [7, 2, 1, 1])[0]
        rate = rates[size] + pick.choice([0, 0, 3, -2])
        rows.append(
            [
                f"R-{7001 + at}",
                out,
                day(str(out), days),
                size,
                pick.choice(makes[size]),
                f"€{rate}.00",
                days,
                miles,
                pick.choices(["Airport", "Downtown", "Station"], [6, 3, 3])[0],
                damage,
            ]
        )
    return csv_text(
        "Booking,Pick up,Drop off,Car class,Make,Daily rate,Days,Miles driven,Branch,Damage", rows
    )


def rental_questions(t: Any) -> list[Question]:
    rate = t["Daily rate"].str.lstrip("€").astype(float)
    days, miles, size, branch = t["Days"], t["Miles driven"], t["Car class"], t["Branch"]
    start = dates(t["Pick up"])
    per_branch = (rate * days).groupby(branch).sum()
    return [
        en("aggregate", "total revenue (daily rate x days)", number=(rate * days).sum()),
        en("filter", "how many SUVs went out", number=(size == "SUV").sum()),
        en("top", "busiest branch by bookings", **first(t.groupby("Branch").size())),
        en("groupby", "average miles driven per car class", pairs=miles.groupby(size).mean()),
        en(
            "filter",
            "rentals of 5 days or longer from the airport",
            number=((days >= 5) & (branch == "Airport")).sum(),
        ),
        en(
            "percent",
            "what percent of cars came back with a dent or scratch",
            percent=100 * t["Damage"].isin(["dent", "scratch"]).mean(),
            or_without_blanks=100 * t["Damage"].isin(["dent", "scratch"]).sum() / t["Damage"].notna().sum(),
        ),
        en("top", "which booking drove the furthest, most miles", **row_at(t, "Booking", miles)),
        en("groupby", "daily rate times days, per branch", pairs=per_branch),
        en(
            "resample",
            "rentals per month by pick up date",
            pairs=start.dt.strftime("%Y-%m").value_counts().sort_index(),
        ),
        en("missing", "how many bookings have no mileage recorded", number=miles.isna().sum()),
        en(
            "sort",
            "make by number of bookings, descending",
            pairs=t["Make"].value_counts(),
            order=t["Make"].value_counts().is_unique,
        ),
        en(
            "plot",
            "bar chart of avergae daily rate by car class",
            image=True,
            plot="bar",
            code_names=["Daily rate", "Car class"],
        ),
        cannot("why do so many customers bring cars back late"),
    ]
