"""A shown table over plain HTTP: pages of views, what its columns hold, files of it, and what is refused."""

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

import httpx
import openpyxl
import pandas as pd
import pytest

from smoldesk.store import files
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.scripted_model import ScriptedModel, code
from tests.support.ws_client import WsClient

MADE = """
import pandas as pd
rooms = pd.DataFrame({
    "room": ["Kitchen", "Bath, small", None, "Hall"],
    "degrees": [21.5, 19.0, None, 25.0],
    "people": [3, 0, 1, 2**60],
    "day": pd.to_datetime(["2024-01-05", "2024-01-06 12:30", None, "2024-02-01"], format="ISO8601"),
    "open": [True, False, True, None],
    "温度": ["高い", "低い", "高い", "O'Neil; DROP TABLE"],
})
rooms
"""


class TableClient:
    """Requests to one table, by what follows its address."""

    def __init__(self, http: httpx.Client, url: str) -> None:
        self._http = http
        self._url = url

    def get(self, direction: str = "", **more: Any) -> httpx.Response:
        return self._http.get(self._url + direction, **more)

    def post(self, direction: str, **more: Any) -> httpx.Response:
        return self._http.post(self._url + direction, **more)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    replies = ScriptedModel([code(MADE), code("final_answer('ok')")])
    with live_desk(tmp_path_factory.mktemp("tables"), lambda: replies) as live:
        yield live


@pytest.fixture(scope="module")
def message(desk: LiveDesk) -> dict[str, Any]:
    with WsClient(desk.ws_url) as client:
        client.hello()
        return next(message for message in client.ask("show") if message["type"] == "table")


@pytest.fixture
def table(desk: LiveDesk, message: dict[str, Any]) -> Iterator["TableClient"]:
    with httpx.Client(base_url=desk.url, timeout=30) as http:
        yield TableClient(http, message["url"])


def rows(table: TableClient, **view: Any) -> list[Any]:
    """The first cells of a view's rows."""
    answer = table.post("/rows", json=view)
    assert answer.status_code == 200, answer.text
    assert answer.json()["rowCount"] == len(answer.json()["rows"])
    return [row[0] for row in answer.json()["rows"]]


def refused(table: TableClient, **view: Any) -> tuple[int, str]:
    """The status and code of a view that is refused."""
    answer = table.post("/rows", json=view)
    error = answer.json()["error"]
    assert error["message"]
    return answer.status_code, error["code"]


def test_a_message_carries_the_schema_and_the_first_rows_which_the_first_page_repeats(
    table: TableClient, message: dict[str, Any]
) -> None:
    content = message["content"]
    types = [(column["name"], column["type"]) for column in content["columns"]]
    assert types[1:5:3] == [("degrees", "double"), ("open", "bool")] and types[2] == ("people", "int64")
    page = table.get().json()
    assert (page["rowCount"], page["rows"]) == (4, content["rows"])
    assert page["rows"][1] == ["Bath, small", 19.0, 0, "2024-01-06T12:30:00", False, "低い"]
    assert page["rows"][3][2] == str(2**60)
    assert table.get(params={"offset": 3, "limit": 1}).json()["rows"][0][0] == "Hall"


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ([{"column": "degrees"}], ["Bath, small", "Kitchen", "Hall", None]),
        ([{"column": 1, "descending": True}], ["Hall", "Kitchen", "Bath, small", None]),
        (
            [{"column": "open", "descending": True}, {"column": "people"}],
            [None, "Kitchen", "Bath, small", "Hall"],
        ),
        ([{"column": "温度"}, {"column": "degrees"}], ["Hall", "Bath, small", "Kitchen", None]),
    ],
)
def test_rows_come_in_any_order_empty_cells_last(
    table: TableClient, sort: list[Any], expected: list[Any]
) -> None:
    assert rows(table, sort=sort) == expected


@pytest.mark.parametrize(
    ("column", "op", "value", "expected"),
    [
        ("degrees", "gt", 20, ["Kitchen", "Hall"]),
        ("degrees", "le", "19", ["Bath, small"]),
        ("people", "eq", 2**60, ["Hall"]),
        ("people", "in", [0, 1], ["Bath, small", None]),
        ("room", "in", ["Hall", None], [None, "Hall"]),
        ("room", "contains", "k", ["Kitchen"]),
        ("room", "starts", "ba", ["Bath, small"]),
        ("room", "empty", None, [None]),
        ("degrees", "filled", None, ["Kitchen", "Bath, small", "Hall"]),
        ("day", "eq", "2024-01-06", ["Bath, small"]),
        ("day", "le", "2024-01-06", ["Kitchen", "Bath, small"]),
        ("day", "gt", "2024-01-06T12:00:00", ["Bath, small", "Hall"]),
        ("open", "eq", True, ["Kitchen", None]),
        ("温度", "eq", "O'Neil; DROP TABLE", ["Hall"]),
        ("温度", "ne", "高い", ["Bath, small", "Hall"]),
    ],
)
def test_a_filter_keeps_the_rows_that_fit(
    table: TableClient, column: str, op: str, value: Any, expected: list[Any]
) -> None:
    assert rows(table, filters=[{"column": column, "op": op, "value": value}]) == expected


def test_words_are_searched_for_in_every_column_and_go_with_filters_and_an_order(table: TableClient) -> None:
    assert rows(table, search="bath") == ["Bath, small"]
    assert rows(table, search="高い 21.5") == ["Kitchen"]
    assert rows(table, search="2024-01", sort=[{"column": "room"}]) == ["Bath, small", "Kitchen"]
    assert rows(table, search="高い", filters=[{"column": "people", "op": "ge", "value": 2}]) == ["Kitchen"]
    assert rows(table, search="nowhere") == []


def test_some_columns_in_another_order(table: TableClient) -> None:
    answer = table.post("/rows", json={"columns": ["people", 0], "limit": 1, "offset": 1}).json()
    assert (answer["rows"], answer["rowCount"], answer["offset"]) == ([[0, "Bath, small"]], 4, 1)


def test_what_does_not_fit_is_refused_in_words(table: TableClient) -> None:
    assert refused(table, sort=[{"column": "nope"}]) == (400, "unknown_column")
    assert refused(table, filters=[{"column": 99, "op": "empty"}]) == (400, "unknown_column")
    assert refused(table, filters=[{"column": "degrees", "op": "gt", "value": "warm"}]) == (400, "bad_filter")
    assert refused(table, filters=[{"column": "degrees", "op": "gt", "value": [1]}]) == (400, "bad_filter")
    assert refused(table, filters=[{"column": "day", "op": "lt", "value": "soon"}]) == (400, "bad_filter")
    assert refused(table, filters=[{"column": "open", "op": "eq", "value": "perhaps"}]) == (400, "bad_filter")
    assert refused(table, filters=[{"column": "room", "op": "in", "value": []}]) == (400, "bad_filter")
    assert refused(table, filters=[{"column": "room", "op": "like", "value": "a"}]) == (422, "bad_input")
    assert refused(table, limit=0) == (422, "bad_input")
    named = table.post("/rows", json={"sort": [{"column": "nope"}]}).json()["error"]
    assert "'nope'" in named["message"] and "degrees" in named["hint"]


def test_an_unknown_table_or_another_kind_of_file_is_not_found(
    desk: LiveDesk, message: dict[str, Any]
) -> None:
    chat = message["url"].split("/")[3]
    with httpx.Client(base_url=desk.url, timeout=60) as http:
        uploaded = http.post(f"/api/chats/{chat}/files", files={"file": ("t.csv", b"a,b\n1,2\n")}).json()
        elsewhere = http.post("/api/chats").json()["id"]
        table_id = message["content"]["tableId"]
        for place in (
            f"{chat}/tables/f_no",
            f"{chat}/tables/{uploaded['fileId']}",
            f"{elsewhere}/tables/{table_id}",
        ):
            for direction in ("rows", "profile", "csv", "xlsx", "parquet"):
                url = f"/api/chats/{place}/{direction}"
                answer = http.post(url, json={}) if direction == "rows" else http.get(url)
                assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found"), url


def test_the_profile_tells_what_each_column_holds(table: TableClient) -> None:
    room, degrees, _, day, is_open, _ = table.get("/profile").json()["columns"]
    assert (room["missing"], room["distinct"], room["counts"]) == (1, 3, [])
    assert room["values"] == [["Bath, small", 1], ["Hall", 1], ["Kitchen", 1]]
    assert (degrees["missing"], degrees["least"], degrees["most"], sum(degrees["counts"])) == (1, 19, 25, 3)
    assert (day["least"], day["most"], sum(day["counts"])) == ("2024-01-05", "2024-02-01", 3)
    assert is_open["values"] == [[True, 2], [False, 1]]


def test_the_whole_table_downloads_in_each_form_under_its_own_name(table: TableClient) -> None:
    for form in ("csv", "xlsx", "parquet"):
        got = table.get(f"/{form}")
        assert got.status_code == 200
        assert f'filename="rooms.{form}"' in got.headers["content-disposition"]
        match form:
            case "csv":
                read = list(csv.reader(io.StringIO(got.text)))
                assert read[0] == ["room", "degrees", "people", "day", "open", "温度"]
                assert read[2] == ["Bath, small", "19.0", "0", "2024-01-06T12:30:00", "False", "低い"]
                assert len(read) == 5
            case "xlsx":
                sheet: Any = openpyxl.load_workbook(io.BytesIO(got.content)).active
                cells = [list(row) for row in sheet.iter_rows(values_only=True)]
                assert cells[0][0] == "room" and cells[1][:3] == ["Kitchen", 21.5, 3] and len(cells) == 5
            case _:
                assert list(pd.read_parquet(io.BytesIO(got.content))["room"])[3] == "Hall"


def test_a_view_downloads_as_it_is_seen(table: TableClient) -> None:
    view = json.dumps(
        {
            "sort": [{"column": "degrees", "descending": True}],
            "filters": [{"column": "degrees", "op": "filled"}],
            "columns": [1, 0],
        }
    )
    text = table.get("/csv", params={"view": view}).text
    assert text == 'degrees,room\n25.0,Hall\n21.5,Kitchen\n19.0,"Bath, small"\n'
    read = pd.read_parquet(io.BytesIO(table.get("/parquet", params={"view": view}).content))
    assert read.to_dict("list") == {"degrees": [25.0, 21.5, 19.0], "room": ["Hall", "Kitchen", "Bath, small"]}
    for bad in ("{", '{"sort": 1}', '{"more": 1}'):
        answer = table.get("/csv", params={"view": bad})
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_view")
    nowhere = table.get("/csv", params={"view": '{"sort": [{"column": "nope"}]}'})
    assert (nowhere.status_code, nowhere.json()["error"]["code"]) == (400, "unknown_column")


@pytest.mark.parametrize(
    "content", [b"", b"PAR1", b"PAR1" + b"\0" * 100 + b"PAR1", b"not a table at all\n" * 50]
)
def test_a_broken_table_is_refused_in_words(desk: LiveDesk, message: dict[str, Any], content: bytes) -> None:
    chat = message["url"].split("/")[3]
    folder = desk.desk.data_dir.chat_folder(chat)
    (folder / "broken.bin").write_bytes(content)
    file_id, size = desk.desk.store.files.keep(folder, "broken.bin", 1_000_000)
    row = files.StoredFile(file_id, chat, "table", "t.parquet", size, "text/plain")
    desk.desk.store.submit(lambda tx: files.add_file(tx, row)).result(10)
    for _ in range(2):
        answer = httpx.get(f"{desk.url}/api/chats/{chat}/tables/{file_id}", timeout=60)
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "broken_table")


def grouped(table: TableClient, **request: Any) -> dict[str, Any]:
    answer = table.post("/groups", json=request)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_rows_are_grouped_measured_and_totalled(table: TableClient) -> None:
    people = [{"measure": "rows"}, {"measure": "sum", "column": 1}, {"measure": "mean", "column": "degrees"}]
    by_state = grouped(table, by=[{"column": "open"}], values=people)
    assert by_state["rows"] == [[False, 1, 19.0, 19.0], [True, 2, 21.5, 21.5], [None, 1, 25.0, 25.0]]
    assert by_state["totals"] == [4, 65.5, pytest.approx(65.5 / 3)]
    assert (by_state["groupCount"], by_state["across"]) == (3, None)
    by_month = grouped(
        table, by=[{"column": "day", "step": "month"}], values=people[:1], sort=[{"column": 1}]
    )
    assert by_month["rows"] == [["2024-02", 1], [None, 1], ["2024-01", 2]]
    view = {"filters": [{"column": "degrees", "op": "ge", "value": 20}], "sort": [{"column": "degrees"}]}
    assert grouped(table, view=view, values=people)["totals"] == [2, 46.5, 23.25]
    view["sort"] = [{"column": "degrees", "descending": True}]
    assert grouped(table, view=view, ranges=[[1, 2]], values=people[1:2])["totals"] == [21.5]
    assert grouped(table, ranges=[[0, 1], [2, 4]], values=people[:2])["totals"] == [3, 46.5]
    measures = ["min", "max", "median", "filled", "distinct"]
    facts = grouped(table, values=[{"measure": name, "column": "degrees"} for name in measures])
    assert facts["totals"] == [19.0, 25.0, 21.5, 3, 3]
    assert grouped(table, values=[{"measure": "max", "column": "day"}])["totals"] == ["2024-02-01"]


def test_a_pivot_has_a_column_for_each_value_across_and_one_for_all(table: TableClient) -> None:
    pivot = grouped(
        table,
        by=[{"column": "open"}],
        across={"column": "温度"},
        values=[{"measure": "rows"}, {"measure": "max", "column": "degrees"}],
    )
    assert pivot["across"] == ["O'Neil; DROP TABLE", "低い", "高い"] and pivot["acrossCount"] == 3
    assert pivot["rows"][1] == [True, 0, None, 0, None, 2, 21.5, 2, 21.5]
    assert pivot["totals"] == [1, 25.0, 1, 19.0, 2, 21.5, 4, 25.0]


def test_groups_that_do_not_fit_are_refused_in_words(table: TableClient) -> None:
    text = {"by": [{"column": "room"}], "values": [{"measure": "sum", "column": "room"}]}
    step = {"by": [{"column": "room", "step": "year"}], "values": [{"measure": "rows"}]}
    for request in (text, step, {"values": [{"measure": "sum"}]}):
        answer = table.post("/groups", json=request)
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_group")
    far = table.post("/groups", json={"values": [{"measure": "rows"}], "by": [{"column": 99}]})
    assert far.json()["error"]["code"] == "unknown_column"
    assert table.post("/groups", json={"values": []}).status_code == 422
    assert (
        table.post("/groups", json={"values": [{"measure": "rows"}], "ranges": [[3, 1]]}).status_code == 422
    )
