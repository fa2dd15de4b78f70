"""Gym classes and an election's results."""

import random
from typing import Any

from tests.exams.case import Question
from tests.exams.wide.asking import (
    best,
    cannot,
    csv_text,
    either,
    en,
    first,
    last,
    row_at,
)


def gym() -> str:
    pick = random.Random(4115)
    starts = ["06:30", "07:15", "12:10", "17:30", "19:00"]
    rows: list[list[object]] = []
    for _ in range(42):
        name = pick.choices(["Spin", "Yoga Flow", "Pilates", "HIIT", "Aqua Fit"], [4, 4, 3, 3, 2])[0]
        places = pick.choice([12, 16, 20, 24])
        booked = min(places, pick.randrange(5, 27))
        came = booked - pick.choice([0, 0, 1, 2, 4])
        rows.append(
            [
                name,
                pick.choice(["Gemma", "Luis", "Petra", "Sam"]),
                pick.choice(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]),
                pick.choice(starts),
                places,
                booked,
                came,
                pick.choice(["Studio 1", "Studio 2", "Pool", None]),
            ]
        )
    return csv_text("Class,Instructor,Day,Start,Capacity,Booked,Attended,Room", rows)


def gym_questions(t: Any) -> list[Question]:
    name, coach, booked, came = t["Class"], t["Instructor"], t["Booked"], t["Attended"]
    by = t.groupby("Class")
    return [
        en("top", "which class has the most attendees in total", **first(came.groupby(name).sum())),
        en("filter", "how many spots were booked on mondays", number=booked[t["Day"] == "Mon"].sum()),
        en("filter", "number of spin sessions", number=(name == "Spin").sum()),
        en("top", "who teaches the most classes", **first(coach.value_counts())),
        en(
            "filter",
            "how many sessions were fully booked, i.e. booked equals capacity",
            number=(booked == t["Capacity"]).sum(),
        ),
        en("groupby", "avg attended per instructor", pairs=came.groupby(coach).mean()),
        en("filter", "sessions starting before 9am", number=(t["Start"] < "09:00").sum()),
        en(
            "plot", "bar chart, total attended by day", image=True, plot="bar", code_names=["Attended", "Day"]
        ),
        en("distinct", "what rooms are there", names=sorted(t["Room"].dropna().unique())),
        en(
            "describe",
            "quick summary stats for booked",
            numbers=[booked.mean(), booked.std(), booked.min(), booked.max()],
        ),
        en(
            "follow-up",
            "avg attendance by class",
            "only Luis",
            "now top 2",
            pairs=best(came[coach == "Luis"].groupby(name).mean(), 2),
            order=True,
        ),
        en("groupby", "total capcity per class", pairs=by["Capacity"].sum()),
        cannot("what do members pay per class", word="pay"),
        cannot("how many zumba classes", word="zumba"),
        cannot("who will come to yoga next Tuesday"),
    ]


def election() -> str:
    pick = random.Random(4116)
    parties = ["Greens", "Labour", "Liberals", "Conservatives", "Independent"]
    wards = ["Abbey", "Castle", "Dockside", "Newtown", "Parkfield", "Queens", "St. Johns", "Westbury"]
    people = ["Ada Cole", "Bo Reyes", "Cy Patel", "Di Novak", "Ed Frost", "Fay Lowe", "Gil Dunn", "Hana Ito"]
    rows: list[list[object]] = []
    for place, ward in enumerate(wards):
        voters = pick.randrange(4200, 9100)
        for at, party in enumerate(pick.sample(parties, 4)):
            votes = pick.randrange(140, 900) + (520 if at == 2 else 0)
            age = None if pick.random() < 0.1 else pick.randrange(21, 79)
            # A given name and a family name that meet only once keep the candidates apart.
            given, family = people[(place + at) % 8].split()[0], people[(place * 3 + at * 2) % 8].split()[1]
            rows.append(
                [
                    ward,
                    f"{given} {family}",
                    party,
                    f"{votes:,}",
                    f"{voters:,}",
                    "Yes" if pick.random() < 0.25 else "No",
                    age,
                ]
            )
    return csv_text("Ward,Candidate,Party,Votes,Registered Voters,Incumbent,Age", rows)


def election_questions(t: Any) -> list[Question]:
    votes = t["Votes"].str.replace(",", "").astype(float)
    voters = t["Registered Voters"].str.replace(",", "").astype(float)
    ward, party, age, sitting = t["Ward"], t["Party"], t["Age"], t["Incumbent"] == "Yes"
    parties = votes.groupby(party).sum()
    assert t["Candidate"].is_unique
    return [
        en("aggregate", "how many votes were cast in total", number=votes.sum()),
        en("groupby", "votes per party, biggest first", pairs=best(parties, 5), order=True),
        en("top", "which candidate got the most votes", **row_at(t, "Candidate", votes)),
        en("percent", "greens share of all votes", percent=100 * parties["Greens"] / votes.sum()),
        en(
            "filter",
            "who came first in Dockside",
            **row_at(t[ward == "Dockside"], "Candidate", votes[ward == "Dockside"]),
        ),
        en("filter", "how many incumbents stood", number=sitting.sum()),
        en("aggregate", "mean age of the candidates", number=age.mean()),
        en("filter", "candidates under 40 with over 500 votes", number=((age < 40) & (votes > 500)).sum()),
        en("distinct", "number of wards", number=ward.nunique()),
        en("top", "ward with the fewest registred voters", **last(voters.groupby(ward).max())),
        en(
            "difference",
            "how many more votes did Labour get than the Liberals",
            **either(parties["Labour"] - parties["Liberals"], parties["Liberals"] - parties["Labour"]),
        ),
        en("plot", "horizontal bar of votes by party", image=True, plot="bar", code_names=["Votes", "Party"]),
        en("save", "export votes by party to excel", file="xlsx", pairs=parties),
        cannot("how many postal votes were there", word="postal"),
        cannot("what will turnout be at the next election"),
        cannot("average spending per party", word="spending"),
    ]
