"""Questions about what a library lends."""

import re
from typing import Any

import pandas as pd

from tests.exams.case import Question, no, q
from tests.exams.fresh.wording import (
    by_weekday,
    first,
    gaps,
    rates,
    share,
)

AGE, DAYS, LIKED = "年齢（歳）", "貸出期間(日)", "満足度（5段階）"


def read(table: pd.DataFrame) -> pd.DataFrame:
    """The table with real dates and fines."""
    table["貸出日"] = pd.to_datetime(table["貸出日"].map(_western))
    table["延滞料"] = table["延滞料"].str.strip("¥").str.replace(",", "").astype(float)
    return table


def _western(day: str) -> str:
    year, month, date = re.findall(r"\d+", day)
    return f"{2018 + int(year)}-{month}-{date}"


def questions(t: Any) -> list[Question]:
    """Japanese and English ones, each with what pandas says."""
    return [*figures(t), *groups(t), *talks(t), *english(t), *unanswerable()]


def figures(t: Any) -> list[Question]:
    day = t["貸出日"]
    known = t[LIKED].dropna()
    return [
        q("ja", "aggregate", "貸出冊数の合計は?", number=t["貸出冊数"].sum()),
        q("ja", "aggregate", "延滞料って全部でいくら", number=t["延滞料"].sum()),
        q("ja", "aggregate", "シニアの平均貸出期間", number=t[DAYS][t["利用者区分"] == "シニア"].mean()),
        q("ja", "filter", "児童の貸出は何件?", number=(t["利用者区分"] == "児童").sum()),
        q("ja", "filter", "駅前分館で小説が借りられた件数",
          number=((t["館名"] == "駅前分館") & (t["ジャンル"] == "小説")).sum()),
        q("ja", "filter", "貸出期間が20日を超えるのは何件", number=(t[DAYS] > 20).sum()),
        q("ja", "filter", "30歳未満で延滞した件数は?", number=((t[AGE] < 30) & (t["延滞"] == "あり")).sum()),
        q("ja", "filter", "郵送以外で返却された件数", number=(t["返却方法"] != "郵送").sum()),
        q("ja", "filter", "5月の貸出は何件?", number=(day.dt.month == 5).sum()),
        q("ja", "filter", "土日の貸出件数", number=(day.dt.day_of_week >= 5).sum()),
        q("ja", "percent", "延滞の割合は何%?", percent=share(t["延滞"] == "あり"), d=1),
        q("ja", "percent", "満足度が4以上の割合", percent=share(t[LIKED] >= 4), or_without_blanks=share(known >= 4), d=1),
        q("ja", "quantile", "年齢の90パーセンタイル", number=t[AGE].quantile(0.9)),
        q("ja", "describe", "年齢の基本統計量を見せて", numbers=[t[AGE].mean(), t[AGE].median(), t[AGE].min(), t[AGE].max()]),
        q("ja", "missing", "欠損があるのはどの列?いくつずつ?", pairs=gaps(t)),
    ]  # fmt: skip


def groups(t: Any) -> list[Question]:
    day = t["貸出日"]
    return [
        q("ja", "groupby", "ジャンル別の平均貸出期間を教えて", pairs=t.groupby("ジャンル")[DAYS].mean()),
        q("ja", "top", "一番よく借りられているジャンルは?", **first(t["ジャンル"].value_counts())),
        q("ja", "percent", "館ごとの延滞率", **rates(t["延滞"] == "あり", t["館名"])),
        q(
            "ja",
            "resample",
            "月別の貸出冊数の推移",
            pairs=t["貸出冊数"].groupby(day.dt.strftime("%Y-%m")).sum(),
        ),
        q(
            "ja",
            "resample",
            "曜日ごとの貸出件数",
            pairs=by_weekday(day.dt.day_of_week.value_counts().sort_index()),
        ),
        q(
            "ja",
            "crosstab",
            "利用者区分と返却方法のクロス集計",
            pairs=pd.crosstab(t["利用者区分"], t["返却方法"]),
        ),
    ]


def talks(t: Any) -> list[Question]:
    station = t[t["館名"] == "駅前分館"]
    return [
        q("ja", "follow-up", "館別の貸出冊数の合計", "学生だけで",
          pairs=t[t["利用者区分"] == "学生"].groupby("館名")["貸出冊数"].sum()),
        q("ja", "follow-up", "駅前分館の平均年齢は?", "中央値だと?", number=station[AGE].median()),
        q("ja", "follow-up", "ジャンル別の件数", "円グラフにして", image=True, plot="pie", code_names=["ジャンル"]),
        q("ja", "follow-up", "5月の貸出冊数の合計は?", "6月は?", number=t["貸出冊数"][t["貸出日"].dt.month == 6].sum()),
        q("ja", "plot", "月ごとの貸出件数を折れ線グラフで", image=True, plot="line", code_names=["貸出日"]),
        q("ja", "plot", "年齢のヒストグラムを描いて", image=True, plot="hist", code_names=[AGE]),
    ]  # fmt: skip


def english(t: Any) -> list[Question]:
    return [
        q("en", "groupby", "number of loans per genre", pairs=t["ジャンル"].value_counts()),
        q("en", "aggregate", "average age", number=t[AGE].mean()),
        q("en", "groupby", "mean satisfaction by 館名", pairs=t.groupby("館名")[LIKED].mean()),
    ]


def unanswerable() -> list[Question]:
    return [
        no("ja", "来月の貸出冊数を予測して"),
        no("ja", "著者ごとの貸出件数は?", word="著者"),
        no("ja", "大学分館の貸出は何件?", word="大学"),
        no("ja", "なんで延滞が多いの?"),
        no("ja", "人気の新刊をネットで調べて"),
    ]
