"""A tree inventory and a fishing competition."""

import random
from typing import Any

from tests.exams.case import Question
from tests.exams.wide.asking import (
    best,
    cannot,
    csv_text,
    day,
    en,
    first,
    last,
    row_at,
)


def trees() -> str:
    pick = random.Random(4310)
    rows: list[list[object]] = []
    for at in range(56):
        species = pick.choices(["Oak", "Lime", "Ash", "Silver Birch", "London Plane"], [5, 4, 4, 3, 7])[0]
        planted = pick.randrange(1931, 2019)
        age = 2024 - planted
        girth = round(6 + age * 0.8 + pick.uniform(-4, 6), 1)
        height = None if at in (12, 37) else round(3 + age * 0.17 + pick.uniform(-1, 3), 1)
        health = pick.choices(["Good", "Fair", "Poor", "Dead"], [6, 5, 3, 1])[0]
        seen = None if pick.random() < 0.2 else day("2022-02-01", pick.randrange(800))
        street = pick.choice(["Park Road", "Elm Grove", "Station Rd", "Quay St"])
        rows.append(
            [
                f"T{at + 1:03}",
                species,
                street,
                pick.choice(["North", "South", "Castle"]),
                planted,
                girth,
                height,
                health,
                seen,
            ]
        )
    return csv_text("tree_id,species,street,ward,year_planted,dbh_cm,height_m,health,last_inspected", rows)


def trees_questions(t: Any) -> list[Question]:
    species, year, health, height, girth = (
        t["species"],
        t["year_planted"],
        t["health"],
        t["height_m"],
        t["dbh_cm"],
    )
    return [
        en("filter", "how many trees on elm grove", number=(t["street"] == "Elm Grove").sum()),
        en("aggregate", "how tall is the tallest tree", number=height.max()),
        en("top", "most common species?", **first(species.value_counts())),
        en(
            "groupby",
            "number of trees in poor health by ward",
            pairs=t[health == "Poor"].groupby("ward").size(),
        ),
        en("filter", "avg dbh of the oaks", number=girth[species == "Oak"].mean()),
        en("filter", "trees planted before 1980", number=(year < 1980).sum()),
        en(
            "filter",
            "how many limes were planted between 1960 and 2000",
            number=((species == "Lime") & year.between(1960, 2000)).sum(),
        ),
        en("top", "oldest tree - which street is it in", **row_at(t, "street", -year)),
        en("filter", "how many trees aren't dead", number=(health != "Dead").sum()),
        en("percent", "percentage in good health", percent=100 * (health == "Good").mean()),
        en("missing", "how many trees have no inspection date", number=t["last_inspected"].isna().sum()),
        en("correlation", "corr between dbh and height", number=girth.corr(height)),
        en(
            "plot",
            "box plot of hieght per species",
            image=True,
            plot="box",
            code_names=["height_m", "species"],
        ),
        cannot("how much carbon do these trees store", word="carbon"),
        cannot("why are the ash trees dying"),
    ]


def fishing() -> str:
    pick = random.Random(4212)
    crews = {
        "Sea Witch": "M. Doyle",
        "Kittiwake": "J. Hart",
        "Blue Marlin": "R. Osei",
        "Nan's Pride": "P. Lund",
    }
    sizes = {"Cod": 9, "Bass": 5, "Mackerel": 1.4, "Pollack": 6}
    rows: list[list[object]] = []
    for at in range(41):
        boat = pick.choices(list(crews), [5, 4, 3, 2])[0]
        species = pick.choices(list(sizes), [4, 3, 5, 3])[0]
        pounds = round(sizes[species] * pick.uniform(0.5, 1.8), 2)
        length = round(12 * pounds**0.42, 1)
        caught = f"{day('2024-08-16', at // 14)} {6 + at % 14 // 2:02}:{pick.randrange(60):02}"
        rows.append(
            [
                boat,
                crews[boat],
                species,
                pounds,
                length,
                caught,
                pick.choice(["Y", "N", "N"]),
                pick.choice(["live", "lure", None]),
            ]
        )
    return csv_text("boat,skipper,species,weight_lb,length_in,caught_at,released,rig", rows)


def fishing_questions(t: Any) -> list[Question]:
    boat, species, pounds, inches, free = (
        t["boat"],
        t["species"],
        t["weight_lb"],
        t["length_in"],
        t["released"] == "Y",
    )
    assert pounds.idxmax() == inches.idxmax() and pounds.idxmin() == inches.idxmin()
    counts = species.value_counts()
    return [
        en("top", "which boat caught the biggest fish", **row_at(t, "boat", pounds)),
        en("filter", "heavist cod", number=pounds[species == "Cod"].max()),
        en("groupby", "total weight landed by boat", pairs=pounds.groupby(boat).sum()),
        en("filter", "how many fish were released", number=free.sum()),
        en("filter", "bass count", number=(species == "Bass").sum()),
        en(
            "filter",
            "avg length of the mackerel that weren't released",
            number=inches[(species == "Mackerel") & ~free].mean(),
        ),
        en("top", "skipper with the fewest fish", **last(t["skipper"].value_counts())),
        en("distinct", "how many boats took part", number=boat.nunique()),
        en("sort", "fish per species, most first", pairs=counts, order=counts.is_unique),
        en(
            "top",
            "who caught the smallest fish?",
            others=["Cod", "Bass", "Pollack"],
            names=[f"{t.loc[pounds.idxmin(), 'boat']}"],
            or_names=[t.loc[pounds.idxmin(), "skipper"]],
        ),
        en("resample", "wieght by day", pairs=pounds.groupby(t["caught_at"].str[:10]).sum()),
        en("top", "three heaviest fish with boat and weight", numbers=list(best(pounds, 3))),
        cannot("what was the temperature when the cod were caught", word="temperature"),
        cannot("how many sharks were caught", word="shark"),
    ]
