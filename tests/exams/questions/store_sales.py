"""About store_sales."""

from collections.abc import Iterator

import pandas as pd

from tests.exams.case import Question, no, q
from tests.exams.questions.cleaning import number


def read(raw: pd.DataFrame) -> pd.DataFrame:
    raw.columns = ["date", "shop", "category", "sales", "guests", "sky", "offer", "staff"]
    raw["date"] = pd.to_datetime(raw["date"], format="%Y年%m月%d日")
    raw["sales"] = number(raw["sales"])
    return raw


def questions(t: pd.DataFrame) -> Iterator[Question]:
    month = t.date.dt.strftime("%Y-%m")
    shops = sorted(set(t.shop))
    by_shop = t.groupby("shop").sales.sum().sort_values(ascending=False)
    yield q("ja", "aggregate", "売上の合計は?", number=t.sales.sum())
    yield q("ja", "groupby", "天気別の平均来客数は？", pairs=t.groupby("sky").guests.mean())
    yield q("ja", "groupby", "店舗とカテゴリ別の売上合計", pairs=t.groupby(["shop", "category"]).sales.sum())
    yield q("ja", "filter", "雨の日の平均売上", number=t[t.sky == "雨"].sales.mean())
    yield q("ja", "filter", "売上が10万円以上の件数", number=(t.sales >= 100000).sum())
    yield q("ja", "filter", "5月の売上合計", number=t[t.date.dt.month == 5].sales.sum())
    yield q("ja", "filter", "特売日の平均来客数", number=t[t.offer == "はい"].guests.mean())
    yield q("ja", "filter", "渋谷本店以外の平均来客数は", number=t[t.shop != "渋谷本店"].guests.mean())
    yield q(
        "ja",
        "filter",
        "札幌支店か仙台支店で雨だったのは何件",
        number=(t.shop.isin(["札幌支店", "仙台支店"]) & (t.sky == "雨")).sum(),
    )
    yield q("ja", "percent", "店舗別の売上構成比を%で", pairs=100 * by_shop / by_shop.sum(), d=1)
    yield q("ja", "top", "売上が一番高い店舗は？", names=[by_shop.index[0]], others=shops)
    yield q(
        "ja",
        "sort",
        "店舗を平均来客数が多い順に並べて",
        pairs=t.groupby("shop").guests.mean().sort_values(ascending=False),
        order=True,
    )
    yield q("ja", "missing", "欠損がある列はどれ？", names=["スタッフ数"], number=t.staff.isna().sum())
    yield q("ja", "distinct", "店舗はいくつある？", number=t.shop.nunique())
    yield q("ja", "correlation", "来客数と売上の相関は", number=t.guests.corr(t.sales), d=3)
    yield q("ja", "resample", "月ごとの売上推移", pairs=t.groupby(month).sales.sum())
    yield q(
        "ja",
        "resample",
        "曜日別の平均来客数を教えて",
        pairs=_weekdays(t.groupby(t.date.dt.day_of_week).guests.mean()),
    )
    yield q(
        "ja",
        "difference",
        "売上の前月比を%で",
        pairs=100 * t.groupby(month).sales.sum().pct_change(),
        d=1,
        extra=1,
    )
    yield q("ja", "crosstab", "店舗と天気のクロス集計", pairs=t.groupby(["shop", "sky"]).size())
    yield q("ja", "plot", "店舗別売上を棒グラフで", image=True, plot="bar", code_names=["店舗名", "売上(円)"])
    yield q(
        "ja",
        "plot",
        "来客数と売上の散布図を描いて",
        image=True,
        plot="scatter",
        code_names=["来客数[人]", "売上(円)"],
    )
    yield q(
        "ja",
        "follow-up",
        "店舗ごとの平均来客数",
        "晴れの日だけ",
        pairs=t[t.sky == "晴れ"].groupby("shop").guests.mean(),
    )
    yield q("ja", "save", "店舗別の売上合計をCSVに保存", file="csv", pairs=by_shop)
    yield no("ja", "来月の売上はどうなる？")
    yield no("ja", "福岡支店の売上は？", word="福岡")
    yield no("ja", "店舗別の利益率", word="利益")
    yield q("en", "filter", "avg visitors on rainy days", number=t[t.sky == "雨"].guests.mean())
    yield no("en", "profit margin by store", word="profit")


def _weekdays(means: pd.Series) -> dict[str, float]:
    return {
        f"{'月火水木金土日'[day]}曜日 | {'月火水木金土日'[day]} | {'月火水木金土日'[day]}曜": one  # pyright: ignore[reportArgumentType, reportCallIssue]
        for day, one in means.items()
    }
