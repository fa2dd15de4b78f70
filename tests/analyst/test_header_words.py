"""The Japanese of English headers: the lists by field of life, and the names put together from them."""

import tomllib
from pathlib import Path

import pytest

from smoldesk.analyst.tables.column_names import column_terms
from smoldesk.analyst.tables.english_headers import japanese_names
from smoldesk.analyst.tables.header_words import (
    FOLDER,
    header_words,
    segments,
    short_words,
)
from smoldesk.analyst.words.text import is_japanese, key


@pytest.mark.parametrize(
    "file", sorted(FOLDER.glob("*.toml")), ids=[file.stem for file in sorted(FOLDER.glob("*.toml"))]
)
def test_each_list_has_keys_as_headers_are_read_and_no_english_meaning(file: Path) -> None:
    sections = tomllib.loads(file.read_text(encoding="utf-8"))
    assert set(sections) <= {"words", "short"}
    for word in (*sections.get("words", {}), *sections.get("short", {})):
        assert word == key(word)
    for word, text in sections.get("words", {}).items():
        said = [one.strip() for one in text.split(",")]
        assert all(said) and len(said) == len(set(said)), word


def test_a_word_in_two_files_has_the_words_of_both() -> None:
    files = [tomllib.loads(file.read_text(encoding="utf-8")) for file in FOLDER.glob("*.toml")]
    both = [one["words"]["volume"] for one in files if "volume" in one.get("words", {})]
    assert len(both) > 1
    assert set(header_words()["volume"]) == {word.strip() for text in both for word in text.split(",")}


def test_every_abbreviation_stands_for_known_words() -> None:
    unknown = [
        short
        for short, long in short_words().items()
        if not all(words for _, words in segments(long.split(" ")))
    ]
    assert unknown == []


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ("Freight_cost", ("運賃", "送料")),
        ("Freight Amt", ("運賃", "送料")),
        ("Carrier name", ("運送会社", "運送会社名", "配送業者")),
        ("station distance", ("駅距離", "駅までの距離")),
        ("Walk to Station (min)", ("駅まで徒歩", "駅徒歩")),
        ("delay_days", ("遅延", "遅延日数")),
        ("leaf_count", ("葉", "葉の数", "葉の枚数")),
        ("light_hours/day", ("日照時間", "1日の日照時間")),
        ("Rate/Night (JPY)", ("1泊料金", "1泊あたりの料金")),
        ("check_in", ("チェックイン",)),
        ("CheckIn date", ("チェックイン", "チェックイン日")),
        ("ship city", ("配送先", "配送先の都市")),
        ("Dest City", ("配送先", "配送先の都市", "目的地")),
        ("Order Qty", ("注文数", "注文数量")),
        ("avg temp", ("平均気温",)),
        ("OT hrs", ("残業時間",)),
        ("Cust addr", ("顧客住所",)),
        ("dob", ("生年月日", "誕生日")),
        ("net wt", ("正味重量",)),
        ("number of voters", ("有権者数",)),
        ("planted on", ("植え付け日",)),
        ("sold by", ("販売者", "販売担当者")),
    ],
)
def test_an_english_header_has_its_japanese_names(header: str, names: tuple[str, ...]) -> None:
    assert set(names) <= set(column_terms(header))


@pytest.mark.parametrize(
    ("header", "names"),
    [("emp_id", ("社員番号", "社員id")), ("Shipment No.", ("出荷番号",)), ("Inv no", ("請求書番号",))],
)
def test_an_id_is_called_by_the_number_of_its_noun(header: str, names: tuple[str, ...]) -> None:
    assert set(names) <= set(column_terms(header, is_id=True))


def test_a_name_without_its_last_word_is_weaker_than_the_whole() -> None:
    names = dict(japanese_names(["flight", "delay", "hours"]))
    assert 0 < names["便遅延"] < names["便遅延時間"]


@pytest.mark.parametrize("header", ["order_date", "Order cost", "customer count", "visit date"])
def test_what_rows_are_called_is_no_short_form(header: str) -> None:
    assert not {"注文", "顧客", "客"} & {
        name for name, _ in japanese_names(header.lower().replace("_", " ").split())
    }


@pytest.mark.parametrize(
    "header", ["percent", "average", "count", "difference", "median", "value", "ratio", "cases"]
)
def test_words_that_ask_for_a_figure_are_no_names(header: str) -> None:
    said = {name for name, _ in japanese_names([header])}
    assert not said & {"平均", "割合", "数", "件数", "差", "中央値", "値", "最大", "件"}


def test_an_unknown_word_gives_no_name() -> None:
    assert list(japanese_names(["freight", "zyxw"])) == []
    assert all(is_japanese(name) for name, _ in japanese_names(["freight", "weight"]))
