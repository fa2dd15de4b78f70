"""Words put together from what a table holds, long vowels left out, and hours asked for with their counts."""

import pytest

from smoldesk.analyst.intents import DataIntent, Filter, Refusal
from tests.analyst.test_unseen_tables import intent

REPAIRS = """受付番号,受付日時,品物,修理内容,料金,所要日数,担当
K1,2024-05-03 9:10,スニーカー,縫い直し,1650,3,大谷
K2,2024-05-04 9:40,ブーツ,クリーニング,13200,12,三浦
K3,2024-05-07 17:05,スニーカー,クリーニング,2750,5,大谷
K4,2024-05-09 17:30,ブーツ,縫い直し,3100,4,三浦
"""
MONTHS = """年月,本店売上(千円),支店売上(千円),肥料(kg),催し回数
2023年4月,9650,4120,120,2
2023年5月,13480,6035,90,4
2023年6月,9120,3890,,1
"""
SHOWS = """Ep_No,Title,guest type,Downloads,Sponsored?
1,Bread,chef,3210,no
2,Ocean,scientist,4875,yes
3,Letters,chef,2640,no
"""


@pytest.mark.parametrize(
    ("table", "asked", "wanted"),
    [
        (REPAIRS, "修理代は全部でいくら?", {"measures": ("料金",), "aggregates": ("sum",)}),
        (REPAIRS, "担当別の修理費の平均", {"measures": ("料金",), "groups": ("担当",)}),
        (REPAIRS, "スニカーの平均料金は?", {"filters": (Filter("品物", "==", ("スニーカー",)),)}),
        (REPAIRS, "料金の外れ値は何件ありますか(IQR基準で)", {"operation": "outliers"}),
        (REPAIRS, "何時台に何件あったか教えて", {"grain": "hour of day", "aggregates": ("count",)}),
        (REPAIRS, "大谷と三浦では、所要日数の平均はどちらが長い?", {"order": "desc", "groups": ("担当",)}),
        (MONTHS, "本店と支店、それぞれの売上の平均は?", {"measures": ("本店売上(千円)", "支店売上(千円)")}),
        (MONTHS, "肥料の使用量の合計", {"measures": ("肥料(kg)",), "aggregates": ("sum",)}),
        (MONTHS, "催しを2回以上開いた月の平均本店売上", {"filters": (Filter("催し回数", ">=", (2.0,)),)}),
        (SHOWS, "ダウンロド数の平均は?", {"measures": ("Downloads",), "aggregates": ("mean",)}),
        (SHOWS, "スポンサー付きは何件?", {"filters": (Filter("Sponsored?", "==", ("yes",)),)}),
        (SHOWS, "ゲストがchefの平均ダウンロード数は?", {"filters": (Filter("guest type", "==", ("chef",)),)}),
    ],
)
def test_is_read(table: str, asked: str, wanted: dict[str, object]) -> None:
    read = intent(table, asked)
    assert isinstance(read, DataIntent)
    assert {name: getattr(read, name) for name in wanted} == wanted


@pytest.mark.parametrize(
    ("table", "asked"),
    [
        (REPAIRS, "部品代の合計は?"),
        (REPAIRS, "靴代の合計は?"),
        (REPAIRS, "ブツの件数"),
        (REPAIRS, "何時台に何件の電話があったか"),
        (MONTHS, "本店とカフェ、それぞれの売上の平均"),
        (MONTHS, "肥料の購入量の合計"),
        (MONTHS, "会議を2回以上開いた月の平均本店売上"),
        (SHOWS, "ゲストは何人?"),
        (SHOWS, "スポンサー名の一覧"),
    ],
)
def test_is_declined(table: str, asked: str) -> None:
    assert isinstance(intent(table, asked), Refusal)
