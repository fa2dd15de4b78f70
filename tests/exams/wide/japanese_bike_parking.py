"""Bicycles left at a town's parking places, by month: full-width digits among the others, blanks for no count."""

from random import Random

import pandas as pd

from tests.exams.case import Question, no, q
from tests.exams.wide.japanese import amounts, as_csv

PLACES = {"駅北口": (420, 300), "駅南口": (350, 260), "図書館前": (120, 60), "市役所横": (150, 80)}


def text() -> str:
    draw, rows = Random(5), list[list[object]]()
    for month in range(4, 10):
        for place, (room, used) in PLACES.items():
            regular, daily = draw.randint(used - 40, used + 30), draw.randint(20, 95)
            shown = str(daily).translate(str.maketrans("0123456789", "０１２３４５６７８９"))
            rows.append([
                f"2023年{month}月", place, room, regular, shown if draw.random() < 0.3 else daily,
                "" if draw.random() < 0.15 else draw.randint(0, 24), daily * 100,
            ])  # fmt: skip
    return as_csv("年月,駐輪場,収容台数(台),定期利用(台),一時利用(台),撤去台数,一時利用料(円)", rows)


def read(raw: pd.DataFrame) -> pd.DataFrame:
    return raw.assign(**{"一時利用(台)": amounts(raw["一時利用(台)"])})


def questions(t: pd.DataFrame) -> list[Question]:
    place, regular, daily = t["駐輪場"], t["定期利用(台)"], t["一時利用(台)"]
    towed, paid = t["撤去台数"], t["一時利用料(円)"]
    month = "2023-" + t["年月"].str.extract(r"年(\d+)月")[0].str.zfill(2)
    worst = towed.groupby(place).sum().sort_values(ascending=False)
    north = place == "駅北口"
    by_month = regular.groupby(month).sum()
    return [
        q("ja", "groupby", "駐輪場ごとの一時利用の合計", pairs=daily.groupby(place).sum()),
        q("ja", "groupby", "定期利用の平均台数を駐輪場別に出してください", pairs=regular.groupby(place).mean()),
        q("ja", "aggregate", "一時利用料って全部でいくら", number=paid.sum()),
        q("ja", "aggregate", "撤去台数の最大値は?", number=towed.max()),
        q("ja", "top", "撤去された自転車がいちばん多い駐輪場はどこ", names=[worst.index[0]],
          others=worst.index[1:].tolist()),
        q("ja", "filter", "図書館前で一時利用が50台を上回った月は何回?",
          number=((place == "図書館前") & (daily > 50)).sum()),
        q("ja", "filter", "撤去台数が5台未満の行は何件", number=(towed < 5).sum()),
        q("ja", "filter", "駅北口以外の定期利用の合計は何台ですか", number=regular[~north].sum()),
        q("ja", "percent", "一時利用全体に占める駅南口の割合",
          percent=100 * daily[place == "駅南口"].sum() / daily.sum()),
        q("ja", "resample", "月毎の定期利用台数の合計を並べて", pairs=by_month),
        q("ja", "difference", "月ごとの定期利用の合計、前月からの増減は何台?", pairs=by_month.diff()),
        q("ja", "plot", "駅北口の定期利用の推移を折れ線で", image=True, plot="line",
          code_names=["駅北口", "定期利用"]),
        q("ja", "missing", "撤去台数が入力されていないのは何行?", number=towed.isna().sum()),
        q("ja", "distinct", "駐輪場は何か所ある?", number=place.nunique()),
        q("ja", "follow-up", "4月の一時利用の合計は?", "じゃあ9月は?", number=daily[month == "2023-09"].sum()),
        q("en", "aggregate", "median of 定期利用 for 駅北口?", number=regular[north].median()),
        no("ja", "バイクの利用台数は?", word="バイク"),
        no("ja", "来年度の定期利用は何台になりそう?"),
    ]  # fmt: skip
