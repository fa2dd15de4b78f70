"""Rows named by an id or by a name: their cells, several of them, and one against the other."""

from dataclasses import replace
from pathlib import Path

import pytest

from smoldesk.analyst.tables.value_index import IndexedColumn, ValueIndex
from tests.analyst.small_tables import SmallDesk

TICKETS = """ticket_id,Opened,Agent,Category,Resolved?,Hours to close,Refund (USD)
1001,2024-05-01,Maya,Billing,Yes,5.5,20
1002,2024-05-02,Tom,Login,No,12,0
1003,2024-05-03,Maya,Billing,Yes,3,15.5
1004,2024-05-04,Ravi,Shipping,Yes,8.25,0
1005,2024-05-05,Tom,Login,Yes,2,0
1006,2024-05-06,Maya,Shipping,No,30,45
"""
ORDERS = """Order No.,Order date,Customer,Product,Qty,Unit price (GBP)
A-101,2024-03-01,Lena Hart,Lamp,2,24.5
A-102,2024-03-02,Omar Diaz,Desk,1,180
A-103,2024-03-02,Lena Hart,Chair,4,55
A-104,2024-03-05,Yuki Ono,Lamp,1,24.5
"""
CHUMON = """注文番号,注文日,顧客名,商品名,金額(円),担当者,状態
1001,2024-04-01,田中,ノート,450,鈴木,発送済み
1002,2024-04-02,佐藤,ペン,1200,高橋,準備中
1003,2024-04-02,伊藤,机,18000,鈴木,発送済み
"""
STAFF = """Name,Dept,Age (yrs),Salary
Dina Fox,Sales,51,48
Gus Ito,IT,34,55
Ana Perez,IT,29,51
Ben Shaw,Sales,45,47
"""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("tickets"), tickets=TICKETS)


@pytest.fixture(scope="module")
def staff(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    """With the names indexed, as the desk does it, so that a first name is enough."""
    made = SmallDesk(tmp_path_factory.mktemp("staff"), staff=STAFF)
    (table,) = made.model.catalogue.tables
    names = table.column("Name").values
    index = ValueIndex([IndexedColumn("Name", names, [1] * len(names))])
    catalogue = replace(made.model.catalogue, tables=[replace(table, index=lambda: index)])
    made.model = type(made.model)(catalogue)
    return made


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ("hours for ticket 1004", "Hours to close of ticket_id 1004: 8.25."),
        ("who handled ticket #1005?", "Agent of ticket_id 1005: Tom."),
        ("what was the refund for ticket no. 1003?", "Refund (USD) of ticket_id 1003: 15.50."),
        ("when was ticket 1003 opened", "Opened of ticket_id 1003: 2024-05-03."),
        ("is ticket 1006 resolved?", "No. Resolved? of ticket_id 1006: No."),
        ("what category is 1004?", "Category of ticket_id 1004: Shipping."),
        ("category of ticket 9999", "No rows of tickets match ticket_id = 9999."),
        ("average refund of tickets 1001 and 1003", "Average Refund (USD) (ticket_id = 1001 / 1003): 17.75."),
        ("who resolved ticket 1004", "Agent of ticket_id 1004: Ravi."),
        ("which ticket took longer, 1001 or 1004?", "8.25 (1004), 5.50 (1001)."),
        ("ticket 1003 details", "Agent Maya"),
        ("when was ticket 1003", "Opened of ticket_id 1003: 2024-05-03."),
        ("did ticket 1006 take longer than 1004?", "Yes. "),
        ("did ticket 1001 take longer than ticket 1004?", "No. "),
        ("did ticket 9998 take longer than ticket 1004?", "No row of tickets has ticket_id = 9998."),
        ("did Maya or Tom resolve more tickets?", "Most rows: Maya (2), Tom (1)."),
    ],
)
def test_a_row_is_named_by_its_number(desk: SmallDesk, request_: str, told: str) -> None:
    assert told in desk.ask(request_).first


def test_details_of_a_row_are_all_of_its_cells(desk: SmallDesk) -> None:
    said = desk.ask("details of ticket 1001").first
    assert "Agent Maya" in said and "Hours to close 5.5" in said and "Refund (USD) 20" in said


def test_of_several_rows_each_is_told_and_which_is_not_there(desk: SmallDesk) -> None:
    said = desk.ask("refund for tickets 1001, 1003 and 9999")
    assert "1001 (20), 1003 (15.5)" in said.first
    assert "No row of tickets has ticket_id = 9999." in said.text


def test_more_is_asked_of_the_same_row(desk: SmallDesk) -> None:
    assert (
        desk.ask("who handled ticket 1004", "and the category?").first
        == "Category of ticket_id 1004: Shipping."
    )


@pytest.mark.parametrize(
    "request_",
    [
        "tickets over 1001",
        "show tickets 5",
        "5 tickets",
        "ticket 1002 or more",
        "orders 2024-05-01",
        "ticket 3 hours",
        "no 5 tickets",
    ],
)
def test_a_limit_or_a_day_names_no_row(desk: SmallDesk, request_: str) -> None:
    assert "ticket_id =" not in desk.ask(request_).first


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ("customer of order A102", "Customer of A-102: Omar Diaz."),
        ("unit price of order 103", "Unit price (GBP) of A-103: 55."),
        ("who placed order a-104", "Customer of A-104: Yuki Ono."),
        ("how many items in order A-103?", "Qty of A-103: 4."),
        ("product of order A-999", "No rows of orders match Order No. = A-999."),
    ],
)
def test_a_row_is_named_by_its_code(tmp_path: Path, request_: str, told: str) -> None:
    assert told in SmallDesk(tmp_path, orders=ORDERS).ask(request_).first


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ("注文1003の金額は", "注文番号1003の金額(円): 18,000。"),
        ("1002番の担当者は誰", "注文番号1002の担当者: 高橋。"),
        ("1002番の注文の金額", "注文番号1002の金額(円): 1,200。"),
        ("1001番と1003番の金額", "1001 (450)、1003 (18,000)"),
        ("No.1002の金額", "注文番号1002の金額(円): 1,200。"),
        ("注文1001と1003の金額", "1001 (450)、1003 (18,000)"),
        ("注文1001は発送済みですか", "はい。"),
        ("注文1001は1003より高いですか", "いいえ。"),
        ("注文9999の金額は？", "chumonに 注文番号 = 9999 の行はありません。"),
        ("金額が1003以上の注文は何件", "chumonの行数: 2"),
    ],
)
def test_a_row_is_named_in_japanese(tmp_path: Path, request_: str, told: str) -> None:
    assert told in SmallDesk(tmp_path, chumon=CHUMON).ask(request_).first


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ("age of Dina Fox and Gus Ito", "Dina Fox (51), Gus Ito (34)."),
        ("Ana and Ben's ages", "Ana Perez (29), Ben Shaw (45)."),
        ("who is older, Dina or Gus?", "51 (Dina Fox), 34 (Gus Ito)."),
        ("is Gus older than Dina?", "No. "),
        ("details of Dina Fox", "Age (yrs) 51"),
        ("who earns less, Ben or Gus?", "47 (Ben Shaw), 55 (Gus Ito)."),
        ("DinaとGusの年齢", "Dina Fox (51)、Gus Ito (34)"),
    ],
)
def test_people_are_named_side_by_side(staff: SmallDesk, request_: str, told: str) -> None:
    assert told in staff.ask(request_).first


def test_the_number_of_another_id_names_no_row_of_the_table(tmp_path: Path) -> None:
    lines = [f"{number},{number % 60},{number * 2},Amy" for number in range(1, 121)]
    desk = SmallDesk(tmp_path, orders="\n".join(["order_id,Customer ID,Amount,Rep", *lines]))
    assert "2 rows" in desk.ask("how many orders does customer 12 have").first
    assert desk.ask("amount of order 12").first == "Amount of order_id 12: 24."
    assert "Rep" not in desk.ask("who placed order 17").first.split("columns")[0]


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ("is Dina the oldest?", "Yes. Largest Age (yrs): 51 (Dina Fox)."),
        ("is Ben the oldest?", "No. Largest Age (yrs): 51 (Dina Fox)."),
    ],
)
def test_whether_one_ranks_first(staff: SmallDesk, request_: str, told: str) -> None:
    assert staff.ask(request_).first == told


def test_the_deed_that_is_counted_is_a_yes_no_column(tmp_path: Path) -> None:
    text = "Reg,Model,Seller,Sold\nA1,Polo,Jake,yes\nB2,Golf,Nora,no\nC3,Up,Jake,yes\nD4,Ka,Nora,no\nE5,Fox,Nora,yes\n"
    desk = SmallDesk(tmp_path, cars=text)
    assert desk.ask("Did Jake or Nora sell more cars?").first == "Most rows: Jake (2), Nora (1)."
    assert desk.ask("who has more cars, Jake or Nora?").first == "Most rows: Nora (3), Jake (2)."


def test_the_class_of_a_pupil_is_no_number_of_rows(tmp_path: Path) -> None:
    text = "出席番号,生徒名,組,国語\n1,秋山陽,1組,78\n2,飯田凛,1組,92\n3,上野蓮,2組,55\n"
    desk = SmallDesk(tmp_path, seito=text)
    assert desk.ask("上野蓮は何組？").first == "上野蓮の組: 2組。"
    assert desk.ask("2番は誰？").first == "出席番号2の生徒名: 飯田凛。"


def test_who_did_it_is_told_of_a_row_by_its_title(tmp_path: Path) -> None:
    text = "Loan ID,Title,Borrower,Borrowed\nL-1,Emma,Paul,2024-01-05\nL-2,Dune,Iris,2024-01-03\nL-3,Ulysses,Iris,2024-01-09\n"
    assert SmallDesk(tmp_path, loans=text).ask("who borrowed Emma?").first == "Borrower of Emma: Paul."
