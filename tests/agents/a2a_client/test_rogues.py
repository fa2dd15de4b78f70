"""Agents elsewhere that are none, lie, hang, or send without end: the caller gets a clear fault, soon."""

import asyncio
import json
import secrets
from collections.abc import AsyncGenerator, Callable, Iterable
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from smoldesk.agents.a2a_client import Peer, Peers, client
from smoldesk.agents.a2a_client import bounded as bounds
from smoldesk.agents.a2a_client.assignment import MAX_FILES
from smoldesk.agents.a2a_client.entries import AgentFailed
from tests.support.peer_server import NotingContext, ask_of, peer_server, served

Answer = Callable[[Request], Any]


def card(url: str, streaming: bool = True, **more: Any) -> dict[str, Any]:
    card_json = {
        "name": "Rogue",
        "description": "Lies.",
        "version": "1",
        "supportedInterfaces": [
            {"url": f"{url}/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
        ],
        "capabilities": {"streaming": streaming},
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain"],
        "skills": [{"id": "x", "name": "x", "description": "x", "tags": ["x"]}],
    }
    return card_json | more


def rogue(of_card: Callable[[str], Any], of_message: Answer | None = None) -> Callable[[str], ASGIApp]:
    """An app that answers for its card and for messages as it likes."""

    def make(url: str) -> ASGIApp:
        async def give_card(request: Request) -> Response:
            malformed = of_card(url)
            return malformed if isinstance(malformed, Response) else Response(json.dumps(malformed))

        async def give_answer(request: Request) -> Response:
            assert of_message is not None
            return await of_message(request)

        return Starlette(routes=[Route("/card", give_card), Route("/a2a", give_answer, methods=["POST"])])

    return make


def ask_rogue(make: Callable[[str], ASGIApp], context: NotingContext, silence: float = 5, **more: Any) -> str:
    """What a rogue answers."""
    with served(make) as url:
        peers = Peers({"rogue": Peer("rogue", f"{url}/card")}, silence=silence, **more)
        return ask_of(peers, "hello", context)


def fault_of(make: Callable[[str], ASGIApp], folder: Path, silence: float = 5) -> str:
    """What is said of a rogue that is asked."""
    with pytest.raises(AgentFailed) as fault:
        ask_rogue(make, NotingContext(folder), silence)
    return str(fault.value)


# --- cards -----------------------------------------------------------------------------------------------------------


CARDS: list[tuple[Callable[[str], Any], str]] = [
    (lambda url: Response("not JSON"), "is invalid"),
    (lambda url: Response("[1]"), "is invalid"),
    (lambda url: Response('{"name": ' + "[" * 100_000), "is invalid"),
    (lambda url: Response(b"\xff\xfe{"), "is invalid"),
    (lambda url: {"supportedInterfaces": "none"}, "is invalid"),
    (lambda url: {"name": "x"}, "no usable interface: the card lists none"),
    (lambda url: Response(b"x" * 10_000_000), "larger than 1,000,000 bytes"),
    (lambda url: Response("no", status_code=404), "answered 404"),
    (lambda url: RedirectResponse(f"{url}/other"), "answered 307, a redirect, which is not followed"),
    (lambda url: Response("x", headers={"content-encoding": "gzip"}), "compressed"),
]


@pytest.mark.parametrize(("make_card", "expected"), CARDS)
def test_a_card_that_is_none_is_said_to_be(
    tmp_path: Path, make_card: Callable[[str], Any], expected: str
) -> None:
    assert expected in fault_of(rogue(make_card), tmp_path)


def interface(url: str, binding: str = "JSONRPC", version: str = "1.0") -> dict[str, str]:
    return {"url": url, "protocolBinding": binding, "protocolVersion": version}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (interface("http://192.0.2.1/a2a"), "http://192.0.2.1:80 is neither the card's origin"),
        (interface("http://127.0.0.1:1/a2a"), "http://127.0.0.1:1 is neither"),
        (interface("http://{host}@192.0.2.1/"), "is not a web address"),
        (interface("file:///etc/passwd"), "is not a web address"),
        (interface("{url}/a2a", version="2.0"), "version 2.0 is not supported"),
        (interface("{url}/a2a", version="0.2.5"), "version 0.2.5 is not supported"),
        (interface("{url}/a2a", binding="GRPC"), "GRPC is not supported"),
    ],
)
def test_a_card_that_lies_about_its_place_or_version_is_not_believed(
    tmp_path: Path, fields: dict[str, str], expected: str
) -> None:
    def make_card(url: str) -> Any:
        address = fields["url"].replace("{url}", url).replace("{host}", url.removeprefix("http://"))
        return card(url, supportedInterfaces=[fields | {"url": address}])

    assert expected in fault_of(rogue(make_card), tmp_path)


def test_of_several_interfaces_only_those_at_home_are_used(tmp_path: Path) -> None:
    """The first one would win, and is elsewhere: whoever serves there is never asked."""
    with peer_server() as bystander, peer_server() as home:
        away = f"{bystander.url}/a2a"

        def make_card(url: str) -> Any:
            return card(url, supportedInterfaces=[interface(away), interface(f"{home.url}/a2a")])

        with served(rogue(make_card)) as url:
            context = NotingContext(tmp_path)
            peer = Peer("rogue", f"{url}/card", origins=(home.url,))
            answer = ask_of(Peers({"rogue": peer}), "work hard", context)
        assert answer == "The answer comes in pieces."
        assert len(home.seen.messages) == 1 and bystander.seen.messages == []


# --- answers ---------------------------------------------------------------------------------------------------------


def line(event: Any) -> str:
    return f"data: {json.dumps({'jsonrpc': '2.0', 'id': 'x', 'result': event})}\n\n"


def streamed(pieces: Iterable[Any], pause: float = 0) -> StreamingResponse:
    async def body() -> AsyncGenerator[Any]:
        for piece in pieces:
            yield piece
            await asyncio.sleep(pause)

    return StreamingResponse(body(), media_type="text/event-stream")


def sse(*events: Any) -> StreamingResponse:
    return streamed(map(line, events))


def task(state: str = "TASK_STATE_WORKING", task_id: str = "t1", **more: Any) -> dict[str, Any]:
    return {"task": {"id": task_id, "contextId": "c", "status": {"state": state}, **more}}


def done(text: str) -> dict[str, Any]:
    return task("TASK_STATE_COMPLETED", artifacts=[{"artifactId": "a", "parts": [{"text": text}]}])


def asking(message_id: str) -> dict[str, Any]:
    task_json = task("TASK_STATE_INPUT_REQUIRED")
    message = {"messageId": message_id, "role": "ROLE_AGENT", "parts": [{"text": "Why?"}]}
    task_json["task"]["status"]["message"] = message
    return task_json


async def plain(request: Request) -> Response:
    return Response("<html>", media_type="text/html")


async def broken(request: Request) -> Response:
    return streamed(["data: {broken\n\n"])


async def empty(request: Request) -> Response:
    return sse()


async def refusing(request: Request) -> Response:
    error = {"code": -32602, "message": "depth 4 is the limit"}
    return Response(json.dumps({"jsonrpc": "2.0", "id": "x", "error": error}), media_type="application/json")


async def of_another(request: Request) -> Response:
    update = {"taskId": "t2", "contextId": "c", "status": {"state": "TASK_STATE_WORKING"}}
    return sse(task(), {"statusUpdate": update})


async def of_a_long_name(request: Request) -> Response:
    return sse(task(task_id="t" * 400))


async def moved(request: Request) -> Response:
    return RedirectResponse("http://192.0.2.1/a2a", status_code=307)


async def of_many_parts(request: Request) -> Response:
    parts = [{"url": "http://192.0.2.1/x", "filename": str(number)} for number in range(6_000)]
    return sse(task("TASK_STATE_COMPLETED", artifacts=[{"artifactId": "a", "parts": parts}]))


async def deep(request: Request) -> Response:
    return streamed(['data: {"jsonrpc": "2.0", "id": "x", "result": ' + "[" * 100_000 + "\n\n"])


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (plain, "request to the agent failed"),
        (broken, "request to the agent failed"),
        (empty, "The agent's response ended without an answer."),
        (refusing, "depth 4 is the limit"),
        (of_another, "an update of another task"),
        (of_a_long_name, "more than 300 characters"),
        (moved, "307"),
        (of_many_parts, "5,000 parts"),
        (deep, "request to the agent failed"),
    ],
)
def test_an_answer_that_is_none_is_said_to_be(tmp_path: Path, answer: Answer, expected: str) -> None:
    assert expected in fault_of(rogue(card, answer), tmp_path)


MUCH = 200
"""So much that the connection is cut long before the end."""


async def endless_line(request: Request) -> Response:
    return streamed([b"data: ", *[b"x" * 100_000] * MUCH])


async def endless_events(request: Request) -> Response:
    return streamed([line(task()).encode() * 1_000] * MUCH)


@pytest.mark.parametrize("answer", [endless_line, endless_events])
def test_what_never_ends_is_cut_off_by_its_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: Answer
) -> None:
    monkeypatch.setattr(bounds.Meter.__init__, "__defaults__", (2_000_000,))
    assert (
        fault_of(rogue(card, answer), tmp_path, silence=30) == "The agent's response exceeds the size limit."
    )


async def silent(request: Request) -> Response:
    await asyncio.sleep(3600)
    return Response()


async def only_alive(request: Request) -> Response:
    """Comments keep the connection open; nothing is ever said."""
    return streamed(repeat(b": still here\n\n"), pause=0.05)


async def only_working(request: Request) -> Response:
    """Says that it works, and that it works, and that it works."""
    return streamed(repeat(line(task())), pause=0.05)


@pytest.mark.parametrize("answer", [silent, only_alive, only_working])
def test_one_that_hangs_is_given_up(tmp_path: Path, answer: Answer) -> None:
    assert fault_of(rogue(card, answer), tmp_path, silence=0.5) == "The agent sent nothing for 0.5 s."


def test_a_card_that_never_comes_is_given_up(tmp_path: Path) -> None:
    def make(url: str) -> ASGIApp:
        return Starlette(routes=[Route("/card", silent)])

    assert fault_of(make, tmp_path, silence=0.5) == "The agent sent nothing for 0.5 s."


def test_one_that_is_not_there_is_said_not_to_be(tmp_path: Path) -> None:
    gone = Peers({"gone": Peer("gone", "http://127.0.0.1:9/card")})
    with pytest.raises(AgentFailed, match="request to the agent failed"):
        ask_of(gone, "hello", NotingContext(tmp_path))


def test_files_beyond_the_limit_are_counted(tmp_path: Path) -> None:
    parts = [{"url": "http://192.0.2.1/x", "filename": str(number)} for number in range(MAX_FILES + 1)]

    async def answer(request: Request) -> Response:
        return sse(task("TASK_STATE_COMPLETED", artifacts=[{"artifactId": "a", "parts": parts}]))

    text = ask_rogue(rogue(card, answer), NotingContext(tmp_path))
    assert text.count("Link: http://192.0.2.1/x") == MAX_FILES
    assert text.endswith("(1 more files were not accepted)")


async def drip(request: Request) -> Response:
    """A file that comes so slowly that each piece is in time, and the whole never."""
    return streamed(repeat(b"x"), pause=0.05)


def test_a_file_that_never_ends_is_left_a_link(tmp_path: Path) -> None:
    def make(url: str) -> ASGIApp:
        async def answer(request: Request) -> Response:
            parts = [{"text": "Here."}, {"url": f"{url}/drip", "filename": "drip.bin"}]
            artifacts = [{"artifactId": "a", "parts": parts}]
            return sse(task("TASK_STATE_COMPLETED", artifacts=artifacts))

        app = rogue(card, answer)(url)
        assert isinstance(app, Starlette)
        app.router.routes.append(Route("/drip", drip))
        return app

    answer = ask_rogue(make, NotingContext(tmp_path), silence=0.5)
    assert answer.startswith("Here.\n\nLink: http://127.0.0.1:")
    assert answer.endswith("/drip (the file could not be read: no response within 0.5 s)")
    assert list(tmp_path.iterdir()) == []


async def slow(request: Request) -> Response:
    """Takes its time with an answer; meanwhile its task shows the question that was answered."""
    request_json = await request.json()
    if request_json["method"] == "GetTask":
        return Response(
            json.dumps({"jsonrpc": "2.0", "id": request_json["id"], "result": asking("q")["task"]})
        )
    if not request_json["params"]["message"].get("taskId"):
        return sse(asking("q"))
    await asyncio.sleep(0.5)
    return sse(done("Done."))


def test_one_that_is_slow_with_an_answer_does_not_ask_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "SETTLE_SECONDS", 0.05)
    context = NotingContext(tmp_path)
    assert ask_rogue(rogue(card, slow), context, silence=20) == "Done."
    assert len(context.asks) == 1


async def cut(request: Request) -> Response:
    """A stream that breaks off in the middle; later looks at the task find it done."""
    request_json = await request.json()
    if request_json["method"] == "GetTask":
        result = {"jsonrpc": "2.0", "id": request_json["id"], "result": done("Done.")["task"]}
        return Response(json.dumps(result), media_type="application/json")
    return sse(task())


def test_a_stream_that_breaks_off_is_no_fault_while_the_task_can_be_looked_at(tmp_path: Path) -> None:
    assert ask_rogue(rogue(card, cut), NotingContext(tmp_path)) == "Done."


async def nagging(request: Request) -> Response:
    return sse(asking(secrets.token_hex(4)))


def test_one_that_never_stops_asking_is_given_up(tmp_path: Path) -> None:
    assert "more than 20 questions" in fault_of(rogue(card, nagging), tmp_path)


async def forgetful(request: Request) -> Response:
    """Knows no thread that it is told."""
    request_json = await request.json()
    if "contextId" not in request_json["params"]["message"]:
        return sse(done("Hello."))
    error = {"code": -32602, "message": "no such context"}
    return Response(json.dumps({"jsonrpc": "2.0", "id": "x", "error": error}), media_type="application/json")


def test_one_that_forgot_the_thread_is_asked_in_a_new_one(tmp_path: Path) -> None:
    context = NotingContext(tmp_path)
    assert ask_rogue(rogue(card, forgetful), context, last_context=lambda chat_id, name: "gone") == "Hello."
    assert context.contexts == ["c"], "from now on, that one"
