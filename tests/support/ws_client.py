"""A client of the four-pane wire on the websockets library, synchronous, with bounded waits."""

import contextlib
import json
import time
from types import TracebackType
from typing import Any

from websockets.sync.client import ClientConnection, connect

CLOSED = ("finished", "failed", "cancelled")
Message = dict[str, Any]


class WsClient:
    """One socket; `seen` holds every message in order."""

    def __init__(self, url: str, query: str = "?after=0", headers: dict[str, str] | None = None) -> None:
        self._closing = contextlib.ExitStack()
        opening = connect(
            f"{url}{query}",
            max_size=None,
            compression=None,
            open_timeout=120,  # a machine may be busy
            ping_timeout=120,
            additional_headers=headers,
            close_timeout=1,  # a client with much unread never sees the server's goodbye
        )
        self.socket: ClientConnection = self._closing.enter_context(opening)
        self.seen: list[Message] = []
        self.chat_id = ""
        self.open_asks: list[Message] = []

    def __enter__(self) -> "WsClient":
        return self

    def __exit__(self, kind: type | None, fault: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._closing.close()

    def next(self, timeout: float = 120) -> Message:
        """The next message; lists of open asks have no place among the others, and go into `open_asks`."""
        while True:
            message: Message = json.loads(self.socket.recv(timeout))
            if message["type"] != "open_asks":
                self.seen.append(message)
                return message
            self.open_asks.append(message)

    def until_open(self, count: int, timeout: float = 120) -> Message:
        """The newest list of open asks, read for until it has so many."""
        deadline = time.monotonic() + timeout
        while not self.open_asks or self.open_asks[-1]["content"]["count"] != count:
            assert time.monotonic() < deadline, f"never {count} open asks; last: {self.open_asks[-1:]}"
            message: Message = json.loads(self.socket.recv(max(0.1, deadline - time.monotonic())))
            (self.open_asks if message["type"] == "open_asks" else self.seen).append(message)
        return self.open_asks[-1]

    def send(self, **frame: Any) -> None:
        self.socket.send(json.dumps(frame))

    def say(self, message: str) -> None:
        self.send(type="message", message=message)

    def ask(self, message: str) -> list[Message]:
        """Say something and read to the end of its run; the messages since then."""
        self.say(message)
        return self.until_closed()

    def hello(self) -> str:
        """Read the introduction; the chat's id."""
        assert self.next()["type"] == "map_definition"
        chat = self.next()
        assert chat["type"] == "chat", chat
        self.chat_id = chat["content"]["chatId"]
        return self.chat_id

    def greeted(self) -> "WsClient":
        """Itself, with the introduction read."""
        self.hello()
        return self

    def until(self, kind: str, timeout: float = 300, **content: Any) -> Message:
        """Read up to the first message of a type whose content has these values."""
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            message = self.next(max(0.1, deadline - time.monotonic()))
            if message["type"] == kind and all(
                message["content"].get(key) == value for key, value in content.items()
            ):
                return message
        raise AssertionError(f"no {kind} {content} within {timeout} s")

    def until_closed(self, timeout: float = 300) -> list[Message]:
        """Read to the end of a run; the messages since the call."""
        start = len(self.seen)
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            message = self.next(max(0.1, deadline - time.monotonic()))
            if message["type"] == "run" and message["content"]["state"] in CLOSED:
                return self.seen[start:]
        raise AssertionError(f"no run closed within {timeout} s; last: {self.seen[-3:]}")


def of_type(messages: list[Message], kind: str) -> list[Message]:
    return [message for message in messages if message["type"] == kind]
