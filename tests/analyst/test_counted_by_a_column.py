"""What a column counts, years that are rows, and cells in quotes: `how many birds` of No. of birds, 申込「なし」."""

from pathlib import Path

import pytest

from tests.analyst.small_tables import SmallDesk

BIRDS = "Seen at,species,No. of birds\n2025-04-05,curlew,3\n2025-04-06,curlew,4\n2025-04-07,heron,10\n2025-05-01,heron,\n"
SKI = "year,Visitors,Snowfall (cm)\n" + "\n".join(
    f"{year},{visitors},{snow}"
    for year, visitors, snow in ((2019, 900, 210), (2020, 700, 190), (2021, 240, 400), (2022, 800, 430))
)
NURSERY = "利用日,園児名,金額(税込),本数,事前申込\n" + "\n".join(
    f"2024-06-0{n},{name},{n}00,{n},{asked}"
    for n, name, asked in (
        (1, "あおい", "あり"),
        (2, "はると", "なし"),
        (3, "ゆい", "なし"),
        (4, "そら", "あり"),
        (5, "りこ", "なし"),
    )
)


@pytest.fixture(scope="module")
def birds(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("birds"), data=BIRDS)


@pytest.fixture(scope="module")
def ski(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("ski"), data=SKI)


@pytest.fixture(scope="module")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("nursery"), data=NURSERY)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("how many birds were counted altogether?", "17"),
        ("how many birds by species", "heron: 10"),
        ("how many sightings are there", "4 rows"),
    ],
)
def test_what_a_column_counts_is_added_up(birds: SmallDesk, asked: str, told: str) -> None:
    assert told in birds.ask(asked).text


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("which year had the fewest visitors?", "240 (year 2021)"),
        ("year on year change in visitors in percent", "2022: 233.3 %"),
        ("plot visitors over the years as a line", "2019"),
    ],
)
def test_years_that_are_rows(ski: SmallDesk, asked: str, told: str) -> None:
    assert told in ski.ask(asked).text


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("事前申込「なし」は全体の何%ですか", "60.0 %"),
        ("事前申込が「あり」の割合は？", "40.0 %"),
        ("月ごとの売上金額の推移", "1,500"),
    ],
)
def test_cells_in_quotes_and_amounts(nursery: SmallDesk, asked: str, told: str) -> None:
    assert told in nursery.ask(asked).text


@pytest.mark.parametrize("asked", ["あおいさんは申し込んだほうがいいですか？", "もっと申し込むべきですか？"])
def test_advice_is_declined(nursery: SmallDesk, asked: str) -> None:
    assert "答えられません" in nursery.ask(asked).text


def test_names_of_single_rows_are_listed_and_not_counted(nursery: SmallDesk) -> None:
    said = nursery.ask("事前申込がなしの園児名は？").text
    assert all(name in said for name in ("はると", "ゆい", "りこ")) and "行数" not in said


def test_which_rows_meet_a_condition_of_a_figure(birds: SmallDesk) -> None:
    said = birds.ask("sightings with more than 3 birds: which ones?")
    assert "2 rows" in said.text and list(said.tables[0]["species"]) == ["curlew", "heron"]


def test_a_day_is_no_group_of_its_own(tmp_path: Path) -> None:
    catch = "Boat,kg,Landed\nA,3,2024-05-01\nB,4,2024-05-02\nA,5,2024-06-02\n"
    said = SmallDesk(tmp_path, data=catch).ask("how many kg did boat A bring that were landed in total?").text
    assert "00:00:00" not in said
