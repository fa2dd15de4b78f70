"""The same questions asked of a desk of each kind, code and tools: what a person sees is the same."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from smolagents import Tool, ToolCallingAgent

from tests.analyst.desk import Desk
from tests.support.desk_server import live_desk
from tests.support.ws_client import Message, WsClient, of_type

SAMPLE = [
    "Load the Titanic dataset and show me basic statistics",
    "survival rate by class as a plot",
    "now by sex instead",
    "Show an arrow to the left in the Kitchen",
    "colour the rooms by average temperature",
    "What datasets are there?",
    "How many passengers by gender?",
    "average temperature per room",
    "Save it to CSV",
    "correlation between age and survival",
    "Show a histogram of age in titanic",
    "Show me 5 random coordinates on the map",
    "Create a scatter plot of random data",
    "Highlight Room1 in red, Kitchen in green and Toilet in blue",
    "average salary per room",
    "What can you do?",
    "タイタニックの相関ヒートマップを表示して",
    "部屋ごとの平均温度",
    "棒グラフで",
    "1階の100,50に「Meet here」と書いて",
    "サイン波をプロット",
    "性別ごとの生存者数を棒グラフで",
]
WITHOUT_CODE = [
    "Show an arrow to the left in the Kitchen",
    "Highlight Room1 in red, Kitchen in green and Toilet in blue",
    "average salary per room",
    "What can you do?",
    "1階の100,50に「Meet here」と書いて",
]
"""What an agent that calls tools draws by a call of its own, or only says."""


@pytest.fixture(scope="module")
def talks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, WsClient]]:
    folder = tmp_path_factory.mktemp
    with (
        live_desk(folder("code"), max_children=1) as code,
        live_desk(folder("tools"), max_children=1, agent="tools") as tools,
        WsClient(code.ws_url) as to_code,
        WsClient(tools.ws_url) as to_tools,
    ):
        to_code.hello()
        to_tools.hello()
        yield {"code": to_code, "tools": to_tools}


def asked(client: WsClient, request: str) -> list[Message]:
    client.say(request)
    messages = client.until_closed()
    assert messages[-1]["content"]["state"] == "finished", messages[-1]
    assert not of_type(messages, "error"), messages
    return messages


def seen(messages: Sequence[Message]) -> dict[str, list[Any]]:
    """What a person sees of a run, by type, without the ids of things."""
    facts: dict[str, list[Any]] = {}
    for message in messages:
        kind = message["type"]
        if kind in (
            "text",
            "code",
            "table",
            "image",
            "map",
            "arrow",
            "highlight_room",
            "file",
            "json",
            "printed",
        ):
            facts.setdefault(kind, []).append(without_ids(message))
    return facts


def without_ids(message: Message) -> Any:
    if message["type"] == "image":
        return (message["format"], message["path"], message["width"], message["height"])
    content = message["content"]
    if isinstance(content, dict):
        known = json.loads(json.dumps(content))
        return {
            key: value
            for key, value in known.items()
            if key not in ("fileId", "tableId", "url", "timestamp", "source")
        }
    return content


@pytest.mark.parametrize("request_", SAMPLE)
def test_an_answer_does_not_depend_on_the_kind_of_agent(talks: dict[str, WsClient], request_: str) -> None:
    by_kind = {kind: seen(asked(client, request_)) for kind, client in talks.items()}
    assert by_kind["tools"]["text"]
    assert ("code" in by_kind["tools"]) == (request_ not in WITHOUT_CODE)
    if request_ in WITHOUT_CODE:
        by_kind["code"].pop("code")
    assert by_kind["tools"] == by_kind["code"]


def test_data_are_answered_by_code_in_both_kinds(talks: dict[str, WsClient]) -> None:
    for client in talks.values():
        messages = asked(client, "Box plot of age by class")
        assert [len(of_type(messages, kind)) for kind in ("code", "table", "image", "text")] == [1, 1, 1, 1]


def test_what_cannot_be_drawn_is_said_in_both_kinds(talks: dict[str, WsClient]) -> None:
    for client in talks.values():
        messages = asked(client, "Show the exit icon at 900,150")
        assert "lies outside floor 1F" in of_type(messages, "text")[-1]["content"]
        assert of_type(messages, "map") == []


class Interpreter(Tool):
    """Somebody else's interpreter: an answer inside the code does not end the run, but is told."""

    name = "python_interpreter"
    description = "Runs code."
    inputs = {"code": {"type": "string", "description": "the code"}}  # noqa: RUF012
    output_type = "string"

    def __init__(self, observation: str) -> None:
        super().__init__()
        self.observation = observation
        self.codes: list[str] = []

    def forward(self, code: str) -> str:
        self.codes.append(code)
        return f"python_interpreter: {self.observation}"


@pytest.mark.parametrize(
    ("observation", "said"),
    [
        ("Execution logs:\nLast output from code snippet:\n891 rows.\nMore.", "891 rows.\nMore."),
        ("Execution logs:\nLast output from code snippet:\nNone", "The code ran"),
        ("Error: Code failed at line 2: frame['x']\nKeyError: 'x'", "KeyError: 'x'"),
        (
            "Execution logs:\nhalf\n\nError: Code failed at line 2: 1 / 0\nZeroDivisionError: no",
            "ZeroDivision",
        ),
    ],
    ids=["an answer", "none", "an error", "an error after prints"],
)
def test_an_answer_or_an_error_is_read_from_the_observation(desk: Desk, observation: str, said: str) -> None:
    interpreter = Interpreter(observation)
    agent = ToolCallingAgent([interpreter], desk.model, verbosity_level=-1)
    answer = str(agent.run("How many rows are in titanic?"))
    assert said in answer
    assert ("failed" in answer) == ("Error" in observation)
    assert len(interpreter.codes) == 1
