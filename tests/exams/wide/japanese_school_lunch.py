"""School lunches: one day a row, full-width brackets, 有 and 無, one blank weight now and then."""

from datetime import date, timedelta
from random import Random

import pandas as pd

from tests.exams.case import Question, no, q
from tests.exams.wide.japanese import as_csv, either

MEALS = {
    "カレーライス": "ごはん", "鶏の唐揚げ": "ごはん", "さばの味噌煮": "ごはん", "肉うどん": "めん",
    "焼きそば": "めん", "コロッケ": "パン", "クリームシチュー": "パン",
}  # fmt: skip


def text() -> str:
    draw, rows = Random(8), list[list[object]]()
    day = date(2024, 5, 7)
    while len(rows) < 32:
        if day.weekday() < 5:
            meal = draw.choice(list(MEALS))
            left = "" if draw.random() < 0.1 else round(draw.uniform(2, 21), 1)
            rows.append([
                f"{day.year}/{day.month}/{day.day}", meal, MEALS[meal], draw.randint(398, 431), left,
                draw.randint(560, 790), draw.choices(["有", "無"], [1, 2])[0],
            ])  # fmt: skip
        day += timedelta(days=1)
    return as_csv("提供日,主菜,主食,提供数（食）,残食量（kg）,エネルギー（kcal）,アレルギー対応", rows)


def read(raw: pd.DataFrame) -> pd.DataFrame:
    return raw.assign(提供日=pd.to_datetime(raw["提供日"]))


def questions(t: pd.DataFrame) -> list[Question]:
    served, left, energy = t["提供数（食）"], t["残食量（kg）"], t["エネルギー（kcal）"]
    meal, staple, care = t["主菜"], t["主食"], t["アレルギー対応"]
    by_meal = left.groupby(meal).mean().sort_values(ascending=False)
    curry = meal == "カレーライス"
    june = t["提供日"].dt.month == 6
    days = t["提供日"].dt.day_of_week.map(dict(enumerate(
        f"{one} | {one}曜 | {one}曜日 | {name}" for one, name in
        (("月", "Monday"), ("火", "Tuesday"), ("水", "Wednesday"), ("木", "Thursday"), ("金", "Friday"))
    )))  # fmt: skip
    return [
        q("ja", "groupby", "主食別の平均残食量", pairs=left.groupby(staple).mean()),
        q("ja", "groupby", "曜日ごとの残食量の合計が知りたい", pairs=left.groupby(days).sum()),
        q("ja", "aggregate", "残食は合計何kg?", number=left.sum()),
        q("ja", "aggregate", "6月に出した給食は全部で何食ですか", number=served[june].sum()),
        q("ja", "aggregate", "エネルギーの標準偏差", number=energy.std(), **either(energy.std(ddof=0))),
        q("ja", "top", "残食量の平均が一番多い主菜", names=[by_meal.index[0]], others=by_meal.index[1:].tolist()),
        q("ja", "top", "残食量が多かった日ワースト3", numbers=left.nlargest(3).tolist()),
        q("ja", "filter", "700kcalを超えた日は何日ありましたか?", number=(energy > 700).sum()),
        q("ja", "filter", "パンじゃない日は何日", number=(staple != "パン").sum()),
        q("ja", "filter", "アレルギー対応有で残食量10kg以上の日数",
          number=((care == "有") & (left >= 10)).sum()),
        q("ja", "percent", "アレルギー対応があった日は何パーセント?", percent=100 * (care == "有").mean()),
        q("ja", "correlation", "エネルギーと残食量に相関ある?", d=3, number=energy.corr(left)),
        q("ja", "plot", "残食量の分布をヒストグラムで見せてください", image=True, plot="hist", code_names=["残食量"]),
        q("ja", "save", "カレーライスの日だけCSVで保存", file="csv", 
          pairs=served[curry].set_axis(t["提供日"][curry].dt.strftime("%Y-%m-%d"))),
        q("en", "filter", "How many days was 主食 めん?", number=(staple == "めん").sum()),
        q("en", "groupby", "average 残食量 by 主食 please", pairs=left.groupby(staple).mean()),
        no("ja", "牛乳を残した児童は何人?", word="牛乳"),
        no("ja", "この献立のレシピをネットで調べて"),
    ]  # fmt: skip
