"""Questions about games and how they sold."""

import pandas as pd

from tests.exams.case import Question, no, q


def read(raw: pd.DataFrame) -> pd.DataFrame:
    price = pd.to_numeric(raw["価格(税込)"].str.replace("[¥,]", "", regex=True))
    return raw.assign(price=price, year=pd.to_numeric(raw["発売日"].str[:4]))


def questions(g: pd.DataFrame) -> list[Question]:
    title, genre, machine, sold, stars = (
        g[name] for name in ("タイトル", "ジャンル", "対応機種", "販売本数(万本)", "レビュー点")
    )
    best = g.sort_values("販売本数(万本)", ascending=False)
    low, high = sold.quantile(0.25), sold.quantile(0.75)
    share = genre.value_counts(normalize=True)
    return [
        q("ja", "groupby", "ジャンル別の販売本数の合計", pairs=sold.groupby(genre).sum()),
        q("ja", "groupby", "販売本数の中央値を機種別に", pairs=sold.groupby(machine).median()),
        q("ja", "top", "一番売れたゲームは?", names=best["タイトル"].tolist()[:1],
          others=best["タイトル"].tolist()[1:]),
        q("ja", "filter", "スイッチ向けRPGのタイトル数", number=((machine == "スイッチ") & (genre == "RPG")).sum()),
        q("ja", "filter", "レビュー点が80点以上のゲームの平均販売本数", number=sold[stars >= 80].mean()),
        q("ja", "filter", "2022年に発売されたPC以外のゲームは何件", number=((g["year"] == 2022) & (machine != "PC")).sum()),
        q("ja", "filter", "タイトルに「農場」が入るゲームはいくつ", number=title.str.contains("農場").sum()),
        q("ja", "aggregate", "平均価格はいくら?", number=g["price"].mean()),
        q("ja", "percent", "続編の割合は何%?", percent=100 * (g["続編"] == "はい").mean()),
        q("ja", "resample", "年ごとの発売タイトル数", pairs=g.groupby("year").size()),
        q("ja", "quantile", "販売本数の75パーセンタイル", number=high),
        q("ja", "outliers", "販売本数の外れ値は何件?(IQR)",
          number=((sold > high + 1.5 * (high - low)) | (sold < low - 1.5 * (high - low))).sum()),
        q("ja", "crosstab", "機種とジャンルのクロス集計", pairs=pd.crosstab(machine, genre)),
        q("ja", "missing", "レビュー点がないゲームはどれ", names=title[stars.isna()].tolist()),
        q("ja", "plot", "レビュー点と販売本数の散布図", image=True, plot="scatter",
          code_names=["レビュー点", "販売本数(万本)"]),
        q("ja", "plot", "レビュー点のヒストグラム描いて", image=True, plot="hist", code_names=["レビュー点"]),
        q("ja", "save", "販売本数の上位5本をExcelで保存", file="xlsx",
          pairs=best.head(5).set_index("タイトル")["販売本数(万本)"]),
        q("ja", "follow-up", "機種別の平均レビュー点", "棒グラフにして", image=True, plot="bar",
          code_names=["対応機種", "レビュー点"]),
        q("ja", "follow-up", "ジャンルごとのタイトル数", "割合(%)で見せて", pairs=100 * share, or_pairs=share),
        no("ja", "なぜ深海シリーズは人気がないの?"),
        no("ja", "平均プレイ時間は?", word="プレイ"),
        no("ja", "ほげほげをふがふがして"),
        q("en", "groupby", "avg price by genre", pairs=g.groupby("ジャンル")["price"].mean()),
        q("en", "filter", "how many sequels on PC", number=((g["続編"] == "はい") & (machine == "PC")).sum()),
        no("en", "how many games came out for the Xbox", word="Xbox"),
    ]  # fmt: skip
