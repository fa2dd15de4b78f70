"""Questions about offers of work."""

import re

import numpy as np
import pandas as pd

from tests.exams.case import Question, no, q


def read(raw: pd.DataFrame) -> pd.DataFrame:
    parts = raw["掲載日"].map(lambda text: [int(one) for one in re.findall(r"\d+", text)])
    return raw.assign(month=parts.map(lambda one: f"{one[0] + 2018}-{one[1]:02d}"))  # pyright: ignore[reportIndexIssue]


def questions(w: pd.DataFrame) -> list[Question]:
    job, place, form, wage, years, people = (
        w[name] for name in ("職種", "勤務地", "雇用形態", "月給_万円", "必要経験(年)", "応募者数")
    )
    remote = w["リモート可"] == "○"
    best = w.sort_values("月給_万円", ascending=False)
    contract = best[best["雇用形態"] == "契約社員"].head(5)
    asked = people.groupby(place).sum().sort_values(ascending=False)
    return [
        q("ja", "filter", "エンジニアの平均月給は?", number=wage[job == "エンジニア"].mean()),
        q("ja", "filter", "東京の正社員の求人は何件", number=((place == "東京") & (form == "正社員")).sum()),
        q("ja", "filter", "月給30万円以上40万円未満の求人は何件?", number=((wage >= 30) & (wage < 40)).sum()),
        q("ja", "filter", "大阪か福岡の事務の件数",
          number=(place.isin(["大阪", "福岡"]) & (job == "事務")).sum()),
        q("ja", "filter", "営業以外の平均月給", number=wage[job != "営業"].mean()),
        q("ja", "groupby", "職種ごとの月給の中央値", pairs=wage.groupby(job).median()),
        q("ja", "groupby", "職種別・リモート可別の平均月給", pairs=wage.groupby([job, w["リモート可"]]).mean()),
        q("ja", "percent", "リモート可の求人の割合は?", percent=100 * remote.mean()),
        q("ja", "top", "一番月給が高い求人", names=best["求人ID"].tolist()[:1], others=best["求人ID"].tolist()[1:]),
        q("ja", "resample", "月別の掲載件数", pairs=w.groupby("month").size()),
        q("ja", "missing", "応募者数が空白の求人数", number=people.isna().sum()),
        q("ja", "sort", "勤務地別の応募者数の合計を多い順に", pairs=asked, order=True),
        q("ja", "correlation", "必要経験と月給の相関は", number=wage.corr(years)),
        q("ja", "correlation", "月給を必要経験で単回帰したときの傾き", number=np.polyfit(years, wage, 1)[0], d=3),
        q("ja", "describe", "応募者数の要約統計量", numbers=[people.mean(), people.median(), people.max()]),
        q("ja", "head", "最初の5件を見せて", pairs=w.head(5).set_index("求人ID")["月給_万円"], order=True, extra=0),
        q("ja", "plot", "職種別に月給の箱ひげ図", image=True, plot="box", code_names=["月給_万円", "職種"]),
        q("ja", "plot", "勤務地と雇用形態の積み上げ棒グラフ", image=True, plot="stacked",
          code_names=["勤務地", "雇用形態"]),
        q("ja", "follow-up", "勤務地別の平均月給", "東京と大阪だけ",
          pairs=wage[place.isin(["東京", "大阪"])].groupby(place).mean()),
        q("ja", "follow-up", "月給が高い順に5件", "契約社員だけで", order=True,
          pairs=contract.set_index("求人ID")["月給_万円"]),
        no("ja", "この会社の評判をネットで調べて"),
        no("ja", "残業時間の平均を出して", word="残業"),
        no("ja", "名古屋の求人は何件?", word="名古屋"),
        q("en", "filter", "avg monthly salary in 大阪", number=wage[place == "大阪"].mean()),
        q("en", "filter", "how many offers allow remote work", number=remote.sum()),
        q("en", "resample", "applicants per month, total", pairs=people.groupby(w["month"]).sum()),
    ]  # fmt: skip
