"""Rows called by the event of a place (出張 of 出張先), and figures asked for together with the month that has them."""

import pytest

from smoldesk.analyst.intents import DataIntent, Filter, Refusal
from tests.analyst.test_unseen_tables import intent

TRIPS = """ID,社員名,部署,出張先,泊数,宿泊費(円),精算
T1,田中,営業部,大阪,1,11200,済
T2,小川,技術部,名古屋,0,,済
T3,田中,営業部,大阪,2,21800,未
T4,森,企画部,仙台,1,9800,未
"""
MONTHS = """年月,来館者数(人),売上(千円),駐車台数
2023年4月,"18,420",9650,7210
2023年5月,"26,310",13480,10120
2023年6月,"17,050",9120,6640
2023年7月,"21,760",11890,8350
2023年8月,"31,240",15720,11980
2023年9月,"22,180",11260,8540
2023年10月,"25,900",14350,9870
2023年11月,"24,130",13610,9260
2023年12月,"16,280",10240,6150
2024年1月,"13,940",7480,5320
2024年2月,"12,650",6890,4870
2024年3月,"17,520",8930,6780
2024年4月,"19,330",10110,7490
"""
SHOES = """受付番号,受付日,靴の種類,料金
K1,2024-05-03,革靴,1650
K2,2024-05-04,ブーツ,13200
K3,2024-05-07,革靴,2750
"""
MOST = {"measures": ("来館者数(人)",), "grain": "month", "order": "desc", "groups": ()}


@pytest.mark.parametrize(
    ("table", "asked", "wanted"),
    [
        (TRIPS, "出張は何件?", {"operation": "aggregate", "aggregates": ("count",), "groups": ()}),
        (TRIPS, "2泊以上の出張の平均宿泊費", {"groups": (), "filters": (Filter("泊数", ">=", (2.0,)),)}),
        (TRIPS, "出張先ごとの出張の件数", {"groups": ("出張先",), "aggregates": ("count",)}),
        (TRIPS, "出張先は全部で何か所?", {"operation": "distinct", "measures": ("出張先",)}),
        (TRIPS, "部署は全部でいくつありますか", {"operation": "distinct", "measures": ("部署",)}),
        (MONTHS, "お客さんがいちばん多かった月は何人だった?", MOST),
        (MONTHS, "来館者がいちばん多かった月と、その人数は?", MOST),
        (MONTHS, "駐車台数が一番少なかった月は何台?", {"measures": ("駐車台数",), "order": "asc"}),
        (
            MONTHS,
            "このデータは何件で、どんな列がありますか",
            {"operation": "columns", "aggregates": ("count",)},
        ),
        (MONTHS, "列はいくつありますか", {"operation": "columns", "aggregates": ()}),
    ],
)
def test_is_read(table: str, asked: str, wanted: dict[str, object]) -> None:
    read = intent(table, asked)
    assert isinstance(read, DataIntent)
    assert {name: getattr(read, name) for name in wanted} == wanted


@pytest.mark.parametrize(
    ("table", "asked"),
    [
        (SHOES, "靴のサイズごとの件数は?"),  # no size of the table
        (MONTHS, "来館者が多かった月と人数"),  # no rows cut by every figure
        (TRIPS, "旅行は何件?"),
        (TRIPS, "会議は何件?"),
    ],
)
def test_is_declined(table: str, asked: str) -> None:
    assert isinstance(intent(table, asked), Refusal)
