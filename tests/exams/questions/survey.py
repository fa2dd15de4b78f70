"""About survey."""

from collections.abc import Iterator

import pandas as pd

from tests.exams.case import Question, no, q


def read(raw: pd.DataFrame) -> pd.DataFrame:
    raw.columns = ["id", "date", "gender", "age", "decade", "place", "happy", "income", "often", "tell"]
    raw["date"] = pd.to_datetime(raw["date"])
    return raw


def questions(t: pd.DataFrame) -> Iterator[Question]:
    yield q("ja", "aggregate", "年収の中央値は何万円？", number=t.income.median())
    yield q("ja", "describe", "年齢の基本統計量", numbers=[t.age.mean(), t.age.min(), t.age.max()])
    yield q("ja", "shape", "回答は何件集まった？", number=len(t))
    yield q("ja", "groupby", "性別ごとの満足度平均", pairs=t.groupby("gender").happy.mean())
    yield q(
        "ja", "groupby", "性別と利用頻度別の満足度の平均", pairs=t.groupby(["gender", "often"]).happy.mean()
    )
    yield q("ja", "filter", "女性で満足度4以上は何人", number=((t.gender == "女性") & (t.happy >= 4)).sum())
    yield q("ja", "filter", "東京の人の平均年齢", number=t[t.place == "東京都"].age.mean())
    yield q("ja", "filter", "30歳以上40歳未満の人数", number=((t.age >= 30) & (t.age < 40)).sum())
    yield q("ja", "filter", "大阪府または福岡県の回答数は", number=t.place.isin(["大阪府", "福岡県"]).sum())
    yield q("ja", "filter", "20代でない人の平均満足度", number=t[t.decade != "20代"].happy.mean())
    yield q(
        "ja",
        "percent",
        "友人に勧める人の割合を%で",
        percent=100 * (t.tell == "はい").mean(),
        or_without_blanks=100 * (t.tell.dropna() == "はい").mean(),
        d=1,
    )
    yield q("ja", "percent", "男女の比率は?", pairs=100 * t.gender.value_counts(normalize=True), d=1)
    yield q("ja", "percent", "満足度5の割合", percent=100 * (t.happy == 5).mean(), d=1)
    yield q(
        "ja",
        "top",
        "満足度が最も高い年代は？",
        names=[t.groupby("decade").happy.mean().idxmax()],
        others=sorted(set(t.decade)),
    )
    yield q("ja", "missing", "年収の未回答は何件", number=t.income.isna().sum())
    yield q("ja", "distinct", "居住地の種類はいくつ", number=t.place.nunique())
    yield q("ja", "correlation", "年齢と年収に相関ある？", number=t.age.corr(t.income), d=3)
    yield q(
        "ja",
        "outliers",
        "年収の外れ値は何件？zスコアの絶対値が1.5を超えるもの",
        number=((t.income - t.income.mean()).abs() / t.income.std() > 1.5).sum(),
    )
    yield q("ja", "plot", "年代別回答数の円グラフ", image=True, plot="pie", code_names=["年代"])
    yield q(
        "ja",
        "follow-up",
        "年代別の満足度平均",
        "女性だけにして",
        pairs=t[t.gender == "女性"].groupby("decade").happy.mean(),
    )
    yield no("ja", "なぜ満足度が低い人がいるの？", word="なぜ")
    yield no("ja", "家族構成ごとの満足度", word="家族構成")
    yield no("ja", "北海道の回答者は何人", word="北海道")
    yield q("en", "groupby", "mean satisfaction by gender", pairs=t.groupby("gender").happy.mean())
    yield no("en", "avg height of respondents", word="height")
