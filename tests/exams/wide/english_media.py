"""Podcast episodes and theatre tickets."""

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


def podcast() -> str:
    pick = random.Random(4103)
    words = [
        "Salt",
        "Clocks",
        "Borders",
        "Moss",
        "Radio",
        "Bread",
        "Tides",
        "Locks",
        "Maps",
        "Ink",
        "Glass",
        "Foxes",
    ]
    ends = ["after dark", "for beginners", "and money"]
    titles = [f"{word} {end}" for word in words for end in ends]
    pick.shuffle(titles)
    rows: list[list[object]] = []
    for at, title in enumerate(titles):
        topic = pick.choice(["History", "Science", "Food", "Travel"])
        length = pick.randrange(24, 78)
        downloads = 1800 + at * 45 + length * 12 + pick.randrange(-400, 700)
        revenue = None if at in (4, 21) else round(downloads * pick.uniform(0.015, 0.03), 2)
        rows.append(
            [
                101 + at,
                title,
                day("2024-01-03", 7 * at),
                pick.choice(["Priya", "Tom", "Guest"]),
                topic,
                length,
                downloads,
                revenue,
            ]
        )
    return csv_text("episode_no,title,release_date,host,topic,length_min,downloads,ad_revenue_usd", rows)


def podcast_questions(t: Any) -> list[Question]:
    downloads, length, ads = t["downloads"], t["length_min"], t["ad_revenue_usd"]
    when = dates(t["release_date"])
    titled = t.set_index("title")["downloads"]
    return [
        en("aggregate", "total downloads so far", number=downloads.sum()),
        en("top", "most downloaded episode", **row_at(t, "title", downloads)),
        en("filter", "avg length of the eps hosted by Priya", number=length[t["host"] == "Priya"].mean()),
        en("groupby", "average downlaods per topic", pairs=downloads.groupby(t["topic"]).mean()),
        en("correlation", "corelation of length and downloads?", number=length.corr(downloads)),
        en("top", "top 5 episodes by downloads", pairs=best(titled, 5), order=True),
        en("resample", "downloads by month", pairs=downloads.groupby(when.dt.strftime("%Y-%m")).sum()),
        en("filter", "how many episodes ran longer than an hour", number=(length > 60).sum()),
        en("filter", "how much did ads bring in during march", number=ads[when.dt.month == 3].sum()),
        en(
            "rolling",
            "4-episode moving average of downloads, as a table",
            numbers=list(downloads.rolling(4).mean().tail(3)),
        ),
        en("plot", "histogram of episode lengths", image=True, plot="hist", code_names=["length_min"]),
        en(
            "follow-up",
            "how many episodes did Tom host",
            "and about food?",
            number=((t["host"] == "Tom") & (t["topic"] == "Food")).sum(),
        ),
        cannot("how many subscribers do we have", word="subscribers"),
        cannot("what will downloads be next month"),
    ]


def theatre() -> str:
    pick = random.Random(4104)
    prices = {"Stalls": 42.0, "Circle": 31.5, "Gallery": 18.0}
    rows: list[list[object]] = []
    for at in range(45):
        section = list(prices)[at % 3]
        show = ["The Lighthouse", "Pygmalion", "Winter Songs"][(at // 3) % 3]
        evening = day("2024-10-04", at // 3 * 4)
        discount = pick.choice([None, None, "Student", "Group", "Senior"])
        sold = pick.randrange(25, 140) + (60 if show == "The Lighthouse" else 0)
        rows.append(
            [
                evening,
                show,
                section,
                sold,
                f"${prices[section]:.2f}",
                pick.choice(["Online", "Box office", "Phone"]),
                discount,
            ]
        )
    return csv_text("Performance Date,Show,Section,Tickets Sold,Price,Channel,Discount Type", rows)


def theatre_questions(t: Any) -> list[Question]:
    sold, show, section = t["Tickets Sold"], t["Show"], t["Section"]
    when = dates(t["Performance Date"])
    price = t["Price"].str.lstrip("$").astype(float)
    online = t["Channel"] == "Online"
    return [
        en("groupby", "tickets sold per show", pairs=sold.groupby(show).sum()),
        en("top", "what show sold best?", **first(sold.groupby(show).sum(), sold.groupby(show).mean())),
        en(
            "filter",
            "how many tickets went through the box office",
            number=sold[t["Channel"] == "Box office"].sum(),
        ),
        en(
            "percent",
            "what percentage of tickets were sold online",
            percent=100 * sold[online].sum() / sold.sum(),
        ),
        en("aggregate", "revenue: tickets sold times price, total", number=(sold * price).sum()),
        en("groupby", "total tickets by show and section", pairs=sold.groupby([show, section]).sum()),
        en("aggregate", "cheapest price?", number=price.min()),
        en(
            "filter",
            "gallery tickets sold in november",
            number=sold[(section == "Gallery") & (when.dt.month == 11)].sum(),
        ),
        en("missing", "how many rows have no discount type", number=t["Discount Type"].isna().sum()),
        en("plot", "pie of tickets by chanel", image=True, plot="pie", code_names=["Channel"]),
        en(
            "plot",
            "stacked bars: tickets per show by section",
            image=True,
            plot="stacked",
            code_names=["Show", "Section", "Tickets Sold"],
        ),
        en(
            "follow-up",
            "average tickets sold per section",
            "without Pygmalion",
            pairs=sold[show != "Pygmalion"].groupby(section).mean(),
        ),
        cannot("what did the critics say about Winter Songs"),
    ]
