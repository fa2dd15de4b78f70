"""Requests that leave out the figure or the column: the likely ones are shown, the best first."""

from dataclasses import replace

import pandas as pd
import pytest

from smoldesk.analyst.outcome import Outcome
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.sentence import sentence_of
from smoldesk.analyst.talk import UserTurn
from tests.analyst.test_hostile_tables import catalogue_of, read

FILMS = pd.DataFrame(
    {
        "name": ["Ann Bell", "Bob Cole", "Cy Dunn", "Ann Bell"],
        "film": ["The Lion in Winter", "Coquette", "Gaslight", "Rebecca"],
        "country": ["Canada", "England", "England", "Canada"],
        "opening_weekend_us": [3.5, 7.25, 1.0, 2.0],
        "bodywt": [60.5, 71.0, 55.5, 64.0],
    }
)


def shown(text: str) -> list[str]:
    outcome: Outcome = read(text, FILMS)[0]
    return [sentence_of(candidate.query, outcome.language) for candidate in outcome.shown]


def test_a_dictionary_word_is_no_misspelling_of_a_cell() -> None:
    assert not any("Winter" in sentence for sentence in shown("how many winners from England"))


def test_two_sides_with_which_are_groups() -> None:
    assert "by country" in shown("average bodywt of Canada and England, which is higher")[0]


def test_the_average_of_two_values_is_one_of_each() -> None:
    assert "by country" in shown("average bodywt of Canada and England")[0]
    assert "by country" not in shown("total bodywt of Canada and England")[0]


@pytest.mark.parametrize("most", ["一番", "いちばん", "最も", "もっとも"])
def test_the_largest_in_japanese_is_the_row_with_the_highest_figure(most: str) -> None:
    parks = pd.DataFrame({"公園": ["東", "西", "南", "北"], "面積": [10.5, 71.0, 55.5, 64.0]})
    outcome = read(f"{most}広い公園は？", parks)[0]
    assert sentence_of(outcome.shown[0].query, "ja") == "面積が最も高い行"


def test_a_word_of_several_headers_is_the_one_of_their_total() -> None:
    medals = pd.DataFrame(
        {"country": ["A", "B"], **{f"medals.{kind}": [1, 2] for kind in ("gold", "silver", "total")}}
    )
    first = read("Which country won the most medals?", medals)[0].shown[0]
    assert "medals.total" in sentence_of(first.query, "en")


def test_a_header_may_end_in_an_abbreviation() -> None:
    assert shown("average body weight") == ["average bodywt"]


def test_the_start_of_a_header_names_its_column() -> None:
    assert "opening_weekend_us" in shown("average opening weekend")[0]


CLUB = pd.DataFrame(
    {
        "Member No": ["M1", "M2", "M3", "M4", "M1", "M2", "M5", "M6", "M1", "M3"],
        "Sex": ["F", "M", "F", "M", "F", "M", "F", "M", "F", "F"],
        "Age": [61, 44, 52, 70, 61, 44, 33, 58, 61, 52],
        "Booked": ["2024-01-02", "2024-01-05", "2024-02-01", "2024-02-03", "2024-03-01"] * 2,
        "Returned": ["2024-01-04", "2024-01-06", "2024-02-06", "2024-02-08", "2024-03-03"] * 2,
        "Fee paid": [20.0, 35.5, 20.0, 12.0, 18.0, 35.5, 20.0, 40.0, 20.0, 15.0],
        "Grade": ["A", "B", "A", "C", "A", "B", "B", "A", "A", "C"],
    }
)


def club(*texts: str) -> list[str]:
    """Sentences of the readings shown for the last of some requests."""
    outcome = read_talk([UserTurn(text) for text in texts], catalogue_of(CLUB))
    return [sentence_of(candidate.query, outcome.language) for candidate in outcome.shown]


def test_a_question_about_them_keeps_the_conditions_before() -> None:
    sentences = club("how many women are in the list?", "how many of them are over 50?")
    assert sentences[0] == "number of rows where Sex is F and Age over 50"


def test_things_whose_ids_stand_in_several_rows_may_be_what_is_counted() -> None:
    assert "number of different Member No where Sex is F" in club("how many women do we have?")


def test_a_number_of_times_selects_groups() -> None:
    assert any(
        sentence.startswith("Member No with number of rows at least 3")
        for sentence in club("which Member No came at least 3 times?")
    )


def test_the_days_between_two_dates_are_a_figure() -> None:
    assert club("average number of days from Booked to Returned")[0] == "average Returned − Booked"


def test_a_letter_behind_its_header_is_a_cell_and_an_article_is_none() -> None:
    assert club("how many with grade A")[0] == "number of rows where Grade is A"
    assert club("average Age of a member")[0] == "average Age"


def test_an_unknown_superlative_is_tried_as_each_measure() -> None:
    outcome = read_talk([UserTurn("which Sex was the snazziest?")], catalogue_of(CLUB))
    sentences = {sentence_of(candidate.query, "en") for candidate in outcome.candidates}
    assert {"rows with the highest Age", "rows with the highest Fee paid"} <= sentences


FLATS = pd.DataFrame(
    {
        "Flat": ["M01", "M02", "M03", "W01", "W02", "W03"],
        "Building": ["Maple House", "Maple House", "Maple House", "The Mill", "The Mill", "The Mill"],
        "Bedrooms": ["2", "Studio", "3", "2", "2", "1"],
        "Hours": [4.0, 2.5, 6.0, 3.0, 1.5, 2.0],
        "Date": ["2024-01-02", "2024-01-05", "2024-02-01", "2024-02-03", "2024-03-01", "2024-03-09"],
    }
)


def flats(name: str, *texts: str) -> list[str]:
    catalogue = catalogue_of(FLATS)
    named = replace(catalogue, tables=[replace(table, name=name) for table in catalogue.tables])
    outcome = read_talk([UserTurn(text) for text in texts], named)
    return [sentence_of(candidate.query, outcome.language) for candidate in outcome.shown]


def test_a_number_before_a_header_may_be_a_cell_among_words() -> None:
    first = "how many 2 bedroom flats do we have?"
    assert flats("rent", first)[0] == "number of rows where Bedrooms is 2"
    followed = flats("rent", first, "how many of those are in The Mill?")
    assert followed[0] == "number of rows where Bedrooms is 2 and Building is The Mill"


def test_a_table_whose_name_has_a_header_in_it_leaves_the_header_to_its_column() -> None:
    assert "total Hours by month" in flats("volunteer hours", "volunteer hours per month")


SALES = pd.DataFrame(
    {
        "rep": ["Ann", "Bob"] * 20,
        "amount": [100 * n for n in range(1, 41)],
        "discount": [0.0, 0.1, 0.5, 0.2] * 10,
        "year": [2020, 2021] * 20,
    }
)


def of_sales(text: str) -> Outcome:
    catalogue = catalogue_of(SALES)
    table = catalogue.tables[0]
    numbers = SALES.select_dtypes("number").agg(["min", "max"]).astype(str)
    spans = {str(name): tuple(numbers[name]) for name in numbers}
    columns = [replace(column, span=spans.get(column.name, ())) for column in table.columns]
    return read_talk([UserTurn(text)], replace(catalogue, tables=[replace(table, columns=columns)]))


def test_a_limit_that_no_row_reaches_is_one_of_the_groups_totals() -> None:
    best = of_sales("which rep sold an amount of more than 30000").best
    assert best is not None and best.query.having is not None and not best.query.where


def test_a_limit_within_the_numbers_of_a_column_stays_one_of_rows() -> None:
    best = of_sales("which rows have an amount of more than 3000").best
    assert best is not None and best.query.having is None and best.query.where


def test_percent_of_a_column_of_shares_is_a_share() -> None:
    best = of_sales("how many rows have a discount of at least 50 %").best
    assert best is not None and best.query.where[0][0].values == (0.5,)


def test_a_limit_outside_a_column_is_not_answered_alone() -> None:
    assert len(of_sales("number of rows with amount over 500").shown) == 1
    assert len(of_sales("number of rows with amount over 50000").shown) != 1


def test_a_column_of_the_tables_name_comes_before_its_rows() -> None:
    stock = pd.DataFrame({"倉庫": ["東", "西"] * 20, "在庫数": range(40)})
    catalogue = catalogue_of(stock)
    named = replace(catalogue, tables=[replace(catalogue.tables[0], name="在庫")])
    best = read_talk([UserTurn("倉庫別の在庫数の合計")], named).best
    assert best is not None and best.query.first.column == "在庫数"


@pytest.mark.parametrize(
    ("columns", "text", "expected"),
    [
        (("item", "units", "price"), "revenue by item", "total units × price by item"),
        (
            ("item", "units", "price"),
            "which item had the highest sales?",
            "total units × price by item highest first",
        ),
        (("item", "units", "price"), "how many sales by item", "number of rows by item"),
        (("item", "units", "price"), "total price", "total price"),
        (("item", "units", "price", "amount"), "revenue by item", "total amount by item"),
        (("商品", "数量", "単価"), "商品別の売上は？", "total 数量 × 単価 by 商品"),
    ],
)
def test_takings_are_pieces_times_their_price(columns: tuple[str, ...], text: str, expected: str) -> None:
    orders = pd.DataFrame([["tea", 2, 3.5, 7.0], ["milk", 1, 1.25, 1.25], ["tea", 4, 3.25, 13.0]])
    table = orders.iloc[:, : len(columns)].set_axis([*columns], axis=1)
    assert sentence_of(read(text, table)[0].shown[0].query, "en") == expected
