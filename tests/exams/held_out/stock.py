"""About stock; not to be looked at by who improves the analyst."""

from collections.abc import Iterator

import pandas as pd

from tests.exams.case import Question, no, q


def questions(t: pd.DataFrame) -> Iterator[Question]:
    yield q(
        "ja", "describe", "単価の要約統計を出して", numbers=[t.price.mean(), t.price.min(), t.price.max()]
    )
    yield q("ja", "filter", "単価が千円未満の品目数", number=(t.price < 1000).sum())
    yield q("ja", "percent", "販売中の割合", percent=100 * (t.state == "販売中").mean(), d=1)
    yield q(
        "ja",
        "top",
        "在庫が多い順に上位5商品",
        pairs=t.nlargest(5, "count").set_index("code")["count"],
        order=True,
    )
    yield q("ja", "missing", "最終入荷日が空の商品数", number=t.date.isna().sum())
    yield q("ja", "distinct", "状態にはどんな値がある？", names=sorted(set(t.state)))
    yield no("ja", "仕入先ごとの在庫数", word="仕入先")
    yield q("en", "groupby", "stock by warehouse", pairs=t.groupby("house")["count"].sum())
