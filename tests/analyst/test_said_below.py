"""What an answer says of itself: what was cleaned, which rows were used, which figure was taken when none was named."""

from pathlib import Path

import pytest

from tests.analyst.small_tables import SmallDesk

FEES = """Class,Member,Fee,Discount,Paid On
A,yes,"¥1,200",5%,20/12/2023
A,no,¥500,10%,21/12/2023
B,,-,0%,24/12/2023
B,yes,¥800,20%,27/12/2023
,no,¥900,5%,28/12/2023
"""
JAPANESE = """区分,会員,料金,支払日
A,はい,"1,200円",令和5年12月20日
B,いいえ,500円,令和6年1月4日
B,,-,令和6年1月9日
"""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("fees"), ledger=FEES)


@pytest.fixture(scope="module")
def japanese(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("fees"), ledger=JAPANESE)


@pytest.mark.parametrize("tools", [False, True], ids=["code", "tools"])
def test_numbers_that_were_text_are_told_of(desk: SmallDesk, japanese: SmallDesk, tools: bool) -> None:
    said = desk.ask("total fee", tools=tools)
    assert said.first == "Total Fee: 3,400."
    assert 'Fee was text such as "¥1,200"; I read 4 of 5 as numbers.' in said.text
    assert "1 of Fee could not be read as numbers." in said.text
    said = japanese.ask("料金の合計は？", tools=tools)
    assert "1,700" in said.first
    assert "料金は「1,200円」のような文字だったため、3件中2件を数値として読みました。" in said.text
    assert "1件は数値として読めませんでした" in said.text


def test_percent_signs_are_told_of(desk: SmallDesk) -> None:
    said = desk.ask("average discount")
    assert ": 8." in said.first and "12% counts as 12" in said.text


def test_dates_that_were_text_are_told_of(desk: SmallDesk, japanese: SmallDesk) -> None:
    said = desk.ask("how many rows since 24 december 2023")
    assert said.first.startswith("3 ")
    assert 'Paid On was text such as "20/12/2023", read as 2023-12-20.' in said.text
    said = japanese.ask("月ごとの件数")
    assert "支払日は「令和5年12月20日」のような文字で、2023-12-20のように日付として読みました。" in said.text


def test_nothing_is_told_of_plain_numbers(tmp_path: Path) -> None:
    said = SmallDesk(tmp_path, plain="kind,size\na,1\nb,2.5\n").ask("average size")
    assert "text" not in said.text and "1.75" in said.first


def test_the_usual_figure_is_told_of_and_the_other_one_shown(desk: SmallDesk, tmp_path: Path) -> None:
    said = desk.ask("discount by class")
    assert "You named no figure, so I took the average; the median stands beside it." in said.text
    assert [*said.tables[0].columns] == ["Class", "average Discount", "median Discount"]
    named = desk.ask("average discount by class")
    assert "You named no figure" not in named.text and len(named.tables[0].columns) == 2
    sold = SmallDesk(tmp_path, sold="店,売上\n東,100\n東,300\n西,50\n").ask("店別の売上")
    assert "東（400）" in sold.first and "合計で計算し、平均も並べました" in sold.text


def test_rows_without_a_group_or_a_value_are_told_of(desk: SmallDesk) -> None:
    said = desk.ask("average fee by class")
    assert "From 3 of 5 rows." in said.text and "Rows without Fee or Class are left out." in said.text


def test_a_share_says_how_blanks_were_counted(desk: SmallDesk, japanese: SmallDesk) -> None:
    said = desk.ask("share of members")
    assert "40.0 % (2 of 5 rows)" in said.first
    assert "1 blank cells of Member are counted in the total; without them it is 50.0 %." in said.text
    grouped = desk.ask("share of members by class")
    assert "B: 50.0 %" in grouped.text and "1 blank cells of Member are counted in the total." in grouped.text
    assert "空白を除くと50.0 %" in japanese.ask("会員の割合").text


def test_a_range_says_that_its_ends_belong_to_it(desk: SmallDesk, japanese: SmallDesk) -> None:
    said = desk.ask("how many rows with a fee between 500 and 900")
    assert said.first.startswith("3 ") and "500 ≤ Fee ≤ 900" in said.first
    assert "Both ends of the range are included." in said.text
    assert "範囲の両端を含みます" in japanese.ask("料金が500以上1200以下の件数").text


def test_when_no_row_is_found_the_span_of_the_column_is_told(desk: SmallDesk, japanese: SmallDesk) -> None:
    said = desk.ask("how many rows with a fee over 5000")
    assert said.first.startswith("0 ") and "Fee goes from 500 to 1,200." in said.text
    assert desk.ask("average discount with fee over 5000").text.endswith("Fee goes from 500 to 1,200.")
    assert "料金は500から1,200までです。" in japanese.ask("料金が5000以上の件数").text
    assert "goes from" not in desk.ask("how many rows with a fee over 700").text


def test_a_column_without_values_has_no_figure(tmp_path: Path) -> None:
    desk = SmallDesk(tmp_path, plain="kind,size\na,1\nb,2\nc,\n")
    assert desk.ask("average size where kind is c").text == "There are no values of size here."


@pytest.mark.parametrize(
    ("values", "shown"),
    [("12345678901.5,12345678901.5", "24,691,357,803"), ("0.1,0.2", "0.3"), ("0.00012,0.00021", "0.00033")],
)
def test_figures_have_as_many_places_as_their_size_needs(tmp_path: Path, values: str, shown: str) -> None:
    rows = "\n".join(f"a,{one}" for one in values.split(","))
    assert (
        f"Total weight: {shown}."
        in SmallDesk(tmp_path, plain=f"kind,weight\n{rows}\n").ask("total weight").first
    )


def test_a_saved_file_does_not_stand_in_for_the_table_it_came_from(tmp_path: Path) -> None:
    rooms = "room,Temperature\nHall,20\nHall,22\nAttic,30\n"
    saved = "room,average Temperature\nHall,21\nAttic,30\n"
    desk = SmallDesk(
        tmp_path, saved=("mean_Temperature_by_room",), rooms=rooms, mean_Temperature_by_room=saved
    )
    assert ": 24." in desk.ask("average Temperature").first
    assert "25.50" in desk.ask("mean of average Temperature in mean_Temperature_by_room").first
