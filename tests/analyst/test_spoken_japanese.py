"""Spoken Japanese over tables nobody has seen: columns said by their cells, by deeds and in other words."""

from typing import Any

import pytest

from smoldesk.analyst.intents import DataIntent, Refusal
from smoldesk.analyst.words.japanese_verbs import denied_forms, plain_denials, stem_of
from tests.analyst.test_unseen_tables import intent
from tests.analyst.test_ways_of_asking_ja import said

LOANS = """番号,受付日,引渡日,品名,点数,代金,割増,棟,部屋番号,電気料金
1,2024-05-01,2024-05-04,上着,2,"1,400円",あり,東棟,101,900
2,2024-05-02,,外套,1,"2,300円",なし,東棟,102,1100
3,2024-06-03,2024-06-09,上着,3,"2,100円",なし,西棟,201,800
4,2024-06-05,,毛布,1,"1,800円",あり,西棟,101,950
5,2024-06-08,2024-06-10,毛布,2,"3,600円",なし,東棟,102,700
"""
MARKS = """氏名,組,国語,数学,英語,要補習,欠席日数
青木,1組,60,70,80,,1
伊東,1組,85,90,95,,0
上田,2組,40,55,30,○,9
江口,2組,88,81,86,,2
大野,1組,72,64,,○,3
"""
DEVICES = """asset_no,device type,purchase_date,price per unit,battery health,warranty,visits (last month)
A1,laptop,2021-03-01,1200,80,yes,3
A2,laptop,2022-05-02,1500,40,no,0
A3,printer,2022-07-09,300,,yes,7
A4,printer,2023-01-15,350,65,no,2
"""
CATCHES = """回,日付,釣り場,魚種,体長(cm),釣った人,持ち帰り,会員
1,2024-05-03,堤防,アジ,18,健太,○,○
2,2024-05-05,磯,メジナ,31,美咲,×,×
3,2024-05-12,堤防,アジ,21,健太,○,○
4,2024-06-01,河口,サバ,27,大輔,×,×
"""
WAYS: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
    # a column said by its cells
    (LOANS, ("割増ありとなしで代金の平均の差は?",), {"operation": "difference", "figures": ("mean",)}),
    (LOANS, ("代金の平均は?", "ありとなしで分けると?"), {"groups": ("割増",), "figures": ("mean",)}),
    (LOANS, ("割増（あり・なし）と棟のクロス集計",), {"groups": ("割増", "棟")}),
    (LOANS, ("割増の有無別に代金の合計",), {"groups": ("割増",), "figures": ("sum",)}),
    (MARKS, ("要補習の人は何人?",), {"rows": [("要補習", "!=")]}),
    (MARKS, ("要補習じゃない人は何人?",), {"rows": [("要補習", "==")]}),
    # a day said by what was done on it
    (LOANS, ("まだ渡していないのは何件?",), {"rows": [("引渡日", "==")]}),
    (LOANS, ("まだ取りに来てないのは何件?",), {"rows": [("引渡日", "==")]}),
    (LOANS, ("引き渡しがまだのものは何件?",), {"rows": [("引渡日", "==")]}),
    (LOANS, ("6月に渡したのは何件?",), {"rows": [("引渡日", "==", 6.0)]}),
    (LOANS, ("受付から引き渡しまで平均何日?",), {"measures": ("受付日から引渡日までの期間(日)",)}),
    (LOANS, ("受付月ごとの件数",), {"figures": ("count",), "groups": ()}),
    (DEVICES, ("購入年ごとの台数",), {"figures": ("count",)}),
    # headers in other words
    (LOANS, ("電気代の合計",), {"measures": ("電気料金",), "figures": ("sum",)}),
    (LOANS, ("棟ごとの売上は?",), {"measures": ("代金",), "figures": ("sum",), "groups": ("棟",)}),
    (LOANS, ("合計いくら?",), {"measures": ("代金",), "figures": ("sum",)}),
    (LOANS, ("101号室の電気代の合計",), {"rows": [("部屋番号", "==", 101.0)]}),
    (LOANS, ("部屋ごとの電気料金の合計",), {"groups": ("部屋番号",)}),
    (DEVICES, ("機器の種類別の平均単価は?", "購入日が2022年だと?"), {"groups": ("device type",)}),
    (DEVICES, ("バッテリーの状態が一番悪いのはどれ?",), {"operation": "top", "order": "asc"}),
    (DEVICES, ("保証なしは何台?",), {"rows": [("warranty", "==", "no")]}),
    (DEVICES, ("先月の訪問回数の合計",), {"measures": ("visits (last month)",)}),
    (DEVICES, ("プリンターは何台?",), {"rows": [("device type", "==", "printer")]}),
    # nouns of the rows and verbs of what the table is about
    (CATCHES, ("持ち帰った魚は何匹?",), {"figures": ("count",), "rows": [("持ち帰り", "==", "○")]}),
    (CATCHES, ("持ち帰らなかったのは何匹?",), {"rows": [("持ち帰り", "==", "×")]}),
    (CATCHES, ("健太が釣った魚の平均体長は?",), {"figures": ("mean",), "groups": ()}),
    (CATCHES, ("一番多く釣れた魚は?",), {"groups": ("魚種",), "order": "desc"}),
    (CATCHES, ("会員と非会員で体長の平均を比べて",), {"groups": ("会員",), "rows": []}),
    (CATCHES, ("体長が20以上の回はいくつ?",), {"figures": ("count",)}),
    (CATCHES, ("アジは何匹釣れましたか",), {"rows": [("魚種", "==", "アジ")]}),
    # subjects together
    (MARKS, ("3教科の合計が一番高い人は誰?",), {"measures": ("国語 + 数学 + 英語", "氏名")}),
    (
        MARKS,
        ("3教科とも80点以上の人は何人?",),
        {"rows": [(one, ">=", 80.0) for one in ("国語", "数学", "英語")]},
    ),
    (MARKS, ("組ごとの数学の平均点は?", "英語も同じように"), {"measures": ("英語",), "groups": ("組",)}),
    (MARKS, ("数学と英語の点数って相関どれくらい?",), {"operation": "correlation"}),
    # spoken
    (LOANS, ("代金ぜんぶでいくら?",), {"measures": ("代金",), "figures": ("sum",)}),
    (LOANS, ("いちばん稼いでる棟ってどこ?",), {"measures": ("代金",), "groups": ("棟",), "order": "desc"}),
    (LOANS, ("東棟と西棟で平均代金くらべたいです",), {"figures": ("mean",), "groups": ("棟",)}),
    (MARKS, ("欠席が多すぎる人いる?",), {"operation": "outliers", "measures": ("欠席日数",)}),
    (MARKS, ("数学の標準偏差いくつ",), {"figures": ("std",), "measures": ("数学",)}),
    (MARKS, ("英語抜けてるの誰?",), {"operation": "head", "rows": [("英語", "==")]}),
    (MARKS, ("欠席一番多いの誰?",), {"measures": ("欠席日数",), "order": "desc"}),
    (LOANS, ("代金が一番高いのはどれ?",), {"operation": "top", "measures": ("代金",)}),
    (LOANS, ("上着は合計で何点?",), {"measures": ("点数",), "figures": ("sum",)}),
    (LOANS, ("全棟合わせて代金が一番多かった月は?",), {"measures": ("代金",), "order": "desc", "groups": ()}),
]


@pytest.mark.parametrize(("table", "talk", "wanted"), WAYS, ids=[" / ".join(talk) for _, talk, _ in WAYS])
def test_it_comes_to_what_it_means(table: str, talk: tuple[str, ...], wanted: dict[str, Any]) -> None:
    read = intent(table, *talk)
    assert isinstance(read, DataIntent), read
    assert {name: said(read)[name] for name in wanted} == wanted


@pytest.mark.parametrize(
    ("table", "question", "word"),
    [
        (LOANS, "ガス代の合計は?", "ガス代"),
        (LOANS, "仕上げ時間が一番長い品名はどれ?", "仕上げ時間"),
        (LOANS, "壊れたのは何件?", "壊"),
        (LOANS, "まだ褒めていないのは何件?", "褒"),
        (MARKS, "塾の料金の平均は?", "塾"),
        (MARKS, "身長が一番高いのは誰?", "身長"),
        (DEVICES, "消費電力の平均は?", "消費電力"),
    ],
)
def test_what_no_column_says_is_still_refused(table: str, question: str, word: str) -> None:
    read = intent(table, question)
    assert isinstance(read, Refusal), read
    assert any(word in said_word or said_word in word for said_word in read.words), read


def test_a_size_nobody_measured_is_no_number_of_rows() -> None:
    read = intent(MARKS, "一番大きい組は?")
    assert isinstance(read, Refusal), read


def test_verbs_are_denied_in_their_forms() -> None:
    assert {"売れていない", "売れてない", "売れていません"} <= set(denied_forms("売れる"))
    assert {"取りに来ていない", "取りに来てない"} <= set(denied_forms("取りに来る"))
    assert {"持ち帰らない", "持ち帰らなかった", "持ち帰っていない"} <= set(plain_denials("持ち帰り"))
    assert {"予約しなかった", "予約されていない"} <= set(plain_denials("予約"))
    assert [stem_of(verb) for verb in ("引き渡す", "受け付ける", "解決する")] == [
        "引き渡し",
        "受け付け",
        "解決",
    ]
