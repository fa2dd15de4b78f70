"""About weather."""

from collections.abc import Iterator

import pandas as pd

from tests.exams.case import Question, no, q


def read(raw: pd.DataFrame) -> pd.DataFrame:
    raw.columns = ["time", "place", "temp", "rain", "hum", "wind", "sky"]
    raw["time"] = pd.to_datetime(raw["time"])
    return raw


def questions(t: pd.DataFrame) -> Iterator[Question]:
    month, _day = t.time.dt.strftime("%Y-%m"), t.time.dt.strftime("%Y-%m-%d")
    naha = t[t.place == "那覇"]
    yield q("ja", "aggregate", "weatherの最高気温は？", number=t.temp.max())
    yield q("ja", "aggregate", "weatherの降水量の合計", number=t.rain.sum())
    yield q("ja", "quantile", "weatherの風速の90パーセンタイル", number=t.wind.quantile(0.9))
    yield q("ja", "groupby", "weatherで地点別の平均気温", pairs=t.groupby("place").temp.mean())
    yield q("ja", "filter", "weatherで那覇の平均湿度", number=naha.hum.mean())
    yield q(
        "ja",
        "filter",
        "weatherで2024年1月の旭川の最低気温",
        number=t[(month == "2024-01") & (t.place == "旭川")].temp.min(),
    )
    yield q("ja", "filter", "weatherで湿度が60から70の間の件数", number=t.hum.between(60, 70).sum())
    yield q(
        "ja",
        "top",
        "weatherで一番寒い地点はどこ",
        names=[t.groupby("place").temp.mean().idxmin()],
        others=sorted(set(t.place)),
    )
    yield q("ja", "resample", "weatherの月平均気温", pairs=t.groupby(month).temp.mean())
    yield q(
        "ja",
        "plot",
        "weatherの地点別の気温推移を折れ線で",
        image=True,
        plot="line",
        code_names=["気温[℃]", "地点", "観測日時"],
    )
    yield q(
        "ja",
        "plot",
        "weatherの気温をバイオリンプロットで地点ごとに",
        image=True,
        plot="violin",
        code_names=["気温[℃]", "地点"],
    )
    yield q(
        "ja",
        "follow-up",
        "weatherで地点別の平均気温",
        "2024年だけ",
        "グラフにして",
        image=True,
        code_names=["地点", "気温[℃]", "2024"],
    )
    yield no("ja", "weatherから明日の天気を予想して")
    yield no("ja", "weatherで富士山の気温は", word="富士山")
    yield no("ja", "weatherの花粉の平均", word="花粉")
    yield q("en", "groupby", "avg temp by place in weather", pairs=t.groupby("place").temp.mean())
    yield q("en", "filter", "how many snow observations in weather", number=(t.sky == "雪").sum())
