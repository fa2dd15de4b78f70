"""What clients get wrong, over plain HTTP: each is refused in the form of its binding, and the desk goes on."""

import json
import logging
import socket
import threading
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from starlette.requests import Request

from smoldesk.wires.a2a import compatibility_0_3
from smoldesk.wires.a2a.compatibility_0_3 import BODY_LIMIT, MAX_VALUES
from smoldesk.wires.a2a.requests import MAX_DEPTH
from tests.support.a2a_client import Binding
from tests.support.desk_server import LiveDesk
from tests.support.inside_desk import InsideDesk, inside_desk
from tests.wires.a2a.conftest import act

VERSION = {"A2A-Version": "1.0"}
CODES = {
    "InvalidParams": (-32602, 400),
    "InvalidRequest": (-32600, 400),
    "ContentType": (-32005, 400),
    "Version": (-32009, 400),
    "Parse": (-32700, 400),
    "NotFound": (-32001, 404),
}


class Sender:
    """Posts messages over one binding, and reads what came of it."""

    def __init__(self, desk: InsideDesk, binding: Binding) -> None:
        self.is_rpc = binding == "JSONRPC"
        self.http = desk.client(timeout=30, headers=VERSION)

    def post(self, body: bytes | str | dict[str, Any], **headers: str) -> httpx.Response:
        path = "/a2a" if self.is_rpc else "/a2a/rest/message:send"
        content = json.dumps(body) if isinstance(body, dict) else body
        return self.http.post(path, content=content, headers={"content-type": "application/json"} | headers)

    def body(self, message: dict[str, Any], **request: Any) -> dict[str, Any]:
        about = {"messageId": uuid.uuid4().hex, "role": "ROLE_USER", "parts": [{"text": "hello"}]}
        params = {"message": about | message, **request}
        return (
            {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": params} if self.is_rpc else params
        )

    def refused(self, response: httpx.Response, kind: str) -> str:
        """The words of a refusal, which must be of this kind."""
        code, status = CODES[kind]
        error = response.json()["error"]
        assert error["code"] == (code if self.is_rpc else status), response.text
        if not self.is_rpc:
            assert response.status_code == status
        return error["message"]

    def answers(self) -> None:
        """The desk still works."""
        response = self.post(self.body({}))
        assert response.status_code == 200 and "TASK_STATE_COMPLETED" in response.text, response.text


@pytest.fixture(scope="module")
def inside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InsideDesk]:
    with inside_desk(tmp_path_factory.mktemp("inside"), act) as desk:
        yield desk


@pytest.fixture
def sender(inside: InsideDesk, binding: Binding) -> Sender:
    return Sender(inside, binding)


@pytest.mark.parametrize(
    ("message", "kind", "reply"),
    [
        ({"parts": [{"text": "x", "mediaType": "application/x-unknown"}]}, "ContentType", "text/plain"),
        ({"parts": [{"raw": "AAAA", "mediaType": "video/mp4"}]}, "ContentType", "video/mp4"),
        ({"parts": [{"url": "http://127.0.0.1/secret"}]}, "InvalidParams", "fetches nothing"),
        ({"parts": []}, "InvalidParams", ""),
        ({"parts": [{"text": "  "}]}, "InvalidParams", "empty"),
        ({"parts": [{}]}, "InvalidParams", "empty"),
        ({"parts": [{"raw": ""}]}, "InvalidParams", ""),
        ({"parts": [{"text": "x"}] * 1001}, "InvalidParams", "1000"),
        (
            {"parts": [{"raw": "AAAA", "filename": f"{n}.csv"} for n in range(21)]},
            "InvalidParams",
            "At most 20",
        ),
        ({"parts": [{"raw": "AAAA", "filename": "../../etc/passwd"}]}, "InvalidParams", ""),
        ({"role": "ROLE_AGENT"}, "InvalidParams", "ROLE_USER"),
        ({"contextId": "a\nb"}, "InvalidParams", "printable"),
        ({"contextId": "x" * 501}, "InvalidParams", "500"),
        ({"messageId": "x" * 501}, "InvalidParams", "500"),
        ({"messageId": ""}, "InvalidParams", ""),
        ({"taskId": "r_none"}, "NotFound", "no task"),
        ({"metadata": {"smoldesk/depth": MAX_DEPTH + 1}}, "InvalidParams", f"At most {MAX_DEPTH}"),
        ({"metadata": {"smoldesk/depth": "deep"}}, "InvalidParams", "integer"),
        ({"metadata": {"smoldesk/depth": -1}}, "InvalidParams", "integer"),
        ({"metadata": {"x": "y" * 20_000}}, "InvalidParams", "16384"),
        ({"parts": [{"text": "x" * 300_000}]}, "InvalidParams", "At most 256000 bytes"),
    ],
)
def test_a_message_that_cannot_be_taken_is_refused_in_words(
    sender: Sender, message: dict[str, Any], kind: str, reply: str
) -> None:
    assert reply in sender.refused(sender.post(sender.body(message)), kind)


def test_what_is_no_json_and_what_is_no_message(sender: Sender) -> None:
    broken = sender.post(b'{"jsonrpc": ')
    assert broken.json()["error"]["code"] == (-32700 if sender.is_rpc else 400)
    for body in (b"[]", b"7", b'"text"', b"\xff\xfe"):
        answer = sender.post(body)
        assert "error" in answer.json(), (body, answer.text)
        assert answer.status_code in (200, 400)
    strange = sender.body({"parts": "text"})
    assert "error" in sender.post(strange).json()
    sender.answers()


def test_half_of_a_surrogate_pair_is_refused_wherever_it_is(sender: Sender) -> None:
    half = {"parts": [{"text": "\ud800"}]}
    bodies = [sender.body(half), sender.body({"messageId": "\udfff"}), sender.body({}) | {"\ud800": 1}]
    if sender.is_rpc:
        bodies += [sender.body({}) | {"id": "\ud800"}, sender.body({}) | {"method": "Get\ud800"}]
    for body in bodies:
        assert "surrogate" in sender.refused(sender.post(body), "InvalidRequest")
    whole = sender.post(sender.body({"parts": [{"text": "\U0001f600"}]}))
    assert "TASK_STATE_COMPLETED" in whole.text


@pytest.mark.parametrize("number", ["1e400", "-1e400", "NaN", "Infinity"])
@pytest.mark.parametrize(
    "about", [{"parts": [{"data": {"x": "NUMBER"}}]}, {"metadata": {"smoldesk/depth": "NUMBER"}}]
)
def test_numbers_that_are_not_finite_are_refused(sender: Sender, about: dict[str, Any], number: str) -> None:
    body = json.dumps(sender.body(about)).replace('"NUMBER"', number)
    assert "not finite" in sender.refused(sender.post(body), "InvalidParams")


def half_a_body(desk: LiveDesk, binding: Binding) -> socket.socket:
    """A connection over which a client began a message, and sends nothing more."""
    url = httpx.URL(desk.url)
    path = "/a2a" if binding == "JSONRPC" else "/a2a/rest/message:send"
    head = f"POST {path} HTTP/1.1\r\nHost: {url.host}:{url.port}\r\nContent-Type: application/json\r\n"
    connection = socket.create_connection((url.host, url.port), timeout=30)
    connection.sendall(f"{head}Content-Length: 1000\r\n\r\n{{".encode())
    return connection


def test_a_client_that_hangs_in_the_middle_of_its_message_is_let_go(
    desk: LiveDesk, binding: Binding, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compatibility_0_3, "STALL_SECONDS", 0.1)
    with half_a_body(desk, binding) as connection:
        answer = b""
        while piece := connection.recv(65_536):
            answer += piece
    assert answer.startswith(b"HTTP/1.1 408 ") and b"Nothing of the body came for 0.1 s." in answer


def test_a_client_that_goes_in_the_middle_of_its_message_is_no_error(
    desk: LiveDesk, binding: Binding, caplog: pytest.LogCaptureFixture
) -> None:
    bodies = threading.Semaphore(0)
    read = compatibility_0_3.bounded

    async def noted(request: Request) -> bytes | None:
        try:
            return await read(request)
        finally:
            bodies.release()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compatibility_0_3, "bounded", noted)
        half_a_body(desk, binding).close()
        assert bodies.acquire(timeout=30)
        assert httpx.get(f"{desk.url}/healthz").status_code == 200
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


def test_another_version_of_the_protocol_is_refused(sender: Sender) -> None:
    for version in ("2.0", "99", "none"):
        text = sender.refused(sender.post(sender.body({}), **{"A2A-Version": version}), "Version")
        assert version in text


def test_a_body_of_another_media_type_is_refused(sender: Sender) -> None:
    answer = sender.post(json.dumps(sender.body({})), **{"content-type": "text/plain"})
    assert answer.json()["error"]["code"] == (-32005 if sender.is_rpc else 415)
    ours = sender.post(json.dumps(sender.body({})), **{"content-type": "application/a2a+json"})
    assert "TASK_STATE_COMPLETED" in ours.text


def test_answers_are_json_unless_the_protocols_own_type_is_asked_for(sender: Sender) -> None:
    assert sender.post(sender.body({})).headers["content-type"].startswith("application/json")
    if not sender.is_rpc:
        requested = sender.post(sender.body({}), accept="application/a2a+json")
        assert requested.headers["content-type"] == "application/a2a+json"


def test_a_body_beyond_the_bounds_is_refused(sender: Sender) -> None:
    large = sender.post(b" " * (BODY_LIMIT + 1))
    assert large.status_code == 413 and str(BODY_LIMIT) in large.text
    many = sender.post(sender.body({"parts": [{"data": list(range(MAX_VALUES + 1))}]}))
    assert many.status_code == 413 and str(MAX_VALUES) in many.text
    deep: Any = "x"
    for _ in range(5_000):
        deep = [deep]
    body = sender.body({"parts": [{"data": "DEEP"}]})
    answer = sender.post(json.dumps(body).replace('"DEEP"', "[" * 5_000 + "]" * 5_000))
    assert answer.status_code == 413
    commas = sender.post(sender.body({"parts": [{"text": "a,b,c\n" * 15_000}]}))
    assert "TASK_STATE_COMPLETED" in commas.text, "what is in a text is not counted"
    sender.answers()


def test_unknown_fields_are_skipped_and_data_reaches_the_agent(sender: Sender) -> None:
    parts = [{"text": "see", "colour": "red"}, {"data": {"a": [1, 2.5]}, "mediaType": "application/json"}]
    answer = sender.post(sender.body({"parts": parts, "weather": "fine"}))
    assert 'You said: see\\n\\n{\\"a\\": [1, 2.5]}' in answer.text


@pytest.mark.starts
def test_a_file_becomes_one_of_the_chat(sender: Sender) -> None:
    parts = [
        {"text": "look"},
        {"raw": "YSxiCjEsMgo=", "filename": "t.csv", "mediaType": "text/csv; charset=utf-8"},
    ]
    answer = sender.post(sender.body({"parts": parts})).json()
    task = (answer["result"] if sender.is_rpc else answer)["task"]
    text, file = task["history"][0]["parts"]
    assert text["text"] == "look"
    assert (file["filename"], file["mediaType"]) == ("t.csv", "text/csv; charset=utf-8")
    assert sender.http.get(file["url"]).text == "a,b\n1,2\n", "the file is not repeated, but said where it is"
    assert sender.http.get(f"/api/chats/{task['contextId']}/files/t.csv").text == "a,b\n1,2\n"


def test_metadata_is_given_back_without_what_the_desk_notes(sender: Sender) -> None:
    about = {"mine": 1, "smoldesk/depth": MAX_DEPTH, "a2a/contextId": "c_forged"}
    answer = sender.post(sender.body({"metadata": about})).json()
    task = (answer["result"] if sender.is_rpc else answer)["task"]
    assert task["metadata"] == {"mine": 1, "smoldesk/depth": MAX_DEPTH}
    assert task["contextId"] != "c_forged"


def test_methods_that_are_none(inside: InsideDesk) -> None:
    sender = Sender(inside, "JSONRPC")
    for body, code in (
        ({"jsonrpc": "2.0", "id": 1, "method": "Dance", "params": {}}, -32601),
        ({"jsonrpc": "1.0", "id": 1, "method": "SendMessage", "params": {}}, -32600),
        ({"jsonrpc": "2.0", "id": 1, "method": "GetTask", "params": {"id": 7}}, -32602),
        ({"jsonrpc": "2.0", "id": 1, "method": "GetTask", "params": []}, -32602),
    ):
        assert sender.post(body).json()["error"]["code"] == code, body
    assert sender.http.get("/a2a").status_code == 405
    assert sender.http.get("/a2a/rest/nothing").status_code == 404
    assert sender.http.get("/agents/nobody/.well-known/agent-card.json").status_code == 404
    assert sender.http.post("/somebody/message:send", json={}).status_code in (404, 405), "no tenants"


def test_the_log_holds_nothing_of_what_clients_send(sender: Sender, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    asking = sender.post(sender.body({"parts": [{"text": "secret"}]})).json()
    task = (asking["result"] if sender.is_rpc else asking)["task"]
    for parts in (["hunter2"], [{"text": "hunter2"}, {"text": 7}], [{"text": "hunter2", "mediaType": "a/b"}]):
        assert "error" in sender.post(sender.body({"taskId": task["id"], "parts": parts})).json()
    answered = sender.post(sender.body({"taskId": task["id"], "parts": [{"text": "hunter2"}]}))
    assert "7 characters" in answered.text
    assert "hunter2" not in caplog.text
    assert "Traceback" not in caplog.text


def test_what_another_wire_notes_as_said_breaks_no_task(sender: Sender) -> None:
    """Clients of other wires choose a run's metadata, also what this one notes there."""
    for message in (
        5,
        {"parts": 5},
        {"role": "ROLE_AGENT", "taskId": "other", "nonsense": 1, "messageId": "own"},
    ):
        metadata = {"a2a/message": message, "a2a/messageId": 5}
        task = sender.http.post("/tasks/send", json={"message": "talk", "metadata": metadata}).json()["task"]
        body = {"jsonrpc": "2.0", "id": 1, "method": "GetTask", "params": {"id": task["id"]}}
        data = sender.http.post("/a2a", json=body).json()
        opening = data["result"]["history"][0]
        assert (opening["role"], opening["taskId"]) == ("ROLE_USER", task["id"])
        assert [part["text"] for part in opening["parts"]] == ["talk"]
