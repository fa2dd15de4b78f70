"""Questions about what a factory makes."""

from typing import Any

import pandas as pd

from tests.exams.case import Question, no, q
from tests.exams.fresh.wording import (
    by_week,
    either,
    first,
    odd_ones,
    rates,
    share,
)

MADE, HEAT, HALT = "生産数（個）", "炉内温度[℃]", "停止時間（分）"


def read(table: pd.DataFrame) -> pd.DataFrame:
    """The table with real dates, numbers made and costs."""
    table["製造日"] = pd.to_datetime(table["製造日"], format="%Y/%m/%d")
    table[MADE] = table[MADE].str.replace(",", "").astype(float)
    table["材料費"] = table["材料費"].str.strip("円").str.replace(",", "").astype(float)
    return table


def questions(t: Any) -> list[Question]:
    """Japanese and English ones, each with what pandas says."""
    return [*figures(t), *groups(t), *pictures(t), *talks(t), *english(t), *unanswerable()]


def figures(t: Any) -> list[Question]:
    day, bad = t["製造日"], t["不良数"]
    gap = bad[t["勤務帯"] == "夜勤"].mean() - bad[t["勤務帯"] == "日勤"].mean()
    return [
        q("ja", "aggregate", "不良数は合計いくつ?", number=bad.sum()),
        q("ja", "aggregate", "カバーの生産数の合計", number=t[MADE][t["品名"] == "カバー"].sum()),
        q("ja", "aggregate", "材料費の平均", number=t["材料費"].mean()),
        q("ja", "aggregate", "炉内温度の標準偏差", number=t[HEAT].std(), **either(t[HEAT].std(ddof=0))),
        q("ja", "filter", "停止時間が30分以上のロットはいくつ?", number=(t[HALT] >= 30).sum()),
        q("ja", "filter", "Cラインの夜勤で不合格になったロット数",
          number=((t["ライン"] == "Cライン") & (t["勤務帯"] == "夜勤") & (t["判定"] == "不合格")).sum()),
        q("ja", "filter", "再検査がまだ未のものは何件", number=(t["再検査"] == "未").sum()),
        q("ja", "filter", "2月の不良数の合計は?", number=bad[day.dt.month == 2].sum()),
        q("ja", "filter", "1月20日から1月31日までの平均停止時間",
          number=t[HALT][(day >= "2025-01-20") & (day <= "2025-01-31")].mean()),
        q("ja", "percent", "合格率は?", percent=share(t["判定"] == "合格"), d=1),
        q("ja", "missing", "不良原因が空欄のロットは何件?", number=t["不良原因"].isna().sum()),
        q("ja", "outliers", "不良数に外れ値はある?", **odd_ones(bad)),
        q("ja", "correlation", "炉内温度と不良数の相関", number=t[HEAT].corr(bad)),
        q("ja", "difference", "夜勤と日勤の平均不良数の差は?", number=gap, **either(-gap)),
    ]  # fmt: skip


def groups(t: Any) -> list[Question]:
    halts = t.set_index("ロット番号")[HALT].nlargest(3)
    return [
        q("ja", "groupby", "ラインごとの平均不良数", pairs=t.groupby("ライン")["不良数"].mean()),
        q("ja", "groupby", "品名と勤務帯ごとの不良数の合計", pairs=t.groupby(["品名", "勤務帯"])["不良数"].sum()),
        q("ja", "groupby", "不良原因の内訳を件数で", pairs=t["不良原因"].value_counts()),
        q("ja", "top", "停止時間が長いロット上位3つ", pairs=halts, order=True),
        q("ja", "percent", "担当者別の合格率を教えて", **rates(t["判定"] == "合格", t["担当者"])),
        q("ja", "resample", "週ごとの生産数の合計", pairs=by_week(t.groupby(t["製造日"].dt.to_period("W"))[MADE].sum())),
    ]  # fmt: skip


def pictures(_t: Any) -> list[Question]:
    return [
        q(
            "ja",
            "plot",
            "ライン別の停止時間を箱ひげ図で",
            image=True,
            plot="box",
            code_names=["ライン", HALT],
        ),
        q(
            "ja",
            "plot",
            "炉内温度と不良数の散布図に回帰直線を引いて",
            image=True,
            plot="scatter",
            code_names=[HEAT, "不良数"],
        ),
        q(
            "ja",
            "plot",
            "ラインごとの判定の件数を積み上げ棒グラフで",
            image=True,
            plot="stacked",
            code_names=["ライン", "判定"],
        ),
        q(
            "ja",
            "plot",
            "品名ごとの不良数の合計を棒グラフにして",
            image=True,
            plot="bar",
            code_names=["品名", "不良数"],
        ),
    ]


def talks(t: Any) -> list[Question]:
    means = t[t["勤務帯"] == "夜勤"].groupby("担当者")["不良数"].mean()
    return [
        q(
            "ja",
            "follow-up",
            "担当者別の平均不良数",
            "夜勤だけにして",
            "多い順に3人だけ",
            pairs=means.nlargest(3),
            order=True,
        ),
        q(
            "ja",
            "follow-up",
            "ラインごとの平均停止時間",
            "グラフにして",
            image=True,
            code_names=["ライン", HALT],
        ),
        q(
            "ja",
            "save",
            "品名別の不良数の合計をエクセルに保存して",
            file="xlsx",
            pairs=t.groupby("品名")["不良数"].sum(),
        ),
        q(
            "ja",
            "follow-up",
            "Aラインの生産数の合計は?",
            "Bラインは?",
            number=t[MADE][t["ライン"] == "Bライン"].sum(),
        ),
    ]


def english(t: Any) -> list[Question]:
    return [
        q("en", "groupby", "total 不良数 per ライン", pairs=t.groupby("ライン")["不良数"].sum()),
        q("en", "aggregate", "avg material cost", number=t["材料費"].mean()),
        q(
            "en",
            "top",
            "which product has the highest total production",
            **first(t.groupby("品名")[MADE].sum()),
        ),
    ]


def unanswerable() -> list[Question]:
    return [
        no("ja", "明日の不良数はどうなる?"),
        no("ja", "湿度の平均は?", word="湿度"),
        no("ja", "Dラインの生産数は?", word="D"),
        no("ja", "クレームの件数を教えて", word="クレーム"),
        no("en", "what is the average viscosity", word="viscosity"),
    ]
