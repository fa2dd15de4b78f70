"""About stock."""

from collections.abc import Iterator

import pandas as pd

from tests.exams.case import Question, no, q
from tests.exams.questions.cleaning import number


def read(raw: pd.DataFrame) -> pd.DataFrame:
    raw.columns = ["code", "kind", "house", "count", "price", "date", "state", "off"]
    raw["price"], raw["off"] = number(raw["price"]), number(raw["off"])
    raw["date"] = pd.to_datetime(raw["date"])
    return raw


def questions(t: pd.DataFrame) -> Iterator[Question]:
    amount = t["count"]
    yield q("ja", "aggregate", "在庫数の合計は？", number=amount.sum())
    yield q("ja", "aggregate", "単価の平均いくら", number=t.price.mean())
    yield q("ja", "aggregate", "一番高い単価は?", number=t.price.max())
    yield q("ja", "head", "最初の3行を見せて", names=list(t.code.head(3)))
    yield q("ja", "groupby", "倉庫別の在庫数合計", pairs=t.groupby("house")["count"].sum())
    yield q("ja", "groupby", "区分ごとに何品目ある？", pairs=t.kind.value_counts())
    yield q(
        "ja",
        "groupby",
        "区分別の平均単価を高い順に",
        pairs=t.groupby("kind").price.mean().sort_values(ascending=False),
        order=True,
    )
    yield q("ja", "groupby", "倉庫と状態ごとの件数", pairs=t.groupby(["house", "state"]).size())
    yield q("ja", "filter", "廃番の商品はいくつ？", number=(t.state == "廃番").sum())
    yield q("ja", "filter", "在庫切れ(在庫数0)の商品は何件", number=(amount == 0).sum())
    yield q(
        "ja",
        "filter",
        "東倉庫にある文具の在庫合計",
        number=t[(t.house == "東倉庫") & (t.kind == "文具")]["count"].sum(),
    )
    yield q("ja", "filter", "5月1日より後に入荷した商品は何件？", number=(t.date > "2024-05-01").sum())
    yield q("ja", "filter", "西倉庫を除いた在庫数の平均", number=t[t.house != "西倉庫"]["count"].mean())
    yield q(
        "ja",
        "top",
        "在庫がいちばん少ない倉庫",
        names=[t.groupby("house")["count"].sum().idxmin()],
        others=sorted(set(t.house)),
    )
    yield q("ja", "aggregate", "値引率の平均は何%", number=t.off.mean())
    yield q("ja", "plot", "倉庫別在庫数の棒グラフ", image=True, plot="bar", code_names=["倉庫", "在庫数"])
    yield q(
        "ja",
        "follow-up",
        "倉庫別の在庫数合計",
        "販売中のものだけ",
        pairs=t[t.state == "販売中"].groupby("house")["count"].sum(),
    )
    yield q("ja", "follow-up", "区分ごとの平均単価", "中央値で", pairs=t.groupby("kind").price.median())
    yield q(
        "ja",
        "save",
        "倉庫別の在庫数合計をエクセルで保存して",
        file="xlsx",
        pairs=t.groupby("house")["count"].sum(),
    )
    yield no("ja", "北倉庫の在庫は？", word="北")
    yield no("ja", "いつ在庫がなくなりそう？")
    yield no("ja", "Amazonでの価格を調べて比べて")
    yield no("en", "supplier with most stock", word="supplier")
