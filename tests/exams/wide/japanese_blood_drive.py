"""Donors at a blood drive, with an English header."""

from random import Random

import pandas as pd

from tests.exams.case import Question, no, q
from tests.exams.wide.japanese import as_csv


def text() -> str:
    draw, rows = Random(115), list[list[object]]()
    for number in range(40):
        rows.append([
            f"D{number + 1:03}", draw.choice(["city hall", "campus", "mall"]),
            draw.choices(["A", "B", "O", "AB"], [4, 2, 3, 1])[0], draw.randint(18, 66),
            draw.choices([200, 400], [1, 2])[0], draw.choice(["first", "repeat", "repeat"]),
            "" if draw.random() < 0.12 else round(draw.uniform(11.8, 16.4), 1),
        ])  # fmt: skip
    return as_csv("donor_id,venue,blood_type,age,volume_ml,visit,hemoglobin", rows)


def read(raw: pd.DataFrame) -> pd.DataFrame:
    return raw


def questions(t: pd.DataFrame) -> list[Question]:
    kind, age, volume = t["blood_type"], t["age"], t["volume_ml"]
    return [
        q("ja", "groupby", "血液型ごとの人数", pairs=kind.value_counts()),
        q("ja", "aggregate", "集まった血液は全部で何ml?", number=volume.sum()),
        q("ja", "filter", "年齢が50歳以上の献血者は何人ですか", number=(age >= 50).sum()),
        q("ja", "missing", "hemoglobinが空欄の人は何人", number=t["hemoglobin"].isna().sum()),
        no("ja", "なぜ10代の献血者は少ないの?"),
        no("ja", "血圧の平均は?", word="血圧"),
    ]  # fmt: skip
