"""What a ward keeps for an emergency: dates of expiry, prices with a yen sign, 済 and 未, some things without expiry."""

from random import Random

import pandas as pd

from tests.exams.case import Question, no, q
from tests.exams.wide.japanese import amounts, as_csv

GOODS = {
    "飲料水2L": ("飲料", 180), "アルファ米": ("食料", 320), "乾パン": ("食料", 240), "毛布": ("寝具", 2600),
    "簡易トイレ": ("衛生", 1450), "マスク箱": ("衛生", 780), "懐中電灯": ("資機材", 1200), "缶詰パン": ("食料", 410),
}  # fmt: skip
LASTING = ("毛布", "簡易トイレ", "懐中電灯")


def text() -> str:
    draw, rows = Random(31), list[list[object]]()
    for store in ("中央倉庫", "北小学校", "南公民館"):
        for name, (kind, price) in GOODS.items():
            day = f"{draw.randint(2024, 2028)}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}"
            rows.append([
                store, name, kind, draw.randint(3, 60) * 10, f"¥{price + 10 * draw.randint(0, 3):,}",
                "" if name in LASTING else day, draw.choices(["済", "未"], [2, 1])[0],
            ])  # fmt: skip
    return as_csv("保管場所,品目,分類,数量,単価,賞味期限,点検", rows)


def read(raw: pd.DataFrame) -> pd.DataFrame:
    return raw.assign(単価=amounts(raw["単価"]), 賞味期限=pd.to_datetime(raw["賞味期限"]))


def questions(t: pd.DataFrame) -> list[Question]:
    store, name, kind, count = t["保管場所"], t["品目"], t["分類"], t["数量"]
    price, until, todo = t["単価"], t["賞味期限"], t["点検"] == "未"
    fewest = count.groupby(store).sum().sort_values().index.tolist()
    most = count.groupby(name).sum().sort_values(ascending=False)
    return [
        q("ja", "groupby", "保管場所別の数量合計", pairs=count.groupby(store).sum()),
        q("ja", "groupby", "分類ごとに数量の平均だして", pairs=count.groupby(kind).mean()),
        q("ja", "aggregate", "毛布は全部で何枚備蓄してる?", number=count[name == "毛布"].sum()),
        q("ja", "aggregate", "単価の最高額と最低額", numbers=[price.max(), price.min()]),
        q("ja", "aggregate", "数量×単価の総額はいくらになりますか", number=(count * price).sum()),
        q("ja", "filter", "点検していないものは何件?", number=todo.sum()),
        q("ja", "filter", "賞味期限が2025年中に切れるのは何件ありますか", number=(until.dt.year == 2025).sum()),
        q("ja", "filter", "北小学校で数量が200以下の品目の数", number=((store == "北小学校") & (count <= 200)).sum()),
        q("ja", "top", "備蓄数が一番少ない保管場所はどこ?", names=fewest[:1], others=fewest[1:]),
        q("ja", "top", "数量の合計が多い品目トップ3", pairs=most[:3], order=True),
        q("ja", "percent", "点検済みの割合を教えてください", percent=100 * (~todo).mean()),
        q("ja", "percent", "数量でみて食料は全体の何%?", percent=100 * count[kind == "食料"].sum() / count.sum()),
        q("ja", "missing", "賞味期限が空欄の品は何件", number=until.isna().sum()),
        q("ja", "shape", "この表は何行何列?", numbers=[*t.shape]),
        q("ja", "plot", "分類別の数量合計を円グラフで", image=True, plot="pie", code_names=["分類", "数量"]),
        q("ja", "follow-up", "点検が未のものは何件?", "そのうち南公民館は?",
          number=(todo & (store == "南公民館")).sum()),
        q("en", "aggregate", "total 数量 in 中央倉庫", number=count[store == "中央倉庫"].sum()),
        no("ja", "発電機は何台ありますか", word="発電機"),
        no("ja", "担当者は誰?", word="担当者"),
    ]  # fmt: skip
