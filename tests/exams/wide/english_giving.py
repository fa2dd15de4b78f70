"""A food bank's donations and crowdfunding projects."""

import random
from typing import Any

from tests.exams.case import Question
from tests.exams.wide.asking import (
    best,
    cannot,
    csv_text,
    dates,
    day,
    en,
    first,
    row_at,
)


def foodbank() -> str:
    pick = random.Random(4105)
    kinds = {
        "Harvest Foods": "Supermarket",
        "Greenway": "Supermarket",
        "St Mary's": "Church",
        "Oak Primary": "School",
        "Anon": "Individual",
    }
    things = {
        "Tinned": ["Beans", "Soup", "Tuna"],
        "Fresh": ["Carrots", "Apples", "Bread"],
        "Dry": ["Pasta", "Rice", "Cereal"],
        "Toiletries": ["Soap", "Nappies"],
    }
    rows: list[list[object]] = []
    for at in range(46):
        donor = pick.choices(list(kinds), [10, 5, 5, 4, 4])[0]
        category = pick.choice(list(things))
        shop = kinds[donor] == "Supermarket"
        weight = round(pick.uniform(20, 95) if shop else pick.uniform(2, 58), 1)
        boxes = max(1, round(weight / 9) + pick.randrange(-1, 2))
        came = day("2024-05-01", at * 2 + pick.randrange(2))
        rows.append(
            [
                came,
                None if donor == "Anon" else donor,
                kinds[donor],
                pick.choice(things[category]),
                category,
                weight,
                boxes,
                pick.choice(["Van 1", "Van 2", "Drop-off"]),
            ]
        )
    return csv_text("date,donor,donor type,item,category,weight_kg,boxes,collected by", rows)


def foodbank_questions(t: Any) -> list[Question]:
    kg, category, kind = t["weight_kg"], t["category"], t["donor type"]
    when = dates(t["date"])
    by = t.groupby("donor")
    return [
        en("aggregate", "how many kilos came in", number=kg.sum()),
        en("top", "who donated the most?", **first(by["weight_kg"].sum(), by.size(), by["boxes"].sum())),
        en("groupby", "kg per category", pairs=kg.groupby(category).sum()),
        en("filter", "number of donations from supermarkets", number=(kind == "Supermarket").sum()),
        en(
            "percent",
            "tinned food as a % of total weight",
            percent=100 * kg[category == "Tinned"].sum() / kg.sum(),
        ),
        en("top", "heaviest donation, what item was it?", **row_at(t, "item", kg)),
        en("missing", "donatoins with no donor name", number=t["donor"].isna().sum()),
        en("filter", "avg boxes per donation for schools", number=t["boxes"][kind == "School"].mean()),
        en(
            "crosstab",
            "cross tab of category and donor type (counts)",
            pairs=t.groupby(["category", "donor type"]).size(),
            extra=8,
        ),
        en(
            "filter",
            "donations over 30 kg that were not from a supermarket",
            number=((kg > 30) & (kind != "Supermarket")).sum(),
        ),
        en("save", "save the fresh stuff as csv", file="csv", code_names=["Fresh"]),
        en("follow-up", "kg by donor type", "just july", pairs=kg[when.dt.month == 7].groupby(kind).sum()),
        cannot("how many families did we feed", word="families"),
        cannot("how much did volunteers donate", word="volunteers"),
    ]


def crowdfunding() -> str:
    pick = random.Random(4106)
    heads = ["Pocket", "Solar", "Tiny", "Silent", "Urban", "Folding", "Paper", "Open"]
    tails = ["Lantern", "Dragons", "Kettle", "Atlas", "Loom"]
    names = [f"{head} {tail}" for head in heads for tail in tails]
    pick.shuffle(names)
    rows: list[list[object]] = []
    for at, name in enumerate(names):
        goal = pick.choice([2000, 5000, 8000, 12000, 20000, 45000])
        pledged = round(goal * pick.choice([0.08, 0.3, 0.7, 1.04, 1.2, 2.1]) + pick.randrange(10, 900))
        start = day("2023-01-05", at * 9)
        end = day(str(start), pick.choice([21, 30, 30, 45, 60]))
        kind = pick.choice(["Games", "Tech", "Design", "Film"])
        rows.append(
            [
                name,
                kind,
                f"${goal:,}",
                f"${pledged:,}",
                max(3, pledged // pick.randrange(28, 90)),
                start,
                end,
                pick.choice(["USA", "Germany", "Japan", "Canada"]),
                pick.choice(["Y", "N", "N"]),
            ]
        )
    return csv_text("Project,Category,Goal,Pledged,Backers,Launched,Deadline,Country,Staff Pick", rows)


def crowdfunding_questions(t: Any) -> list[Question]:
    goal, pledged = (
        t[name].str.replace(r"[$,]", "", regex=True).astype(float) for name in ("Goal", "Pledged")
    )
    kind, backers, pick = t["Category"], t["Backers"], t["Staff Pick"] == "Y"
    start = dates(t["Launched"])
    end = dates(t["Deadline"])
    return [
        en("aggregate", "total money pledged", number=pledged.sum()),
        en("filter", "how many projects pledged at least their goal", number=(pledged >= goal).sum()),
        en("percent", "% of projects where pledged is below goal", percent=100 * (pledged < goal).mean()),
        en("top", "project with the most money pledged", **row_at(t, "Project", pledged)),
        en("groupby", "avg backers by category", pairs=backers.groupby(kind).mean()),
        en("filter", "staff picks from germany, how many", number=(pick & (t["Country"] == "Germany")).sum()),
        en(
            "aggregate", "avg number of days between launch and deadline", number=(end - start).dt.days.mean()
        ),
        en("quantile", "median goal for games projects", number=goal[kind == "Games"].median()),
        en(
            "top",
            "top 3 categories by amount pledged",
            pairs=best(pledged.groupby(kind).sum(), 3),
            order=True,
        ),
        en(
            "filter",
            "projects launced in Q2 2023",
            number=((start >= "2023-04-01") & (start < "2023-07-01")).sum(),
        ),
        en(
            "filter",
            "how many are from neither the USA nor Japan",
            number=(~t["Country"].isin(["USA", "Japan"])).sum(),
        ),
        en(
            "follow-up",
            "how many tech projects are there",
            "of those, how many were staff picks?",
            number=((kind == "Tech") & pick).sum(),
        ),
        cannot("which projects are going to succeed next year"),
        cannot("how many projects come from Brazil", word="brazil"),
    ]
