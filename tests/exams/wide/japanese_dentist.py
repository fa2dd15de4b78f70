"""Appointments at a dentist's: days of the Reiwa era, fees with a yen sign, ○ and × for who came."""

from datetime import date, timedelta
from random import Random

import pandas as pd

from tests.exams.case import Question, no, q
from tests.exams.wide.japanese import (
    amounts,
    as_csv,
    blanks,
    monthly,
    reiwa,
)

CARE = {"定期検診": 1800, "虫歯治療": 3200, "歯石除去": 2600, "抜歯": 5400}


def text() -> str:
    draw, rows = Random(11), list[list[object]]()
    for number in range(36):
        day = date(2024, 4, 1) + timedelta(days=2 * number + draw.randint(0, 1))
        care = draw.choices(list(CARE), [4, 4, 3, 2])[0]
        came = draw.random() > 0.2
        wait, fee = draw.randint(3, 48), CARE[care] + 10 * draw.randint(-60, 90)
        rows.append([
            f"令和6年{day.month}月{day.day}日",
            draw.choice(["佐藤", "高橋", "伊東"]),
            draw.choices(["初診", "再診"], [1, 2])[0],
            care,
            wait if came else "",
            f"¥{fee:,}" if came else "",
            "○" if came else "×",
        ])  # fmt: skip
    return as_csv("予約日,担当医,区分,処置内容,待ち時間(分),会計,来院", rows)


def read(raw: pd.DataFrame) -> pd.DataFrame:
    return raw.assign(予約日=reiwa(raw["予約日"]), 会計=amounts(raw["会計"]))


def questions(t: pd.DataFrame) -> list[Question]:
    wait, fee, doctor, care = t["待ち時間(分)"], t["会計"], t["担当医"], t["処置内容"]
    new = t["区分"] == "初診"
    dear = fee.groupby(care).mean().sort_values(ascending=False).index.tolist()
    return [
        q("ja", "aggregate", "待ち時間の平均は何分ですか", number=wait.mean()),
        q("ja", "aggregate", "会計の合計いくら?", number=fee.sum()),
        q("ja", "filter", "来院しなかったのは何件?", number=(t["来院"] == "×").sum()),
        q("ja", "filter", "30分以上待たされた人って何人", number=(wait >= 30).sum()),
        q("ja", "filter", "佐藤先生の虫歯治療の予約は何件ありますか。",
          number=((doctor == "佐藤") & (care == "虫歯治療")).sum()),
        q("ja", "groupby", "担当医ごとの予約件数", pairs=doctor.value_counts()),
        q("ja", "percent", "初診の割合は何%?", percent=100 * new.mean()),
        q("ja", "resample", "月別の会計合計の推移を表で", pairs=fee.groupby(monthly(t["予約日"])).sum()),
        q("ja", "top", "会計の平均が最も高い処置内容は?", names=dear[:1], others=dear[1:]),
        q("ja", "plot", "処置内容別の件数を棒グラフにして", image=True, plot="bar", code_names=["処置内容"]),
        q("ja", "follow-up", "担当医別の平均待ち時間を教えて", "初診だけだと?",
          pairs=wait[new].groupby(doctor).mean()),
        q("ja", "missing", "空欄がある列と、その個数は?", pairs=blanks(t)),
        q("en", "groupby", "what's the average 待ち時間 for each 担当医?", pairs=wait.groupby(doctor).mean()),
        no("ja", "患者の年齢の平均は?", word="年齢"),
        no("ja", "なんで来院しない人がいるんですか?"),
        no("ja", "来月のキャンセル件数を予測してください"),
    ]  # fmt: skip
