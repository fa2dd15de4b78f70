"""About attendance."""

from collections.abc import Iterator

import pandas as pd

from tests.exams.case import Question, no, q


def read(raw: pd.DataFrame) -> pd.DataFrame:
    raw.columns = ["id", "name", "unit", "date", "place", "extra", "hours", "late", "joined"]
    parts = raw["date"].str.extract(r"令和(\d+)年(\d+)月(\d+)日").astype(int)
    raw["date"] = pd.to_datetime({"year": parts[0] + 2018, "month": parts[1], "day": parts[2]})
    return raw


def questions(t: pd.DataFrame) -> Iterator[Question]:
    month = t.date.dt.strftime("%Y-%m")
    by_name = t.groupby("name").extra.sum().sort_values(ascending=False)
    yield q("ja", "aggregate", "残業時間の平均は？", number=t.extra.mean())
    yield q("ja", "aggregate", "実働時間の標準偏差", number=t.hours.std())
    yield q("ja", "groupby", "部署別の平均残業時間", pairs=t.groupby("unit").extra.mean())
    yield q("ja", "groupby", "勤務形態ごとの件数", pairs=t.place.value_counts())
    yield q("ja", "groupby", "部署と勤務形態ごとの残業の合計", pairs=t.groupby(["unit", "place"]).extra.sum())
    yield q("ja", "groupby", "社員ごとの残業合計", pairs=by_name)
    yield q("ja", "filter", "在宅勤務は何件？", number=(t.place == "在宅").sum())
    yield q(
        "ja",
        "filter",
        "営業部で残業が3時間を超えるのは何件",
        number=((t.unit == "営業部") & (t.extra > 3)).sum(),
    )
    yield q("ja", "filter", "残業が1時間以上2時間以下の件数", number=t.extra.between(1, 2).sum())
    yield q("ja", "filter", "2024年6月1日以降の勤務は何件", number=(t.date >= "2024-06-01").sum())
    yield q("ja", "filter", "2015年以降に入社した人の平均残業", number=t[t.joined >= 2015].extra.mean())
    yield q("ja", "percent", "在宅率は？", percent=100 * (t.place == "在宅").mean(), d=1)
    yield q("ja", "percent", "部署ごとの遅刻率", pairs=100 * (t.late == "有").groupby(t.unit).mean(), d=1)
    yield q("ja", "top", "残業が多い順に3人", pairs=by_name.head(3), order=True)
    yield q(
        "ja",
        "top",
        "残業が一番少ない部署は",
        names=[t.groupby("unit").extra.mean().idxmin()],
        others=sorted(set(t.unit)),
        or_names=[t.groupby("unit").extra.sum().idxmin()],
    )
    yield q("ja", "missing", "空欄はいくつある？", number=t.isna().sum().sum())
    yield q("ja", "distinct", "社員は何人いますか", number=t.id.nunique())
    yield q("ja", "distinct", "部署の一覧", names=sorted(set(t.unit)))
    yield q("ja", "resample", "月別の残業時間合計", pairs=t.groupby(month).extra.sum())
    yield q("ja", "crosstab", "部署と遅刻のクロス表", pairs=t.groupby(["unit", "late"]).size())
    yield q(
        "ja", "plot", "部署ごとの残業を箱ひげ図で", image=True, plot="box", code_names=["部署", "残業時間(h)"]
    )
    yield q(
        "ja",
        "follow-up",
        "部署別の平均残業時間",
        "棒グラフにして",
        image=True,
        plot="bar",
        code_names=["部署", "残業時間(h)"],
    )
    yield q(
        "ja",
        "follow-up",
        "部署別の平均残業時間",
        "在宅だけで",
        pairs=t[t.place == "在宅"].groupby("unit").extra.mean(),
    )
    yield no("ja", "有給の残り日数の平均", word="有給")
    yield no("ja", "経理部の残業は？", word="経理")
    yield no("ja", "残業を減らすにはどうしたらいい？")
    yield q("en", "groupby", "avg overtime by department", pairs=t.groupby("unit").extra.mean())
    yield no("en", "average salary by department", word="salary")
