"""A year said by what was done in it, beside dates of the rows' own."""

import pytest

from tests.analyst.small_tables import SmallDesk

SHIFTS = "氏名,勤務日,残業時間(h),入社年\n" + "\n".join(
    f"{name},2024-0{month}-1{month},{hours},{year}"
    for name, month, hours, year in (
        ("青木", 1, 1.0, 2010),
        ("石田", 2, 2.0, 2012),
        ("上田", 3, 3.0, 2015),
        ("江口", 4, 4.0, 2015),
        ("大野", 5, 6.0, 2020),
    )
)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("shifts"), shifts=SHIFTS)


@pytest.mark.parametrize(
    ("asked", "figure"),
    [
        ("2015年以降に入社した人の平均残業", "4.33"),
        ("2015年より前に入社した人の平均残業", "1.50"),
        ("2015年に入社した社員の平均残業は？", "3.50"),
        ("2012年から2015年までに入社した社員の平均残業", ": 3"),
        ("2015年入社の人の平均残業", "3.50"),
    ],
)
def test_the_column_of_that_deed_is_compared(desk: SmallDesk, asked: str, figure: str) -> None:
    text = desk.ask(asked).text
    assert figure in text and "入社年" in text


def test_a_year_of_nothing_said_is_that_of_the_rows(desk: SmallDesk) -> None:
    assert "勤務日" in desk.ask("2024年の残業時間の合計").text


def test_another_deed_is_not_taken_for_it(desk: SmallDesk) -> None:
    said = desk.ask("2015年に退職した人の平均残業").text
    assert "退職" in said and "3.50" not in said
