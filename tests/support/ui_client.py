"""Clients of the UI message stream for tests: requests over HTTP, frames over a socket, chunks back."""

import json
import time
from contextlib import ExitStack
from types import TracebackType
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

Chunk = dict[str, Any]
Message = dict[str, Any]


def user(text: str, message_id: str | None = "u1", *files: dict[str, Any]) -> Message:
    """A user's message as a client of today sends it."""
    message: Message = {"role": "user", "parts": [*files, {"type": "text", "text": text}]}
    return message if message_id is None else {"id": message_id, **message}


def parsed(body: str) -> list[Chunk | str]:
    """What a stream said: chunks, and "[DONE]"."""
    events = [event for event in body.split("\n\n") if event and not event.startswith(":")]
    assert all(event.startswith("data: ") and "\n" not in event for event in events), body
    return ["[DONE]" if event == "data: [DONE]" else json.loads(event[6:]) for event in events]


def chunks_of(body: str) -> list[Chunk]:
    """The chunks of one whole response, which ends with its mark."""
    *chunks, done = parsed(body)
    assert done == "[DONE]" and "[DONE]" not in chunks
    return [chunk for chunk in chunks if isinstance(chunk, dict)]


def types(chunks: list[Chunk]) -> list[str]:
    """The chunks' types without what is told and not kept."""
    return [chunk["type"] for chunk in chunks if not chunk.get("transient")]


def of_type(chunks: list[Chunk], kind: str) -> list[Chunk]:
    return [chunk for chunk in chunks if chunk["type"] == kind]


def said(chunks: list[Chunk]) -> str:
    return "".join(chunk["delta"] for chunk in of_type(chunks, "text-delta"))


def folded(chunks: list[Chunk], message: Message | None = None) -> Message:
    """The message a client has after a response, as far as tests go on with it: tools, text and metadata."""
    results: Message = message or {"role": "assistant", "parts": []}
    tools: dict[str, Message] = {
        part["toolCallId"]: part for part in results["parts"] if "toolCallId" in part
    }
    for chunk in chunks:
        part = tools.get(chunk.get("toolCallId", ""))
        match chunk["type"]:
            case "start" if "messageId" in chunk:
                results["id"] = chunk["messageId"]
            case "tool-input-start":
                kind = f"tool-{chunk['toolName']}"
                tools[chunk["toolCallId"]] = {"type": kind, "toolCallId": chunk["toolCallId"]}
                results["parts"].append(tools[chunk["toolCallId"]])
            case "tool-input-available":
                assert part is not None
                part |= {"state": "input-available", "input": chunk["input"]}
            case "tool-approval-request":
                assert part is not None
                part |= {"state": "approval-requested", "approval": {"id": chunk["approvalId"]}}
            case "tool-output-available":
                assert part is not None
                part |= {"state": "output-available", "output": chunk["output"]}
            case "tool-output-error":
                assert part is not None
                part |= {"state": "output-error", "errorText": chunk["errorText"]}
            case "start-step":
                results["parts"].append({"type": "step-start"})
            case "text-start":
                results["parts"].append({"type": "text", "text": ""})
            case "text-delta":
                results["parts"][-1]["text"] += chunk["delta"]
            case _:
                pass
    return results


def respond(message: Message, approved: bool, reason: str | None = None, tool: str | None = None) -> Message:
    """The message with every open approval answered, or those of one tool."""
    for part in message["parts"]:
        if part.get("state") == "approval-requested" and tool in (None, part["type"].removeprefix("tool-")):
            part["state"] = "approval-responded"
            part["approval"] |= {"approved": approved} | ({"reason": reason} if reason else {})
    return message


class SseClient:
    """One chat over POST /stream; `messages` is the history a client keeps."""

    def __init__(self, url: str, chat: str = "chat-1", query: str = "") -> None:
        self.http = httpx.Client(base_url=url, timeout=120)
        self.chat = chat
        self.query = query
        self.messages: list[Message] = []
        self.responses = 0

    def __enter__(self) -> "SseClient":
        return self

    def __exit__(self, kind: type | None, fault: BaseException | None, trace: TracebackType | None) -> None:
        self.http.close()

    def post(self, **body: Any) -> httpx.Response:
        return self.http.post(f"/stream{self.query}", json=body)

    def send(self) -> list[Chunk]:
        """The history as it is; the response's message joins it."""
        last = self.messages[-1]
        goes_on = last["role"] == "assistant"
        body = {"id": self.chat, "messages": self.messages, "trigger": "submit-message"}
        response = self.post(**body, **({"messageId": last["id"]} if goes_on else {}))
        assert response.status_code == 200, response.text
        self.responses += 1
        chunks = chunks_of(response.text)
        if goes_on:
            folded(chunks, last)
        else:
            self.messages.append(folded(chunks))
        return chunks

    def ask(self, text: str) -> list[Chunk]:
        self.messages.append(user(text, f"u{len(self.messages)}"))
        return self.send()

    def answer(self, approved: bool, reason: str | None = None, tool: str | None = None) -> list[Chunk]:
        respond(self.messages[-1], approved, reason, tool)
        return self.send()


class LiveClient:
    """One socket of /live, speaking as clients with one stream do."""

    def __init__(self, url: str, chat: str | None = "chat-1", query: str = "") -> None:
        self._closing = ExitStack()
        address = f"{url.replace('http', 'ws', 1)}/live{query}"
        opening = connect(address, max_size=None, compression=None, open_timeout=120, close_timeout=1)
        self.socket: ClientConnection = self._closing.enter_context(opening)
        self.chat = chat

    def __enter__(self) -> "LiveClient":
        return self

    def __exit__(self, kind: type | None, fault: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._closing.close()

    def send(self, **frame: Any) -> None:
        self.socket.send(json.dumps(frame))

    def say(self, *messages: Message, **more: Any) -> None:
        self.send(
            type="message",
            version="1.0",
            **({"id": self.chat} if self.chat else {}),
            messages=messages,
            **more,
        )

    def next(self, timeout: float = 120) -> Chunk | str:
        frame = self.socket.recv(timeout)
        assert isinstance(frame, str)
        if not frame.startswith("data: "):
            return json.loads(frame)
        [event] = parsed(frame)  # one event a frame
        return event

    def until(self, kind: str, timeout: float = 120) -> list[Chunk]:
        """Chunks up to the first of a type, "[DONE]" included as one."""
        received: list[Chunk] = []
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            event = self.next(max(0.1, deadline - time.monotonic()))
            if event == kind:
                return received
            assert isinstance(event, dict), f"{event} before {kind}; {received}"
            received.append(event)
            if event["type"] == kind:
                return received
        raise AssertionError(f"no {kind} within {timeout} s; {received[-3:]}")

    def until_done(self, timeout: float = 120) -> list[Chunk]:
        return self.until("[DONE]", timeout)
