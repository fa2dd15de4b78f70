"""A client of the task wire for tests: requests over HTTP, and a reader of server-sent events as the standard tells it."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

Object = dict[str, Any]
ENDS = ("completed", "failed", "canceled")


@dataclass
class ServerEvent:
    """One event as it is dispatched; `id` is that of the last event which had one."""

    event: str
    data: str
    id: str

    @property
    def json(self) -> Object:
        return json.loads(self.data)


@dataclass
class EventReader:
    """Takes lines of a stream, gives events; remembers what else the stream said."""

    retry: int | None = None
    comments: list[str] = field(default_factory=list[str])
    last_id: str = ""
    _event: str = ""
    _data: list[str] = field(default_factory=list[str])

    def line(self, line: str) -> ServerEvent | None:
        if line.startswith(":"):
            self.comments.append(line[1:].strip())
            return None
        if not line:
            return self._dispatched()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match name:
            case "event":
                self._event = value
            case "data":
                self._data.append(value)
            case "id" if "\0" not in value:
                self.last_id = value
            case "retry" if value.isascii() and value.isdigit():
                self.retry = int(value)
            case _:
                pass
        return None

    def _dispatched(self) -> ServerEvent | None:
        event, data = self._event, self._data
        self._event, self._data = "", []
        return ServerEvent(event or "message", "\n".join(data), self.last_id) if data else None

    def read(self, lines: Iterable[str]) -> Iterator[ServerEvent]:
        for line in lines:
            result = self.line(line)
            if result is not None:
                yield result


def lines_of(pieces: Iterable[str]) -> Iterator[str]:
    """Lines that end with \\n; not with what else Python takes for the end of one."""
    text = ""
    for piece in pieces:
        *lines, text = (text + piece).split("\n")
        yield from lines


class TaskClient:
    """One desk's tasks; `close` it."""

    def __init__(self, url: str, transport: httpx.BaseTransport | None = None, **headers: str) -> None:
        self.http = httpx.Client(
            base_url=url, timeout=90, headers=headers, trust_env=False, transport=transport
        )

    def __enter__(self) -> "TaskClient":
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def send(self, message: str | Object = "go", **body: Any) -> Object:
        """A new task."""
        answer = self.http.post("/tasks/send", json={"message": message, **body})
        assert answer.status_code == 200, answer.text
        return answer.json()["task"]

    def get(self, task_id: str) -> Object:
        answer = self.http.get(f"/tasks/{task_id}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def give(self, task_id: str, value: Any, **body: Any) -> httpx.Response:
        return self.http.post(f"/tasks/{task_id}/input", json={"input": value, **body})

    @contextmanager
    def stream(
        self, method: str, path: str, reader: EventReader | None = None, **options: Any
    ) -> Iterator[Iterator[ServerEvent]]:
        """The events of a response, as they come."""
        with self.http.stream(method, path, **options) as response:
            assert response.status_code == 200, response.read()
            assert response.headers["content-type"].startswith("text/event-stream")
            yield (reader or EventReader()).read(lines_of(response.iter_text()))

    def events(self, task_id: str, after: str | None = None, **headers: str) -> list[ServerEvent]:
        """All events of a task, to the end of its stream."""
        requested = {} if after is None else {"after": after}
        with self.stream("GET", f"/tasks/{task_id}/subscribe", params=requested, headers=headers) as events:
            return list(events)

    def send_subscribe(self, message: str | Object = "go", **body: Any) -> list[ServerEvent]:
        with self.stream("POST", "/tasks/sendSubscribe", json={"message": message, **body}) as events:
            return list(events)

    def until(self, task_id: str, *states: str) -> Object:
        """The task once it is in one of these states."""
        with self.stream("GET", f"/tasks/{task_id}/subscribe") as events:
            for event in events:
                if event.event == "status" and event.json["state"] in states:
                    break
                assert event.event != "status" or event.json["state"] not in ENDS, event.data
        return self.get(task_id)


def states(events: Iterable[ServerEvent]) -> list[str]:
    return [event.json["state"] for event in events if event.event == "status"]


def artifacts(events: Iterable[ServerEvent]) -> list[Object]:
    """What a client has that applies the artifact events in order."""
    by_name: dict[int, Object] = {}
    for event in events:
        if event.event != "artifact":
            continue
        data = event.json
        if not data["append"]:
            by_name[data["index"]] = data["artifact"]
            continue
        before = by_name[data["index"]]
        message = before["parts"][0]["text"] + data["artifact"]["parts"][0]["text"]
        by_name[data["index"]] = before | {"parts": [{"type": "text", "text": message}]}
    return [by_name[index] for index in sorted(by_name)]


def words(results: Iterable[Object]) -> list[str]:
    """The texts of artifacts; empty for one that is data."""
    return [artifact["parts"][0].get("text", "") for artifact in results]
