"""A real desk whose app is called in this process: no socket, no server, no child. For tests of one request and its answer.

What a server adds (its parser, timeouts, a client that is slow or gone) is for tests of `live_desk`.
"""

import asyncio
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from smoldesk.app import create_app, guarded
from smoldesk.desk import Desk, build_desk
from smoldesk.runs import Runs
from smoldesk.sandbox.isolation import Jail
from smoldesk.tools.run_context import RunContext
from tests.support.desk_server import settings_for
from tests.support.one_agent import OneAgent

HOST = "127.0.0.1:8000"
ASGI = Any
"""An ASGI message."""


class Body(httpx.SyncByteStream):
    """The pieces of a response's body as the app sends them; closing it tells the app that the client is gone."""

    def __init__(self, messages: "SimpleQueue[ASGI]", leave: Callable[[], None]) -> None:
        self._messages = messages
        self._leave = leave

    def __iter__(self) -> Iterator[bytes]:
        while isinstance(message := self._messages.get(timeout=120), dict):
            yield message.get("body", b"")
            if not message.get("more_body"):
                return
        if message is not None:
            raise message

    def close(self) -> None:
        self._leave()


class AppTransport(httpx.BaseTransport):
    """Requests of a client, given to an app on a loop of another thread; answers come piece by piece."""

    def __init__(self, app: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._app = app
        self._loop = loop

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        body = request.read()
        messages: SimpleQueue[ASGI] = SimpleQueue()
        gone = asyncio.Event()
        arriving = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> ASGI:
            if arriving:
                return arriving.pop()
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: ASGI) -> None:
            messages.put(message)

        async def answer() -> None:
            try:
                await self._app(scope_of(request), receive, send)
                messages.put(None)
            except BaseException as fault:  # raised where the client reads
                messages.put(fault)

        asyncio.run_coroutine_threadsafe(answer(), self._loop)
        start = messages.get(timeout=120)
        if not isinstance(start, dict):
            raise start or AssertionError("the app did not answer")
        return httpx.Response(
            start["status"],
            headers=start["headers"],
            stream=Body(messages, lambda: self._loop.call_soon_threadsafe(gone.set) and None),
        )


def scope_of(request: httpx.Request) -> dict[str, Any]:
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": request.url.scheme,
        "path": request.url.path,
        "raw_path": request.url.raw_path.partition(b"?")[0],
        "query_string": request.url.query,
        "root_path": "",
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "client": ("127.0.0.1", 50_000),
        "server": ("127.0.0.1", 8000),
    }


@dataclass(frozen=True)
class InsideDesk:
    """A desk that answers requests; `one_agent` is its agent, a function of the test."""

    desk: Desk
    one_agent: OneAgent
    transport: AppTransport
    url: str = f"http://{HOST}"

    def client(self, **options: Any) -> httpx.Client:
        """The same as that of a served desk."""
        return httpx.Client(base_url=self.url, transport=self.transport, **options)


@contextmanager
def inside_desk(
    folder: Path, answer: Callable[[str, RunContext], str], **options: Any
) -> Generator[InsideDesk]:
    """Open a desk whose agent is one function."""
    settings = settings_for(folder, port=8000, **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("smoldesk.desk.desk.jail_here", lambda *_: Jail(None, {}))  # a child finds it out
        desk = build_desk(settings)
    agent = OneAgent(answer)
    desk = replace(desk, runs=Runs(desk.store, agent, grace_seconds=settings.stop_grace_seconds))
    app = create_app(settings, desk)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    end = asyncio.Event()
    opened: SimpleQueue[object] = SimpleQueue()
    life = asyncio.run_coroutine_threadsafe(_live(app, opened, end), loop)
    assert opened.get(timeout=120) is None, life.result()
    try:
        yield InsideDesk(desk, agent, AppTransport(guarded(app, settings), loop))
    finally:
        desk.conversations.close()
        desk.runs.close()
        desk.store.close_followers()
        loop.call_soon_threadsafe(end.set)
        life.result(60)
        asyncio.run_coroutine_threadsafe(_cancel_others(), loop).result(60)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(20)
        loop.close()


async def _live(app: FastAPI, opened: "SimpleQueue[object]", end: asyncio.Event) -> None:
    try:
        async with app.router.lifespan_context(app):
            opened.put(None)
            await end.wait()
    except BaseException as fault:
        opened.put(fault)
        raise


async def _cancel_others() -> None:
    """What the server's library keeps for as long as its loop lives."""
    other_items = asyncio.all_tasks() - {asyncio.current_task()}
    for task in other_items:
        task.cancel()
    await asyncio.gather(*other_items, return_exceptions=True)
