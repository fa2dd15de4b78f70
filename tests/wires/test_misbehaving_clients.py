"""Clients and data that go wrong in the middle: a clear error in the wire's own form, and everybody else goes on."""

import json
import logging
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from sqlalchemy.exc import OperationalError

from smoldesk.events import ToolCalled
from smoldesk.store import chat_lists, chats, files, run_queue
from tests.support.aio import run_async
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.scripted_model import ScriptedModel, code
from tests.support.ws_client import WsClient


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    def model() -> ScriptedModel:
        return ScriptedModel([code("final_answer('still here')")])

    with live_desk(tmp_path_factory.mktemp("desk"), model, upload_limit_mb=0.5) as live:
        yield live


def still_answers(client: WsClient) -> None:
    assert client.ask("are you there?")[-1]["content"]["text"] == "still here"


@pytest.mark.parametrize(
    "frame",
    [
        '{"type": "cancel", "runId": "\\ud800"}',
        '{"type": "answer", "askId": "\\udfff", "granted": true}',
        '{"type": "answer", "askId": "a", "granted": true, "reason": "\\ud800", "value": {"\\ud800": "\\ud800"}}',
    ],
)
def test_half_a_character_in_a_frame_is_no_fault_of_the_desk(desk: LiveDesk, frame: str) -> None:
    with WsClient(desk.ws_url).greeted() as client:
        client.socket.send(frame)
        assert client.next()["code"] == "not_found"
        still_answers(client)


def test_a_database_that_fails_is_told_and_the_socket_stays_open(
    desk: LiveDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: object, **options: object) -> None:
        raise OperationalError("INSERT", {}, Exception("database or disk is full"))

    with WsClient(desk.ws_url).greeted() as client:
        with monkeypatch.context() as patch:
            for start in ("enqueue_run", "start_run"):
                patch.setattr(run_queue, start, full)
            client.say("hello")
            error = client.next()
            assert (error["type"], error["code"]) == ("error", "disk_full")
            assert "INSERT" not in error["content"]
        still_answers(client)


def test_a_client_that_leaves_while_it_is_introduced_is_no_fault(desk: LiveDesk) -> None:
    faults: list[str] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            faults.append(record.getMessage())

    listener = Listener(logging.ERROR)
    logging.getLogger("uvicorn.error").addHandler(listener)
    try:
        for _ in range(30):
            WsClient(desk.ws_url).socket.socket.close()
        with WsClient(desk.ws_url).greeted() as client:
            still_answers(client)
    finally:
        logging.getLogger("uvicorn.error").removeHandler(listener)
    assert faults == []


def test_a_number_no_browser_reads_is_sent_as_null(desk: LiveDesk) -> None:
    def refused(name: str) -> None:
        raise AssertionError(f"{name} was sent")

    with WsClient(desk.ws_url) as client:
        chat_id = client.hello()
        arguments = {"x": float("nan"), "deep": [{"y": float("-inf")}, 1.5]}
        called = ToolCalled(step=1, call_id="c", tool="t", arguments=arguments)  # pyright: ignore
        desk.desk.store.submit(lambda tx: tx.append(chat_id, [called], "r_1")).result(10)
        message = client.next(10)
    json.loads(json.dumps(message), parse_constant=refused)
    assert message["content"]["arguments"] == {"x": None, "deep": [{"y": None}, 1.5]}


def test_a_place_in_the_log_that_no_number_holds_is_refused(
    inside_http: httpx.Client, inside_chat: str
) -> None:
    answer = inside_http.get(f"/api/chats/{inside_chat}/events", params={"after": 10**25})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_input")


def test_a_body_without_end_is_not_read_to_its_end(http: httpx.Client, chat: str) -> None:
    def body() -> Iterator[bytes]:
        yield b'{"message": "'
        for _ in range(200):
            yield b"x" * 100_000
        yield b'"}'

    path = f"/api/chats/{chat}/runs"
    response = http.post(path, json={"message": "x" * 5_000_000})
    piece_by_piece = http.post(path, content=body(), headers={"content-type": "application/json"})
    for answer in (response, piece_by_piece):
        assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")
    wide = http.post(path, json={"message": "温" * 80_000})
    assert wide.status_code == 202


def test_a_fault_of_the_desk_is_told_in_the_usual_form(
    desk: LiveDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def bug(*args: object) -> None:
        raise ZeroDivisionError("sk-secret")

    monkeypatch.setattr(chat_lists, "list_chats", bug)
    answer = httpx.get(f"{desk.url}/api/chats", timeout=30)
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "internal_error")
    assert "secret" not in answer.text


def test_an_upload_to_a_chat_that_is_deleted_meanwhile_leaves_nothing(
    desk: LiveDesk, http: httpx.Client, chat: str
) -> None:
    body = b'--B\r\nContent-Disposition: form-data; name="file"; filename="late.csv"\r\n\r\na,b\r\n--B--\r\n'
    connection = HTTPConnection("127.0.0.1", urlsplit(desk.url).port or 0, timeout=30)
    connection.putrequest("POST", f"/api/chats/{chat}/files")
    connection.putheader("content-type", "multipart/form-data; boundary=B")
    connection.putheader("content-length", str(len(body)))
    connection.endheaders(body[:40])
    before = set(desk.desk.data_dir.files.iterdir())
    for _ in range(100):  # its handler has looked for the chat once the next request is answered after it
        assert http.get("/healthz").status_code == 200
    assert http.delete(f"/api/chats/{chat}").status_code == 204
    connection.send(body[40:])
    answer = connection.getresponse()
    assert (answer.status, json.loads(answer.read())["error"]["code"]) == (404, "not_found")
    connection.close()
    assert set(desk.desk.data_dir.files.iterdir()) == before
    assert not (desk.desk.data_dir.chats / chat).exists()


def test_uploads_of_one_name_at_the_same_time_all_stay(desk: LiveDesk, http: httpx.Client, chat: str) -> None:
    def upload(number: int) -> str:
        content = str(number).encode()
        answer = httpx.post(
            f"{desk.url}/api/chats/{chat}/files", files={"file": ("a.csv", content)}, timeout=100
        )
        return answer.json()["name"]

    with ThreadPoolExecutor(8) as pool:
        names = list(pool.map(upload, range(8)))
    assert len(set(names)) == 8
    folder: Path = desk.desk.data_dir.chats / chat
    assert {(folder / name).read_text() for name in names} == {str(number) for number in range(8)}


@pytest.mark.parametrize("line", ["[NaN]", "[1e999]", "[-Infinity]", "{}", "[" * 5_000, "\\xff"])
def test_a_table_that_code_has_tampered_with_is_refused_in_words(
    desk: LiveDesk, http: httpx.Client, chat: str, line: str
) -> None:
    folder = desk.desk.data_dir.chat_folder(chat)
    (folder / "t.jsonl").write_text(line + "\n")
    file_id, size = desk.desk.store.files.keep(folder, "t.jsonl", 1_000_000)
    row = files.StoredFile(file_id, chat, "table", "t.jsonl", size, "text/plain")
    desk.desk.store.submit(lambda tx: files.add_file(tx, row)).result(10)
    answer = http.get(f"/api/chats/{chat}/tables/{file_id}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "broken_table")


def test_half_a_character_in_a_table_is_a_question_mark(
    desk: LiveDesk, http: httpx.Client, chat: str
) -> None:
    folder = desk.desk.data_dir.chat_folder(chat)
    (folder / "t.jsonl").write_text('["\\ud800"]\n')
    file_id, size = desk.desk.store.files.keep(folder, "t.jsonl", 1_000_000)
    row = files.StoredFile(file_id, chat, "table", "t.jsonl", size, "text/plain")
    desk.desk.store.submit(lambda tx: files.add_file(tx, row)).result(10)
    assert http.get(f"/api/chats/{chat}/tables/{file_id}").json()["rows"] == [["?"]]


def test_clients_that_drop_their_socket_in_mid_request_end_nobody_elses_work(desk: LiveDesk) -> None:
    """Requests that wait for the writer are given up; the writer serves the next one all the same."""
    gate, started = threading.Event(), threading.Event()

    def busy(tx: object) -> None:
        started.set()
        gate.wait(10)

    with WsClient(desk.ws_url).greeted() as client:
        desk.desk.store.submit(busy)
        assert started.wait(10)
        client.say("gone before it is stored")
    gate.set()
    with WsClient(desk.ws_url).greeted() as client:
        still_answers(client)
    assert run_async(desk.desk.store.do(lambda tx: chats.new_chat(tx))).id
