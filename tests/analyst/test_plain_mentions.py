"""Words that add nothing to their neighbours, rows called by the noun of their id, what is done, which of several columns."""

from pathlib import Path

import pytest

from tests.analyst.small_tables import SmallDesk

LOANS = """Loan No,Title,Reader,Borrowed on,Returned on,Pages,Fee (EUR),first_reply_min,Full %
L1,Dune,Ann,2024-01-05,2024-01-12,410,2,5,80
L2,Emma,Bob,2024-01-08,,320,0,12,95
L3,Ulysses,Ann,2024-02-02,2024-02-20,730,4,7,80
L4,Momo,Cid,2024-02-11,,290,1,30,60
"""
KASHI = """貸出No,本,利用者,貸出日,返却日,備考,点数
K1,坊っちゃん,森,2024-01-05,2024-01-12,,70
K2,こころ,林,2024-01-08,,汚れ,85
K3,三四郎,森,2024-02-02,2024-02-20,,91
"""
MARKS = """Pupil,Form,Maths,English,Science
Amy,A,70,65,80
Bob,A,45,72,60
Cat,B,88,91,77
"""


@pytest.fixture
def loans(tmp_path: Path) -> SmallDesk:
    return SmallDesk(tmp_path, loans=LOANS)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("average first reply time", "13.50"),
        ("highest fee amount", "4"),
        ("average number of pages", "437.50"),
        ("how many loans with 80 or more full %", "3 rows"),
        ("how many loans are 80% or more full", "3 rows"),
    ],
)
def test_words_that_say_no_more_than_their_neighbours(loans: SmallDesk, said: str, told: str) -> None:
    assert told in loans.ask(said).first


@pytest.mark.parametrize("said", ["average reply weight", "average first reply warranty"])
def test_other_words_are_not_let_go(loans: SmallDesk, said: str) -> None:
    assert "13.50" not in loans.ask(said).text


@pytest.mark.parametrize("said", ["how many loans are there", "number of loans"])
def test_rows_are_called_by_the_noun_of_their_id(loans: SmallDesk, said: str) -> None:
    assert "4 rows" in loans.ask(said).first


@pytest.mark.parametrize("said", ["貸出は何件？", "貸出件数は？"])
def test_rows_are_called_by_the_noun_of_their_id_in_japanese(tmp_path: Path, said: str) -> None:
    assert "3" in SmallDesk(tmp_path, loans=KASHI).ask(said).first


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("how many loans were not returned", "2 rows"),
        ("how many loans havent been returned yet", "2 rows"),
        ("which loans were never returned", "has 2 rows"),
        ("average pages of returned loans", "570"),
        ("how many loans were returned in january", "1 rows"),
        ("how many loans were borrowed", "4 rows"),
    ],
)
def test_what_is_done_has_a_day(loans: SmallDesk, said: str, told: str) -> None:
    assert told in loans.ask(said).first


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("返却されていない貸出は何件？", "dataの行数: 1（返却日 = blank）"),
        ("返却された貸出は何件？", "dataの行数: 2（返却日 ≠ blank）"),
        ("返却済みの貸出は何件？", "dataの行数: 2（返却日 ≠ blank）"),
        ("備考がある貸出は何件？", "dataの行数: 1（備考 ≠ blank）"),
    ],
)
def test_what_is_done_has_a_day_in_japanese(tmp_path: Path, said: str, told: str) -> None:
    assert told.replace("data", "loans") in SmallDesk(tmp_path, loans=KASHI).ask(said).first


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("which subject has the highest average, maths or english?", "Highest: English."),
        ("which has the lowest average, maths, english or science?", "Lowest: Maths."),
        ("MathsとEnglishで平均が一番高いのはどれ？", "最も高いのはEnglishです。"),
    ],
)
def test_the_highest_of_several_columns_is_named(tmp_path: Path, said: str, told: str) -> None:
    assert told in SmallDesk(tmp_path, marks=MARKS).ask(said).first


SHOWS = """Show,Theatre,Sold on,Seats,country
Hamlet,Globe,2024-01-05,120,UK
Medea,Rose,2024-01-19,90,Greece
Lear,Globe,2024-02-02,150,UK
"""


def test_the_show_that_asks_is_no_column(tmp_path: Path) -> None:
    desk = SmallDesk(tmp_path, plays=SHOWS)
    (table,) = desk.ask("show me the first 2 rows").tables
    assert list(table["Show"]) == ["Hamlet", "Medea"]
    assert "Lear" in desk.ask("which show has the most seats").first


@pytest.mark.parametrize(
    ("said", "keys"),
    [
        ("total seats per sold on month", ["2024-01", "2024-02"]),
        ("number of rows per sold on year", [2024]),
        ("total seats per theatre", ["Globe", "Rose"]),
    ],
)
def test_a_date_is_cut_by_what_stands_after_it(tmp_path: Path, said: str, keys: list[object]) -> None:
    (table,) = SmallDesk(tmp_path, plays=SHOWS).ask(said).tables
    assert sorted(table.iloc[:, 0].tolist(), key=str) == keys


def test_rows_and_columns_are_counted_at_once(loans: SmallDesk) -> None:
    said = loans.ask("how many loans are there and how many columns").first
    assert "4" in said and "9 columns" in said


@pytest.mark.parametrize("said", ["何か国のデータがありますか", "何カ国のデータがある？"])
def test_countries_are_counted_not_rows(tmp_path: Path, said: str) -> None:
    assert "2種類" in SmallDesk(tmp_path, plays=SHOWS).ask(said).first


@pytest.mark.parametrize(
    "talk", [("点数が一番高いのは誰？", "その人の備考は？"), ("年齢の平均は？", "点数も同じように")]
)
def test_what_leans_on_nothing_to_lean_on_is_declined(tmp_path: Path, talk: tuple[str, ...]) -> None:
    said = SmallDesk(tmp_path, loans=KASHI).ask(*talk)
    assert "82" not in said.text and not said.tables


def test_a_row_is_called_by_its_name_not_by_its_running_number(tmp_path: Path) -> None:
    rows = "".join(f"{at},Pupil {at},{'AB'[at % 2]},{40 + at}\n" for at in range(1, 31))
    said = SmallDesk(tmp_path, marks=f"No.,Pupil,Form,Maths\n{rows}").ask("top 2 pupils by maths").first
    assert "70 (Pupil 30), 69 (Pupil 29)" in said
