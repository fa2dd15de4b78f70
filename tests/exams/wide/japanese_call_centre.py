"""Calls taken by a help line: times of day, marks from 1 to 5 with blanks, ○ and × for what was settled."""

from random import Random

import pandas as pd

from tests.exams.case import Question, no, q
from tests.exams.wide.japanese import as_csv


def text() -> str:
    draw, rows = Random(47), list[list[object]]()
    for number in range(48):
        day = 1 + number // 4
        rows.append([
            f"C{1001 + number}", f"2024/10/{day:02} {9 + 2 * (number % 4)}:{draw.randint(0, 59):02}",
            draw.choices(["山本", "小川", "林", "大西"], [4, 3, 3, 2])[0],
            draw.choices(["解約", "請求", "故障", "住所変更"], [2, 4, 3, 2])[0],
            draw.randint(45, 1100), "" if draw.random() < 0.25 else draw.randint(1, 5),
            "○" if draw.random() < 0.7 else "×",
        ])  # fmt: skip
    return as_csv("受付番号,受付日時,オペレーター,用件,通話時間(秒),満足度,解決", rows)


def read(raw: pd.DataFrame) -> pd.DataFrame:
    return raw.assign(受付日時=pd.to_datetime(raw["受付日時"]))


def questions(t: pd.DataFrame) -> list[Question]:
    who, about, long, mark = t["オペレーター"], t["用件"], t["通話時間(秒)"], t["満足度"]
    settled, hour = t["解決"] == "○", t["受付日時"].dt.hour
    calls = who.value_counts()
    rate = (100 * settled.groupby(who).mean()).sort_values(ascending=False)
    happy = mark.groupby(who).mean().sort_values(ascending=False)
    return [
        q("ja", "groupby", "用件の内訳", pairs=about.value_counts()),
        q("ja", "groupby", "オペレーター別の平均通話時間を知りたいです", pairs=long.groupby(who).mean()),
        q("ja", "groupby", "用件ごとの満足度の平均", pairs=mark.groupby(about).mean()),
        q("ja", "groupby", "オペレーターごとの解決率は?", pairs=rate, or_pairs=rate / 100),
        q("ja", "aggregate", "いちばん長かった電話は何秒?", number=long.max()),
        q("ja", "aggregate", "満足度の平均点", number=mark.mean()),
        q("ja", "filter", "10分以上かかった通話は何件?", number=(long >= 600).sum()),
        q("ja", "filter", "解決できなかった故障の電話って何本ある", number=(~settled & (about == "故障")).sum()),
        q("ja", "filter", "10月5日に受けた電話の件数", number=(t["受付日時"].dt.day == 5).sum()),
        q("ja", "filter", "午前中にかかってきたのは何件ですか", number=(hour < 12).sum()),
        q("ja", "percent", "請求についての電話は全体の何%?", percent=100 * (about == "請求").mean()),
        q("ja", "top", "満足度の平均が一番高いオペレーターは誰?", names=[happy.index[0]],
          others=happy.index[1:].tolist()),
        q("ja", "sort", "オペレーター別の件数を多い順に", pairs=calls, order=True),
        q("ja", "quantile", "通話時間の90パーセンタイル", number=long.quantile(0.9)),
        q("ja", "plot", "日別の着信件数を折れ線グラフで", image=True, plot="line", code_names=["受付日時"]),
        q("ja", "follow-up", "解約の電話は何件?", "その平均通話時間は?", number=long[about == "解約"].mean()),
        q("en", "percent", "what percent of calls were 解決 ○?", percent=100 * settled.mean()),
        no("ja", "お客様の性別の内訳を見せて", word="性別"),
        no("ja", "クレームを減らすにはどうしたらいい?"),
        no("ja", "返品の電話は何件?", word="返品"),
    ]  # fmt: skip
