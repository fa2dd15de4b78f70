"""Votes at polling places, with an English header."""

from random import Random

import pandas as pd

from tests.exams.case import Question, no, q
from tests.exams.wide.japanese import as_csv, either


def text() -> str:
    draw, rows = Random(101), list[list[object]]()
    for year in (2016, 2020, 2024):
        for ward in ("Kita", "Minami", "Higashi", "Nishi", "Chuo"):
            listed = draw.randint(2400, 5200)
            votes = round(listed * draw.uniform(0.38, 0.71))
            rows.append([year, ward, listed, votes, round(100 * votes / listed, 1), draw.randint(5, 60)])
    return as_csv("year,ward,registered_voters,votes,turnout (%),invalid_votes", rows)


def read(raw: pd.DataFrame) -> pd.DataFrame:
    return raw


def questions(t: pd.DataFrame) -> list[Question]:
    year, ward, votes, turnout = t["year"], t["ward"], t["votes"], t["turnout (%)"]
    last = t[year == 2024].sort_values("turnout (%)", ascending=False)["ward"].tolist()
    change = votes[year == 2024].sum() - votes[year == 2020].sum()
    return [
        q("ja", "groupby", "年ごとの投票数の合計を教えてください", pairs=votes.groupby(year).sum()),
        q("ja", "top", "2024年に投票率が最も高かった区は?", names=last[:1], others=last[1:]),
        q("ja", "filter", "投票率50%を下回ったのは何件", number=(turnout < 50).sum()),
        q("ja", "difference", "2020年から2024年で投票数は何票増減した?", number=change, **either(abs(change))),
        q("ja", "aggregate", "Chuoの無効票の合計", number=t["invalid_votes"][ward == "Chuo"].sum()),
        no("ja", "次回の投票率を予測して"),
    ]  # fmt: skip
