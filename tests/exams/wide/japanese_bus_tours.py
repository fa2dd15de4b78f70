"""Trips of a tour bus firm, with an English header."""

from datetime import date, timedelta
from random import Random

import pandas as pd

from tests.exams.case import Question, no, q
from tests.exams.wide.japanese import as_csv, monthly


def text() -> str:
    draw, rows = Random(128), list[list[object]]()
    for number in range(28):
        day = date(2024, 3, 2) + timedelta(days=4 * number)
        riders = draw.randint(9, 44)
        rows.append([
            day.strftime("%d-%b-%Y"), draw.choice(["Lakes", "Old Town", "Vineyards"]), riders, riders * 48,
            draw.choice(["Emi", "Paul", "Rosa"]), "" if draw.random() < 0.1 else draw.randint(0, 35),
        ])  # fmt: skip
    return as_csv("Trip Date,Route,Passengers,Fare Total (EUR),Guide,Delay (min)", rows)


def read(raw: pd.DataFrame) -> pd.DataFrame:
    return raw.assign(**{"Trip Date": pd.to_datetime(raw["Trip Date"], format="%d-%b-%Y")})


def questions(t: pd.DataFrame) -> list[Question]:
    route, riders, late = t["Route"], t["Passengers"], t["Delay (min)"]
    return [
        q("ja", "groupby", "ルート別の平均乗客数", pairs=riders.groupby(route).mean()),
        q("ja", "resample", "月別の乗客数合計は?", pairs=riders.groupby(monthly(t["Trip Date"])).sum()),
        q("ja", "filter", "遅延が20分を超えた便は何本?", number=(late > 20).sum()),
        q("ja", "follow-up", "ガイドごとの乗客数の合計", "Lakesだけだとどう?",
          pairs=riders[route == "Lakes"].groupby(t["Guide"]).sum()),
        no("ja", "乗客の国籍の内訳は?", word="国籍"),
    ]  # fmt: skip
