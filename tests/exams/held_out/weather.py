"""About weather; not to be looked at by who improves the analyst."""

from collections.abc import Iterator

import pandas as pd

from tests.exams.case import Question, no, q


def questions(t: pd.DataFrame) -> Iterator[Question]:
    _month, day = t.time.dt.strftime("%Y-%m"), t.time.dt.strftime("%Y-%m-%d")
    naha = t[t.place == "那覇"]
    yield q("ja", "groupby", "weatherの地点と天候ごとの観測数", pairs=t.groupby(["place", "sky"]).size())
    yield q("ja", "filter", "weatherで気温が氷点下だった回数", number=(t.temp < 0).sum())
    yield q("ja", "filter", "weatherで風速5m/s以上の観測は何回", number=(t.wind >= 5).sum())
    yield q("ja", "filter", "weatherで雪じゃない観測の件数", number=(t.sky != "雪").sum())
    yield q("ja", "percent", "weatherで雨の割合は何%", percent=100 * (t.sky == "雨").mean(), d=1)
    yield q("ja", "top", "weatherで降水量の多い上位5件", numbers=list(t.rain.nlargest(5)))
    yield q("ja", "missing", "weatherの気温の欠測は何件？", number=t.temp.isna().sum())
    yield q(
        "ja",
        "resample",
        "weatherの週ごとの降水量合計をグラフで",
        image=True,
        code_names=["降水量(mm)", "観測日時"],
    )
    yield q(
        "ja",
        "rolling",
        "weatherの那覇の日平均気温の7日移動平均",
        pairs=naha.groupby(day).temp.mean().rolling(7).mean(),
        extra=7,
    )
    yield q(
        "ja",
        "difference",
        "weatherの日別平均気温の前日との差",
        pairs=t.groupby(day).temp.mean().diff(),
        extra=1,
    )
    yield q(
        "ja",
        "correlation",
        "weatherの相関行列",
        numbers=[t.temp.corr(t.hum), t.temp.corr(t.wind), t.rain.corr(t.hum)],
    )
    yield q("ja", "plot", "weatherの相関のヒートマップ", image=True, plot="heatmap", code_names=["weather"])
    yield q("ja", "follow-up", "weatherで地点別の平均気温", "湿度も", pairs=t.groupby("place").hum.mean())
    yield no("en", "uv index by place in weather", word="uv")
