"""A scripted OpenAI-compatible server: the real openai client talks to it over a real socket.

A script is one reply per request, in order, or a function of the request. Every request is kept. Use:

    with OpenAIServer([Fails(429, headers={"retry-after": "0"}), Says("Hel", "lo")]) as server:
        ... server.base_url ...
    assert len(server.requests) == 2
"""

import asyncio
import json
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

PATHS = ("/{before:path}chat/completions",)  # /v1/ with most, /openai/deployments/NAME/ with Azure
END = "data: [DONE]\n\n"


class Says:
    """Streams `pieces`, one chunk each; without `usage` it sends no token counts, as some servers do.

    `thoughts` come first, one chunk each, under every name of `thoughts_as`. `cached` tokens of the prompt are counted apart.
    """

    thoughts: Sequence[str] = ()
    thoughts_as: Sequence[str] = ("reasoning_content",)
    shares: Sequence[tuple[int, int]] = ()

    def __init__(self, *pieces: str, usage: bool = True, pause: float = 0, cached: int | None = None) -> None:
        self.pieces = pieces
        self.usage = usage
        self.cached = cached
        self.pause = pause
        self.finish = "stop"
        self.prompt_tokens = 11

    def counting(self, prompt_tokens: int) -> Self:
        """This reply, with another count of the prompt's tokens."""
        self.prompt_tokens = prompt_tokens
        return self

    def ended(self, finish: str) -> Self:
        """This reply, with another `finish_reason` in its last chunk."""
        self.finish = finish
        return self

    def after(self, *thoughts: str, named: Sequence[str] = ("reasoning_content",)) -> Self:
        """This reply, with `thoughts` before it."""
        self.thoughts, self.thoughts_as = thoughts, named
        return self

    def reading(self, *shares: tuple[int, int]) -> Self:
        """This reply, after (processed, total) tokens of the prompt as llama.cpp reports them to who asks for it."""
        self.shares = shares
        return self


class Stalls(Says):
    """Streams `pieces`, then nothing more; the connection stays open. Without pieces, not even headers come."""


class Breaks(Says):
    """Streams `pieces`, then drops the connection in mid-answer."""


class Garbles(Says):
    """Streams `pieces`, then a line that is not JSON."""


class ErrsMidway(Says):
    """Streams `pieces`, then an error object, with a status that said 200 long before."""

    def __init__(self, *pieces: str, message: str) -> None:
        super().__init__(*pieces)
        self.message = message


class Calls(Says):
    """Streams tool calls, (name, arguments) each: the name first, then the arguments in two pieces."""

    def __init__(self, *calls: tuple[str, Any]) -> None:
        super().__init__()
        self.calls = calls

    def chunks(self) -> Iterator[dict[str, Any]]:
        """The deltas of all calls."""
        for index, (name, arguments) in enumerate(self.calls):
            text = json.dumps(arguments)
            half = len(text) // 2
            first = {"index": index, "id": f"call_{index}", "type": "function"}
            yield {"tool_calls": [first | {"function": {"name": name, "arguments": ""}}]}
            for piece in (text[:half], text[half:]):
                yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


class Chunks(Says):
    """Streams these `choices[0]` as they are, one chunk each: {"delta": {...}, "finish_reason": ...}."""

    def __init__(self, *choices: Mapping[str, Any], breaks: bool = False) -> None:
        super().__init__()
        self.choices = choices
        self.breaks = breaks


@dataclass(frozen=True)
class Fails:
    """Answers with an HTTP error; `{key}` in the message becomes the key the request brought. A `body` is sent as it is."""

    status: int
    message: str = "it did not work"
    code: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None


Reply = Says | Fails


@dataclass(frozen=True)
class Seen:
    """One request as it came: header names in lower case, the JSON body, and the port it came from."""

    headers: dict[str, str]
    body: dict[str, Any]
    port: int = 0
    path: str = ""

    @property
    def key(self) -> str:
        return self.headers.get("api-key") or self.headers.get("authorization", "").removeprefix("Bearer ")

    @property
    def last_text(self) -> str:
        """What the newest message says."""
        content = self.body["messages"][-1]["content"]
        return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


class OpenAIServer:
    """Serves `/v1/chat/completions` on a free port of 127.0.0.1 from a thread, between enter and exit."""

    def __init__(
        self,
        script: Sequence[Reply] | Callable[[Seen], Reply],
        offers: Mapping[str, Any] | None = None,
    ) -> None:
        """`offers` are documents by their paths; a function makes one of the body (None) and headers of its request."""
        self.asked: list[str] = []
        self.requests: list[Seen] = []
        self.stalled = threading.Event()
        """Set once a reply has begun to stall."""
        self._script = script
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.base_url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/v1"
        self._released = asyncio.Event()
        app = FastAPI()
        for path in PATHS:
            app.post(path, response_model=None)(self._answer)
        self._offers = dict(offers or {})
        app.add_api_route("/{path:path}", self._offer, methods=["GET", "POST"], response_model=None)
        self._server = uvicorn.Server(
            uvicorn.Config(app, log_level="critical", lifespan="off", server_header=False)
        )
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._serve, daemon=True, name="openai-server")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.should_exit = True
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._released.set)
        self._thread.join(10)
        self._socket.close()
        assert not self._thread.is_alive(), "the scripted server did not stop"

    def _serve(self) -> None:
        asyncio.run(self._server.serve(sockets=[self._socket]))

    def _next(self, received: Seen) -> Reply:
        if callable(self._script):
            return self._script(received)
        number = len(self.requests) - 1
        return self._script[number] if number < len(self._script) else Fails(418, "the script is over")

    def offer(self, path: str, document: Any) -> None:
        """Answer a path with another document from now on."""
        self._offers[path] = document

    async def _offer(self, request: Request) -> Response:
        self.asked.append(request.url.path)
        document = self._offers.get(request.url.path)
        if callable(document):
            body = await request.body()
            document = document(json.loads(body) if body else None, dict(request.headers))
        if document is None:
            return JSONResponse({"error": "not found"}, 404)
        return document if isinstance(document, Response) else JSONResponse(document)

    async def _answer(self, request: Request) -> Response:
        self._loop = asyncio.get_running_loop()
        port = request.client.port if request.client else 0
        address = f"{request.url.path}?{request.url.query}".rstrip("?")
        received = Seen(dict(request.headers), await request.json(), port, address)
        self.requests.append(received)
        reply = self._next(received)
        if isinstance(reply, Fails):
            return self.failure(reply, reply.message.replace("{key}", received.key))
        if not self.streams(received):
            return JSONResponse(_complete(reply))
        if isinstance(reply, Stalls) and not reply.pieces and not reply.shares:
            await self._stall()
        if not received.body.get("return_progress"):
            reply.shares = ()
        return StreamingResponse(
            self._stream(reply), headers={"server": self.make}, media_type=self.media_type
        )

    media_type = "text/event-stream"
    make = "scripted"
    """What the server calls itself, in a header."""

    def failure(self, reply: Fails, message: str) -> Response:
        """An HTTP error as this kind of server words it."""
        if reply.body is not None:
            return JSONResponse(reply.body, reply.status)
        error = {"message": message, "type": "error", "code": reply.code}
        return JSONResponse({"error": error}, reply.status, headers=dict(reply.headers))

    def streams(self, received: Seen) -> bool:
        """Whether a request asks for a stream."""
        return bool(received.body.get("stream"))

    def piece(self, text: str) -> str | bytes:
        """One piece of an answer on the wire."""
        return _chunk({"role": "assistant", "content": text})

    def thought(self, text: str, named: Sequence[str]) -> str | bytes:
        """One piece of reasoning on the wire."""
        return _chunk({"role": "assistant", "content": None} | dict.fromkeys(named, text))

    def ending(self, reply: Says) -> Iterator[str | bytes]:
        """What follows the pieces of an answer that ends well."""
        for delta in reply.chunks() if isinstance(reply, Calls) else ():
            yield _chunk(delta)
        yield _chunk({}, finish=reply.finish)
        if reply.usage:
            yield _event({"choices": [], "usage": _usage(reply)})
        yield END

    async def _stream(self, reply: Says) -> AsyncIterator[str | bytes]:
        for processed, total in reply.shares:
            choice = {"index": 0, "delta": {"role": "assistant", "content": None}, "finish_reason": None}
            progress = {"total": total, "cache": 0, "processed": processed, "time_ms": 1}
            yield _event({"choices": [choice], "prompt_progress": progress})
        for thought in reply.thoughts:
            yield self.thought(thought, reply.thoughts_as)
        for piece in reply.pieces:
            yield self.piece(piece)
            await asyncio.sleep(reply.pause)
        match reply:
            case Stalls():
                await self._stall()
            case Breaks():
                raise ConnectionResetError("scripted")
            case Chunks():
                for choice in reply.choices:
                    yield _event({"choices": [{"index": 0, "delta": {}, "finish_reason": None, **choice}]})
                if reply.breaks:
                    raise ConnectionResetError("scripted")
                yield END
            case Garbles():
                yield "data: {not json\n\n"
            case ErrsMidway():
                yield f"data: {json.dumps({'error': {'message': reply.message}})}\n\n"
            case _:
                for part in self.ending(reply):
                    yield part

    async def _stall(self) -> None:
        self.stalled.set()
        await self._released.wait()


def _envelope() -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "scripted"}


def _event(fields: dict[str, Any]) -> str:
    return f"data: {json.dumps(_envelope() | fields)}\n\n"


def _chunk(delta: dict[str, Any], finish: str | None = None) -> str:
    return _event({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})


def _usage(reply: Says) -> dict[str, Any]:
    """Tokens as this server counts them: 11 in unless the reply has another count, one out per piece."""
    return {
        "prompt_tokens": reply.prompt_tokens,
        "completion_tokens": len(reply.pieces),
        "total_tokens": reply.prompt_tokens + len(reply.pieces),
    } | ({"prompt_tokens_details": {"cached_tokens": reply.cached}} if reply.cached is not None else {})


def _complete(reply: Says) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": "".join(reply.pieces)}
    if isinstance(reply, Calls):
        message["tool_calls"] = [
            {
                "id": f"call_{at}",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(data)},
            }
            for at, (name, data) in enumerate(reply.calls)
        ]
    answer = _envelope() | {"object": "chat.completion"}
    answer["choices"] = [{"index": 0, "message": message, "finish_reason": "stop"}]
    return answer | ({"usage": _usage(reply)} if reply.usage else {})
