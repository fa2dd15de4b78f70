"""An unclear question over every wire and its real client: the answer to its best reading at once, and the others as data.

Clients of npm are skipped where there is no Node.
"""

import json
import subprocess
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from mcp import Client
from openai import OpenAI

from tests.ai_sdk.driving import drive
from tests.node_support import PACKAGES
from tests.support.a2a_client import a2a_client, as_dict, sent
from tests.support.aio import run_async
from tests.support.desk_server import ANALYSIS, LiveDesk, live_desk
from tests.support.mcp_agents import call
from tests.support.task_client import TaskClient
from tests.support.ws_client import WsClient, of_type


@dataclass(frozen=True)
class Reply:
    """One answer as a client has it: all of its text, the readings as data, and the state that its run ended in."""

    text: str
    state: str
    alternatives: list[dict[str, Any]]


Ask = Callable[[str], Reply]
Wire = Callable[[LiveDesk, Path], AbstractContextManager[Ask]]

# An unclear question, what is answered, words that say so, and the words before the other readings.
ENGLISH = (
    "children in third class, fare",
    "Average fare: 29.55",
    "This answers: average fare where who is child and class is Third.",
    "reading",
)
JAPANESE = (
    "titanicで3等の子どもの運賃",
    "fareの平均",
    "と解釈した回答です。",
    "別の解釈もできます：",
)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    with live_desk(tmp_path_factory.mktemp("desk"), sandbox_preload=ANALYSIS[:2], max_runs=4) as live:
        yield live


# --- the wires' clients -------------------------------------------------------------------------------------------------


@contextmanager
def four_pane(desk: LiveDesk, _node: Path) -> Generator[Ask]:
    with WsClient(desk.ws_url).greeted() as client:

        def ask(message: str) -> Reply:
            received = client.ask(message)
            assert not of_type(received, "ask")
            content = [entry["content"] for entry in of_type(received, "alternatives")]
            alternatives = content[0]["alternatives"] if content else []
            texts = [text["content"] for text in of_type(received, "text")]
            texts += [entry["note"] for entry in content]
            return Reply("\n".join(texts), received[-1]["content"]["state"], alternatives)

        yield ask


@contextmanager
def four_pane_1_2(desk: LiveDesk, _node: Path) -> Generator[Ask]:
    """A client of 1.2 reads texts alone."""
    with WsClient(desk.ws_url, "").greeted() as client:

        def ask(message: str) -> Reply:
            client.send(message=message)
            received = client.until_closed()
            assert not of_type(received, "ask") + of_type(received, "alternatives")
            texts = [text["content"] for text in of_type(received, "text")]
            return Reply("\n".join(texts), received[-1]["content"]["state"], [])

        yield ask


@contextmanager
def chat_completions(desk: LiveDesk, _node: Path) -> Generator[Ask]:
    messages: list[Any] = []
    with OpenAI(base_url=f"{desk.url}/v1", api_key="none", timeout=60) as client:

        def ask(message: str) -> Reply:
            messages.append({"role": "user", "content": message})
            choice = client.chat.completions.create(model="code", messages=messages).choices[0]
            messages.append({"role": "assistant", "content": choice.message.content})
            assert choice.finish_reason == "stop" and not choice.message.tool_calls
            return Reply(choice.message.content or "", "finished", [])

        yield ask


@contextmanager
def responses(desk: LiveDesk, _node: Path) -> Generator[Ask]:
    last: list[str] = []
    with OpenAI(base_url=f"{desk.url}/v1", api_key="none", timeout=60) as client:

        def ask(message: str) -> Reply:
            before: dict[str, Any] = {"previous_response_id": last[-1]} if last else {}
            response = client.responses.create(model="code", input=message, **before)
            last.append(response.id)
            state = "finished" if response.status == "completed" else str(response.status)
            return Reply(response.output_text, state, [])

        yield ask


@contextmanager
def a2a(desk: LiveDesk, _node: Path) -> Generator[Ask]:
    context: dict[str, Any] = {}

    async def once(message: str) -> dict[str, Any]:
        async with a2a_client(desk.url, streaming=False) as client:
            return as_dict(await sent(client, message, **context))

    def ask(message: str) -> Reply:
        task = run_async(once(message))
        context["context_id"] = task["contextId"]
        state = task["status"]["state"].removeprefix("TASK_STATE_").lower()
        texts, alternatives = parts_of(task["artifacts"])
        return Reply(texts, finished(state), alternatives)

    yield ask


@contextmanager
def tasks(desk: LiveDesk, _node: Path) -> Generator[Ask]:
    context: dict[str, Any] = {}
    with TaskClient(desk.url) as client:

        def ask(message: str) -> Reply:
            sent_task = client.send(message, **context)
            context["contextId"] = sent_task["contextId"]
            task = client.until(sent_task["id"], "completed")
            texts, alternatives = parts_of(task["artifacts"])
            return Reply(texts, finished(str(task["status"]["state"])), alternatives)

        yield ask


def finished(state: str) -> str:
    return "finished" if state == "completed" else state


def parts_of(artifacts: list[dict[str, Any]]) -> tuple[str, list[dict[str, Any]]]:
    """The texts of a task's artifacts, and the readings in the artifact that has them."""
    parts = [(artifact.get("name"), part) for artifact in artifacts for part in artifact["parts"]]
    texts = [part["text"] for _, part in parts if "text" in part]
    data = [part["data"] for name, part in parts if name == "alternatives" and "data" in part]
    return "\n".join(texts), data[0]["alternatives"] if data else []


@contextmanager
def mcp(desk: LiveDesk, _node: Path) -> Generator[Ask]:
    chat: dict[str, str] = {}

    async def once(message: str) -> dict[str, Any]:
        async with Client(f"{desk.url}/mcp", mode="auto") as client:
            return await call(client, "ask_analyst", question=message, **chat)

    def ask(message: str) -> Reply:
        answer = run_async(once(message))
        chat["chat_id"] = answer["chat_id"]
        assert not answer["asks"]
        return Reply(answer["text"], answer["state"], answer["alternatives"])

    yield ask


@contextmanager
def ai_sdk(desk: LiveDesk, node: Path) -> Generator[Ask]:
    scenario: dict[str, Any] = {"url": f"{desk.url}/stream", "version": 7, "predicate": "own"}

    def ask(message: str) -> Reply:
        played = drive(node, scenario | {"turns": [{"text": message}]})
        assert not (played.errors or (played.calls and played.states[-1][1] == "approval-requested"))
        scenario.update(chatId=played.chat_id, messages=played.messages)
        parts = played.replies[-1]["parts"]
        texts = [part["text"] for part in parts if part["type"] == "text"]
        data = [part["data"] for part in parts if part["type"] == "data-alternatives"]
        alternatives = data[0]["alternatives"] if data else []
        return Reply(
            "\n".join(texts), "finished" if played.status == "ready" else played.status, alternatives
        )

    yield ask


@contextmanager
def agui(desk: LiveDesk, node: Path) -> Generator[Ask]:
    line: dict[str, Any] = {"agent": "a", "url": f"{desk.url}/agui", "threadId": uuid4().hex}

    def ask(message: str) -> Reply:
        done = subprocess.run(
            [str(node), str(PACKAGES / "agui.mjs")],
            input=json.dumps(line | {"say": message}),
            capture_output=True,
            text=True,
            check=True,
            cwd=PACKAGES,
            timeout=90,
        )
        received = json.loads(done.stdout)
        assert received["error"] is None and not received["interrupts"]
        line["messages"] = received["messages"]
        custom = [event for event in received["events"] if event.get("name") == "alternatives"]
        assert all(event["type"] == "CUSTOM" for event in custom)
        alternatives = custom[0]["value"]["alternatives"] if custom else []
        state = "finished" if received["events"][-1]["type"] == "RUN_FINISHED" else "failed"
        return Reply(str(received["messages"][-1]["content"]), state, alternatives)

    yield ask


WITH_DATA: dict[str, Wire] = {"four-pane 2.0": four_pane, "a2a": a2a, "tasks": tasks, "mcp": mcp}
ON_NODE: dict[str, Wire] = {"ai sdk": ai_sdk, "ag-ui": agui}
OF_TEXT: dict[str, Wire] = {
    "four-pane 1.2": four_pane_1_2,
    "chat completions": chat_completions,
    "responses": responses,
}
NO_NODE = Path()


def over(wires: dict[str, Wire]) -> pytest.MarkDecorator:
    """Ask over each wire in English, and over the first one in Japanese: a wire has no texts of its own here."""
    cases = [pytest.param(wire, *ENGLISH, id=f"{name}-english") for name, wire in wires.items()]
    name, wire = next(iter(wires.items()))
    cases.append(pytest.param(wire, *JAPANESE, id=f"{name}-japanese"))
    return pytest.mark.parametrize(("wire", "question", "answer", "marked", "others"), cases)


@over(WITH_DATA)
def test_an_unclear_question_is_answered_at_once_and_the_sentence_of_another_reading_chooses_it(
    desk: LiveDesk, wire: Wire, question: str, answer: str, marked: str, others: str
) -> None:
    with wire(desk, NO_NODE) as ask:
        reply = ask(question)
        check_marked(reply, answer, marked, others)
        check_chosen(ask, reply, marked, others)


@over(ON_NODE)
def test_front_ends_have_the_marked_answer_and_the_others_as_data_and_choose_one_by_its_sentence(
    desk: LiveDesk, node_path: Path, wire: Wire, question: str, answer: str, marked: str, others: str
) -> None:
    with wire(desk, node_path) as ask:
        reply = ask(question)
        check_marked(reply, answer, marked, others)
        check_chosen(ask, reply, marked, others)


@over(OF_TEXT)
def test_a_client_of_text_reads_the_other_readings_and_the_sentence_of_one_chooses_it(
    desk: LiveDesk, wire: Wire, question: str, answer: str, marked: str, others: str
) -> None:
    with four_pane(desk, NO_NODE) as ask:
        sentence = ask(question).alternatives[1]["sentence"]
    with wire(desk, NO_NODE) as ask:
        reply = ask(question)
        check_marked(reply, answer, marked, others, sentence)
        chosen = ask(sentence)
    assert chosen.state == "finished" and chosen.text
    assert marked not in chosen.text and others not in chosen.text


def check_marked(reply: Reply, *expected: str) -> None:
    assert reply.state == "finished"
    assert not [text for text in expected if text not in reply.text], reply.text


def check_chosen(ask: Ask, reply: Reply, marked: str, others: str) -> None:
    """Check the readings of a reply, then send the sentence of its second one: its answer comes, without others."""
    first, *rest = reply.alternatives
    assert first["sentence"] and not first.get("outputs")
    assert rest and all(entry["outputs"] or entry["error"] for entry in rest)
    assert all(entry["reading"]["query"]["table"] for entry in (first, *rest))
    chosen = ask(rest[0]["sentence"])
    assert chosen.state == "finished" and not chosen.alternatives
    assert marked not in chosen.text and others not in chosen.text
    texts = [output["content"] for output in rest[0]["outputs"] if output["type"] == "text"]
    assert texts and all(text in chosen.text for text in texts), (texts, chosen.text)


def test_files_of_the_other_answers_are_served_at_the_addresses_in_the_data(desk: LiveDesk) -> None:
    async def once() -> dict[str, Any]:
        async with a2a_client(desk.url, streaming=False) as client:
            return as_dict(await sent(client, ENGLISH[0]))

    _, alternatives = parts_of(run_async(once())["artifacts"])
    outputs = [output for entry in alternatives[1:] for output in entry["outputs"]]
    addresses = [output["url"] for output in outputs if output["type"] == "table"]
    assert addresses and all(address.startswith(desk.url) for address in addresses)
    assert {httpx.get(address).status_code for address in addresses} == {200}
