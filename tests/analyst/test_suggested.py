"""Questions on a file's card: by the roles of its columns, and each is read as what it says."""

import re

import pandas as pd
import pytest

from smoldesk.analyst.catalogue import Catalogue, ColumnInfo, TableInfo
from smoldesk.analyst.chat_schemas import build_schemas
from smoldesk.analyst.language import Language
from smoldesk.analyst.query import Query
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.suggested import suggested
from smoldesk.analyst.talk import UserTurn
from smoldesk.analyst.units import is_japanese
from smoldesk.tables.inside.columns import Describer

ROWS = 60
SHOPS = pd.DataFrame(
    {
        "Unnamed: 0": range(ROWS),
        "order_id": [70_000 + 3 * at for at in range(ROWS)],
        "shop": ["North", "South", "West"] * 20,
        "postal code": [10115, 80331, 20095] * 20,
        "sales": [float(at * 7 % 50) for at in range(ROWS)],
        "rating": [1.5 + at * 3 % 7 / 2 for at in range(ROWS)],
        "day": pd.date_range("2024-01-01", periods=ROWS).astype(str),
        "country": ["DE"] * ROWS,
        "note": [None] * ROWS,
    }
)
NEVER = re.compile(r"Unnamed|order_id|postal|country|note", re.IGNORECASE)
PANEL = pd.DataFrame(
    {
        "都道府県": [f"県{at}" for at in range(12)] * 5,
        "年": [year for year in range(2019, 2024) for _ in range(12)],
        "人口": [1000 + at * 37 % 400 for at in range(ROWS)],
        "面積": [30.5 + at * 11 % 90 for at in range(ROWS)],
    }
)
WIDE = pd.DataFrame(
    {"city": list("abcdef"), **{name: [4.5, 6, 8, 1, 2, 9] for name in ("Jan", "Feb", "Mar", "Apr")}}
)
WORDS = pd.DataFrame(
    {
        "average": [1.5, 2.5, 3.5, 4.5] * 10,
        "sum": [2.5, 1.5, 7.5, 4.5] * 10,
        "by": ["top", "where", "and", "is"] * 10,
        "top": ["count", "total", "of", "or"] * 10,
        "correlation": [8.5, 1.5, 3.5, 4.5] * 10,
        "を": ["ごと", "別", "合計", "平均"] * 10,
        "合計": [1.5, 2.5, 9.5, 4.5] * 10,
    }
)
KINDS = pd.DataFrame(
    {
        "kind": ["All kinds", "tea", "coffee"] * 20,
        "year": [year for year in range(2001, 2021) for _ in range(3)],
        "sales": [part + at * part for at in range(20) for part in (100.5, 60.25, 40.25)],
    }
)
REGIONS = KINDS.rename(columns={"kind": "地域", "year": "年", "sales": "販売数"}).replace(
    {"All kinds": "全国", "tea": "東", "coffee": "西"}
)
# One row a day; months beside each other; groups with the number of their members; several statistics in one column.
DAYS = pd.DataFrame(
    {
        "date": pd.date_range("2024-01-01", periods=100).astype(str),
        "weekday": ["Mon", "Tue", "Wed", "Thu", "Fri"] * 20,
        "rain": [at * 7 % 13 + 0.5 for at in range(100)],
        "wind": [at * 5 % 11 + 0.5 for at in range(100)],
    }
)
MONTHS = pd.DataFrame(
    {"YEAR": range(1990, 2020), **{name: [at * 0.5 for at in range(30)] for name in ("JAN", "FEB", "MAR")}}
)
CELLS = pd.DataFrame(
    {
        "Admit": ["yes", "no"] * 12,
        "Gender": ["m", "m", "f", "f"] * 6,
        "Dept": [dept for dept in "ABCDEF" for _ in range(4)],
        "Freq": [at * 37 % 101 for at in range(24)],
    }
)
STATISTICS = pd.DataFrame(
    {
        "indicator": ["population", "ratio"] * 20,
        "region": [region for region in ("East", "West", "North", "South") for _ in range(10)],
        "value": [9000 + at * 17 % 900 if at % 2 == 0 else 90.5 + at % 7 for at in range(40)],
    }
)
CODES = pd.DataFrame(
    {
        "均質番号": [1, 2] * 20,
        "品質情報": [8, 5] * 20,
        "area": ["東京", "大阪", "京都", "奈良"] * 10,
        "area_kana": ["トウキョウ", "オオサカ", "キョウト", "ナラ"] * 10,
        "rate": [at % 9 / 10 for at in range(40)],
    }
)
# One row for each pair; levels every month; a rate by year; names only.
GRID = pd.DataFrame(
    {
        "division": [division for division in ("north", "south", "west") for _ in range(12)],
        "day": [str(day) for _ in range(3) for day in pd.date_range("2020-01-01", periods=12, freq="MS")],
        "rate": [at * 7 % 11 / 10 for at in range(36)],
    }
)
MONTHLY = pd.DataFrame(
    {
        "day": pd.date_range("2010-01-01", periods=120, freq="MS").astype(str),
        "co2": [380.5 + at for at in range(120)],
    }
)
RATES = pd.DataFrame(
    {
        "country": [f"country {at}" for at in range(12)],
        "indicator": ["Fertility rate, births per woman"] * 12,
        **{str(year): [1.5 + at * year % 7 / 2 for at in range(12)] for year in range(2001, 2005)},
    }
)
NAMES = pd.DataFrame({"bank_id": range(70, 90), "name": [f"bank {at}" for at in range(20)]})
LABELS = pd.DataFrame({"name": [f"n{at}" for at in range(20)], "kind": ["x", "x", "x", "y"] * 5})


DEPTHS = pd.DataFrame(
    {
        "年月日": pd.date_range("2024-01-01", periods=60).astype(str),
        "最深積雪(cm)": [at * 7 % 13 for at in range(60)],
    }
)
CHANCES = pd.DataFrame(
    {
        "group": ["a", "b"] * 15,
        "win": [at / 40 for at in range(30)],
        "price": ["1,200", "950", "unknown", *(f"{at},000" for at in range(10, 37))],
    }
)


def catalogue(**frames: pd.DataFrame) -> Catalogue:
    def info(name: str, frame: pd.DataFrame) -> TableInfo:
        columns = [
            ColumnInfo(
                item["name"], item["kind"], item["values"], item.get("form", ""), tuple(item.get("span", ())), item["role"],
                bool(frame[item["name"]].isna().any()), step=item.get("step", ""), whole=item.get("whole", ""),
                traits=tuple(item.get("traits", ())), explained=item.get("explained", {}),
                latest=item.get("latest", ""), divisions=item.get("divisions", ()),
            )
            for item in Describer().columns(frame)
        ]  # fmt: skip
        return TableInfo(name, columns, len(frame), name, f"{name}.csv")

    return Catalogue([info(name, frame) for name, frame in frames.items()], {}, {}, [], "")


# Levels: people in each month, no sum over them, and the cases so far; a rate that hardly changes.
MONTHS_OF = pd.date_range("2020-01-01", periods=12, freq="MS").astype(str)
LEVELS = pd.DataFrame(
    {
        "town": [town for town in ("North", "South", "West", "East", "Port") for _ in range(12)],
        "day": [*MONTHS_OF] * 5,
        "inhabitants": [size + at for size in (9000, 500, 70, 260, 880) for at in range(12)],
        "life": [size + at / 10 for size in (70, 75, 80, 71, 69) for at in range(12)],
    }
)
CASES = pd.DataFrame(
    {
        "地区": [f"地区{at}" for at in range(15) for _ in range(12)],
        "年": [*range(2001, 2013)] * 15,
        "報告済み": [at * at * (place + 3) for place in range(15) for at in range(12)],
    }
)


PANEL_QUESTIONS = [
    "年が2023の行で、都道府県別の人口の合計",
    "年別の人口の合計、折れ線グラフ",
    "都道府県別の面積の平均",
]


def questions(language: Language, **frames: pd.DataFrame) -> list[list[str]]:
    tables = build_schemas(catalogue(**frames)).chat_tables
    return [suggested(table, tables, language) for table in tables]


@pytest.mark.parametrize(
    ("language", "frame", "expected"),
    [
        (
            "en",
            SHOPS,
            [
                "total sales by week, as line chart",
                "total sales by shop",
                "average rating by week, as line chart",
            ],
        ),
        (
            "ja",
            SHOPS,
            [
                "週ごとのsalesの合計、折れ線グラフ",
                "shop別のsalesの合計",
                "週ごとのratingの平均、折れ線グラフ",
            ],
        ),
        # In the language of the headers.
        ("en", PANEL, PANEL_QUESTIONS),
        ("ja", PANEL, PANEL_QUESTIONS),
        ("en", WIDE, ["top 5 city by Apr", "average of Jan to Apr, as line chart", "top 5 city by Jan"]),
        (
            "ja",
            WIDE,
            ["Aprが大きいcityの上位5件", "Jan〜Aprの平均、折れ線グラフ", "Janが大きいcityの上位5件"],
        ),
        (
            "en",
            LABELS,
            [
                "number of rows by kind, as bar chart",
                "first 5 rows",
                "number of different name",
            ],
        ),
        (
            "en",
            DAYS,
            [
                "average rain by week, as line chart",
                "average wind by week, as line chart",
                "histogram of rain",
            ],
        ),
        (
            "en",
            MONTHS,
            [f"{fn} of JAN to MAR, as line chart" for fn in ("average", "maximum", "minimum")],
        ),
        ("en", CELLS, [f"total Freq by {name}" for name in ("Gender", "Dept", "Admit")]),
        (
            "en",
            STATISTICS,
            [
                "average value by region where indicator is population",
                "maximum value by region where indicator is population",
                "histogram of value",
            ],
        ),
        ("en", CODES, ["area別のrateの平均", "rateのヒストグラム", "area別のrateの最大値"]),
        (
            "en",
            KINDS,
            [
                "total sales by kind",
                "total sales by year, as line chart",
                "maximum sales by kind",
            ],
        ),
        (
            "en",
            GRID,
            ["average rate by division", "average rate by month, as line chart", "maximum rate by division"],
        ),
        (
            "en",
            MONTHLY,
            ["average co2 by year, as line chart", "histogram of co2", "average co2"],
        ),
        (
            "en",
            RATES,
            [
                "top 5 country by 2004",
                "average of 2001 to 2004, as line chart",
                "top 5 country by 2001",
            ],
        ),
        (
            "en",
            CHANCES,
            ["average win by group", "average price by group", "histogram of win"],
        ),
        (
            "ja",
            DEPTHS,
            ["週ごとの最深積雪(cm)の平均、折れ線グラフ", "最深積雪(cm)のヒストグラム", "最深積雪(cm)の平均"],
        ),
        (
            "en",
            LEVELS,
            [
                "average life by town",
                "total inhabitants by month, as line chart",
                "correlation of inhabitants and life",
            ],
        ),
        (
            "ja",
            CASES,
            [
                "年が2012の行で、地区別の報告済みの合計、上位5件",
                "年別の報告済みの合計、折れ線グラフ",
                "地区別の報告済みの最大値",
            ],
        ),
        (
            "ja",
            pd.DataFrame({"数学": [at * 37 % 61 for at in range(40)]}),
            ["数学のヒストグラム", "数学の平均", "数学の最大値"],
        ),
        ("en", NAMES, ["number of different name", "number of rows", "first 5 rows"]),
        ("ja", NAMES, ["nameの種類数", "行数", "最初の5行"]),
        (
            "ja",
            REGIONS,
            [
                "地域別の販売数の合計",
                "年別の販売数の合計、折れ線グラフ",
                "地域別の販売数の最大値",
            ],
        ),
    ],
)
def test_questions_are_by_category_over_time_and_about_a_relation(
    language: Language, frame: pd.DataFrame, expected: list[str]
) -> None:
    assert questions(language, table=frame) == [expected]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_no_question_is_about_an_id_a_code_an_index_or_a_constant(language: Language) -> None:
    [texts] = questions(language, table=SHOPS)
    assert len(texts) == 3
    assert not any(map(NEVER.search, texts))


@pytest.mark.parametrize("language", ["en", "ja"])
def test_each_question_is_read_as_one_query_of_its_table_and_in_its_language(language: Language) -> None:
    frames = {
        "shops": SHOPS,
        "panel": PANEL,
        "wide": WIDE,
        "words": WORDS,
        "again": SHOPS,
        "names": NAMES,
        "labels": LABELS,
    }
    tables = catalogue(**frames)
    for schema in build_schemas(tables).chat_tables:
        texts = suggested(schema, build_schemas(tables).chat_tables, language)
        assert len(texts) == 3, schema.info.name
        for text in texts:
            outcome = read_talk([UserTurn(text)], tables)
            assert isinstance(outcome.intent, Query), text
            assert outcome.intent.table == schema.info.name, text
            headers = "".join(column.name for column in schema.columns)
            expected = "ja" if is_japanese(headers) else language
            assert outcome.language == expected, text


@pytest.mark.parametrize(
    ("clicked", "asked", "conditions"),
    [
        ("number of rows where shop is North", "which shop has the most sales?", 0),
        ("shopがNorthの行で、行数", "salesがいちばん多いshopは？", 0),
        ("total sales by shop where shop is North", "what is the highest rating?", 0),
        ("number of rows where shop is North", "which month has the most rows?", 0),
        ("average sales where shop is North", "only rating over 2", 2),
        ("shopがNorthの行で、salesの平均", "では、ratingは？", 1),
    ],
)
def test_only_a_follow_up_keeps_the_filter_of_a_clicked_question(
    clicked: str, asked: str, conditions: int
) -> None:
    intent = read_talk([UserTurn(clicked), UserTurn(asked)], catalogue(shops=SHOPS)).intent
    assert isinstance(intent, Query)
    assert len(intent.where) == conditions


def test_a_table_of_many_columns_is_asked_about_in_bounded_work() -> None:
    wide = pd.DataFrame(
        {f"measure {at}": [row * (at + 2) % 41 + 0.5 for row in range(40)] for at in range(200)}
    )
    [texts] = questions("en", table=wide)
    assert texts == [
        "correlation of measure 0 and measure 2",
        "histogram of measure 0",
        "correlation of measure 1 and measure 4",
    ]


def test_a_film_called_all_is_no_sum_of_the_others() -> None:
    films = pd.DataFrame(
        {
            "film": ["All the Best", *(f"film {at}" for at in range(59))],
            "genre": ["drama", "comedy"] * 30,
            "gross": [10 + at * 7 % 50 for at in range(ROWS)],
        }
    )
    assert questions("en", table=films)[0][:2] == ["total gross by genre", "top 5 film by gross"]


def test_the_grouping_that_tells_most_about_a_figure_comes_first_and_equal_groups_never() -> None:
    films = pd.DataFrame(
        {
            "weekday": ["Mon", "Tue", "Wed"] * 20,
            "studio": ["a", "a", "b", "b"] * 15,
            "genre": ["drama"] * 30 + ["comedy"] * 30,
            "length": [90 + 40 * (at >= 30) + at // 2 % 15 for at in range(ROWS)],
            "chance": [0.25 + at % 4 / 8 for at in range(ROWS)],
        }
    )
    [texts] = questions("en", table=films)
    assert texts[0] == "average length by genre"
    assert "average chance by genre" not in texts
    assert "average chance by weekday" not in texts


def test_shares_and_quartiles_are_averaged_and_a_figure_that_is_mostly_zero_comes_late() -> None:
    towns = pd.DataFrame(
        {
            "town": ["x", "y", "z"] * 20,
            "sales refund": [0] * 55 + [3, 9, 4, 8, 2],
            "energy": [at * 7 % 60 / 60 for at in range(ROWS)],
            "upper quartile sales": [900 + at * 7 % 61 + 20 * (at % 3) for at in range(ROWS)],
        }
    )
    [texts] = questions("en", table=towns)
    assert texts[:2] == [
        "average upper quartile sales by town",
        "correlation of energy and upper quartile sales",
    ]


def test_times_as_texts_are_a_line_and_a_panel_without_figures_is_counted_by_its_classes() -> None:
    people = pd.DataFrame(
        {
            "調査年": [f"{year}年" for year in range(1920, 2021, 5)],
            "value": [50.5 + at * 7 % 30 for at in range(21)],
        }
    )
    assert questions("ja", table=people)[0][0] == "調査年別のvalueの平均、折れ線グラフ"
    status = pd.DataFrame(
        {
            "country": [f"c{at}" for at in range(12) for _ in range(8)],
            "year": [*range(2010, 2018)] * 12,
            "status": ["free"] * 70 + ["endemic"] * 26,
        }
    )
    assert questions("en", table=status)[0][0] == "number of rows by status, as bar chart"


def test_times_of_one_day_have_no_course_over_time() -> None:
    times = pd.date_range("2024-07-30 08:00", periods=ROWS, freq="min").astype(str)
    [texts] = questions("en", visits=SHOPS[["shop", "sales", "rating"]].assign(at=times))
    assert len(texts) == 3 and not any("by day" in text or "line chart" in text for text in texts)
