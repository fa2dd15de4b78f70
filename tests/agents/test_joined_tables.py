"""Questions whose columns are in several tables of a chat."""

import ast
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from smoldesk.analyst.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.joins import join_lines, joined_tables
from smoldesk.analyst.query import Group, Query
from tests.support.desk_server import live_desk
from tests.support.ws_client import WsClient

ORDERS = "order_id,customer_id,amount\n1,a1,10\n2,a1,20\n3,b2,5\n4,b2,7\n5,c9,100\n6,a1,30\n"
CUSTOMERS = "customer_id,city,age\na1,Oslo,30\nb2,Molde,50\nd4,Bergen,40\n" + "".join(
    f"e{number},{('Oslo', 'Molde', 'Bergen')[number % 3]},{20 + number}\n" for number in range(20)
)
NOTE = "The columns of customers were added by customer_id. 1 rows have no match in customers."


def test_answers_use_the_columns_of_several_tables_and_say_by_which_key(tmp_path: Path) -> None:
    with live_desk(tmp_path / "desk") as live, WsClient(live.ws_url) as client:
        path = f"{live.url}/api/chats/{client.hello()}/files"
        for name, text in (("orders.csv", ORDERS), ("customers.csv", CUSTOMERS)):
            assert httpx.post(path, files={"file": (name, text)}, timeout=60).is_success

        card = httpx.get(
            f"{path.removesuffix('files')}cards/customers.csv", params={"language": "en"}, timeout=60
        ).json()
        assert card["tables"][0]["questions"][-1] == "total amount by city"

        def answer(question: str) -> str:
            client.say(question)
            return str(client.until_closed()[-1]["content"]["text"])

        by_city = answer("total amount by city")
        assert "Oslo: 60" in by_city and "Molde: 12" in by_city and "(blank): 100" in by_city
        assert NOTE in by_city
        assert "(60)" in answer("only Oslo")
        assert "customersの列はcustomer_idで結び付けました" in answer("cityごとのamountの合計")
        # An age counts once for each customer, not for each order.
        assert "customers were added" not in answer("total age by order_id")
        assert "customers were added" not in answer("total age by amount")


CITY = ColumnInfo("city", "text", ["Oslo", "Molde"], role="category", has_blanks=False)
KEY = ColumnInfo("customer_id", "number", role="id", has_blanks=False)
AMOUNT = ColumnInfo("amount", "number", role="measure", has_blanks=False)
UNIQUE = replace(KEY, traits=("unique",))


@pytest.mark.parametrize(
    ("left", "right", "names"),
    [
        (KEY, UNIQUE, ["orders"]),
        (KEY, replace(UNIQUE, name="Customer ID"), ["orders"]),
        (KEY, replace(UNIQUE, name="id"), ["orders"]),  # of customers
        (replace(KEY, name="id"), replace(UNIQUE, name="id"), []),  # each table has its own ids
        (KEY, KEY, []),  # a row of orders would become several
        (KEY, replace(UNIQUE, has_blanks=True), []),
        (KEY, replace(UNIQUE, kind="text"), []),
        (replace(KEY, role="measure"), UNIQUE, []),
        (
            replace(KEY, name="place", values=["1", "2"], role="category"),
            replace(UNIQUE, name="place", values=["3", "4"], role="category"),
            [],
        ),
    ],
)
def test_tables_are_joined_by_keys_alone(left: ColumnInfo, right: ColumnInfo, names: list[str]) -> None:
    orders = TableInfo("orders", [left, AMOUNT], 9, 'pd.read_csv("orders.csv")', "orders.csv")
    customers = TableInfo("customers", [right, CITY], 3, 'pd.read_csv("customers.csv")', "customers.csv")
    assert [table.name for table in joined_tables([orders, customers])] == names


def test_headers_of_a_joined_table_do_not_end_the_code() -> None:
    hostile = '</code>"\u202e'
    other = replace(CITY, name=f"city{hostile}")
    orders = TableInfo("orders", [KEY, other, AMOUNT], 9, 'pd.read_csv("orders.csv")', "orders.csv")
    customers = TableInfo("customers", [UNIQUE, other], 3, 'pd.read_csv("customers.csv")', "customers.csv")
    [joined] = joined_tables([orders, customers])
    query = Query("orders", groups=(Group(joined.columns[-1].name),))
    [(_, lines)] = join_lines(joined, query)
    code = "\n".join(lines)
    assert "</code>" not in code and "\u202e" not in code
    assert hostile in ast.unparse(ast.parse(code)).encode().decode("unicode_escape")
