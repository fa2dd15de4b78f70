"""WS /live in the dialect of ai 7's own transport: responses by request id, and runs that outlive their socket."""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from smoldesk.chats.chats import derived
from smoldesk.events import ClosingEvent, RunCancelled
from smoldesk.wires.ai_sdk.dialects import MAX_REQUESTS, STOPPED, FramedDialect
from smoldesk.wires.ai_sdk.request_handling import RequestHandler
from tests.support.desk_server import LiveDesk
from tests.support.scripted_model import Calls
from tests.support.ui_client import Chunk, Message, folded, respond, said, types, user
from tests.support.waiting import come_true
from tests.wires.ai_sdk.conftest import CALL, TEXT, Scripts, answer
from tests.wires.ai_sdk.strict import faults


def closings(desk: LiveDesk) -> list[Any]:
    """How the chat's runs ended, in order."""
    events = [stored.event for stored in desk.desk.store.events(derived("chat-1", "ui_stream"))]
    return [event for event in events if isinstance(event, ClosingEvent)]


class FramedClient:
    """One socket; `ask` and `resume` begin requests, `response` reads one to its end."""

    def __init__(self, desk: LiveDesk, chat: str = "chat-1") -> None:
        self._closing = ExitStack()
        address = f"{desk.url.replace('http', 'ws', 1)}/live"
        self.socket: ClientConnection = self._closing.enter_context(connect(address, compression=None))
        self.chat = chat
        self.frames: list[dict[str, Any]] = []

    def __enter__(self) -> "FramedClient":
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    def tell(self, kind: str, request: str, **more: Any) -> None:
        common = {"type": kind, "requestId": request}
        self.socket.send(json.dumps(common | more))

    def ask(self, request: str, *messages: Message, **more: Any) -> None:
        inputs = {
            "id": self.chat,
            "trigger": "submit-message",
            "messages": messages,
            "headers": {},
            "body": {},
        }
        self.tell("send", request, **inputs | more)

    def resume(self, request: str) -> None:
        self.tell("resume", request, id=self.chat, headers={}, body={})

    def next(self, timeout: float = 30) -> dict[str, Any]:
        self.frames.append(json.loads(self.socket.recv(timeout)))
        return self.frames[-1]

    def until(self, request: str, kind: str) -> list[Chunk]:
        """The chunks of a request up to a frame, or a chunk, of this type."""
        chunks: list[Chunk] = []
        while True:
            frame = self.next()
            if frame["requestId"] != request:
                continue
            if frame["type"] == "chunk":
                assert frame["sequence"] == len(chunks)
                chunks.append(frame["chunk"])
            if kind in (frame["type"], frame.get("chunk", {}).get("type")):
                return chunks

    def response(self, request: str) -> list[Chunk]:
        chunks = self.until(request, "end")
        assert faults(chunks) == []
        return chunks


@pytest.fixture
def client(desk: LiveDesk) -> Iterator[FramedClient]:
    with FramedClient(desk) as client:
        yield client


def test_a_turn_is_a_response_of_its_own(client: FramedClient, scripts: Scripts) -> None:
    scripts.replies = [answer("Yes.")]
    client.ask("r1", user("hello"))
    assert types(client.response("r1")) == ["start", *TEXT, "finish"]
    assert [frame["type"] for frame in client.frames] == ["start", *["chunk"] * 5, "end"]


def test_an_answer_is_a_request_of_its_own(client: FramedClient, scripts: Scripts) -> None:
    scripts.replies = [Calls(("pay", {"word": "a"}), ("pay", {"word": "b"})), answer("Paid.")]
    client.ask("r1", user("pay"))
    first = client.response("r1")
    assert types(first) == ["start", *CALL, *CALL, *["tool-approval-request"] * 2, "finish"]
    message = respond(folded(first), True)
    client.ask("r2", user("pay"), message, messageId=message["id"])
    second = client.response("r2")
    assert types(second) == ["start", *["tool-output-available"] * 2, *TEXT, "finish"]
    assert scripts.ran == ["a", "b"]


def test_a_run_outlives_its_socket_and_is_resumed_whole(desk: LiveDesk, scripts: Scripts) -> None:
    scripts.replies = [Calls(("hold", {"word": "a"})), answer("Done.")]
    with FramedClient(desk) as client:
        client.ask("r1", user("go"))
        client.until("r1", "tool-input-available")
    with FramedClient(desk) as client:
        client.resume("r2")
        client.until("r2", "tool-input-available")
        scripts.go.set()
        while client.next()["type"] != "end":
            pass
        chunks = [frame["chunk"] for frame in client.frames if frame["type"] == "chunk"]
        client.resume("r3")
        while (last := client.next())["requestId"] != "r3" or last["type"] not in ("no-active", "end"):
            pass
    assert types(chunks) == ["start", *CALL, "tool-output-available", *TEXT, "finish"]
    assert scripts.ran == ["a"]


def test_there_is_nothing_to_resume_in_an_unknown_chat(desk: LiveDesk) -> None:
    with FramedClient(desk, "nobody") as client:
        client.resume("r1")
        assert client.next() == {"type": "no-active", "requestId": "r1"}


def test_an_abort_stops_the_run_that_was_asked_for_here(
    client: FramedClient, desk: LiveDesk, scripts: Scripts
) -> None:
    scripts.replies = [Calls(("hold", {"word": "a"})), answer("Done.")]
    client.ask("r1", user("go"))
    client.until("r1", "tool-input-available")
    client.tell("abort", "r1")
    client.ask("r2", user("still there?"))  # read behind the abort
    client.until("r2", "start")
    scripts.go.set()
    client.response("r2")
    [first, _] = closings(desk)
    assert first == RunCancelled(reason=STOPPED)


def test_an_abort_that_comes_while_the_run_is_begun_stops_it(
    client: FramedClient, desk: LiveDesk, scripts: Scripts, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts.replies = [Calls(("hold", {"word": "a"})), answer("Done.")]
    begin, abort = RequestHandler.begin, FramedDialect._abort  # pyright: ignore[reportPrivateUsage]
    started, received = threading.Event(), threading.Event()

    async def slow(self: RequestHandler, *args: Any) -> Any:
        turn = await begin(self, *args)
        started.set()
        await asyncio.to_thread(received.wait, 30)
        return turn

    async def hear(self: FramedDialect, request_id: str) -> None:
        aborting = asyncio.create_task(abort(self, request_id))
        await asyncio.sleep(0)  # up to where it waits
        received.set()
        await aborting

    monkeypatch.setattr(RequestHandler, "begin", slow)
    monkeypatch.setattr(FramedDialect, "_abort", hear)
    client.ask("r1", user("go"))
    assert started.wait(30)
    client.tell("abort", "r1")
    client.resume("r2")  # read behind the abort
    client.next()
    assert [frame["requestId"] for frame in client.frames] == ["r2"]
    scripts.go.set()
    assert come_true(lambda: closings(desk)) == [RunCancelled(reason=STOPPED)]


def test_an_abort_of_a_resumed_response_leaves_the_run_alone(desk: LiveDesk, scripts: Scripts) -> None:
    scripts.replies = [Calls(("hold", {"word": "a"})), answer("Done.")]
    with FramedClient(desk) as client, FramedClient(desk) as tab:
        client.ask("r1", user("go"))
        client.until("r1", "tool-input-available")
        tab.resume("r2")
        tab.until("r2", "tool-input-available")
        tab.tell("abort", "r2")
        tab.tell("abort", "nothing")
        tab.resume("r3")
        tab.until("r3", "tool-input-available")
        scripts.go.set()
        while client.next()["type"] != "end":
            pass
    assert said([frame["chunk"] for frame in client.frames if frame["type"] == "chunk"]) == "Done."


@pytest.mark.parametrize(
    ("frame", "request_id", "text"),
    [
        ({"type": "send", "requestId": "r1", "id": "x", "messages": []}, "r1", "`messages` is missing"),
        ({"type": "send", "requestId": "r1", "id": "x", "messages": [{"role": "user"}]}, "r1", "empty"),
        ({"type": "resume", "requestId": "r1"}, "r1", "no `id`"),
        ({"type": "message", "messages": [{"role": "user", "content": "x"}]}, "", "other transport"),
        ({"type": "send"}, "", "no `requestId`"),
    ],
)
def test_a_frame_that_cannot_be_obeyed_is_an_error_of_its_request(
    client: FramedClient, scripts: Scripts, frame: dict[str, Any], request_id: str, text: str
) -> None:
    scripts.replies = [answer("Yes.")]
    client.resume("r0")
    assert client.next()["type"] == "no-active"
    client.socket.send(json.dumps(frame))
    error = client.next()
    assert (error["type"], error["requestId"]) == ("error", request_id)
    assert text in error["errorText"]
    client.ask("r2", user("still there?"))
    assert said(client.response("r2")) == "Yes."


def test_a_disk_that_takes_no_file_is_an_error_of_its_request(
    client: FramedClient, desk: LiveDesk, scripts: Scripts, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(desk.desk.store.files, "keep_bytes", full)
    scripts.replies = [answer("Yes.")]
    client.ask("r1", user("read", "u1", {"type": "file", "mediaType": "text/plain", "url": "data:,hello"}))
    error = client.next()
    assert (error["type"], error["requestId"]) == ("error", "r1")
    assert "disk is full" in error["errorText"]
    client.ask("r2", user("still there?"))
    assert said(client.response("r2")) == "Yes."


def test_no_socket_has_more_than_a_few_requests_under_way(client: FramedClient, scripts: Scripts) -> None:
    scripts.replies = [Calls(("hold", {"word": "a"})), answer("Done.")]
    client.ask("r0", user("go"))
    client.until("r0", "tool-input-available")
    for number in range(1, MAX_REQUESTS + 1):
        client.resume(f"r{number}")
    while client.next()["type"] != "error":
        pass
    assert client.frames[-1]["requestId"] == f"r{MAX_REQUESTS}"
