"""Rows of a shown table that a message is about: told, a DataFrame in code, kept with the run, refused when they are none."""

from typing import Any

from tests.support.desk_server import LiveDesk, events_of
from tests.support.scripted_model import Scripts, code, text_of
from tests.support.ws_client import Message, WsClient, of_type

SHOW = """
import pandas as pd
day = pd.Timestamp("2024-01-01")
pd.DataFrame({"at": range(50), "shop": ["Lima", "Paris"] * 25, "day": [day + pd.Timedelta(days=n) for n in range(50)]})
"""
READ = code(
    "t = table_selection\nfinal_answer(f'{list(t.columns)} {t.iloc[:, 0].tolist()} {t.iloc[:, 1].dt.year.max()}')"
)
VIEW = {
    "sort": [{"column": 0, "descending": True}],
    "filters": [{"column": 1, "op": "eq", "value": "Paris"}],
    "search": "",
}


BAD: list[tuple[dict[str, Any], str]] = [
    ({"kind": "sheet"}, "bad_selection"),
    ({"kind": []}, "bad_selection"),
    ({"tableId": "../../lock"}, "bad_selection"),
    ({"tableId": 17}, "bad_selection"),
    ({"tableId": "f_00"}, "not_found"),
    ({"begin": 3}, "bad_selection"),
    ({"ranges": [[0, 2]]}, "bad_selection"),
    ({"ranges": [[1, 2], [2, 3]]}, "bad_selection"),
    ({"ranges": [[2, 3], [1, 2]]}, "bad_selection"),
    ({"ranges": [[1, 3, 3]]}, "bad_selection"),
    ({"ranges": []}, "bad_selection"),
    ({"begin": -1}, "bad_selection"),
    ({"begin": "1"}, "bad_selection"),
    ({"end": 51}, "bad_selection"),
    ({"end": 200_000}, "too_large"),
    ({"columns": []}, "bad_selection"),
    ({"columns": [3]}, "bad_selection"),
    ({"columns": ["at; DROP TABLE grid.loaded"]}, "bad_selection"),
    ({"view": {"where": "1=1"}}, "bad_selection"),
    ({"view": {"filters": [{"column": 0, "op": "eq", "value": "x" * 70_000}]}}, "too_large"),
]


def shown(client: WsClient, scripts: Scripts) -> Message:
    """The table message of a run that shows one."""
    scripts.set(code(SHOW), code("final_answer('shown')"))
    client.send(type="message", message="show")
    [table] = of_type(client.until_closed(), "table")
    return table["content"]


def about(table_id: str, **other: Any) -> dict[str, Any]:
    """Two rows and two columns of what stands above."""
    rows = {"kind": "table", "tableId": table_id, "name": "said", "view": VIEW, "begin": 1, "end": 3}
    return {**rows, "columns": [0, 2], **other}


def test_the_rows_of_a_view_are_told_and_are_a_variable_also_in_a_branch(
    desk: LiveDesk, client: WsClient, scripts: Scripts
) -> None:
    content = shown(client, scripts)
    scripts.set(READ)
    client.send(type="message", message="these?", about=about(content["tableId"]))
    messages = client.until_closed()
    assert of_type(messages, "text")[-1]["content"] == "['at', 'day'] [47, 45] 2024"
    text = "rows 2 to 3 as they see them (sorted, filtered) and the columns at, day of the table"
    assert text in text_of(scripts.model.seen[-1])
    started = [event for event in events_of(desk.url, client.chat_id) if event["type"] == "run_started"][-1]
    assert started["about"]["name"] == content["name"] != "said"
    scripts.set(READ)
    client.send(type="branch", runId=of_type(messages, "user_message")[0]["runId"], message="these?")
    branch = client.until("branch")["content"]["chatId"]
    with WsClient(desk.ws_url, f"?chat={branch}&after=0").greeted() as other:
        other.until("branch", way="from")
        assert of_type(other.until_closed(), "text")[-1]["content"] == "['at', 'day'] [47, 45] 2024"
    started = [event for event in events_of(desk.url, branch) if event["type"] == "run_started"][-1]
    assert started["about"]["tableId"] != content["tableId"], "a branch has a copy of its own"


def test_a_table_of_another_chat_is_not_found(desk: LiveDesk, client: WsClient, scripts: Scripts) -> None:
    content = shown(client, scripts)
    with WsClient(desk.ws_url).greeted() as stranger:
        stranger.send(type="message", message="these?", about=about(content["tableId"]))
        assert stranger.until("error")["code"] == "not_found"


def test_what_is_no_part_of_a_table_is_refused_and_the_socket_stays_open(
    client: WsClient, scripts: Scripts
) -> None:
    table_id = shown(client, scripts)["tableId"]
    for change, expected in BAD:
        client.send(type="message", message="these?", about=about(table_id) | change)
        assert client.until("error")["code"] == expected, change
    client.send(
        type="message", message="these?", about=about(table_id, view={"sort": [{"column": "no such"}]})
    )
    assert client.until_closed()[-1]["content"]["state"] == "failed", (
        "only the one who reads the table sees that"
    )
    scripts.set(code("final_answer('here')"))
    client.send(type="message", message="still there?")
    assert of_type(client.until_closed(), "text")[-1]["content"] == "here"
