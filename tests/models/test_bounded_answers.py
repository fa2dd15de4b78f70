"""Attacks by a model's server: it sends the desk on to another address, or its answer never ends. The key stays, memory too."""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from smoldesk.errors import ModelFault, Stopped
from smoldesk.models import Access, bounded_answers, build_model
from smoldesk.models.choices import KEY_ALONE
from tests.models.test_providers import ASK
from tests.support.openai_server import OpenAIServer
from tests.support.provider_servers import KEY as ACCEPTED
from tests.support.provider_servers import anthropic

KEY = "sk-not-for-others-4411"
MODELS = ["openai:m", *(f"litellm:{provider}/m" for provider in KEY_ALONE)]
LINE = b"data: " + b"a" * 4_000


class Attacker(BaseHTTPRequestHandler):
    """Answers whatever is asked as `attack` says; `asked` tells of each request whether the key came with it."""

    timeout = 20
    attack = "redirect"
    other = ""
    asked: list[bool]
    sent: list[int]

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.asked.append(KEY in str(self.headers) + self.path)
        if self.attack in ("redirect", "refusal"):
            self.send_response(307 if self.attack == "redirect" else 400)
            self.send_header("location", f"{self.other}{self.path}")
            self.send_header("content-length", "0")
            self.end_headers()
            return
        self.send_response(200 if self.attack != "error" else 400)
        self.send_header("content-type", "text/event-stream")
        if self.attack == "packed":
            self.send_header("content-encoding", "gzip")
        self.end_headers()
        with suppress(OSError):  # until the desk hangs up
            for _ in range(100_000):
                self.wfile.write(LINE if self.attack != "lines" else LINE + b"\n")
                self.sent.append(len(LINE))

    do_GET = do_POST

    def log_message(self, format: str, *args: object) -> None: ...


@contextmanager
def attacker(attack: str, other: str = "") -> Iterator[tuple[str, type[Attacker]]]:
    """(its address, what it saw)"""
    saw = type("Handler", (Attacker,), {"attack": attack, "other": other, "asked": [], "sent": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), saw)
    server.daemon_threads = False  # its end waits for that of its answers
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", saw
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


def fault_of(model: str, address: str) -> ModelFault:
    if model.startswith("litellm"):
        pytest.importorskip("litellm", reason="litellm is not installed")
    key = SecretStr(KEY)
    access = Access(20, 0, key, f"{address}/v1", key, address)
    with pytest.raises(ModelFault) as caught:
        build_model(model, access, lambda: pytest.fail("not asked for")).generate(ASK)
    return caught.value


@pytest.mark.parametrize("model", MODELS)
def test_nobody_is_sent_on_with_the_key(model: str) -> None:
    with attacker("refusal") as (other, elsewhere), attacker("redirect", other) as (address, here):
        fault = fault_of(model, address)
    assert here.asked == [True]
    assert elsewhere.asked == [], "key and prompt stay where they were meant for"
    assert (fault.code, "another address" in fault.message) == ("model_error", True)
    assert KEY not in str(fault)


@pytest.mark.parametrize(
    "model", ["litellm:openai/m", "litellm:anthropic/m"], ids=["as OpenAI", "of its own"]
)
@pytest.mark.parametrize("attack", ["line", "lines", "error", "packed"])
def test_an_answer_without_end_is_cut_off(model: str, attack: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """LiteLLM has one kind of client for providers that speak as OpenAI does, and another for the rest."""
    monkeypatch.setattr(bounded_answers, "MAX_BYTES", 300_000)
    with attacker(attack) as (address, here):
        fault = fault_of(model, address)
    if (attack, model) != ("error", "litellm:anthropic/m"):  # LiteLLM tells such an error without its words
        replies = "compressed" if attack == "packed" else "sent more than"
        assert (fault.code, replies in fault.message) == ("model_error", True)
    assert len(here.asked) == 1, "it is not tried again"
    assert sum(here.sent) < 50_000_000, "the desk hung up, and what was on the way is what it got"


def test_no_abandoned_answer_is_left_to_the_garbage_collector() -> None:
    """Collected in the middle of another request, it waited for ever for the pool of connections of its own thread."""
    pytest.importorskip("litellm", reason="litellm is not installed")

    def stop(_: object) -> None:
        raise Stopped("enough")

    gc.collect()
    gc.disable()
    try:
        with OpenAIServer([], {"/v1/messages": anthropic}) as server:
            access = Access(20, 0, None, "", SecretStr(ACCEPTED), server.base_url.removesuffix("/v1"))
            model: Any = build_model("litellm:anthropic/m", access, lambda: pytest.fail("not asked for"))
            with pytest.raises(Stopped):
                model.stream_reply(stop, ASK, None)
        responses = [thing for thing in gc.get_objects() if isinstance(thing, httpx.Response)]
    finally:
        gc.enable()
    assert all(response.is_closed for response in responses), len(responses)
