"""Managed agents on a real desk: their work is nested in its call, their failure is an observation, a stop stops all of it."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from smoldesk.errors import ModelFault
from smoldesk.sandbox.children import PART
from tests.support.scripted_model import Calls, code, text_of
from tests.support.team_desk import Team, team_desk
from tests.support.ws_client import Message


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    with team_desk(tmp_path_factory.mktemp("team")) as team:
        yield team


def nested(log: list[Message]) -> list[Message]:
    return [event for event in log if event["type"] == "nested"]


def kinds(events: list[Message]) -> list[str]:
    """Types in order, neighbours of one type once: a text may come in pieces."""
    types = [event["type"] for event in events if event["type"] not in ("delta", "model_called")]
    return [kind for kind, before in zip(types, [None, *types], strict=False) if kind != before]


def test_its_work_is_nested_in_the_call_and_its_answer_is_what_the_code_gets(team: Team) -> None:
    boss, searcher = team.scripts(
        [
            code("x = 1\nfound = searcher(task='Find the word.')\nprint('got', found)"),
            code("final_answer(f'{found} {x}')"),
        ],
        [code("x = 'gold'\nprint(note('seen'))"), code("final_answer(x)")],
    )
    with team.client() as client:
        messages = client.ask("go")
    assert messages[-1]["content"] == messages[-1]["content"] | {"state": "finished", "text": "gold 1"}
    log = team.log(client)
    [call] = [event["call_id"] for event in log if event["type"] == "tool_called"]
    work = nested(log)
    assert {(event["within"], event["agent"]) for event in work} == {(call, "searcher")}
    inside = [event["event"] for event in work]
    assert kinds(inside) == [
        *["step_started", "tool_called", "tool_returned", "printed", "shown", "step_finished"],
        *["step_started", "shown", "step_finished"],
    ]
    assert inside[[event["type"] for event in inside].index("tool_called")]["call_id"] == f"{call}.1"
    outer_kinds = kinds([event for event in log if event["type"] != "nested"])
    assert outer_kinds[2:] == [
        *["step_started", "tool_called", "tool_returned", "printed", "shown", "step_finished"],
        *["step_started", "shown", "step_finished", "shown", "run_finished"],
    ]
    assert "Find the word." in text_of(searcher.seen[0])
    assert "another agent gives you this task" in text_of(searcher.seen[0])
    assert "Finds things." in text_of(boss.seen[0])
    assert "got gold" in text_of(boss.seen[1])
    tokens = [(e["input_tokens"], e["output_tokens"]) for e in log if e["type"] == "step_finished"]
    assert tokens == [(10, 1), (10, 1)], "its tokens are told in its own steps, and not twice"
    assert [event["input_tokens"] for event in inside if event["type"] == "step_finished"] == [10, 10]


def open_calls(log: list[Message]) -> set[str]:
    """Ids of calls without an end; fails for an end that has no beginning."""
    calls: set[str] = set()
    for event in (event.get("event", event) for event in log):
        if event["type"] == "tool_called":
            assert event["call_id"] not in calls
            calls.add(event["call_id"])
        elif event["type"] in ("tool_returned", "tool_failed"):
            calls.remove(event["call_id"])
    return calls


def test_the_next_run_remembers_what_its_manager_did_and_no_step_of_it(team: Team) -> None:
    with team.client() as client:
        ask = code("x = 1\nfinal_answer(searcher(task='Find it.'))")
        team.scripts([ask], [code("print('inner words')"), code("final_answer('gold')")])
        client.ask("go")
        [boss] = team.scripts([code("final_answer(x + 1)")])
        messages = client.ask("again")
    assert messages[-1]["content"]["text"] == "2"
    prompt = text_of(boss.seen[0])
    assert "searcher(task='Find it.')" in prompt and "gold" in prompt and "inner words" not in prompt
    [again] = [event for event in team.log(client) if event["type"] == "model_called"][-1:]
    assert again["response"], "its prompts are told as before"


@pytest.mark.parametrize(
    ("replies", "expected"),
    [
        ([code("1 / 0")], "limit of 2 steps"),
        ([ModelFault("The model is away.", code="model_away")], "The model is away."),
        ([RuntimeError("odd")], "odd"),
    ],
)
def test_its_failure_is_an_observation_of_its_manager(team: Team, replies: list[Any], expected: str) -> None:
    boss, _ = team.scripts(
        [code("searcher(task='Find it.')"), code("final_answer('without it')")],
        replies,
    )
    with team.client() as client:
        messages = client.ask("go")
    assert messages[-1]["content"]["text"] == "without it"
    assert expected in text_of(boss.seen[1])
    log = team.log(client)
    failed = [event for event in log if event["type"] == "tool_failed"]
    assert [event["tool"] for event in failed] == ["searcher"]
    assert open_calls(log) == set()


@pytest.mark.parametrize("order", ["together", "one_by_one"])
def test_two_of_them_called_in_one_step_work_one_after_the_other(
    team: Team, order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    builder = team.live.desk.agents._builder
    choices = replace(builder.parts.choices, tool_calls=order)
    monkeypatch.setattr(builder, "parts", replace(builder.parts, choices=choices))
    caller, *_ = team.scripts(
        [
            Calls(("searcher", {"task": "one"}), ("team_lead", {"task": "two"}), ("searcher", {"task": " "})),
            Calls(("final_answer", {"answer": "done"})),
        ],
        [code("final_answer('first')")],
        [Calls(("note", {"word": "w"})), Calls(("final_answer", {"answer": "second"}))],
    )
    with team.client("caller") as client:
        client.ask("go")
    log = team.log(client)
    outer_kinds = [event["type"] for event in log if event["type"].startswith("tool_")]
    work = [event["agent"] for event in nested(log) if event["event"]["type"] == "step_started"]
    assert work == ["searcher", "team-lead", "team-lead"]
    called, ends = "tool_called", ["tool_returned", "tool_returned", "tool_failed"]
    if order == "together":
        assert outer_kinds[:3] == [called] * 3 and sorted(outer_kinds[3:]) == sorted(ends)
    else:
        assert outer_kinds == [event for end in ends for event in (called, end)]
    prompt = text_of(caller.seen[1])
    assert "searcher: first" in prompt and "team_lead: second" in prompt and "The task is empty" in prompt


def test_a_stop_ends_all_of_it_at_any_depth_and_the_managers_variables_stay(team: Team) -> None:
    team.scripts(
        [code("x = 7"), code("team_lead(task='Have it found.')")],
        [Calls(("searcher", {"task": "Find it."}))],
        [code("import time\nprint('deep')\ntime.sleep(60)")],
    )
    with team.client() as client:
        client.say("go")
        deep = client.until("nested", agent="searcher")
        while deep["content"]["message"]["type"] != "printed":
            deep = client.until("nested", agent="searcher")
        assert deep["content"]["within"].endswith(".1.1") and deep["content"]["agent"] == "searcher"
        client.send(type="cancel", runId=deep["runId"])
        assert client.until_closed()[-1]["content"]["state"] == "cancelled"
        log = team.log(client)
        assert open_calls(log) == set()
        assert [event["type"] for event in log if event["type"].startswith("run_")][2:] == ["run_cancelled"]
        within, alive = deep["content"]["within"], team.live.desk.children.alive
        parts = [f"{client.chat_id}{PART}{within}", f"{client.chat_id}{PART}{within.rpartition('.')[0]}"]
        assert [alive(key) for key in (client.chat_id, *parts)] == [True, False, False]
        team.scripts([code("final_answer(x)")])
        assert client.ask("and now?")[-1]["content"]["text"] == "7"


def test_a_person_is_asked_about_its_calls_and_a_no_is_its_own_observation(team: Team) -> None:
    _, searcher = team.scripts(
        [code("final_answer(searcher(task='Pay.'))")],
        [code("pay('30')"), code("final_answer(pay('40'))")],
    )
    with team.client() as client:
        client.say("go")
        for granted in (False, True):
            ask = client.until("ask")["content"]
            assert ask["tool"] == "pay" and ask["callId"].count(".") == 2
            client.send(type="answer", askId=ask["askId"], granted=granted)
        assert client.until_closed()[-1]["content"]["text"] == "paid 40"
    assert team.ran == ["40"]
    assert "User denied the tool call" in text_of(searcher.seen[1])


def test_files_that_it_shows_are_shown_once_and_shared(team: Team) -> None:
    team.scripts(
        [code("searcher(task='Write it.')\nfinal_answer(open('found.txt').read())")],
        [code("open('found.txt', 'w').write('gold')\nfinal_answer('written')")],
    )
    with team.client() as client:
        messages = client.ask("go")
    assert messages[-1]["content"]["text"] == "gold"
    outputs = [
        message
        for message in messages
        if '"found.txt"' in json.dumps(message) and "file" in json.dumps(message)
    ]
    files = [
        event
        for event in outputs
        if event["type"] == "file" or event.get("content", {}).get("message", {}).get("type") == "file"
    ]
    assert [file["type"] for file in files] == ["nested"]
    assert files[0]["content"]["message"]["url"].startswith("/api/chats/")
