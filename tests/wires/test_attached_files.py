"""Files that come with a question, over every wire and its real client: a CSV, a workbook and a picture, each answered.

The built-in analyst answers on real desks. Clients of npm are skipped where there is no Node.
"""

import base64
import io
import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import openpyxl
import pytest
from a2a.types import a2a_pb2 as pb
from mcp import Client
from openai import OpenAI

from tests.ai_sdk.driving import drive
from tests.node_support import PACKAGES
from tests.page_panes.pane_host import png
from tests.support.a2a_client import a2a_client, as_dict, sent
from tests.support.aio import run_async
from tests.support.desk_server import ANALYSIS, LiveDesk, live_desk
from tests.support.mcp_agents import call
from tests.support.task_client import TaskClient
from tests.support.ws_client import WsClient

ROWS = [["region", "units"], ["North", 10], ["South", 20], ["North", 5]]
TOTALS = "total units by region"
SEEN = "What is in this picture?"
CANNOT = "I cannot look at photo.png"


def workbook() -> bytes:
    book, stream = openpyxl.Workbook(), io.BytesIO()
    for row in ROWS:
        book.active.append(row)  # pyright: ignore[reportOptionalMemberAccess, reportAttributeAccessIssue]
    book.save(stream)
    return stream.getvalue()


XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
FILES: dict[str, tuple[str, Callable[[], bytes]]] = {
    "sales.csv": ("text/csv", lambda: "\n".join(",".join(map(str, row)) for row in ROWS).encode()),
    "sales.xlsx": (XLSX, workbook),
    "photo.png": ("image/png", lambda: png(2, 2, (255, 0, 0))),
}
CASES = [
    ("sales.csv", TOTALS, ["North: 15", "South: 20"]),
    ("sales.xlsx", TOTALS, ["North: 15", "South: 20"]),
    ("photo.png", "average fare by class in titanic", ["First: 84.15", "Third: 13.67"]),
    ("photo.png", SEEN, [CANNOT]),
]
cases = pytest.mark.parametrize(
    ("name", "question", "expected"), CASES, ids=["csv", "xlsx", "png beside a table", "png alone"]
)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    with live_desk(tmp_path_factory.mktemp("desk"), sandbox_preload=ANALYSIS[:2], max_runs=4) as live:
        yield live


def bytes_of(name: str) -> bytes:
    return FILES[name][1]()


def as_base64(name: str) -> str:
    return base64.b64encode(bytes_of(name)).decode()


def data_url(name: str) -> str:
    return f"data:{FILES[name][0]};base64,{as_base64(name)}"


# --- the wires' clients, each returns the answer as text ----------------------------------------------------------------


def uploaded(desk: LiveDesk, name: str) -> str:
    """A new chat with the file, as the page uploads one."""
    with desk.client(timeout=60) as http:
        chat_id: str = http.post("/api/chats").json()["id"]
        form = {"file": (name, bytes_of(name), FILES[name][0])}
        assert http.post(f"/api/chats/{chat_id}/files", files=form).status_code == 201
        return chat_id


def over_four_pane(desk: LiveDesk, name: str, question: str) -> str:
    with WsClient(desk.ws_url, f"?chat={uploaded(desk, name)}&after=0") as client:
        client.hello()
        client.send(type="message", message=question, attachments=[name])
        return json.dumps(client.until_closed())


def over_rest(desk: LiveDesk, name: str, question: str) -> str:
    chat_id = uploaded(desk, name)
    body = {"message": question, "attachments": [name]}
    with desk.client(timeout=60) as http, WsClient(desk.ws_url, f"?chat={chat_id}&after=0") as client:
        assert http.post(f"/api/chats/{chat_id}/runs", json=body).status_code == 202
        client.until_closed()
        return http.get(f"/api/chats/{chat_id}/events").text.rpartition('"step_finished"')[2]


def over_openai(desk: LiveDesk, name: str, question: str) -> str:
    file: Any = {"type": "file", "file": {"filename": name, "file_data": data_url(name)}}
    if name.endswith(".png"):
        file = {"type": "image_url", "image_url": {"url": data_url(name)}}
        question = question.replace("photo.png", "file-1.png")
    with OpenAI(base_url=f"{desk.url}/v1", api_key="none", timeout=60) as client:
        content: Any = [file, {"type": "text", "text": question}]
        answer = client.chat.completions.create(model="code", messages=[{"role": "user", "content": content}])
        return (answer.choices[0].message.content or "").replace("file-1.png", name)


def over_openai_responses(desk: LiveDesk, name: str, question: str) -> str:
    file: Any = {"type": "input_file", "filename": name, "file_data": data_url(name)}
    with OpenAI(base_url=f"{desk.url}/v1", api_key="none", timeout=60) as client:
        content: Any = [file, {"type": "input_text", "text": question}]
        return client.responses.create(model="code", input=[{"role": "user", "content": content}]).output_text


def over_a2a(desk: LiveDesk, name: str, question: str) -> str:
    part = pb.Part(raw=bytes_of(name), filename=name, media_type=FILES[name][0])

    async def ask() -> str:
        async with a2a_client(desk.url, streaming=False) as client:
            return json.dumps(as_dict(await sent(client, part, question)).get("artifacts"))

    return run_async(ask())


def over_tasks(desk: LiveDesk, name: str, question: str) -> str:
    file = {"name": name, "mimeType": FILES[name][0], "bytes": as_base64(name)}
    with TaskClient(desk.url) as client:
        task = client.send(
            {"role": "user", "parts": [{"kind": "file", "file": file}, {"kind": "text", "text": question}]}
        )
        return json.dumps(client.until(task["id"], "completed")["artifacts"])


def over_mcp(desk: LiveDesk, name: str, question: str) -> str:
    async def ask() -> str:
        async with Client(f"{desk.url}/mcp", mode="auto") as client:
            files = [{"name": name, "data": as_base64(name)}]
            return json.dumps(await call(client, "ask_analyst", question=question, files=files))

    return run_async(ask())


WIRES = {
    "four-pane": over_four_pane,
    "rest": over_rest,
    "chat completions": over_openai,
    "responses": over_openai_responses,
    "a2a": over_a2a,
    "tasks": over_tasks,
    "mcp": over_mcp,
}


@cases
@pytest.mark.parametrize("wire", WIRES)
def test_a_question_with_a_file_is_answered_on_every_wire(
    desk: LiveDesk, wire: str, name: str, question: str, expected: list[str]
) -> None:
    answer = WIRES[wire](desk, name, question)
    assert [text for text in expected if text not in answer] == [], answer[-2000:]


@cases
@pytest.mark.parametrize("version", [6, 7])
def test_a_question_with_a_file_is_answered_to_ai_sdk_front_ends(
    desk: LiveDesk, node_path: Path, version: int, name: str, question: str, expected: list[str]
) -> None:
    file = {"type": "file", "mediaType": FILES[name][0], "filename": name, "url": data_url(name)}
    turn = {"message": {"text": question, "files": [file]}}
    url = f"{desk.url}/stream"
    played = drive(node_path, {"url": url, "version": version, "predicate": "own", "turns": [turn]})
    assert played.errors == []
    answer = json.dumps(played.replies[-1])
    assert [text for text in expected if text not in answer] == [], answer[-2000:]


@cases
def test_a_question_with_a_file_is_answered_to_agui_front_ends(
    desk: LiveDesk, node_path: Path, name: str, question: str, expected: list[str]
) -> None:
    kind = "image" if name.endswith(".png") else "document"
    source = {"type": "data", "value": as_base64(name), "mimeType": FILES[name][0]}
    said = [
        {"type": "text", "text": question},
        {"type": kind, "source": source, "metadata": {"filename": name}},
    ]
    line = {"agent": "a", "url": f"{desk.url}/agui", "threadId": f"{name} {question}", "say": said}
    done = subprocess.run(
        [str(node_path), str(PACKAGES / "agui.mjs")],
        input=json.dumps(line),
        capture_output=True,
        text=True,
        check=True,
        cwd=PACKAGES,
        timeout=90,
    )
    received = json.loads(done.stdout)
    assert received["error"] is None
    answer = json.dumps(received["messages"])
    assert [text for text in expected if text not in answer] == [], answer[-2000:]


# --- which table a question is about ------------------------------------------------------------------------------------


def test_a_question_is_about_the_table_that_came_with_it(desk: LiveDesk) -> None:
    chat_id = uploaded(desk, "sales.csv")
    with desk.client(timeout=60) as http:
        for name, units in (("north.csv", 7), ("south.csv", 9)):
            text = f"region,units\nNorth,{units}\n".encode()
            assert http.post(f"/api/chats/{chat_id}/files", files={"file": (name, text)}).status_code == 201
    with WsClient(desk.ws_url, f"?chat={chat_id}&after=0") as client:
        client.hello()
        answers: list[str] = []
        for message, names in (
            ("total units", ["north.csv"]),
            ("total units", ["south.csv"]),
            ("summary of the attached file", ["sales.csv"]),
        ):
            client.send(type="message", message=message, attachments=names)
            closed = client.until_closed()
            answers += [m["content"] for m in closed if m["type"] == "text" and m["tone"] == "answer"]
    assert "7" in answers[0] and "9" in answers[1], answers
    assert "sales" in answers[2] and "3 rows" in answers[2], answers


def test_a_file_without_a_question_is_described_and_gives_the_chat_its_title(desk: LiveDesk) -> None:
    file = {"name": "sales.csv", "bytes": as_base64("sales.csv")}
    with TaskClient(desk.url) as client:
        task = client.send({"role": "user", "parts": [{"kind": "file", "file": file}]})
        answer = json.dumps(client.until(task["id"], "completed")["artifacts"])
        assert "units" in answer and "20" in answer, answer
    titles = [chat["title"] for chat in httpx.get(f"{desk.url}/api/chats").json()["chats"]]
    assert "sales.csv" in titles


def test_a_chat_that_begins_with_a_file_has_its_name_until_the_first_question(desk: LiveDesk) -> None:
    chat_id = uploaded(desk, "sales.csv")

    def title() -> str:
        return httpx.get(f"{desk.url}/api/chats/{chat_id}").json()["title"]

    assert title() == "sales.csv"
    with WsClient(desk.ws_url, f"?chat={chat_id}&after=0").greeted() as client:
        client.ask(TOTALS)
        assert title() == TOTALS
        httpx.patch(f"{desk.url}/api/chats/{chat_id}", json={"title": "sales.csv"}).raise_for_status()
        client.ask(TOTALS)
    assert title() == "sales.csv"  # a person's title stays


def test_a_damaged_file_is_named_and_no_other_table_answers_for_it(desk: LiveDesk) -> None:
    chat_id = uploaded(desk, "sales.csv")
    with desk.client(timeout=60) as http:
        form = {"file": ("broken.xlsx", b"PK\3\4 no workbook at all")}
        assert http.post(f"/api/chats/{chat_id}/files", files=form).status_code == 201
    with WsClient(desk.ws_url, f"?chat={chat_id}&after=0") as client:
        client.hello()
        client.send(type="message", message=TOTALS, attachments=["broken.xlsx"])
        refusal = json.dumps(client.until_closed())
        client.send(type="message", message=f"{TOTALS} in sales", attachments=["broken.xlsx"])
        answered = json.dumps(client.until_closed())
    assert "No table could be read from 'broken.xlsx'" in refusal and "North" not in refusal, refusal
    assert "North" in answered


@pytest.mark.parametrize(
    ("attachments", "code"),
    [
        (["gone.csv"], "unknown_file"),
        ([""], "unknown_file"),
        ([1], "wrong_type"),
        ("a", "wrong_type"),
        (["a"] * 21, "too_large"),
    ],
)
def test_names_that_are_no_files_of_the_chat_are_refused(desk: LiveDesk, attachments: Any, code: str) -> None:
    with WsClient(desk.ws_url) as client:
        client.hello()
        client.send(type="message", message="hi", attachments=attachments)
        assert client.until("error")["code"] == code
    with desk.client() as http:
        chat_id = http.post("/api/chats").json()["id"]
        body = {"message": "hi", "attachments": attachments}
        assert http.post(f"/api/chats/{chat_id}/runs", json=body).status_code in (400, 422)
