"""Water samples of rivers and taps: short Reiwa days, units in brackets, readings below the limit left blank."""

from random import Random

import pandas as pd

from tests.exams.case import Question, no, q
from tests.exams.wide.japanese import as_csv, monthly, reiwa

SPOTS = {"上流橋": 7.2, "中洲公園": 7.5, "河口水門": 7.9, "第二浄水場": 7.0}


def text() -> str:
    draw, rows = Random(24), list[list[object]]()
    for month in (1, 2, 3, 4, 5, 6, 7):
        for spot, acid in SPOTS.items():
            cloudy = round(draw.uniform(0.2, 6.5), 1)
            rows.append([
                f"R6.{month}.{draw.randint(1, 28)}", spot, round(3 + 2.6 * month + draw.uniform(-2, 2), 1),
                round(acid + draw.uniform(-0.4, 0.5), 2), cloudy,
                "" if draw.random() < 0.15 else round(draw.uniform(0.5, 14), 1),
                "不適" if cloudy > 4.5 else "適", draw.choice(["水野", "川端"]),
            ])  # fmt: skip
    return as_csv("採水日,地点,水温(℃),pH,濁度(度),大腸菌(個/mL),判定,採水者", rows)


def read(raw: pd.DataFrame) -> pd.DataFrame:
    return raw.assign(採水日=reiwa(raw["採水日"]))


def questions(t: pd.DataFrame) -> list[Question]:
    spot, warm, acid, cloudy = t["地点"], t["水温(℃)"], t["pH"], t["濁度(度)"]
    germs, verdict = t["大腸菌(個/mL)"], t["判定"]
    bad, mouth = verdict == "不適", spot == "河口水門"
    by_spot = cloudy.groupby(spot).mean().sort_values(ascending=False)
    temperatures = warm.groupby(monthly(t["採水日"])).mean()
    return [
        q("ja", "aggregate", "pHの中央値は?", number=acid.median()),
        q("ja", "aggregate", "河口水門の水温の最高は何度", number=warm[mouth].max()),
        q("ja", "groupby", "地点毎のpHの平均を教えて下さい", pairs=acid.groupby(spot).mean()),
        q("ja", "groupby", "採水者別の検査件数", pairs=t["採水者"].value_counts()),
        q("ja", "filter", "不適だった検査は何件?", number=bad.sum()),
        q("ja", "filter", "水温10度以上20度以下の検体はいくつ", number=warm.between(10, 20).sum()),
        q("ja", "filter", "濁度が4度超で水野さんが採水したもの、何件?",
          number=((cloudy > 4) & (t["採水者"] == "水野")).sum()),
        q("ja", "percent", "適合率は何%", percent=100 * (~bad).mean()),
        q("ja", "crosstab", "地点と判定のクロス集計をお願いします",
          pairs={f"{place}, {one}": ((spot == place) & (verdict == one)).sum()
                 for place in SPOTS for one in ("適", "不適") if ((spot == place) & (verdict == one)).any()}),
        q("ja", "resample", "月ごとの平均水温", pairs=temperatures),
        q("ja", "top", "一番にごっている地点は?(濁度の平均で)", names=[by_spot.index[0]],
          others=by_spot.index[1:].tolist()),
        q("ja", "missing", "大腸菌の欠測数", number=germs.isna().sum()),
        q("ja", "plot", "水温と濁度の散布図を描いて", image=True, plot="scatter", code_names=["水温", "濁度"]),
        q("ja", "plot", "地点別にpHの箱ひげ図", image=True, plot="box", code_names=["地点", "pH"]),
        q("en", "groupby", "count of samples per 判定", pairs=verdict.value_counts()),
        q("en", "aggregate", "lowest 水温 at 上流橋?", number=warm[spot == "上流橋"].min()),
        no("en", "why is the pH so high at 河口水門?"),
        no("ja", "鉛の濃度が高いのはどの地点?", word="鉛"),
        no("ja", "どうして河口の濁度が高いのか理由を教えて"),
    ]  # fmt: skip
