"""A real small model behind a real llama.cpp server: what the desk counts, shows, stops and reports is what the server did.

Nothing is asserted about what the model writes.
"""

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from smolagents.models import ChatMessage, MessageRole

from smoldesk.errors import ModelFault, Stopped
from smoldesk.models import Access, build_model, close_model
from smoldesk.models.discovery import DiscoveredModel, models_at
from smoldesk.models.options import ModelOptions
from smoldesk.models.reasoning import CachedUsage, PromptShare, ReasonedDelta
from tests.support.aio import run_async
from tests.support.desk_server import LiveDesk, events_of, live_desk
from tests.support.small_model import SmallModel, missing, small_model
from tests.support.waiting import come_true
from tests.support.ws_client import WsClient

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

CONTEXT = 2_048
# Seconds that a prompt may take on a busy machine: 2 s when it is idle.
PATIENCE = 300
LONG = "The cat sat on the mat. " * 60
AGENTS = """
[agents.tiny]
kind = "tools"
tools = []
max_steps = 1
"""


@pytest.fixture(scope="module")
def server() -> Iterator[SmallModel]:
    reason = missing()
    if reason:
        pytest.skip(reason)
    with small_model(CONTEXT, most=16) as model:
        yield model


@pytest.fixture
def access(server: SmallModel) -> Access:
    """Access to the server as a desk has that found it; its replies have exactly four tokens."""
    options = ModelOptions(max_tokens=4, extra_body={"ignore_eos": True})
    access = Access(300, 0, openai_base_url=server.base_url, options=options)
    access.capability(f"openai:{server.name}").reports_progress = True
    return access


def model_of(access: Access, server: SmallModel) -> Any:
    return build_model(f"openai:{server.name}", access, lambda: pytest.fail("the built-in model was used"))


def asked(text: str) -> list[ChatMessage]:
    return [ChatMessage(role=MessageRole.USER, content=[{"type": "text", "text": text}])]


def prompt_tokens(server: SmallModel, text: str) -> int:
    """The server's own count of a prompt, in the model's template."""
    messages = [{"role": "user", "content": text}]
    prompt = httpx.post(f"{server.url}/apply-template", json={"messages": messages}, timeout=60).json()
    return server.tokens(prompt["prompt"])


def shares_of(deltas: list[Any]) -> list[PromptShare]:
    return [delta.progress for delta in deltas if isinstance(delta, ReasonedDelta) and delta.progress]


class Call:
    """A call on a thread of its own, as a run makes it; `error` is how it ended."""

    def __init__(self, model: Any, text: str) -> None:
        self.model = model
        self.deltas: list[Any] = []
        self.error: Exception | None = None
        self._text = text
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        try:
            for delta in self.model.generate_stream(asked(self._text)):
                self.deltas.append(delta)
        except Exception as error:  # handed to the test
            self.error = error

    def stop(self) -> None:
        close_model(self.model)
        self._thread.join(60)
        assert not self._thread.is_alive()


def test_discovery_finds_it_with_the_window_it_was_started_with(server: SmallModel) -> None:
    assert run_async(models_at(server.base_url)) == [
        DiscoveredModel(server.name, CONTEXT, False, reports_progress=True)
    ]


def test_tokens_and_cached_tokens_are_what_the_server_counts(server: SmallModel, access: Access) -> None:
    prefix = "Count the words of this text: " + "one two three " * 20
    streams = [
        list(model_of(access, server).generate_stream(asked(prefix + end))) for end in ("apples", "plums")
    ]
    usages = [next(delta.token_usage for delta in stream if delta.token_usage) for stream in streams]
    assert [usage.input_tokens for usage in usages] == [
        prompt_tokens(server, prefix + end) for end in ("apples", "plums")
    ]
    assert [usage.output_tokens for usage in usages] == [4, 4]
    assert isinstance(usages[1], CachedUsage)
    assert server.tokens(prefix) - 1 <= usages[1].cached_tokens < usages[1].input_tokens


def test_the_progress_of_the_prompt_goes_up_to_all_its_tokens(server: SmallModel, access: Access) -> None:
    text = "Which animal is this? " + "A dog ran over the hill. " * 30
    deltas = list(model_of(access, server).generate_stream(asked(text)))
    shares = shares_of(deltas)
    assert len(shares) > 2 and shares == sorted(set(shares))
    assert {share.total for share in shares} == {shares[-1].processed} == {prompt_tokens(server, text)}
    texts = [bool(delta.content) for delta in deltas]
    assert not any(texts[: len(shares)]), "no text comes before the prompt is read"


def test_a_stop_while_the_prompt_is_read_stops_the_server_too(server: SmallModel, access: Access) -> None:
    reading = Call(model_of(access, server), LONG)
    come_true(lambda: any(share.processed for share in shares_of(reading.deltas)), PATIENCE)
    assert server.works()

    reading.stop()

    assert isinstance(reading.error, Stopped)
    come_true(lambda: not server.works(), why="the slot stays busy")
    again = model_of(access, server).generate_stream(asked(LONG))
    first = shares_of([next(again)])[0]
    again.close()
    assert first.processed < first.total, "the server had not read the prompt to its end"
    come_true(lambda: not server.works())


def test_a_stop_while_it_writes_stops_the_server_too(server: SmallModel, access: Access) -> None:
    endless = ModelOptions(max_tokens=1_500, extra_body={"ignore_eos": True})
    writing = Call(model_of(replace(access, options=endless), server), "Tell me a story.")
    come_true(lambda: any(delta.content for delta in writing.deltas), PATIENCE)
    assert server.works()

    writing.stop()

    assert isinstance(writing.error, Stopped)
    come_true(lambda: not server.works(), why="the slot stays busy")


def test_an_answer_by_a_schema_has_its_form(server: SmallModel, access: Access) -> None:
    schema = {
        "type": "object",
        "properties": {"large": {"type": "boolean"}, "colour": {"enum": ["red", "green"]}},
        "required": ["large", "colour"],
        "additionalProperties": False,
    }
    form = {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}
    model = model_of(replace(access, options=ModelOptions(max_tokens=60)), server)
    answer = json.loads(model.generate(asked("Describe an apple."), response_format=form).content)
    assert isinstance(answer["large"], bool) and answer["colour"] in ("red", "green")


def test_a_prompt_over_the_window_is_reported_and_the_window_learned(
    server: SmallModel, access: Access
) -> None:
    with pytest.raises(ModelFault) as caught:
        model_of(access, server).generate(asked(LONG * 6))
    assert caught.value.code == "model_too_long"
    assert access.capability(f"openai:{server.name}").window == CONTEXT


@pytest.fixture
def desk(tmp_path: Path, server: SmallModel) -> Iterator[LiveDesk]:
    (tmp_path / "agents.toml").write_text(AGENTS)
    options: dict[str, Any] = {"agent": "tiny", "model_retries": 0, "model_timeout_seconds": 300}
    with live_desk(tmp_path, model_servers={"local": server.base_url}, **options) as live:
        yield live


@pytest.fixture
def chat(desk: LiveDesk, server: SmallModel) -> str:
    with desk.client(timeout=60) as client:
        chat_id: str = client.post("/api/chats").json()["id"]
        model = f"local/{server.name}"
        assert client.patch(f"/api/chats/{chat_id}", json={"model": model}).json()["model"] == model
    return chat_id


def events(desk: LiveDesk, chat: str, *types: str) -> list[dict[str, Any]]:
    return [event for event in events_of(desk.url, chat) if event["type"] in types]


def test_a_server_that_dies_ends_the_run_and_the_chat_goes_on_when_it_is_back(
    desk: LiveDesk, chat: str, server: SmallModel
) -> None:
    with WsClient(desk.ws_url, f"?chat={chat}").greeted() as socket:
        socket.say("Hello. " + LONG)
        come_true(lambda: events(desk, chat, "prompt_progress"), PATIENCE)
        server.kill()
        socket.until_closed(PATIENCE)
        [failed] = events(desk, chat, "run_failed")
        assert failed["code"] == "model_unreachable"

        server.start()
        socket.say("Hello again")
        socket.until_closed(PATIENCE)

    calls = events(desk, chat, "model_called")
    assert len(calls) >= 2 and calls[0]["response"] is None and calls[-1]["response"] is not None
    assert calls[-1]["input_tokens"] > 0 and calls[-1]["first_token"] is not None
    shares = events(desk, chat, "prompt_progress")
    assert shares[-1]["processed"] == shares[-1]["total"] == calls[-1]["input_tokens"]
    codes = [event["code"] for event in events(desk, chat, "run_failed")]
    assert codes.count("model_unreachable") == 1


def test_a_question_that_cannot_fit_is_not_sent(desk: LiveDesk, chat: str) -> None:
    with WsClient(desk.ws_url, f"?chat={chat}").greeted() as socket:
        socket.say("Read this: " + LONG * 20)
        socket.until_closed(PATIENCE)
    [failed] = events(desk, chat, "run_failed")
    assert failed["code"] == "prompt_too_long"
    assert events(desk, chat, "prompt_progress") == []
