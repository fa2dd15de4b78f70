"""A real page against a scripted server: one port serves frontend/ and the socket, a real Chromium opens it.

The server says only what a test tells it to, so a test decides order, gaps and drops. The panes of map,
images and debug are stand-ins here: these tests are about the rest of the page, whatever those panes become.
"""

import json
import mimetypes
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from queue import Queue
from socket import SHUT_RDWR
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import Server, ServerConnection, serve

from tests.support.fed_page import served_page
from tests.support.page_bundle import page_folder
from tests.support.waiting import PATIENCE
from tests.support.wire_messages import chat_message, whole

expect.set_options(timeout=PATIENCE)

FRONTEND = Path(__file__).resolve().parents[2] / "frontend"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' blob: data:; require-trusted-types-for 'script'; trusted-types smoldesk"
)
STAND_IN = (
    "export class {name} {{ constructor() {{ this.dom = document.createElement('div'); }} destroy() {{}} }}"
)
STAND_INS = {
    f"js/{file}.js": STAND_IN.format(name=name)
    for file, name in [
        ("map/viewer", "MapViewer"),
        ("images/viewer", "ImageViewer"),
        ("debug/viewer", "DebugViewer"),
    ]
}
assert all((FRONTEND / name).is_file() for name in STAND_INS), "a stand-in is for no module of the page"
EMPTY_PAGE = "<!doctype html><html lang='en'><title>modules</title><body></body></html>"
Json = dict[str, Any]


class ScriptedServer:
    """Serves the page on a free port of 127.0.0.1; `chat_id` is the one chat it knows."""

    def __init__(self) -> None:
        self.sockets: set[ServerConnection] = set()
        self.round = 0
        self.attached = threading.Condition(threading.RLock())
        """Holds the log, the sockets and the connections: a socket gets a message by replay or as it is sent, never
        neither, and never both."""
        self.reset()
        self.server: Server = serve(self._talk, "127.0.0.1", 0, process_request=self._answer)
        self.port = self.server.socket.getsockname()[1]
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def reset(self) -> None:
        """As good as new, on the same port: what the browser has cached stays good."""
        with self.attached:
            self.drop()
            self.round += 1
            self.log: list[Json] = []
            self.chat_id = "chat-1"
            self.frames: Queue[Json] = Queue()
            self.connections: list[dict[str, str]] = []
            self.accepting = True
            self.answers: dict[str, Callable[[dict[str, str]], Json]] = {}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def send(self, *messages: Json) -> None:
        """Append the messages to the log, numbered from its end, and send them to every open page."""
        with self.attached:
            for message in messages:
                self.log.append(
                    whole({"seq": self.last_seq + 1, "timestamp": "2024-05-01T10:00:00Z", **message})
                )
                self.push(self.log[-1])

    def push(self, *messages: Json) -> None:
        """Send messages as they are, without a place in the log."""
        self.push_raw(*(json.dumps(whole(message)) for message in messages))

    def push_raw(self, *frames: str) -> None:
        """Send text frames to every open page."""
        with self.attached:
            for socket in list(self.sockets):
                with suppress(ConnectionClosed):
                    for frame in frames:
                        socket.send(frame)

    @property
    def last_seq(self) -> int:
        return max((message["seq"] for message in self.log), default=0)

    def drop(self) -> None:
        """Cut every connection, as a network would."""
        with self.attached:
            for socket in list(self.sockets):
                with suppress(OSError):
                    socket.socket.shutdown(SHUT_RDWR)
                self.sockets.discard(socket)

    def wait_for_connections(self, count: int) -> None:
        with self.attached:
            arrived = self.attached.wait_for(lambda: len(self.connections) >= count, timeout=60)
        assert arrived, f"{len(self.connections)} connections came, {count} were expected"

    def next_frame(self) -> Json:
        return self.frames.get(timeout=60)

    def next_message(self) -> str:
        """What the next frame asks; it is a message, with an id of its own."""
        frame = self.next_frame()
        assert (frame["type"], bool(frame["clientMessageId"])) == ("message", True)
        return frame["message"]

    def close(self) -> None:
        self.drop()
        self.server.shutdown()
        self.thread.join(timeout=10)

    def _talk(self, socket: ServerConnection) -> None:
        assert socket.request is not None
        query = dict(parse_qsl(urlsplit(socket.request.path).query))
        expected = query.get("chat")
        try:
            with self.attached:
                frames, started = self.frames, self.round
                self.connections.append(query)
                if expected is not None and expected != self.chat_id:
                    socket.send(
                        json.dumps({"type": "error", "code": "not_found", "content": "No such chat."})
                    )
                else:
                    missed = [message for message in self.log if message["seq"] > int(query.get("after", 0))]
                    for message in [MAP_DEFINITION, chat_message(self.chat_id), *missed]:
                        socket.send(json.dumps(whole(message)))
                    self.sockets.add(socket)
                self.attached.notify_all()
            for frame in socket:
                if self.round == started:  # what a page of an earlier test still says is nobody's
                    frames.put(json.loads(frame))
        except (ConnectionClosed, OSError):
            pass
        finally:
            with self.attached:
                self.sockets.discard(socket)

    def _answer(self, _connection: ServerConnection, request: Request) -> Response | None:
        parts = urlsplit(request.path)
        if parts.path == "/ws":
            return None if self.accepting else response(HTTPStatus.SERVICE_UNAVAILABLE, b"", "text/plain")
        if parts.path in self.answers:
            body = json.dumps(self.answers[parts.path](dict(parse_qsl(parts.query))))
            return response(HTTPStatus.OK, body.encode(), "application/json")
        return static(parts.path)


def static(path: str) -> Response:
    """A file of frontend/, or the stand-in of a pane."""
    if path == "/empty":
        return response(HTTPStatus.OK, EMPTY_PAGE.encode(), "text/html")
    name = "index.html" if path == "/" else path.removeprefix("/static/")
    if name in STAND_INS:
        return response(HTTPStatus.OK, STAND_INS[name].encode(), "text/javascript")
    bundled = page_folder(tuple(STAND_INS.items())) / name
    file = bundled if bundled.is_file() else FRONTEND / name  # some tests load a module by itself
    if not file.is_file():
        return response(HTTPStatus.NOT_FOUND, b"", "text/plain")
    kind = "text/javascript" if file.suffix == ".js" else mimetypes.guess_type(file.name)[0] or "text/plain"
    return response(HTTPStatus.OK, file.read_bytes(), kind)


def response(status: HTTPStatus, body: bytes, kind: str) -> Response:
    lasting = status is HTTPStatus.OK and kind != "application/json"
    headers = {
        "Content-Type": kind,
        "Content-Length": str(len(body)),
        "Content-Security-Policy": POLICY,
        "Connection": "close",
        "Cache-Control": "max-age=600" if lasting else "no-store",
    }
    return Response(status.value, status.phrase, Headers(headers), body)


MAP_DEFINITION: Json = {"type": "map_definition", "content": {"floors": [], "bitmaps": []}}


def asked(run_id: str, question: str, ahead: int = 0) -> Json:
    return {"type": "user_message", "content": question, "ahead": ahead, "runId": run_id}


def run(run_id: str, state: str, **more: Any) -> Json:
    return {"type": "run", "runId": run_id, "content": {"runId": run_id, "state": state, **more}}


def delta(run_id: str, kind: str, text: str, step: int = 1) -> Json:
    return {"type": "delta", "runId": run_id, "kind": kind, "content": text, "step": step}


def text(run_id: str, content: str, **more: Any) -> Json:
    return {"type": "text", "runId": run_id, "content": content, "tone": "answer", **more}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where the page is alone, for tests that feed it (tests/support/fed_page.py)."""
    with served_page(page_folder()) as address:
        yield address


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """One for all tests of a file, so that the page's scripts come from its cache after the first."""
    with browser.new_context(
        viewport={"width": 1440, "height": 900}, locale="en-GB", reduced_motion="reduce"
    ) as context:
        context.new_page()  # stays open: a test's page is a tab beside it, else the browser makes a window for each
        yield context


@pytest.fixture(scope="module")
def one_server() -> Iterator[ScriptedServer]:
    server = ScriptedServer()
    yield server
    server.close()


@pytest.fixture
def server(one_server: ScriptedServer) -> ScriptedServer:
    one_server.reset()
    return one_server


@pytest.fixture
def blank(context: BrowserContext, server: ScriptedServer) -> Iterator[Page]:
    """An empty page of the server, to run modules in."""
    page = context.new_page()
    page.goto(f"{server.url}empty")
    yield page
    page.close()


def forget(context: BrowserContext, url: str) -> None:
    """Leave nothing of what a closed page keeps in the browser, such as its draft."""
    protocol = context.new_cdp_session(context.pages[0])
    origin = {"origin": url.rstrip("/"), "storageTypes": "local_storage"}
    protocol.send("Storage.clearDataForOrigin", origin)
    protocol.detach()


@pytest.fixture
def page(context: BrowserContext, server: ScriptedServer) -> Iterator[Page]:
    """The whole page, connected, remembering nothing. Faults of its scripts fail the test."""
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.goto(server.url)
    page.wait_for_selector(".connection[data-connection=open]", state="attached")
    page.wait_for_selector(".welcome:not([hidden])", state="attached")  # the chat is known
    page.keyboard.press("Escape")  # out of the composer, so that keys are the page's
    yield page
    page.close()
    forget(context, server.url)
    assert faults == []
