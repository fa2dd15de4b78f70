"""Managed agents on a real desk: their work is nested in its call, their failure is an observation, a stop stops all of it."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from smolagents.models import ChatMessageStreamDelta
from smolagents.monitoring import TokenUsage

from tests.agents.wrapper.conftest import Scene, Talk
from tests.support.desk_server import live_desk
from tests.support.scripted_model import Calls, Reply, ScriptedModel, code, text_of
from tests.support.ws_client import Message, WsClient, of_type

LIST = """
default = "boss"
[agents.boss]
kind = "code"
managed = ["searcher", "team-lead"]
[agents.caller]
kind = "tools"
managed = ["searcher", "team-lead"]
[agents.searcher]
kind = "code"
description = "Finds things."
max_steps = 2
[agents.team-lead]
kind = "tools"
description = "Has things found."
managed = ["searcher"]
"""


class Counting(ScriptedModel):
    """Each call takes 10 tokens in and 1 out."""

    def generate_stream(self, *args: Any, **kwargs: Any) -> Iterator[ChatMessageStreamDelta]:
        yield from super().generate_stream(*args, **kwargs)
        yield ChatMessageStreamDelta(content="", token_usage=TokenUsage(10, 1))


class Team(Scene):
    """A desk where each agent that is built takes the next script: the one that answers first, then those it calls."""

    def __init__(self) -> None:
        super().__init__()
        self.models: list[Counting] = []

    def next_model(self) -> Counting:
        return self.models.pop(0)

    def scripts(self, *scripts: Sequence[Reply]) -> list[Counting]:
        self.ran.clear()
        self.models = [Counting(replies) for replies in scripts]
        return list(self.models)


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    folder: Path = tmp_path_factory.mktemp("team")
    (folder / "agents.toml").write_text(LIST)
    team = Team()
    with live_desk(folder, team.next_model, team.tools, max_steps=4) as team.live:
        yield team


@pytest.fixture
def talk(team: Team) -> Iterator[Talk]:
    with WsClient(team.live.ws_url) as client:
        yield Talk(team, client)


@pytest.fixture
def caller(team: Team) -> Iterator[Talk]:
    with WsClient(team.live.ws_url, "?after=0&agent=caller") as client:
        yield Talk(team, client)


def nested(log: list[Message]) -> list[Message]:
    return [event for event in log if event["type"] == "nested"]


def kinds(events: list[Message]) -> list[str]:
    return [event["type"] for event in events if event["type"] not in ("delta", "model_called", "debug")]


def test_its_work_is_nested_in_the_call_and_its_answer_is_what_the_code_gets(team: Team, talk: Talk) -> None:
    boss, searcher = team.scripts(
        [
            code("x = 1\nfound = searcher(task='Find the word.')\nprint('got', found)"),
            code("final_answer(f'{found} {x}')"),
        ],
        [code("x = 'gold'\nprint(note('seen'))"), code("final_answer(x)")],
    )
    messages = talk.ask()
    assert messages[-1]["content"] == messages[-1]["content"] | {"state": "finished", "text": "gold 1"}
    log = talk.log()
    [call] = [event["call_id"] for event in log if event["type"] == "tool_called"]
    work = nested(log)
    assert {(one["within"], one["agent"]) for one in work} == {(call, "searcher")}
    inside = [one["event"] for one in work]
    assert kinds(inside) == [
        *["step_started", "tool_called", "tool_returned", "printed", "shown", "shown", "step_finished"],
        *["step_started", "shown", "shown", "shown", "step_finished"],
    ]
    assert inside[[one["type"] for one in inside].index("tool_called")]["call_id"] == f"{call}.1"
    own = kinds([event for event in log if event["type"] != "nested"])
    assert own[2:] == [
        *["step_started", "tool_called", "tool_returned", "printed", "shown", "shown", "step_finished"],
        *["step_started", "shown", "shown", "shown", "step_finished", "run_finished"],
    ]
    assert "Find the word." in text_of(searcher.seen[0])
    assert "another agent gives you this task" in text_of(searcher.seen[0])
    assert "Finds things." in text_of(boss.seen[0])
    assert "got gold" in text_of(boss.seen[1])
    tokens = [(e["input_tokens"], e["output_tokens"]) for e in log if e["type"] == "step_finished"]
    assert tokens == [(10, 1), (10, 1)], "its tokens are told in its own steps, and not twice"
    assert [one["input_tokens"] for one in inside if one["type"] == "step_finished"] == [10, 10]
