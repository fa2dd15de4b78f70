"""Questions of real files: trends over years and texts of time, nouns for values, and questions after others."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from smoldesk.analyst.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.model import BuiltinModel
from smoldesk.tables.inside.columns import Describer
from tests.analyst.desk import Desk

# As statistics offices publish it: the subject of the only figure is a constant.
CENSUS = pd.DataFrame(
    [
        {"表章項目": "人口", "地域": region, "時間軸": f"{year}年", "value": (year - 1900) * size}
        for region, size in (("北海道", 3), ("東京都", 9), ("大阪府", 5))
        for year in (1990, 2000, 2010, 2020)
    ]
)
GDP = pd.DataFrame(
    [
        {"entity": country, "year": year, "gdp_trillion": (year - 1990) * size}
        for country, size in (("Japan", 0.5), ("France", 0.25), ("Brazil", 0.125))
        for year in range(2000, 2012)
    ]
)
FLUX = pd.DataFrame(
    {"time": [*range(0, 600, 10)], "row": [*range(1, 31)] * 2, "flux": [90.5, 40.25, 20.0] * 20}
)
TEAMS = pd.DataFrame(
    {
        "team_id": range(50, 70),
        "team_name": [f"t{at}" for at in range(20)],
        "odds": [at * 7 % 20 + 0.5 for at in range(20)],
    }
)
# Numbers of districts, a rate of what is counted otherwise, and an average whose header ends in something else.
DISTRICTS = pd.DataFrame(
    {
        "district": [at // 2 + 1 for at in range(120)],
        "year": [1972, 1978] * 60,
        "crime": [20.5 + at // 2 * 7 % 60 for at in range(120)],
        "Average depth of wells, north": [3.0, 5.0] * 60,
    }
)
# Years of an era before those of the calendar; the whole among the prefectures and their codes, one row for each.
ERAS = pd.DataFrame(
    {
        "都道府県": ["東", "西", "南"] * 8,
        "和暦（年）": [year for year in (9, 14, 5, 10, 7, 12, 22, 27) for _ in range(3)],
        "西暦年": [year for year in range(1980, 2020, 5) for _ in range(3)],
        "世帯": [100 + at * 7 % 50 for at in range(24)],
    }
)
PREFECTURES = pd.DataFrame(
    {
        "pref_code": ["P00", *(f"P{at:02}" for at in range(1, 11))],
        "Pref": ["全国", *(f"県{at}" for at in range(1, 11))],
        "Population": [5500, *(100 * at for at in range(1, 11))],
    }
)
# Crimes of each region and year with the whole, and people that are there each year.
CRIMES = pd.DataFrame(
    [
        {"region": region, "year": year, "crime": kind, "number of crimes": size * part * (year % 7 + 1)}
        for region, size in (("North", 4), ("South", 5), ("West", 2))
        for year in range(2010, 2018)
        for kind, part in (("Murder", 10), ("Theft", 90))
    ]
)
PEOPLE = pd.DataFrame(
    [
        {"country": country, "continent": continent, "year": year, "pop": size * 1000 + year}
        for country, continent, size in (("Japan", "Asia", 9), ("Nepal", "Asia", 2), ("France", "Europe", 6))
        for year in range(2000, 2012)
    ]
)
CHICKS = pd.DataFrame(
    {
        "weight": [40 + day * (3 + chick % 7) for chick in range(20) for day in range(6)],
        "Time": [*range(6)] * 20,
        "Chick": [chick + 100 * (chick % 3) for chick in range(20) for _ in range(6)],
        "Diet": [f"diet {chick % 3}" for chick in range(20) for _ in range(6)],
    }
)
TOWNS = pd.DataFrame(
    {
        "市区町村名": [f"町{at}" for at in range(20)],
        **{
            f"{year}年（人口総数）": [year * (at * 7 % 20 + 1) for at in range(20)]
            for year in (1990, 2000, 2010)
        },
    }
)
CALLS = pd.DataFrame(
    {
        "call_no": range(1, 61),
        "Vessel": ["Ada", "Bea", "Cat", "Dot", "Eve"] * 12,
        "Tonnes": [at * 37 % 91 + 0.5 for at in range(60)],
    }
)
REQUESTS = pd.DataFrame(
    {
        "申請No": [f"S-{at}" for at in range(60)],
        "申請日": pd.date_range("2024-01-01", periods=60).astype(str),
        "申請者": ["田中", "佐藤", "鈴木"] * 20,
        "金額(円)": [at * 1000 for at in range(60)],
    }
)
RAIN = pd.DataFrame({"location": ["Leeds", "York"] * 20, "rain": [1.5, 2.25] * 20, "wind": [3.5, 1.25] * 20})


def desk_of(folder: Path, **frames: pd.DataFrame) -> Desk:
    """A desk whose tables are described as the reader of files describes them."""

    def info(table: TableInfo) -> TableInfo:
        columns: list[dict[str, Any]] = Describer().columns(frames[table.name])
        for column in columns:
            column["span"] = tuple(column.get("span", ()))
        return replace(table, columns=[ColumnInfo(**column) for column in columns])

    desk = Desk(folder, **frames)
    tables = [info(table) if table.name in frames else table for table in desk.catalogue.tables]
    desk.catalogue = replace(desk.catalogue, tables=tables)
    desk.model = BuiltinModel(desk.catalogue)
    return desk


@pytest.mark.parametrize(
    ("frame", "requests", "answer"),
    [
        (CENSUS, ["2020年の人口が一番多い都道府県は？"], "valueの合計が最も大きいのは東京都（1,080）です"),
        (CENSUS, ["北海道の人口の推移"], "valueの合計が最も大きいのは2020年（360）です（地域 = 北海道）。\n\n時間軸別"),
        (GDP, ["Which country had the highest GDP in 2010?"], "Highest total gdp_trillion: Japan (10.00)"),
        (GDP, ["How did the GDP of France develop?"], "Highest total gdp_trillion: 2011 (5.25)"),
        (GDP, ["highest GDP in 2010", "How did the GDP of France develop?"], "Highest total gdp_trillion: 2011"),
        (FLUX, ["Plot the flux over time"], "Highest total flux: 0"),
        (FLUX, ["How many rows are there?"], "60 rows"),
        (ERAS, ["2015年の世帯が最も多い都道府県は？"], "世帯の合計が最も大きいのは東（147）です（西暦年 = 2015）"),
        (PREFECTURES, ["Populationの平均"], "Populationの平均：550"),
        (PREFECTURES, ["人口が最も多い都道府県は？"], "Populationが最も大きい行：県10（1,000）"),
        (PREFECTURES, ["`pref_code`別のPopulation"], "Populationの合計が最も大きいのはP10（1,000）です"),
        (CRIMES, ["Which region had the most murders in 2012?"], "Highest total number of crimes: South (200)"),
        (CRIMES, ["How many murders were there in 2012?"], "Total number of crimes: 440"),
        (CRIMES, ["How many rows are there?"], "48 rows"),
        (CRIMES, ["total number of crimes by year"], "Highest total number of crimes: 2015 (7,700)"),
        (PEOPLE, ["total population"], "Total pop: 23,033 (year = 2011)."),
        (PEOPLE, ["Which continent has the most people?"], "Highest total pop: Asia (15,022) (year = 2011)."),
        (PEOPLE, ["population of Japan in 2005"], "Total pop: 11,005"),
        (PEOPLE, ["average pop"], "Average pop: 7,672.17."),
        (PEOPLE.assign(births=5), ["total pop minus births"], "Total pop - births: 276,018."),
        (TOWNS, ["2010年の人口が最も多い市区町村は？"], "2010年（人口総数）が最も大きい行：町17（40,200）"),
        (TOWNS, ["人口の推移"], "1990年（人口総数）の合計：417,900、2000年（人口総数）の合計"),
        (CALLS, ["How many different vessels have called here?"], "Number of different Vessel: 5."),
        (REQUESTS, ["３万円以上の申請は何件ありますか"], "tableの行数（金額(円) ≥ 30000）は30行です"),
        (CHICKS, ["Which chick is the heaviest?"], "Highest total weight: 6, 113 (375)."),
        (CHICKS, ["average weight by diet at time 5"], "Highest average weight: diet "),
        (RAIN, ["Which location had more total rain?"], "Highest total rain: York (45)."),
        (RAIN, ["Which location had less rain?"], "Lowest total rain: Leeds (30)."),
        (DISTRICTS, ["Which district has the highest crime?"], "Highest average crime: 18 (79.50)"),
        (DISTRICTS, ["crime by district"], "Highest average crime: 18 (79.50)"),
        (DISTRICTS, ["Average depth of wells, north by year"], "Highest average Average depth of wells, north: 1978 (5)"),
        (FLUX, ["What is the average flux?", "largest flux"], "Highest flux: 90.5"),
    ],
)  # fmt: skip
def test_questions_of_real_files(
    tmp_path: Path, frame: pd.DataFrame, requests: list[str], answer: str
) -> None:
    assert desk_of(tmp_path, table=frame).ask(*requests).answer.startswith(answer)


def test_a_name_is_meant_by_the_word_before_it(tmp_path: Path) -> None:
    answer = desk_of(tmp_path, table=TEAMS).ask("Which team has the highest odds?").answer
    assert "t17" in answer.splitlines()[0]


def test_the_highest_average_of_one_figure_counts_no_rows(tmp_path: Path) -> None:
    tickets = pd.DataFrame({"division": ["north", "south"] * 10, "Avg TP, $": [100.5, 90.25] * 10})
    answer = desk_of(tmp_path, table=tickets).ask("Which division has the highest average?").answer
    assert answer.startswith("Highest average Avg TP, $: north (100.50)")


def test_a_named_chart_comes_before_the_word_for_a_distribution(tmp_path: Path) -> None:
    [chart] = desk_of(tmp_path, table=RAIN).ask("location別にrainの分布を箱ひげ図で見せて").charts
    assert chart["mark"] == "boxplot" or chart["mark"]["type"] == "boxplot"
