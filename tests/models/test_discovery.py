"""Models that servers of this machine offer: what each kind says of them, and what is made of servers that say nonsense."""

import asyncio
import gzip
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from fastapi.responses import PlainTextResponse, RedirectResponse, Response

from smoldesk.models import discovery as found_models
from smoldesk.models.discovery import MAX_BYTES, DiscoveredModel, models_at
from tests.support import model_servers
from tests.support.aio import run_async
from tests.support.openai_server import OpenAIServer


@pytest.fixture(scope="module")
def servers() -> Iterator[dict[str, OpenAIServer]]:
    nonsense = {
        "html": PlainTextResponse("<h1>It works</h1>"),
        "huge": PlainTextResponse("[" + "1," * MAX_BYTES + "1]"),
        "list": ["gpt"],
        "names": {"data": [{"id": "a\nb"}, {"id": 7}, {"id": ""}, "x", {"id": " spaced"}, {"id": "x" * 300}]},
        "desk": model_servers.listed("smoldesk", "code"),
    }
    kinds = {name: getattr(model_servers, name)() for name in ("ollama", "llamacpp", "lmstudio", "vllm")}
    kinds |= {name: {"/v1/models": document} for name, document in nonsense.items()}
    kinds["lies"] = model_servers.ollama() | {
        "/api/ps": {"models": [{"name": ["x"]}, 4, None]},
        "/api/show": {
            "model_info": {"x.context_length": "many"},
            "capabilities": 3,
            "parameters": {"num_ctx": 1},
        },
    }
    kinds["deep"] = {"/v1/models": PlainTextResponse("[" * 100_000)}
    packed = gzip.compress(b" " * 50_000_000 + b"[]")
    kinds["packed"] = {"/v1/models": Response(packed, headers={"content-encoding": "gzip"})}
    elsewhere = {"/v1/models": RedirectResponse("/other"), "/other": model_servers.listed("vllm", "x")}
    kinds["elsewhere"] = elsewhere
    with ExitStack() as stack:
        yield {name: stack.enter_context(OpenAIServer([], offers)) for name, offers in kinds.items()}


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """These servers answer; how soon is for the machine to say."""
    monkeypatch.setattr(found_models, "SECONDS", 30.0)


def found(server: OpenAIServer) -> list[DiscoveredModel]:
    return run_async(models_at(server.base_url))


def test_each_kind_tells_its_models_and_how_much_they_take_in(servers: dict[str, OpenAIServer]) -> None:
    assert found(servers["ollama"]) == [
        DiscoveredModel("llama3.2:3b", 8192, False),
        DiscoveredModel("llava:7b", 12288, True),
    ]
    assert found(servers["llamacpp"]) == [
        DiscoveredModel("qwen2.5-7b-q4.gguf", 16384, True, reports_progress=True)
    ]
    assert found(servers["lmstudio"]) == [
        DiscoveredModel("phi-4", 4096, False),
        DiscoveredModel("qwen2-vl", 32768, True),
    ]
    assert found(servers["vllm"]) == [DiscoveredModel("Qwen/Qwen2.5-7B", 32768)]


def test_nonsense_offers_nothing_and_breaks_nothing(servers: dict[str, OpenAIServer]) -> None:
    for name in ("html", "huge", "deep", "packed", "elsewhere"):
        with pytest.raises(ConnectionError):
            found(servers[name])
    assert servers["elsewhere"].asked == ["/v1/models"]  # nobody is sent on
    assert [found(servers[name]) for name in ("list", "names", "desk")] == [[], [], []]
    assert [item.context for item in found(servers["lies"])] == [None, None, None]


def test_no_more_is_asked_than_is_needed(servers: dict[str, OpenAIServer]) -> None:
    servers["vllm"].asked.clear()
    found(servers["vllm"])
    assert servers["vllm"].asked == ["/v1/models"]


@pytest.mark.starts
def test_a_server_that_is_silent_or_not_there_is_given_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(found_models, "SECONDS", 0.2)

    async def mute() -> None:
        server = await asyncio.start_server(lambda *_: asyncio.sleep(60), "127.0.0.1", 0)
        host, port = server.sockets[0].getsockname()
        with pytest.raises(ConnectionError):
            await models_at(f"http://{host}:{port}/v1")

    run_async(mute())
    with pytest.raises(ConnectionError):
        run_async(models_at("http://127.0.0.1:1/v1"))
