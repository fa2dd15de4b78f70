"""About attendance; not to be looked at by who improves the analyst."""

from collections.abc import Iterator

import pandas as pd

from tests.exams.case import Question, no, q


def questions(t: pd.DataFrame) -> Iterator[Question]:
    month = t.date.dt.strftime("%Y-%m")
    by_name = t.groupby("name").extra.sum().sort_values(ascending=False)
    yield q("ja", "aggregate", "残業が一番長かったのは何時間", number=t.extra.max())
    yield q("ja", "quantile", "残業時間の75パーセンタイルを教えて", number=t.extra.quantile(0.75))
    yield q("ja", "filter", "遅刻した回数は全部で何回", number=(t.late == "有").sum())
    yield q("ja", "filter", "佐藤さんの残業合計", number=t[t.name == "佐藤"].extra.sum())
    yield q("ja", "filter", "令和6年5月の残業時間の合計", number=t[month == "2024-05"].extra.sum())
    yield q("ja", "shape", "データは何行何列？", numbers=[160, 9])
    yield q("ja", "plot", "残業時間のヒストグラム", image=True, plot="hist", code_names=["残業時間(h)"])
    yield q("ja", "follow-up", "社員ごとの残業合計", "上位5人だけ", pairs=by_name.head(5), order=True)
    yield no("ja", "誰が来月辞めそう？")
