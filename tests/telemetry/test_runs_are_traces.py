"""What a collector gets of a real desk's runs: spans that nest, by the conventions for GenAI; words only where allowed."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar

import httpx
import pytest
from pydantic import JsonValue, SecretStr

from smoldesk.events import Ask
from smoldesk.tools.policy import LongTool
from smoldesk.tools.run_context import ToolContext
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.otlp_receiver import Collector, Seen, otlp_receiver
from tests.support.scripted_model import Calls, Scripts, code
from tests.support.servers import free_port
from tests.support.tools import Failing, Paying
from tests.support.ws_client import Message, WsClient, of_type

KEY = "sk-live-5f0a7c31e88b42d9"
PASSWORD = "correct horse battery"
WORDS = ("gingerbread", "sequoia", "final_answer", KEY, PASSWORD)
CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"


TEAM = """
[agents.boss]
kind = "code"
managed = ["helper"]
[agents.helper]
kind = "code"
description = "Helps."
"""


class LogIn(LongTool):
    """Asks a person for a password."""

    name = "log_in"
    description = "Logs in, with a password that a person types."
    inputs: ClassVar = {}
    output_type = "string"

    def forward(self) -> str:
        raise AssertionError("such a call is made with a context")

    def run_in_context(self, context: ToolContext, arguments: dict[str, JsonValue]) -> str:
        later = datetime.now(UTC) + timedelta(seconds=60)
        ask = Ask(
            id=f"a_{context.call_id}",
            kind="input",
            input_type="password",
            prompt="Password",
            expires_at=later,
        )
        answer = context.ask(ask)
        assert answer.value == PASSWORD
        return "logged in"


@pytest.fixture(scope="module")
def collector() -> Iterator[Collector]:
    with otlp_receiver() as collector:
        yield collector


@pytest.fixture(scope="module")
def environment(collector: Collector) -> Iterator[pytest.MonkeyPatch]:
    """What an operator sets, and nothing that happens to be set here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
        patch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-key=of-the-operator")
        patch.setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test")
        patch.setenv("OTEL_BSP_SCHEDULE_DELAY", "20")
        patch.setenv("OTEL_METRIC_EXPORT_INTERVAL", "100")
        patch.delenv(CAPTURE, raising=False)
        yield patch


@pytest.fixture(scope="module")
def scripts() -> Scripts:
    return Scripts()


@pytest.fixture(scope="module")
def desk(
    tmp_path_factory: pytest.TempPathFactory, scripts: Scripts, environment: pytest.MonkeyPatch
) -> Iterator[LiveDesk]:
    """One that can give itself work."""
    folder = tmp_path_factory.mktemp("desk")
    port = free_port()
    card = f"http://127.0.0.1:{port}/.well-known/agent-card.json"
    (folder / "agents.toml").write_text(f'[peers.me]\ncard = "{card}"\n{TEAM}')
    tools = [Paying([]), Failing([]), LogIn()]
    key = SecretStr(KEY)
    with live_desk(folder, lambda: scripts.model, lambda _: tools, port=port, openai_api_key=key) as live:
        yield live


@pytest.fixture
def client(desk: LiveDesk) -> Iterator[WsClient]:
    with WsClient(desk.ws_url).greeted() as client:
        yield client


def answered(client: WsClient, value: Any = None) -> list[Message]:
    """The rest of a run, whose one ask is granted."""
    ask = client.until("ask")["content"]
    client.send(type="answer", askId=ask["askId"], granted=True, value=value)
    return client.until_closed()


def trace_of(collector: Collector, client: WsClient) -> dict[str, Seen]:
    """The trace that the page is told of the newest run."""
    started = [item for item in of_type(client.seen, "run") if "traceId" in item["content"]]
    return collector.trace(started[-1]["content"]["traceId"])


def tree(spans: dict[str, Seen]) -> list[str]:
    """Names, each above those of its parts, which are in the order in which they began."""

    def below(parent: Seen, depth: int) -> list[str]:
        parts = [span for span in spans.values() if span.parent_id == parent.id]
        assert all(parent.since <= span.since and span.until <= parent.until for span in parts)
        lines = [below(part, depth + 1) for part in sorted(parts, key=lambda span: (span.since, span.name))]
        return [f"{'  ' * depth}{parent.name}", *(line for part in lines for line in part)]

    [root] = [span for span in spans.values() if span.parent_id not in spans]
    return below(root, 0)


def named(spans: dict[str, Seen], name: str) -> Seen:
    [results] = [span for span in spans.values() if span.name == name]
    return results


def test_a_run_is_a_trace_of_steps_with_their_calls_cells_tools_and_asks(
    collector: Collector, client: WsClient, scripts: Scripts
) -> None:
    scripts.set(code("print(pay('gingerbread'))"), code("final_answer('sequoia')"))
    client.say("buy gingerbread")
    messages = answered(client)
    spans = trace_of(collector, client)
    assert tree(spans) == [
        "invoke_agent code",
        "  step 1",
        "    chat scripted",
        "    execute_tool python_interpreter",
        "      execute_tool pay",
        "        ask approval",
        "  step 2",
        "    chat scripted",
        "    execute_tool python_interpreter",
    ]
    assert not any(span.failed for span in spans.values())
    assert not [span for span in spans.values() if span.until <= span.since], (
        "also of what is committed with others"
    )
    root, tool, ask = (
        named(spans, name) for name in ("invoke_agent code", "execute_tool pay", "ask approval")
    )
    run_id = messages[-1]["content"]["runId"]
    assert root.parent_id == "" and root.attributes == {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.conversation.id": client.chat_id,
        "gen_ai.agent.name": "code",
        "gen_ai.provider.name": "smoldesk",
        "gen_ai.request.model": "builtin",
        "smoldesk.run.id": run_id,
        "smoldesk.run.state": "finished",
    }
    assert tool.attributes["gen_ai.tool.call.id"] == f"{run_id}.1" and tool.attributes["smoldesk.line"] == 1
    assert ask.attributes.items() >= {"smoldesk.ask.kind": "approval", "smoldesk.ask.granted": True}.items()
    called = of_type(client.seen, "model_call")[0]["content"]["duration"] * 1e9
    chat = min((span for span in spans.values() if span.name == "chat scripted"), key=lambda span: span.since)
    assert chat.until - chat.since <= called and "gen_ai.response.time_to_first_chunk" in chat.attributes
    assert collector.resource["service.name"] == "smoldesk"
    assert collector.resource["deployment.environment.name"] == "test"
    assert collector.headers[-1]["x-key"] == "of-the-operator"


def test_what_fails_is_marked_by_its_class_and_a_stop_is_no_failure(
    collector: Collector, client: WsClient, scripts: Scripts
) -> None:
    scripts.set(code("fail('sequoia')"), RuntimeError("sequoia"))
    client.ask("try")
    spans = trace_of(collector, client)
    failed = {span.name: span.attributes.get("error.type") for span in spans.values() if span.failed}
    assert failed.pop("execute_tool fail") == "ValueError"
    assert failed.pop("step 1") == "AgentExecutionError"
    assert failed.pop("execute_tool python_interpreter") == "AgentExecutionError"
    assert failed.keys() >= {"chat scripted", "invoke_agent code"}
    assert not any(span.words for span in spans.values())

    scripts.set(code("import time\ntime.sleep(60)"))
    client.say("and wait")
    client.until("model_call")
    client.send(type="cancel", runId=client.seen[-1]["runId"])
    client.until_closed()
    root = named(trace_of(collector, client), "invoke_agent code")
    assert (root.failed, root.attributes["smoldesk.run.state"]) == (False, "cancelled")


def test_calls_of_a_tools_agent_lie_in_their_step_and_those_of_its_code_in_the_code(
    desk: LiveDesk, collector: Collector, client: WsClient, scripts: Scripts
) -> None:
    httpx.patch(f"{desk.url}/api/chats/{client.chat_id}", json={"agent": "tools"}).raise_for_status()
    scripts.set(
        Calls(("python_interpreter", {"code": "print(fail('sequoia'))"}), ("fail", {"word": "gingerbread"})),
        Calls(("final_answer", {"answer": "sequoia"})),
    )
    client.ask("go")
    spans = trace_of(collector, client)
    calls = [
        span
        for span in spans.values()
        if span.name in ("execute_tool fail", "execute_tool python_interpreter")
    ]
    assert sorted((span.name, spans[span.parent_id].name) for span in calls) == [
        ("execute_tool fail", "execute_tool python_interpreter"),
        ("execute_tool fail", "step 1"),
        ("execute_tool python_interpreter", "step 1"),
    ]


def test_a_trace_goes_on_from_its_caller_and_to_the_agents_that_are_given_work(
    desk: LiveDesk, collector: Collector, scripts: Scripts
) -> None:
    """The desk gives itself work over A2A, for a client that says which trace its request is part of."""
    scripts.set(code("final_answer(ask_agent(name='me', message='go on'))"), code("final_answer('sequoia')"))
    trace_id, caller = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
    headers = {"traceparent": f"00-{trace_id}-{caller}-01"}
    with httpx.Client(base_url=desk.url, headers=headers, timeout=60) as http:
        chat = http.post("/api/chats").json()["id"]
        http.post(f"/api/chats/{chat}/runs", json={"message": "go"}).raise_for_status()
    spans = collector.trace(trace_id, caller)
    outer, inner = sorted(
        (span for span in spans.values() if span.name.startswith("invoke_agent")), key=lambda span: span.since
    )
    assert outer.parent_id == caller
    assert inner.parent_id == named(spans, "execute_tool ask_agent").id
    assert inner.attributes["gen_ai.conversation.id"] != chat == outer.attributes["gen_ai.conversation.id"]

    with httpx.Client(base_url=desk.url, timeout=60) as http:
        refused = {"traceparent": f"00-{'0' * 32}-{caller}-01"}
        run = http.post(f"/api/chats/{chat}/runs", json={"message": "go"}, headers=refused).json()["runId"]
    collector.until(
        lambda: [span for span in collector.spans if span.attributes.get("smoldesk.run.id") == run]
    )
    [local] = [span for span in collector.spans if span.attributes.get("smoldesk.run.id") == run]
    assert local.parent_id == "" and local.trace_id != trace_id


def test_figures_are_sent_beside_the_spans(collector: Collector, client: WsClient, scripts: Scripts) -> None:
    scripts.set(code("final_answer('sequoia')"))
    client.ask("count")
    expected = {
        "gen_ai.client.operation.duration",
        "gen_ai.client.operation.time_to_first_chunk",
        "gen_ai.invoke_agent.duration",
        "gen_ai.execute_tool.duration",
        "smoldesk.runs.ended",
        "smoldesk.chats.working",
    }
    collector.until(lambda: expected <= collector.metrics.keys())
    [chats] = [
        item for item in collector.metrics["gen_ai.client.operation.duration"] if "error.type" not in item
    ]
    assert chats["count"] >= 1 and chats["gen_ai.request.model"] == "scripted"
    ended = {item["kind"]: item["value"] for item in collector.metrics["smoldesk.runs.ended"]}
    assert ended["run_finished"] >= 1


def secretive(client: WsClient, scripts: Scripts) -> None:
    """A run in which every word that must not be told is said somewhere."""
    scripts.set(code(f"print('sequoia', '{KEY}')\nprint(log_in())"), code("final_answer('sequoia')"))
    client.say(f"my key is {KEY}, take the gingerbread")
    answered(client, PASSWORD)


def test_no_word_of_anybody_is_sent_unless_it_is_allowed(
    desk: LiveDesk, collector: Collector, client: WsClient, scripts: Scripts
) -> None:
    secretive(client, scripts)
    assert "ask input" in [span.name for span in trace_of(collector, client).values()]
    report = b"".join(collector.bodies)
    assert [word for word in WORDS if word.encode() in report] == []


def test_allowed_words_are_sent_as_the_conventions_write_them_but_no_secret_is(
    tmp_path: Path, scripts: Scripts, environment: pytest.MonkeyPatch
) -> None:
    with pytest.MonkeyPatch.context() as patch, otlp_receiver() as collector:
        patch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
        patch.setenv(CAPTURE, "true")
        with (
            live_desk(
                tmp_path, lambda: scripts.model, lambda _: [LogIn()], openai_api_key=SecretStr(KEY)
            ) as live,
            WsClient(live.ws_url).greeted() as client,
        ):
            secretive(client, scripts)
            spans = trace_of(collector, client)
    report = b"".join(collector.bodies)
    assert [word for word in WORDS if word.encode() in report] == ["gingerbread", "sequoia", "final_answer"]
    chat = min((span for span in spans.values() if span.name == "chat scripted"), key=lambda item: item.since)
    assert '"role": "system"' in chat.attributes["gen_ai.input.messages"]
    assert "my key is ***, take the gingerbread" in chat.attributes["gen_ai.input.messages"]
    assert '"finish_reason": "stop"' in chat.attributes["gen_ai.output.messages"]
    root, tool = named(spans, "invoke_agent code"), named(spans, "execute_tool log_in")
    assert root.attributes["gen_ai.output.messages"].endswith('"content": "sequoia"}]}]')
    assert tool.attributes["gen_ai.tool.call.result"] == '"logged in"'


def test_a_managed_agent_is_a_span_of_its_own_below_the_call(
    desk: LiveDesk, collector: Collector, scripts: Scripts
) -> None:
    scripts.set(
        code("print(helper(task='gingerbread'))"),
        code("fail('sequoia')"),
        code("final_answer('found')"),
        code("final_answer('done')"),
    )
    chat = httpx.post(f"{desk.url}/api/chats", json={"agent": "boss"}, timeout=30).json()["id"]
    with WsClient(desk.ws_url, f"?after=0&chat={chat}").greeted() as client:
        client.ask("go")
        spans = trace_of(collector, client)
    assert tree(spans) == [
        "invoke_agent boss",
        "  step 1",
        "    chat scripted",
        "    execute_tool python_interpreter",
        "      execute_tool helper",
        "        invoke_agent helper",
        "          step 1",
        "            chat scripted",
        "            execute_tool python_interpreter",
        "              execute_tool fail",
        "          step 2",
        "            chat scripted",
        "            execute_tool python_interpreter",
        "  step 2",
        "    chat scripted",
        "    execute_tool python_interpreter",
    ]
    assert named(spans, "invoke_agent helper").attributes["gen_ai.agent.name"] == "helper"
    assert not any(word in str(span.attributes) for span in spans.values() for word in WORDS)
