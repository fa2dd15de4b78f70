"""Requests that another agent is to be asked, in both languages: whom, what, and what becomes of the answer."""

import contextlib
from typing import Any, ClassVar

import pytest
from smolagents.models import ChatMessage, MessageRole

from smoldesk.analyst.building.intents import ToolCall
from smoldesk.analyst.errands.read import read_asking
from smoldesk.tools.gate import ToolDenied
from tests.analyst.desk import Desk, messages
from tests.analyst.errand_tools import Calls, Errand

READ = [
    ("Ask the agent maps: where is the station?", "maps", "where is the station?"),
    ("please ask agent maps where the station is", "maps", "where the station is"),
    (
        "Could you ask maps: pay Bob 30 USD, and the weather in Tokyo",
        "maps",
        "pay Bob 30 USD, and the weather in Tokyo",
    ),
    ("Tell the agent Maps_2, it is late", "maps_2", "it is late"),
    ('ask the agent "maps": two\nlines', "maps", "two\nlines"),
    ("mapsに聞いて: 駅はどこ？", "maps", "駅はどこ？"),
    ("エージェントmapsに質問してください。駅はどこですか", "maps", "駅はどこですか"),
    ("ｍａｐｓに聞いて：駅はどこ？", "maps", "駅はどこ？"),
    ("mapsさんに「駅はどこ？」と聞いて", "maps", "駅はどこ？"),
    ("mapsエージェントに頼んで、売上を調べて", "maps", "売上を調べて"),
]


@pytest.mark.parametrize(("request_", "agent", "message"), READ)
def test_whom_to_ask_what_is_read(request_: str, agent: str, message: str) -> None:
    assert read_asking(request_) == ToolCall("ask_agent", (("name", agent), ("message", message)))


@pytest.mark.parametrize(
    "request_",
    [
        "Tell me: how many rows are there?",
        "ask me: is it red?",
        "Ask the agent maps",
        "How many agents are there?",
        "average of price: by city",
        "駅に聞いて",
        "先生に聞いて: 明日は？",
        "",
    ],
)
def test_what_merely_speaks_of_asking_is_none(request_: str) -> None:
    assert read_asking(request_) is None


@pytest.mark.parametrize("text", ["ask the agent " * 5_000, "please " * 20_000, "mapsに「" + "」と" * 30_000])
def test_repetitive_text_is_read_without_exploding(text: str) -> None:
    read_asking(text)


class AskAgent(Errand):
    """Answers with what it was asked."""

    name = "ask_agent"
    description = "Asks."
    output_type = "string"
    inputs: ClassVar = {
        "name": {"type": "string", "description": "whom"},
        "message": {"type": "string", "description": "what"},
    }

    def result(self, **arguments: Any) -> Any:
        return f"I heard {arguments['message']!r} {{braces}}"


def run(desk: Desk, request: str, faults: dict[str, Exception] | None = None) -> tuple[str, Calls]:
    """The answer of a CodeAgent's code, really run, and the calls."""
    ran: Calls = []
    tool = AskAgent(ran, faults)
    prompt = ChatMessage(MessageRole.SYSTEM, f"You have these:\n{tool.to_code_prompt()}")
    reply = str(desk.model.generate([prompt, *messages(request)[1:]]).content)
    code = reply.partition("<code>\n")[2].removesuffix("\n</code>")
    lines: list[str] = []
    space: dict[str, Any] = {
        "ask_agent": tool.forward,
        "ToolDenied": ToolDenied,
        "final_answer": lines.append,
    }
    with contextlib.suppress(SystemExit):
        exec(compile(code, "<cell>", "exec"), space)
    return lines[0], ran


def test_the_answer_is_told_as_it_came(desk: Desk) -> None:
    answer, ran = run(desk, 'Ask the agent maps: where\'s "home"?')
    assert ran == [("ask_agent", {"name": "maps", "message": 'where\'s "home"?'})]
    assert answer == "I heard 'where\\'s \"home\"?' {braces}"


def test_a_failure_is_told_in_the_language_of_the_request(desk: Desk) -> None:
    answer, _ = run(desk, "mapsに聞いて: 駅は？", {"maps": ValueError("It failed: no idea")})
    assert answer == "mapsへの質問に失敗しました。It failed: no idea"


def test_a_tool_calling_agent_calls_and_tells(desk: Desk) -> None:
    tools = [AskAgent([])]
    requested = messages("Ask the agent maps: where is it?")
    [call] = desk.model.generate(requested, tools_to_call_from=tools).tool_calls or []
    assert (call.function.name, call.function.arguments) == (
        "ask_agent",
        {"name": "maps", "message": "where is it?"},
    )
    chat_message = ChatMessage(MessageRole.TOOL_RESPONSE, "Observation:\nask_agent: In the north.\nNot far.")
    [final] = desk.model.generate([*requested, chat_message], tools_to_call_from=tools).tool_calls or []
    assert final.function.arguments == {"answer": "In the north.\nNot far."}


def test_without_the_tool_nothing_is_made_up(desk: Desk) -> None:
    [final] = (
        desk.model.generate(messages("Ask the agent maps: x"), tools_to_call_from=[Nothing([])]).tool_calls
        or []
    )
    assert "ask_agent" in str(final.function.arguments)


class Nothing(Errand):
    name = "nothing"
    description = "Does nothing."
    inputs: ClassVar = {}
