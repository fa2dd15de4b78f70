"""About survey; not to be looked at by who improves the analyst."""

from collections.abc import Iterator

import pandas as pd

from tests.exams.case import Question, no, q


def questions(t: pd.DataFrame) -> Iterator[Question]:
    yield q("ja", "aggregate", "満足度の平均", number=t.happy.mean())
    yield q("ja", "aggregate", "最年長は何歳", number=t.age.max())
    yield q("ja", "groupby", "年代別の回答数", pairs=t.decade.value_counts())
    yield q("ja", "groupby", "居住地ごとの平均年収", pairs=t.groupby("place").income.mean())
    yield q("ja", "filter", "年収500万以上の人は何人？", number=(t.income >= 500).sum())
    yield q("ja", "filter", "毎日使ってる人の満足度平均", number=t[t.often == "毎日"].happy.mean())
    yield q(
        "ja", "crosstab", "年代×利用頻度のクロス集計をお願い", pairs=t.groupby(["decade", "often"]).size()
    )
    yield q("ja", "plot", "年齢の分布を見せて", image=True, plot="hist", code_names=["年齢"])
    yield q(
        "ja",
        "plot",
        "年代ごとに性別の積み上げ棒グラフ",
        image=True,
        plot="stacked",
        code_names=["年代", "性別"],
    )
    yield q(
        "ja", "follow-up", "居住地別の平均年齢", "年収も同じように", pairs=t.groupby("place").income.mean()
    )
    yield no("ja", "競合の満足度をネットで調べて")
    yield no("ja", "ぴよぴよのほげほげを出して")
