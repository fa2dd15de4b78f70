"""Warehouse picking and IT incidents."""

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
    row_at,
)


def picking() -> str:
    pick = random.Random(4109)
    rows: list[list[object]] = []
    for at in range(52):
        lines = pick.randrange(3, 31)
        minutes = round(5 + lines * 0.9 + pick.uniform(-2, 3.5), 1) if at != 27 else 121.5
        errors = pick.choices([0, 1, 2, 3], [7, 3, 1, 1])[0]
        person = pick.choices(["Agnes", "Bilal", "Chen", "Dora", "Emil"], [5, 4, 4, 3, 3])[0]
        taken = day("2024-09-02", at // 4).strftime("%m/%d/%Y")
        rows.append(
            [
                person,
                pick.choice(["Day", "Night", "Late"]),
                pick.choice("ABC"),
                f"SO{88120 + at * 7}",
                lines,
                lines * pick.randrange(1, 6),
                errors,
                minutes,
                taken,
            ]
        )
    return csv_text("Picker,Shift,Zone,Order ID,Lines,Units Picked,Errors,Pick Time (min),Pick Date", rows)


def picking_questions(t: Any) -> list[Question]:
    units, errors, minutes = t["Units Picked"], t["Errors"], t["Pick Time (min)"]
    who, shift, zone = t["Picker"], t["Shift"], t["Zone"]
    when = dates(t["Pick Date"], format="%m/%d/%Y")
    low, high = minutes.quantile([0.25, 0.75])
    far = (minutes > high + 1.5 * (high - low)) | (minutes < low - 1.5 * (high - low))
    assert far.sum() == ((minutes - minutes.mean()).abs() > 3 * minutes.std()).sum() == 1
    return [
        en("groupby", "units per picker", pairs=units.groupby(who).sum()),
        en("top", "who picked the most units", **first(units.groupby(who).sum())),
        en("percent", "what % of orders had at least one error", percent=100 * (errors > 0).mean()),
        en("filter", "avg pick time on the night shift", number=minutes[shift == "Night"].mean()),
        en("groupby", "errors by zone and shift", pairs=errors.groupby([zone, shift]).sum()),
        en("top", "quickest order - which order id?", **row_at(t, "Order ID", -minutes)),
        en("quantile", "90th percentile of pick time", number=minutes.quantile(0.9)),
        en(
            "aggregate",
            "standard deviation of pick time",
            **either(minutes.std(), minutes.std(ddof=0)),
        ),
        en(
            "filter",
            "orders with more than 20 lines in zone B",
            number=((t["Lines"] > 20) & (zone == "B")).sum(),
        ),
        en("outliers", "any outliers in pick time", numbers=[minutes.max()]),
        en(
            "plot",
            "boxplot of pick time by zone",
            image=True,
            plot="box",
            code_names=["Pick Time (min)", "Zone"],
        ),
        en(
            "plot",
            "lines vs pick time scatterplot",
            image=True,
            plot="scatter",
            code_names=["Lines", "Pick Time (min)"],
        ),
        en(
            "follow-up",
            "orders per shift",
            "only since sept 9",
            pairs=shift[when >= "2024-09-09"].value_counts(),
        ),
        cannot("who will make the most errors next week"),
    ]


def incidents() -> str:
    pick = random.Random(4110)
    rows: list[list[object]] = []
    for at in range(54):
        level = pick.choices(["P1", "P2", "P3", "P4"], [2, 5, 9, 6])[0]
        team = pick.choices(["Network", "Service Desk", "Database", "Apps"], [4, 7, 3, 4])[0]
        hours = round(pick.expovariate(1 / {"P1": 4, "P2": 9, "P3": 26, "P4": 50}[level]) + 0.3, 1)
        still = at > 40 and pick.random() < 0.4
        opened = f"{day('2024-11-01', at)} {pick.randrange(7, 20):02}:{pick.randrange(60):02}"
        score = None if still or pick.random() < 0.25 else pick.choice([1, 2, 3, 4, 4, 5, 5])
        rows.append(
            [
                f"INC{20411 + at}",
                opened,
                level,
                team,
                pick.choice(["Email", "VPN", "ERP", "Printers", "Wi-Fi"]),
                None if still else hours,
                pick.choices(["FALSE", "TRUE"], [8, 2])[0],
                score,
                "Open" if still else "Closed",
            ]
        )
    return csv_text(
        "Ticket,Opened At,Priority,Team,System,Hours To Fix,Reopened,Satisfaction (1-5),Status", rows
    )


def incidents_questions(t: Any) -> list[Question]:
    hours, level, team, system, score = (
        t["Hours To Fix"],
        t["Priority"],
        t["Team"],
        t["System"],
        t["Satisfaction (1-5)"],
    )
    when = dates(t["Opened At"])
    rank = system.value_counts()
    return [
        en("filter", "how many tickets are still open", number=(t["Status"] == "Open").sum()),
        en("groupby", "mean hours to fix by priority", pairs=hours.groupby(level).mean()),
        en("top", "which team handled the most tickets", **first(team.value_counts())),
        en("filter", "P3s for the network team", number=((level == "P3") & (team == "Network")).sum()),
        en("percent", "share of tickets that got reopened", percent=100 * t["Reopened"].mean()),
        en("top", "longest fix - which ticket", **row_at(t, "Ticket", hours)),
        en("top", "team with the lowest avg satisfaction", **last(score.groupby(team).mean())),
        en(
            "crosstab",
            "count of incidents, priority x team",
            pairs=t.groupby(["Priority", "Team"]).size(),
            extra=8,
        ),
        en("filter", "vpn tickets closed in under 10 hours", number=((system == "VPN") & (hours < 10)).sum()),
        en("missing", "how many have no satisfaction score", number=score.isna().sum()),
        en(
            "resample",
            "incidents opened per month",
            pairs=when.dt.strftime("%Y-%m").value_counts().sort_index(),
        ),
        en("filter", "tickets that took betwen 24 and 48 hours", number=hours.between(24, 48).sum()),
        en("distinct", "list the systems involved", names=sorted(rank.index)),
        cannot("which vendor had the most incidents", word="vendor"),
    ]
