"""Parcels carried to houses: sizes that are codes, cash on delivery with commas, spaces around some names."""

from datetime import date, timedelta
from random import Random

import pandas as pd

from tests.exams.case import Question, no, q
from tests.exams.wide.japanese import amounts, as_csv, either

STATES = ["配達完了", "持戻り", "破損"]


def text() -> str:
    draw, rows = Random(62), list[list[object]]()
    for number in range(50):
        day = date(2024, 11, 18) + timedelta(days=number // 3)
        office = draw.choices(["港南", "緑が丘", "本町"], [3, 2, 4])[0]
        rows.append([
            f"{day.month}月{day.day}日", office + (" " if draw.random() < 0.1 else ""),
            draw.choice(["森田", "井上", "サントス"]), draw.choice([60, 80, 100, 120]),
            f"{draw.uniform(0.4, 18):.1f}kg", draw.choices([0, 1, 2], [6, 3, 1])[0],
            f"{draw.randint(10, 260) * 100:,}円" if draw.random() < 0.3 else "",
            draw.choices(STATES, [8, 3, 1])[0],
        ])  # fmt: skip
    return as_csv("配達日,営業所,ドライバー,サイズ,重量,再配達回数,代引金額,状況", rows)


def read(raw: pd.DataFrame) -> pd.DataFrame:
    days = pd.to_datetime("2024年" + raw["配達日"], format="%Y年%m月%d日")
    numbers = {name: amounts(raw[name]) for name in ("重量", "代引金額")}
    return raw.assign(配達日=days, 営業所=raw["営業所"].str.strip(), **numbers)


def questions(t: pd.DataFrame) -> list[Question]:
    office, driver, size, weight = t["営業所"], t["ドライバー"], t["サイズ"], t["重量"]
    again, cash, state = t["再配達回数"], t["代引金額"], t["状況"]
    done = state == "配達完了"
    heavy = weight.groupby(driver).sum().sort_values(ascending=False).index.tolist()
    return [
        q("ja", "groupby", "営業所ごとの荷物の個数", pairs=office.value_counts()),
        q("ja", "groupby", "サイズ別の平均重量", pairs=weight.groupby(size).mean()),
        q("ja", "groupby", "ドライバー毎の再配達回数の合計を出して", pairs=again.groupby(driver).sum()),
        q("ja", "aggregate", "重さの平均は?", number=weight.mean()),
        q("ja", "aggregate", "代引金額の総額を教えてください", number=cash.sum()),
        q("ja", "filter", "壊れた荷物は何個?", number=(state == "破損").sum()),
        q("ja", "filter", "10kg以上の荷物って何個運んだの", number=(weight >= 10).sum()),
        q("ja", "filter", "代引きじゃない荷物はいくつ?", number=cash.isna().sum()),
        q("ja", "filter", "11月20日から11月25日までに配達された件数は?",
          number=t["配達日"].between("2024-11-20", "2024-11-25").sum(),
          **either((t["配達日"].between("2024-11-20", "2024-11-25") & done).sum())),
        q("ja", "filter", "再配達が1回以上あった本町の荷物は何個ですか",
          number=((again >= 1) & (office == "本町")).sum()),
        q("ja", "percent", "持戻りの割合", percent=100 * (state == "持戻り").mean()),
        q("ja", "percent", "営業所別の構成比を%で", pairs=100 * office.value_counts(normalize=True)),
        q("ja", "top", "合計重量が最も大きいドライバーは?", names=heavy[:1], others=heavy[1:]),
        q("ja", "difference", "港南と緑が丘で平均重量の差は何kg?",
          number=abs(weight[office == "港南"].mean() - weight[office == "緑が丘"].mean())),
        q("ja", "save", "営業所別の個数をエクセルに保存して", file="xlsx", pairs=office.value_counts()),
        q("ja", "plot", "営業所別・状況別の積み上げ棒グラフ", image=True, plot="stacked",
          code_names=["営業所", "状況"]),
        q("ja", "follow-up", "営業所別の平均重量", "配達完了だけにして", "それを棒グラフで",
          image=True, plot="bar", code_names=["営業所", "重量", "配達完了"]),
        q("en", "filter", "how many parcels did 森田 deliver with 状況 配達完了", number=(done & (driver == "森田")).sum()),
        no("ja", "ドローンで届いたのは何件?", word="ドローン"),
        no("ja", "もふもふの平均を出して", word="もふもふ"),
        no("ja", "送料の平均っていくら?", word="送料"),
    ]  # fmt: skip
