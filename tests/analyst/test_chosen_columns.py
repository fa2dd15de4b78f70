"""Chosen columns of chosen rows, one row looked up, the day it tells, and numbers cut into ranges."""

from typing import Any

import pytest

from tests.analyst.small_tables import SmallDesk

CREW = "Crew No,Full Name,Deck,Signed on,Age,Wage ($),Cabin,Licensed\n" + "\n".join(
    (
        "C1,Mara Quist,Upper,2020-03-01,44,5200,A1,yes",
        "C2,Odd Berg,Lower,2021-07-15,29,3900,B4,no",
        "C3,Pia Lund,Upper,2019-11-20,51,6100,A2,yes",
        "C4,Rolf Dahl,Engine,2022-05-09,37,4300,E7,no",
    )
)
PLANTS = "鉢番号,品種,植えた日,置き場所,高さ(cm),値段(円)\n" + "\n".join(
    (
        "P1,バラ,2024/03/01,窓辺,40,1200",
        "P2,ユリ,2024/04/11,庭,75,800",
        "P3,シダ,2024/04/20,窓辺,22,500",
        "P4,バラ,2024/05/05,庭,58,1500",
    )
)
STAFF = "番号,氏名,課,採用日,年齢\n" + "\n".join(
    ("K1,山本春,総務課,2015/04/01,45", "K2,林夏子,経理課,2019/10/01,31", "K3,森秋男,総務課,2021/04/01,38")
)


@pytest.fixture(scope="module")
def crew(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("crew"), employees=CREW)


@pytest.fixture(scope="module")
def plants(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("plants"), 鉢植え=PLANTS)


@pytest.fixture(scope="module")
def staff(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("staff"), data=STAFF)


def rows(frame: Any) -> tuple[list[str], list[list[Any]]]:
    return list(frame.columns), frame.to_numpy().tolist()


@pytest.mark.parametrize("tools", [False, True])
def test_chosen_columns_of_chosen_rows_are_shown_alone(crew: SmallDesk, tools: bool) -> None:
    said = crew.ask("list names and ages of the licensed employees", tools=tools)
    assert rows(said.tables[0]) == (["Full Name", "Age"], [["Mara Quist", 44], ["Pia Lund", 51]])
    assert "Mara Quist (44), Pia Lund (51)" in said.first


def test_what_names_each_row_stands_beside_the_columns(crew: SmallDesk) -> None:
    said = crew.ask("show deck and wage for employees over 40")
    assert rows(said.tables[0]) == (
        ["Full Name", "Deck", "Wage ($)"],
        [["Mara Quist", "Upper", 5200], ["Pia Lund", "Upper", 6100]],
    )


def test_a_follow_up_narrows_the_chosen_rows(crew: SmallDesk) -> None:
    said = crew.ask("list name and cabin", "only the upper deck")
    assert rows(said.tables[0]) == (["Full Name", "Cabin"], [["Mara Quist", "A1"], ["Pia Lund", "A2"]])


@pytest.mark.parametrize("question", ["置き場所が窓辺の品種と高さ", "窓辺の品種と高さを見せて"])
def test_columns_of_rows_in_japanese(plants: SmallDesk, question: str) -> None:
    said = plants.ask(question)
    assert rows(said.tables[0]) == (["鉢番号", "品種", "高さ(cm)"], [["P1", "バラ", 40], ["P3", "シダ", 22]])


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("age of Odd Berg", "Age of Odd Berg: 29."),
        ("what deck does Pia Lund work on", "Deck of Pia Lund: Upper."),
        ("what is Rolf Dahl's wage", "Wage ($) of Rolf Dahl: 4,300."),
        ("is Odd Berg licensed", "No. Licensed of Odd Berg: no."),
        ("when did Pia Lund join", "Signed on of Pia Lund: 2019-11-20."),
    ],
)
def test_one_row_is_answered_with_its_cell(crew: SmallDesk, question: str, answer: str) -> None:
    assert crew.ask(question).first == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("林夏子の課は", "林夏子の課: 経理課。"),
        ("森秋男はいつ採用された", "森秋男の採用日: 2021-04-01。"),
        ("山本春は総務課ですか", "はい。山本春の課: 総務課。"),
    ],
)
def test_one_row_in_japanese(staff: SmallDesk, question: str, answer: str) -> None:
    assert staff.ask(question).first == answer


def test_rows_that_differ_keep_the_usual_figure(plants: SmallDesk) -> None:
    assert "49" in plants.ask("バラの高さは").first


@pytest.mark.parametrize(
    "question", ["when did Odd Berg leave", "when did Zed Moe join", "is the average age over 30"]
)
def test_what_no_cell_tells_is_declined(crew: SmallDesk, question: str) -> None:
    assert not crew.ask(question).tables


def test_when_the_oldest_joined_is_the_row_of_the_highest_age(crew: SmallDesk) -> None:
    assert "Pia Lund, 2019-11-20" in crew.ask("when did the oldest employee join").first


def test_two_tables_are_still_joined(tmp_path: Any) -> None:
    extra = "Crew No,Bonus\nC1,10\nC2,20\nC3,30\nC4,40"
    said = SmallDesk(tmp_path, crew=CREW, extras=extra).ask(
        "join crew and extras and show total bonus by deck"
    )
    assert dict(said.tables[0].to_numpy().tolist()) == {"Upper": 40, "Engine": 40, "Lower": 20}


@pytest.mark.parametrize("question", ["average wage by age group", "average wage per decade of age"])
def test_ages_are_cut_into_decades(crew: SmallDesk, question: str) -> None:
    said = crew.ask(question)
    frame = said.tables[0]
    assert frame.iloc[:, 0].astype(str).tolist() == ["20s", "30s", "40s", "50s"]
    assert frame.iloc[:, 1].tolist() == [3900, 4300, 5200, 6100]
    assert "ranges of 10" in said.text


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("値段を500円ごとに区切って件数", ["500以上1,000未満", "1,000以上1,500未満", "1,500以上2,000未満"]),
        ("高さを20cm刻みの件数", ["20以上40未満", "40以上60未満", "60以上80未満"]),
    ],
)
def test_a_width_that_is_said_is_taken(plants: SmallDesk, question: str, names: list[str]) -> None:
    assert plants.ask(question).tables[0].iloc[:, 0].astype(str).tolist() == names


def test_decades_in_japanese_and_their_follow_up(staff: SmallDesk) -> None:
    said = staff.ask("年代別の人数", "総務課だけ")
    assert said.tables[0].astype(str).to_numpy().tolist() == [["30代", "1"], ["40代", "1"]]


def test_a_column_of_groups_is_no_number_to_cut(tmp_path: Any) -> None:
    desk = SmallDesk(tmp_path, riders="Age,Age group,Fare\n30,adult,5\n31,adult,7\n9,child,3")
    assert dict(desk.ask("average fare by age group").tables[0].iloc[:, :2].to_numpy().tolist()) == {
        "adult": 6,
        "child": 3,
    }
