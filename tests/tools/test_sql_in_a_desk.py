"""sql_engine in a real desk: an uploaded file and an operator's database, from code and as a tool call."""

import sqlite3
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.desk_server import live_desk
from tests.support.scripted_model import Calls, ScriptedModel, code
from tests.support.ws_client import WsClient, of_type

UPLOADED = "SELECT shop, SUM(sold) AS sold FROM sales_2024 GROUP BY shop ORDER BY shop"
STORED = "SELECT name, count FROM parts"
CODE = f"""
sold = sql_engine(query={UPLOADED!r})
display(sql("SELECT shop, sold.sold FROM sold JOIN sales_2024 USING (shop) GROUP BY ALL ORDER BY shop"))
parts = sql_engine({STORED!r}, database="stock")
try:
    sql_engine("DELETE FROM parts", database="stock")
except Exception as fault:
    print(type(fault).__name__, fault)
final_answer(f"{{len(sold)}} shops, {{parts['count'].sum()}} parts")
"""


@pytest.fixture
def stock(tmp_path: Path) -> Path:
    path = tmp_path / "stock.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE parts (name TEXT, count INTEGER)")
        connection.execute("INSERT INTO parts VALUES ('bolt', 7), ('nut', 5)")
    connection.close()
    return path


def answered(folder: Path, replies: list[Any], stock: Path, agent: str) -> tuple[list[Any], ScriptedModel]:
    """The messages of one run in a chat that has an upload, and what the model saw."""
    model = ScriptedModel(replies)
    urls = {"stock": f"sqlite:///{stock}"}
    with (
        live_desk(folder, lambda: model, agent=agent, sql_urls=urls) as live,
        WsClient(live.ws_url) as client,
    ):
        chat = client.hello()
        upload = ("sales 2024.csv", b"shop,sold\nNorth,3\nSouth,4\nNorth,1\n", "text/csv")
        sent = httpx.post(f"{live.url}/api/chats/{chat}/files", files={"file": upload}, timeout=30)
        assert sent.is_success, sent.text
        client.say("How many?")
        return client.until_closed(), model


def test_code_gets_data_frames_from_an_upload_and_from_a_database(tmp_path: Path, stock: Path) -> None:
    messages, model = answered(tmp_path / "desk", [code(CODE)], stock, "code")
    assert messages[-1]["content"]["text"] == "2 shops, 12 parts"
    (table,) = of_type(messages, "table")
    assert table["content"]["rows"] == [["North", 4], ["South", 4]]
    printed = "".join(str(item["content"]) for item in of_type(messages, "printed"))
    assert "only reading is allowed" in printed
    prompt = str(model.seen[0])
    assert "stock (sqlite): parts(name, count)" in prompt and "stock.db" not in prompt


LONG = """\
import smoldesk.tables.inside.query_progress as q
q.TELL_SECONDS = 0.1
final_answer(len(sql("SELECT sum(hash(range)) FROM range(300000000)")))
"""


def test_a_long_query_of_code_shows_as_a_call_with_its_share(tmp_path: Path, stock: Path) -> None:
    messages, _ = answered(tmp_path / "desk", [code(LONG)], stock, "code")
    called, returned = (item["content"] for item in of_type(messages, "tool"))
    assert (called["state"], called["tool"], called["line"]) == ("called", "sql", 3)
    assert called["arguments"] == {"query": "SELECT sum(hash(range)) FROM range(300000000)"}
    assert (returned["state"], returned["callId"], returned["result"]) == (
        "returned",
        called["callId"],
        "1 rows",
    )
    shares = [item["content"] for item in of_type(messages, "tool_progress")]
    assert shares and all(share["callId"] == called["callId"] and 0 < share["share"] <= 1 for share in shares)


def test_a_tool_call_reads_rows_in_words(tmp_path: Path, stock: Path) -> None:
    replies = [
        Calls(("sql_engine", {"query": UPLOADED}), ("sql_engine", {"query": STORED, "database": "stock"})),
        Calls(("final_answer", {"answer": "done"})),
    ]
    messages, model = answered(tmp_path / "desk", replies, stock, "tools")
    assert messages[-1]["content"]["state"] == "finished"
    assert "North | 4" in str(model.seen[-1]) and "bolt | 7" in str(model.seen[-1])
