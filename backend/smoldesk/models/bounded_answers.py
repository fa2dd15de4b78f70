"""Requests to a model's server that go nowhere else, and answers that have an end: counted as they come, never unpacked.

A server that is wrong, or means harm, sends one line for ever, or little that unpacks to much; either would take the desk's
memory before anybody saw a word of it. Or it sends the client on to another address, key and prompt included.
"""

import importlib
import threading
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from smoldesk.errors import ModelFault

# Bytes of one answer as sent: a streamed token takes some 200.
MAX_BYTES = 64_000_000
# Header of every request: no compression, which could hide a large answer in a few bytes.
UNPACKED = {"Accept-Encoding": "identity"}


class _Answers(threading.local):
    """Responses that LiteLLM's clients received in this thread, since they were last closed."""

    def __init__(self) -> None:
        self.responses: list[Any] = []


_answers = _Answers()


def bound(library: Any) -> Callable[[Any], None]:
    """Return a response hook for clients of `library`, httpx or httpx2: the answer ends at MAX_BYTES.

    The hook raises ModelFault for a compressed answer.
    """

    class Counted(library.SyncByteStream):
        def __init__(self, stream: Any) -> None:
            self._stream = stream

        def __iter__(self) -> Iterator[bytes]:
            count = 0
            for piece in self._stream:
                count += len(piece)
                if count > MAX_BYTES:
                    message = f"The model's server sent more than {MAX_BYTES // 1_000_000} MB for one answer."
                    raise ModelFault(message, "Stop it there, or choose another model.", code="model_error")
                yield piece

        def close(self) -> None:
            self._stream.close()

    def hook(response: Any) -> None:
        if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
            raise ModelFault(
                "The model's server sent a compressed response that was not requested.", code="model_error"
            )
        response.stream = Counted(response.stream)

    return hook


@cache
def bound_litellm() -> None:
    """Configure the clients of LiteLLM's providers: no redirects, and limited answers."""
    import httpx

    litellm: Any = importlib.import_module("litellm")
    handlers: Any = importlib.import_module("litellm.llms.custom_httpx.http_handler")

    def bounded(client: httpx.Client) -> httpx.Client:
        client.follow_redirects = False
        client.headers.update(UNPACKED)
        client.event_hooks = {"request": [], "response": [bound(httpx), _note]}
        return client

    create = handlers.HTTPHandler.create_client
    handlers.HTTPHandler.create_client = lambda self: bounded(create(self))  # pyright: ignore[reportUnknownLambdaType]
    # of providers that speak as OpenAI does; one pool for all runs, so without cookies and without an end of places
    jar, verify = handlers.blocked_cookie_jar(), handlers.get_ssl_configuration()
    litellm.client_session = bounded(httpx.Client(verify=verify, cookies=jar, limits=httpx.Limits()))


def _note(response: Any) -> None:
    _answers.responses = [*(other for other in _answers.responses if not other.is_closed), response]


def close_answers() -> None:
    """Close what LiteLLM received in this thread.

    It leaves a stream whose last event it has read to the garbage collector. That closes the stream at any time, also while
    this thread holds the lock of the pool of connections, for which it then waits for ever.
    """
    while _answers.responses:
        _answers.responses.pop().close()
