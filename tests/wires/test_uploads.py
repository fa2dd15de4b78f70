"""Uploads from end to end: told as they are read, kept when they are broken, and no harm to anybody else."""

import json
import socket
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.support import hostile_files
from tests.support.desk_server import LiveDesk, events_of, live_desk
from tests.support.scripted_model import ScriptedModel, code
from tests.support.waiting import come_true
from tests.support.ws_client import WsClient

LINES = {"accept": "application/x-ndjson"}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    replies = [code("import os\nfinal_answer(', '.join(sorted(os.listdir())))")]
    with live_desk(tmp_path_factory.mktemp("desk"), lambda: ScriptedModel(replies)) as live:
        yield live


def upload(http: httpx.Client, chat: str, name: str, content: bytes, **options: Any) -> httpx.Response:
    return http.post(f"/api/chats/{chat}/files", files={"file": (name, content)}, **options)


def lines_of(answer: httpx.Response) -> list[dict[str, Any]]:
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    return [json.loads(line) for line in answer.text.splitlines()]


def added(http: httpx.Client, chat: str) -> list[dict[str, Any]]:
    """The files that the log tells of."""
    return [event["file"] for event in events_of(str(http.base_url), chat) if event["type"] == "file_added"]


def test_an_upload_is_told_as_it_is_received_read_and_ready(http: httpx.Client, chat: str) -> None:
    content = "店舗;売上\n東京;1,5\n大阪;2,25\n".encode("cp932")
    lines = lines_of(upload(http, chat, "売上.csv", content, headers=LINES))
    assert lines[0] == {"state": "received", "bytes": len(content)}
    assert [line["state"] for line in lines[1:]] == ["reading"] * (len(lines) - 2) + ["ready"]
    ready = lines[-1]
    load = 'pd.read_csv("売上.csv", encoding="cp932", sep=";", decimal=",")'
    assert ready["tables"] == [{"name": "売上", "rows": 2, "columns": 2, "load": load}]
    assert ready["problems"] == []
    assert http.get(ready["file"]["url"]).content == content


def test_a_plain_answer_has_the_tables_too_and_the_log_keeps_them(
    http: httpx.Client, desk: LiveDesk, chat: str
) -> None:
    answer = upload(http, chat, "a.json", b'[{"x": 1}, {"x": 2}]')
    assert answer.status_code == 201
    body = answer.json()
    assert [(item["name"], item["rows"], item["columns"]) for item in body["tables"]] == [("a", 2, 1)]
    with WsClient(desk.ws_url, f"?chat={chat}&after=0").greeted() as client:
        message = client.until("file")
    assert message["content"]["tables"] == [{"name": "a", "rows": 2, "columns": 1}]


def test_a_file_that_holds_no_table_is_not_read(http: httpx.Client, chat: str) -> None:
    lines = lines_of(upload(http, chat, "notes.txt", b"a,b\n1,2,3\n", headers=LINES))
    assert [line["state"] for line in lines] == ["received", "ready"]
    assert (lines[-1]["tables"], lines[-1]["problems"]) == ([], [])


def test_a_refusal_comes_before_any_line(http: httpx.Client, chat: str) -> None:
    answer = upload(http, chat, "empty.csv", b"", headers=LINES)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "empty_file")
    answer = upload(http, "c_nobody", "a.csv", b"a\n1\n", headers=LINES)
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


def test_hostile_files_are_kept_explained_and_the_desk_goes_on(http: httpx.Client, chat: str) -> None:
    attacks = {
        "bomb.xlsx": (hostile_files.zip_bomb(), "It unpacks to 4,000,0"),
        "entity.xlsx": (hostile_files.foreign_entity(), "its XML declares entities"),
        "deep.json": (b"[" * 1_000_000, "nested deeper"),
        "=cmd|' &calc'!A0.csv": (b"a\n=cmd|' /C calc'!A0\n", ""),
    }
    for name, (content, text) in attacks.items():
        body = upload(http, chat, name, content).json()
        assert text in "".join(body["problems"]), name
        assert bool(body["tables"]) is (text == ""), name
        assert "root:" not in json.dumps(body)
        assert http.get(body["url"]).content == content
    assert [file["name"] for file in added(http, chat)] == list(attacks)
    assert http.get("/healthz").json()["status"] == "ok"


def test_others_are_answered_while_a_file_is_read_and_a_deleted_chat_stops_its_reading(
    http: httpx.Client, desk: LiveDesk, chat: str
) -> None:
    reading, lines = threading.Event(), []

    def send() -> None:
        form = {"file": ("rows.xlsx", hostile_files.endless_rows())}
        with (
            httpx.Client(base_url=desk.url, timeout=100) as other,
            other.stream("POST", f"/api/chats/{chat}/files", files=form, headers=LINES) as answer,
        ):
            for line in answer.iter_lines():
                lines.append(json.loads(line))
                if lines[-1]["state"] == "reading":
                    reading.set()

    sender = threading.Thread(target=send)
    sender.start()
    assert reading.wait(60)
    with WsClient(desk.ws_url).greeted() as client:
        assert client.ask("list")[-1]["content"]["state"] == "finished"
    mine = http.post("/api/chats").json()["id"]
    assert upload(http, mine, "a.csv", b"a\n1\n").json()["tables"]
    assert lines[-1]["state"] == "reading", "it should take longer than all this"
    assert http.delete(f"/api/chats/{chat}").status_code == 204
    sender.join(60)
    assert lines[-1]["state"] == "failed"
    assert lines[-1]["error"]["code"] == "not_found"
    assert not (desk.desk.data_dir.chats / chat).exists()


def test_a_client_that_leaves_while_its_file_is_read_leaves_it_whole(http: httpx.Client, chat: str) -> None:
    form = {"file": ("a.csv", b"a\n1\n2\n")}
    with http.stream("POST", f"/api/chats/{chat}/files", files=form, headers=LINES) as answer:
        next(answer.iter_lines())
    report = come_true(lambda: added(http, chat))
    assert [(file["name"], file["tables"][0]["rows"]) for file in report] == [("a.csv", 2)]


def test_a_client_that_leaves_while_it_sends_leaves_nothing(
    http: httpx.Client, desk: LiveDesk, chat: str
) -> None:
    host, port = desk.url.removeprefix("http://").split(":")
    head = f"POST /api/chats/{chat}/files HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: 5000\r\n"
    head += "Content-Type: multipart/form-data; boundary=B\r\n\r\n"
    part = '--B\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\na,b\n1,2\n'
    with socket.create_connection((host, int(port))) as sock:
        sock.sendall((head + part).encode())
    assert upload(http, chat, "b.csv", b"a\n1\n").status_code == 201
    assert [file["name"] for file in added(http, chat)] == ["b.csv"]
    assert [path.name for path in (desk.desk.data_dir.chats / chat).iterdir()] == ["b.csv"]
    assert len(http.get(f"/api/chats/{chat}/files").json()["files"]) == 1


def test_many_uploads_at_once_all_arrive(http: httpx.Client, desk: LiveDesk, chat: str) -> None:
    answers: list[int] = []

    def send(number: int) -> None:
        with httpx.Client(base_url=desk.url, timeout=100) as other:
            body = upload(other, chat, "t.csv", b"a\n" + b"1\n" * (number + 1)).json()
            answers.append(body["tables"][0]["rows"])

    senders = [threading.Thread(target=send, args=(number,)) for number in range(3)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join(90)
    assert sorted(answers) == [1, 2, 3]
    names = sorted(file["name"] for file in added(http, chat))
    assert names == ["t (2).csv", "t (3).csv", "t.csv"]
