"""Answers by a schema: a real desk, a real client of a provider, thought and code in the chat, JSON in memory, and refusals."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from smolagents.models import CODEAGENT_RESPONSE_FORMAT

from tests.support.desk_server import LiveDesk, events_of, live_desk
from tests.support.openai_server import Fails, OpenAIServer, Says, Seen
from tests.support.scripted_model import ScriptedModel, code
from tests.support.ws_client import Message, WsClient, of_type

AGENTS = """
[agents.code]
structured = true
[agents.plain]
kind = "code"
[models.none]
model = "openai:none"
structured = false
"""
REFUSED = "'response_format' of type 'json_schema' is not supported with this model."


def by_schema(body: str, thought: str = "I count.") -> str:
    return json.dumps({"thought": thought, "code": body})


def in_pieces(reply: str) -> Says:
    return Says(*(reply[at : at + 5] for at in range(0, len(reply), 5)))


class Scene:
    """A desk, and a provider that says what a test has it say."""

    def __init__(self, live: LiveDesk, provider: OpenAIServer, replies: list[Any]) -> None:
        self.live = live
        self.provider = provider
        self._replies = replies

    def ask(self, client: WsClient, *replies: Any) -> tuple[list[Message], list[Seen]]:
        """(what the page gets until the run ends, what the provider was asked)"""
        before = len(self.provider.requests)
        self._replies[:] = [in_pieces(reply) if isinstance(reply, str) else reply for reply in replies]
        return client.ask("go"), self.provider.requests[before:]


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder: Path = tmp_path_factory.mktemp("structured")
    (folder / "agents.toml").write_text(AGENTS)
    replies: list[Any] = []
    with (
        OpenAIServer(lambda _: replies.pop(0)) as provider,
        live_desk(folder, model="openai:first", openai_base_url=provider.base_url) as live,
    ):
        yield Scene(live, provider, replies)


def streamed(messages: list[Message]) -> tuple[str, str, str]:
    """(text, code and the answer of a run, as the page has them)"""
    text, body = (
        "".join(message["content"] for message in of_type(messages, "delta") if message["kind"] == kind)
        for kind in ("text", "code")
    )
    return text, body, messages[-1]["content"]["text"]


def answers_of(request: Seen) -> list[str]:
    """What the model said before, as it is told."""
    contents = [message["content"] for message in request.body["messages"] if message["role"] == "assistant"]
    return [
        message if isinstance(message, str) else "".join(part["text"] for part in message)
        for message in contents
    ]


def test_thought_and_code_stream_and_the_memory_is_the_json(scene: Scene) -> None:
    body = "print('</code> 😀')\nfinal_answer(f'{6 * 7}\\n')"
    with WsClient(scene.live.ws_url) as client:
        chat_id = client.hello()
        messages, [request] = scene.ask(client, by_schema(body))
        assert streamed(messages) == ("I count.", body, "42\n")
        assert request.body["response_format"] == CODEAGENT_RESPONSE_FORMAT
        assert "stop" not in request.body
        assert of_type(messages, "model_call")[0]["content"]["structured"] is True
        finished = next(
            event for event in events_of(scene.live.url, chat_id) if event["type"] == "step_finished"
        )
        assert (finished["memory"]["model_output"], finished["memory"]["code_action"]) == (
            by_schema(body),
            body,
        )

        _, [request] = scene.ask(client, by_schema("final_answer('again')"))
        assert answers_of(request)[0].startswith(by_schema(body))
        # an agent that writes between tags finds what was said so
        httpx.patch(f"{scene.live.url}/api/chats/{chat_id}", json={"agent": "plain"}).raise_for_status()
        messages, [request] = scene.ask(client, code("final_answer('plain')"))
        assert streamed(messages)[2] == "plain"
        assert "response_format" not in request.body
        assert answers_of(request)[0].startswith(f"I count.\n<code>\n{body}\n</code>")


def test_a_server_that_knows_no_schemas_is_understood(scene: Scene) -> None:
    fenced = f"```json\n{by_schema('final_answer(1)')}\n```\nObservation: 1"
    with WsClient(scene.live.ws_url).greeted() as client:
        messages, _ = scene.ask(client, fenced)
        assert streamed(messages) == ("I count.", "final_answer(1)", "1")
        messages, _ = scene.ask(client, code("final_answer(2)"))
        assert streamed(messages) == ("Let me see.\n", "final_answer(2)", "2")
        # what was cut off is not run: the model is told, and asked again
        messages, _ = scene.ask(client, by_schema("final_answer('half')")[:-4], by_schema("final_answer(3)"))
        assert streamed(messages)[2] == "3"
        assert len(of_type(messages, "model_call")) == 2


def test_a_fault_that_only_sounds_like_a_refusal_is_none(scene: Scene) -> None:
    with WsClient(scene.live.ws_url).greeted() as client:
        messages, requests = scene.ask(client, Fails(401, "No key of the team grammar-checkers."))
        assert [message["code"] for message in of_type(messages, "error")] == ["model_auth"] and len(
            requests
        ) == 1
        _, [request] = scene.ask(client, by_schema("final_answer(1)"))
        assert "response_format" in request.body


def test_a_refusal_is_said_and_the_run_goes_on_without(scene: Scene) -> None:
    with WsClient(scene.live.ws_url).greeted() as client:
        messages, requests = scene.ask(client, Fails(400, REFUSED), code("final_answer('all the same')"))
        assert streamed(messages)[2] == "all the same"
        assert ["response_format" in request.body for request in requests] == [True, False]
        assert ["</code>" in str(request.body.get("stop")) for request in requests] == [False, True]
        prompts = [str(request.body["messages"][0]["content"]) for request in requests]
        assert ['"thought"' in prompt for prompt in prompts] == [True, False]
        refused, accepted = (message["content"] for message in of_type(messages, "model_call"))
        assert "structured = false" in refused["error"]
        assert REFUSED in refused["error"]
        assert "structured" not in accepted
        assert [
            message["content"]["step"] for message in of_type(messages, "run") if "step" in message["content"]
        ] == [1]

        _, [request] = scene.ask(client, code("final_answer('remembered')"))
        assert "response_format" not in request.body


def test_a_model_that_is_known_to_take_none_is_not_asked(scene: Scene) -> None:
    with WsClient(scene.live.ws_url) as client:
        chat_id = client.hello()
        httpx.patch(f"{scene.live.url}/api/chats/{chat_id}", json={"model": "none"}).raise_for_status()
        messages, [request] = scene.ask(client, code("final_answer('tags')"))
        assert streamed(messages)[2] == "tags"
        assert "response_format" not in request.body


def test_a_library_that_takes_no_schema_refuses_it_as_a_server_does(tmp_path: Path) -> None:
    (tmp_path / "agents.toml").write_text("[agents.code]\nstructured = true\n")
    refusal = TypeError("generate_stream() got an unexpected keyword argument 'response_format'")
    model = ScriptedModel([refusal, code("final_answer('all the same')")])
    with live_desk(tmp_path, lambda: model) as live, WsClient(live.ws_url).greeted() as client:
        messages = client.ask("go")
    assert streamed(messages)[2] == "all the same"
    assert "structured = false" in of_type(messages, "model_call")[0]["content"]["error"]
