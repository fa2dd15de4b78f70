"""Showings at a cinema, with an English header."""

from datetime import date, timedelta
from random import Random

import pandas as pd

from tests.exams.case import Question, no, q
from tests.exams.wide.japanese import as_csv

FILMS = {
    "Moonlit Harbor": "drama",
    "Turbo Cats": "animation",
    "Silent Ridge": "horror",
    "Paper Planes": "drama",
}


def text() -> str:
    draw, rows = Random(90), list[list[object]]()
    for number in range(30):
        day, film = date(2024, 8, 1) + timedelta(days=number // 2), draw.choice(list(FILMS))
        sold = draw.randint(14, 180)
        rows.append([
            day.isoformat(), film, FILMS[film], draw.choice(["A", "B", "C"]), sold, sold * draw.choice([12, 15]),
            draw.choice(["yes", "no", "no"]),
        ])  # fmt: skip
    return as_csv("show_date,title,genre,screen,tickets_sold,revenue_usd,subtitled", rows)


def read(raw: pd.DataFrame) -> pd.DataFrame:
    return raw


def questions(t: pd.DataFrame) -> list[Question]:
    title, sold = t["title"], t["tickets_sold"]
    best = sold.groupby(title).sum().sort_values(ascending=False).index.tolist()
    return [
        q("ja", "groupby", "ジャンル別の売上合計", pairs=t["revenue_usd"].groupby(t["genre"]).sum()),
        q("ja", "top", "チケットが合計で一番売れた作品は?", names=best[:1], others=best[1:]),
        q("ja", "filter", "字幕付きの上映は何回?", number=(t["subtitled"] == "yes").sum()),
        q("ja", "percent", "dramaの割合は何%", percent=100 * (t["genre"] == "drama").mean()),
        q("ja", "plot", "tickets_soldのヒストグラム", image=True, plot="hist", code_names=["tickets_sold"]),
        no("ja", "ポップコーンの売上は?", word="ポップコーン"),
    ]  # fmt: skip
