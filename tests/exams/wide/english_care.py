"""Dental appointments and water samples."""

import random
from typing import Any

from tests.exams.case import Question
from tests.exams.wide.asking import (
    best,
    cannot,
    csv_text,
    dates,
    day,
    either,
    en,
    first,
    row_at,
)


def dental() -> str:
    pick = random.Random(4101)
    prices = {
        "Check-up": 28,
        "Filling": 74,
        "Root canal": 310,
        "Hygienist": 52,
        "Extraction": 95,
        "Whitening": 240,
    }
    rows: list[list[object]] = []
    for at in range(48):
        treatment = pick.choices(list(prices), [12, 9, 4, 8, 4, 2])[0]
        came = pick.random() > 0.17
        fee = None if pick.random() < 0.09 else prices[treatment] + pick.choice([0, 0, 4, 9.5])
        dentist = pick.choices(["Dr Amin", "Dr Novak", "Ms Oduya"], [5, 3, 2])[0]
        minutes = pick.choice([15, 20, 25, 30]) * (2 if prices[treatment] > 90 else 1) + (
            31 if at == 29 else 0
        )
        booked = day("2024-01-08", at * 3 + pick.randrange(3)).strftime("%d/%m/%Y")
        patient = f"P{pick.randrange(100, 132)}"
        rows.append(
            [
                booked,
                patient,
                dentist,
                treatment,
                fee,
                minutes,
                "Yes" if came else "No",
                pick.randrange(6, 83),
            ]
        )
    return csv_text("Appt Date,Patient ID,Dentist,Treatment,Fee (£),Duration mins,Showed Up,Age", rows)


def dental_questions(t: Any) -> list[Question]:
    fee, dentist, treatment = t["Fee (£)"], t["Dentist"], t["Treatment"]
    when = dates(t["Appt Date"], dayfirst=True)
    missed = t["Showed Up"] == "No"
    return [
        en("aggregate", "how much did we charge in fees altogether", number=fee.sum()),
        en("filter", "average fee for root canals", number=fee[treatment == "Root canal"].mean()),
        en("filter", "how many appointments did people not show up for", number=missed.sum()),
        en(
            "top",
            "which dentist is the busyest?",
            **first(t.groupby("Dentist").size(), t.groupby("Dentist")["Duration mins"].sum()),
        ),
        en("resample", "appts per month pls", pairs=when.dt.strftime("%Y-%m").value_counts().sort_index()),
        en(
            "quantile",
            "meidan duration of a check-up",
            number=t[treatment == "Check-up"]["Duration mins"].median(),
        ),
        en(
            "sort",
            "mean fee per treatment, priciest first",
            pairs=best(fee.groupby(treatment).mean(), 5),
            extra=2,
            order=True,
        ),
        en("filter", "appointments for under 18s", number=(t["Age"] < 18).sum()),
        en(
            "top", "longest appointment - what treatment was it", **row_at(t, "Treatment", t["Duration mins"])
        ),
        en("percent", "what share of appointments were no-shows", percent=100 * missed.mean()),
        en("distinct", "how many different patients are in here", number=t["Patient ID"].nunique()),
        en(
            "follow-up",
            "total fees by dentist",
            "only fillings",
            pairs=fee[treatment == "Filling"].groupby(dentist).sum(),
        ),
        cannot("which insurance company pays us most", word="insurance"),
    ]


def water() -> str:
    pick = random.Random(4102)
    sites = {"Mill Pond": 22, "Weir Bridge": 41, "Abbey Lock": 33, "Sluice 7": 15}
    rows: list[list[object]] = []
    for at in range(44):
        site = list(sites)[at % 4]
        taken = day("2023-03-02", at * 4)
        temp = round(6 + at * 0.28 + pick.uniform(-1.6, 1.6), 1)
        nitrate = None if at in (9, 30) else round(pick.gauss(sites[site], 9), 1)
        coli = (
            "n/a" if at in (3, 17, 18, 40) else pick.randrange(20, 400) + (900 if site == "Abbey Lock" else 0)
        )
        ph = round(pick.gauss(7.3, 0.35), 2)
        rows.append(
            [
                taken,
                site,
                pick.choice([0.5, 1, 2.5]),
                ph,
                temp,
                nitrate,
                coli,
                pick.choice(["Northlab", "Aquatest"]),
            ]
        )
    return csv_text("Sample Date,Site,Depth m,pH,Temp C,Nitrate mg/L,E. coli /100ml,Lab", rows)


def water_questions(t: Any) -> list[Question]:
    site, ph, temp, nitrate, coli = t["Site"], t["pH"], t["Temp C"], t["Nitrate mg/L"], t["E. coli /100ml"]
    when = dates(t["Sample Date"])
    labs = nitrate.groupby(t["Lab"]).mean()
    gap = labs["Northlab"] - labs["Aquatest"]
    blank = t.isna().sum()
    return [
        en("groupby", "mean ph per site", pairs=ph.groupby(site).mean()),
        en("aggregate", "highest nitrate reading", number=nitrate.max()),
        en(
            "top",
            "which site has the most e. coli on average",
            **first(coli.groupby(site).mean(), coli.groupby(site).max()),
        ),
        en("filter", "samples with a pH below 7", number=(ph < 7).sum()),
        en(
            "filter",
            "how many samples from Weir Bridge had over 40 mg/L nitrate",
            number=((site == "Weir Bridge") & (nitrate > 40)).sum(),
        ),
        en(
            "filter",
            "how many mill pond sampels in april",
            number=((site == "Mill Pond") & (when.dt.month == 4)).sum(),
        ),
        en("quantile", "median temp", number=temp.median()),
        en("resample", "monthly average nitrate", pairs=nitrate.groupby(when.dt.strftime("%Y-%m")).mean()),
        en("top", "where was the coldest sample taken", **row_at(t, "Site", -temp)),
        en(
            "difference",
            "difference in avg nitrate between Northlab and Aquatest",
            **either(gap, -gap),
        ),
        en("missing", "missing values per column?", pairs=blank[blank > 0], extra=8),
        en("plot", "scatter temperature against ph", image=True, plot="scatter", code_names=["Temp C", "pH"]),
        en(
            "plot",
            "heatmap of the correlations between pH, temperature and nitrate",
            image=True,
            plot="heatmap",
            code_names=["pH", "Temp C", "Nitrate mg/L"],
        ),
        cannot("average turbidity by site?", word="turbidity"),
        cannot("will it be safe to swim at Mill Pond tomorrow"),
    ]
