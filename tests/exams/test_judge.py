"""The judge judged: right and wrong answers for each kind of expectation."""

from typing import Any

import pytest

from tests.exams.answer import Answer, Grid
from tests.exams.case import Case
from tests.exams.judge import CHECKS, judge


def verdict(expect: dict[str, Any], answer: Answer, turn: str = "a question", lang: Any = "en") -> str:
    return judge(Case("x", lang, "some", [turn], expect), answer).verdict


def shown(*rows: list[Any], columns: list[str] | None = None, text: str = "Here it is.") -> Answer:
    return Answer(text, tables=[Grid(columns or [f"c{place}" for place in range(len(rows[0]))], list(rows))])


def test_every_expectation_of_this_file_is_one_the_judge_knows() -> None:
    assert set(CHECKS) == {
        *("number", "percent", "numbers", "pairs", "names", "image", "file", "messages"),
        *("code names", "code leaves out"),
    }


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (16.5, "Median ride minutes: 16.5."),
        (16.5, "Median ride minutes: 16.50 (from 8 values in 8 rows)."),
        (5.77, "The average is 5.766666."),
        (5.77, "The average is 5.78, one place off."),
        (35680.23, "In total $35,680.23."),
        (35680.23, "In total 35,680."),
        (3, "3 rides match."),
        (215, "合計は２１５．０です。"),
        (-0.52, "The correlation is -0.523."),
        (0, "0 rows."),
        (16.5, "Result:\n\n- median: 16.5"),
    ],
)
def test_a_key_figure_within_a_place_is_right(expected: float, text: str) -> None:
    lang = "ja" if "合計" in text else "en"
    assert verdict({"number": expected}, Answer(text), lang=lang) == "right"


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (16.5, "Median ride minutes: 18.5."),
        (5.77, "The average is 5.8."),  # two digits do not tell it from its neighbours
        (3, "4 rides match."),
        (3, "Rides of Room3 match."),
        (3, "The last one was on 2024-03-03."),
        (0.52, "The correlation is -0.52."),
        (16.5, "By station:\n\n- Harbour: 12.0\n- Zoo: 16.5\n- Mill: 9.0"),  # a list is not a key figure
        (16.5, "16 min"),
    ],
)
def test_another_figure_is_wrong(expected: float, text: str) -> None:
    assert verdict({"number": expected}, Answer(text)) == "wrong"


def test_a_key_figure_may_stand_in_a_table_of_one_row_only() -> None:
    assert verdict({"number": 16.5}, shown([16.5])) == "right"
    assert verdict({"number": 16.5}, shown([16.5], [12.0])) == "wrong"


def test_other_numbers_may_be_as_right() -> None:
    assert verdict({"number": 4, "or": [5]}, Answer("5 rows.")) == "right"
    assert verdict({"number": 4, "or": [5]}, Answer("6 rows.")) == "wrong"


def test_a_percentage_without_blanks_must_say_so() -> None:
    expect = {"percent": 50.0, "or without blanks, said so": 60.0}
    assert verdict(expect, Answer("50.0 % of the rows.")) == "right"
    assert verdict(expect, Answer("60.0 % of the rows; 1 blank is left out.")) == "right"
    assert verdict(expect, Answer("60.0 % of the rows.")) == "wrong"
    assert verdict({"percent": 50.0}, Answer("0.5 of the rows.")) == "wrong"


def test_all_of_several_figures_must_be_there() -> None:
    expect = {"numbers": [1.5, 4, 9.25]}
    assert verdict(expect, shown(["mean", 4.0], ["min", 1.5], ["max", 9.25])) == "right"
    assert verdict(expect, Answer("From 1.5 to 9.25, on average 4.")) == "right"
    assert verdict(expect, Answer("From 1.5 to 9.25.")) == "wrong"


PAIRS = {"casual": 5.77, "member": 2.48}


@pytest.mark.parametrize(
    "answer",
    [
        shown(["casual", 5.7667], ["member", 2.475]),
        shown(["casual", 3, 5.77], ["member", 5, 2.48], ["(blank)", 1, 4.0]),
        Answer("Highest: casual (5.77).\n\n- casual: 5.77\n- member: 2.48"),
        Answer("casual: 5.77, member: 2.48"),
        Answer("Casual riders go 5.77 km; member ones 2.48 km."),
        Answer("Saved.", files=[("r.csv", Grid(["rider", "km"], [["casual", 5.77], ["member", 2.48]]))]),
    ],
)
def test_pairs_are_found_in_tables_lines_and_files(answer: Answer) -> None:
    assert verdict({"pairs": PAIRS}, answer) == "right"


@pytest.mark.parametrize(
    "answer",
    [
        shown(["casual", 2.48], ["member", 5.77]),
        shown(["casual", 5.77]),
        shown(["casual", 5.77], ["member", 2.48], ["tourist", 9.0], ["child", 1.0], ["dog", 2.0]),
        Answer("casual: 2.48, member: 5.77"),
        Answer("- casual: 5.77\n- member: 2.48\n- x: 1\n- y: 2\n- z: 3"),
        Answer("The average is 5.77."),
    ],
)
def test_pairs_that_are_swapped_missing_or_too_many_are_wrong(answer: Answer) -> None:
    assert verdict({"pairs": PAIRS}, answer) == "wrong"


def test_pairs_in_order() -> None:
    expect = {"pairs": {"b": 9, "a": 5}, "order": True}
    assert verdict(expect, shown(["b", 9], ["a", 5])) == "right"
    assert verdict(expect, shown(["a", 5], ["b", 9])) == "wrong"
    assert verdict(expect, Answer("- b: 9\n- a: 5")) == "right"
    assert verdict(expect, Answer("- a: 5\n- b: 9")) == "wrong"


def test_pairs_of_two_keys_are_read_long_and_wide() -> None:
    expect = {"pairs": {"ENT, admitted": 3, "ENT, home": 7, "GP, home": 5}}
    assert verdict(expect, shown(["ENT", "admitted", 3], ["ENT", "home", 7], ["GP", "home", 5])) == "right"
    wide = shown(["ENT", 3, 7], ["GP", 0, 5], columns=["dept", "admitted", "home"])
    assert verdict(expect, wide) == "right"
    swapped = shown(["ENT", 3, 7], ["GP", 0, 5], columns=["dept", "home", "admitted"])
    assert verdict(expect, swapped) == "wrong"
    assert verdict(expect, Answer("- ENT, admitted: 3\n- ENT, home: 7\n- GP, home: 5")) == "right"
    assert verdict(expect, Answer("- ENT, admitted: 7\n- ENT, home: 3\n- GP, home: 5")) == "wrong"


@pytest.mark.parametrize(
    ("key", "cell"),
    [
        ("2024-05", "2024-05-01T00:00:00"),
        ("2024-05", "2024年5月"),
        ("2024-05", "May 2024"),
        ("2024-05-03", "2024/5/3"),
        ("2023", "2023-12-31"),
        ("2023", 2023.0),
        ("8", "08:00"),
        ("Monday | Mon", "Mon"),
        ("月曜日 | 月", "月"),
    ],
)
def test_dates_hours_and_spellings_of_a_key(key: str, cell: Any) -> None:
    assert verdict({"pairs": {key: 41}}, shown([cell, 41])) == "right"
    assert verdict({"pairs": {key: 41}}, shown(["2019-11", 41])) == "wrong"


def test_a_whole_number_as_key_is_not_its_value() -> None:
    assert verdict({"pairs": {"5": 7}}, shown(["x", "y", 7, 5])) == "wrong"


def test_other_pairs_may_be_as_right() -> None:
    expect = {"pairs": {"a": 1.0}, "or pairs": {"a": 2.0}}
    assert verdict(expect, shown(["a", 2.0])) == "right"
    assert verdict(expect, shown(["a", 3.0])) == "wrong"


def test_the_name_that_answers_comes_before_the_others() -> None:
    expect = {"names": ["Zoo"], "others": ["Harbour", "Zoo"]}
    assert verdict(expect, Answer("Fewest rows: Zoo (14).")) == "right"
    assert verdict(expect, Answer("Zoo (14), while Harbour has 90.")) == "right"
    assert verdict(expect, Answer("Most rows: Harbour (90), then Zoo.")) == "wrong"
    assert verdict(expect, Answer("Zookeepers: 3.")) == "wrong"
    assert verdict(expect, shown(["Zoo", 14], ["Harbour", 90])) == "right"
    assert verdict(expect, shown(["Harbour", 90], ["Zoo", 14])) == "wrong"


def test_the_best_few_may_stand_in_the_list_below_the_first() -> None:
    expect = {"names": ["Zoo", "Park"], "others": ["Harbour", "Mill"]}
    assert verdict(expect, Answer("Highest: Zoo (9).\n\n- Zoo: 9\n- Park: 7")) == "right"
    assert verdict(expect, Answer("Highest: Zoo (9).\n\n- Zoo: 9\n- Mill: 8\n- Park: 7")) == "wrong"
    assert verdict(expect, Answer("Highest: Zoo (9).")) == "wrong"


def test_all_names_of_a_list_must_be_there() -> None:
    assert verdict({"names": ["km", "Helmet"]}, Answer("km has 2, Helmet has 3.")) == "right"
    assert verdict({"names": ["km", "Helmet"]}, Answer("km has 2.")) == "wrong"
    assert verdict({"names": ["km", "Helmet"]}, shown(["km", 2], ["Helmet", 3])) == "right"


IMAGE = {"type": "image", "content": ""}


def test_an_image_of_the_right_kind_and_columns() -> None:
    expect = {"image": True, "plot": "pie", "code names": ["Status"]}
    assert verdict(expect, Answer("Drawn.", 'ax.pie(df["Status"])', messages=[IMAGE])) == "right"
    assert verdict(expect, Answer("Drawn.", 'ax.bar(df["Status"])', messages=[IMAGE])) == "wrong"
    assert verdict(expect, Answer("Drawn.", 'ax.pie(df["Other"])', messages=[IMAGE])) == "wrong"
    assert verdict(expect, Answer("Drawn.", 'ax.pie(df["Status"])')) == "wrong"


def test_a_column_nobody_asked_for_is_not_drawn_beside_the_asked_one() -> None:
    expect = {"image": True, "code names": ["delay"], "code leaves out": ["avg fare"]}
    assert verdict(expect, Answer("Drawn.", 'df["delay"].plot()', messages=[IMAGE])) == "right"
    both = Answer("Drawn.", 'df[["avg fare", "delay"]].plot()', messages=[IMAGE])
    assert verdict(expect, both) == "wrong"


def test_a_file_of_the_right_kind() -> None:
    assert verdict({"file": "csv"}, Answer("Saved.", files=[("a.csv", None)])) == "right"
    assert verdict({"file": "xlsx"}, Answer("Saved.", files=[("a.csv", None)])) == "wrong"


def drawn(**content: Any) -> Answer:
    return Answer("Done.", messages=[{"type": "map", "content": content}])


def overlay(**sign: Any) -> dict[str, Any]:
    return sign | {"position": {"type": "rectangle", "name": "Room1"}}


def test_what_the_map_is_told() -> None:
    expect = {"messages": [{"type": "map", "overlays": [{"type": "text", "text": "Exit", "at": "Room1"}]}]}
    assert verdict(expect, drawn(overlays=[overlay(type="text", text="Exit")])) == "right"
    assert verdict(expect, drawn(overlays=[overlay(type="text", text="Way out")])) == "wrong"
    assert verdict(expect, drawn(rectangles=[{"name": "Room1"}])) == "wrong"


def test_rooms_that_are_painted_and_no_others() -> None:
    expect = {"messages": [{"type": "map", "rectangles": [{"name": "Room1"}], "only": True}]}
    assert verdict(expect, drawn(rectangles=[{"name": "Room1"}])) == "right"
    assert verdict(expect, drawn(rectangles=[{"name": "Room1"}, {"name": "Room2"}])) == "wrong"
    assert verdict(expect, drawn(rectangles=[{"name": "Room2"}])) == "wrong"


def test_an_arrow_is_an_arrow_or_its_icon() -> None:
    expect = {"messages": [{"type": "arrow", "room": "Room1", "direction": "left"}]}
    arrow = {"type": "arrow", "content": {"room": "Room1", "direction": "left"}}
    assert verdict(expect, Answer("Done.", messages=[arrow])) == "right"
    assert verdict(expect, drawn(overlays=[overlay(type="bitmap", bitmapId="arrow_left")])) == "right"
    assert verdict(expect, drawn(overlays=[overlay(type="bitmap", bitmapId="arrow_up")])) == "wrong"
    cleared = Answer("Done.", messages=[{"type": "clear_arrows", "content": {}}])
    assert verdict({"messages": [{"type": "clear_arrows"}]}, cleared) == "right"
    assert verdict({"messages": [{"type": "clear_map"}]}, cleared) == "wrong"


DECLINE = {"says it cannot": True, "no made-up answer": True, "names the missing column": "salary"}


def test_a_decline_says_so_and_names_the_word() -> None:
    text = "average salary of the top 5"
    assert verdict(DECLINE, Answer("I do not know the word 'salary'. Columns: a, b."), text) == "right"
    assert verdict(DECLINE, Answer("There is no 'salary' among the top 5."), text) == "right"
    listing = "I do not know 'salary'. The columns are: marks (/100), age 2."
    assert verdict(DECLINE, Answer(listing), text) == "right"
    assert verdict(DECLINE, Answer("I do not know 'salary(yen)' nor salaryman."), text) == "right"
    assert verdict(DECLINE, Answer("I do not know that word."), text) == "declined"
    age = DECLINE | {"names the missing column": "age"}
    assert verdict(age, Answer("I do not know 'ages'."), "average age") == "right"
    assert verdict(age, Answer("I do not know how to average that."), "average age") == "declined"
    assert verdict(DECLINE, Answer("Average age: 31.2."), text) == "wrong"
    assert verdict(DECLINE, Answer("I do not know salary, but it is 1,200."), text) == "wrong"
    assert verdict(DECLINE, Answer("Average: 12.5. I do not know more of 'salary'."), text) == "wrong"
    assert verdict(DECLINE, shown(["a", 1], text="There is no 'salary'; see this."), text) == "wrong"
    assert verdict(DECLINE, Answer("「salary」が分かりません。"), text) == "declined"


def test_a_japanese_decline() -> None:
    expect = DECLINE | {"names the missing column": "肥料"}
    text = "肥料の平均使用量は?"
    assert (
        verdict(expect, Answer("「肥料」が分かりません。列は 年収[万円]、満足度(5段階) です。"), text, "ja")
        == "right"
    )
    assert verdict(expect, Answer("平均は 12.5 です。"), text, "ja") == "wrong"
    assert verdict(expect, Answer("平均は 12.5 です。肥料は分かりません。"), text, "ja") == "wrong"
    assert verdict(expect, Answer("I do not know the word '肥料' at all."), text, "ja") == "declined"


def test_refusing_what_could_be_answered_is_not_confidently_wrong() -> None:
    assert (
        verdict({"number": 3}, Answer("I do not know the word 'ppl'. The columns are: a 1, b 2."))
        == "declined"
    )
    assert verdict({"number": 3}, Answer("どの列ですか。候補: 在庫数"), lang="ja") == "declined"
    assert (
        verdict({"number": 3}, Answer("描画ができます。データには別のエージェントが必要です。"), lang="ja")
        == "declined"
    )
    assert verdict({"number": 3}, Answer(fault="step_limit: too many steps")) == "declined"


def test_a_claim_with_a_refusal_behind_it_is_confidently_wrong() -> None:
    assert verdict({"number": 3}, Answer("Average: 12. There is no value in 4 rows.")) == "wrong"
    assert verdict({"number": 3}, Answer("There are no blanks in 12 rows.")) == "wrong"
    assert verdict({"names": ["km"]}, Answer("There are no missing values.")) == "wrong"
    assert verdict({"names": ["km"]}, Answer("欠損値はありません。"), lang="ja") == "wrong"
    assert verdict({"pairs": PAIRS}, shown(["x", 1], text="I cannot say more.")) == "wrong"


def test_the_answer_speaks_the_language_of_the_question() -> None:
    assert verdict({"number": 3}, Answer("3件です。"), lang="en") == "wrong"
    assert verdict({"number": 3}, Answer("There are 3 rows in it."), lang="ja") == "wrong"
    assert verdict({"number": 3}, Answer("売上(円): 3"), lang="en") == "right"
