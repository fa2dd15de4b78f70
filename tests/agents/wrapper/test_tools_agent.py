"""The agent of kind `tools` on a real desk: several calls in one step, in order, and no result lost."""

import pytest

from tests.agents.wrapper.conftest import Talk
from tests.support.scripted_model import Calls, text_of
from tests.support.ws_client import Message, of_type

DONE = Calls(("final_answer", {"answer": "done"}))


def tool_events(log: list[Message]) -> list[tuple[str, str]]:
    return [(event["type"], event["tool"]) for event in log if event["type"].startswith("tool_")]


def test_calls_of_a_step_are_announced_together_then_run_in_order(tools_talk: Talk) -> None:
    model = tools_talk.scene.script(
        Calls(("note", {"word": "b"}), ("note", {"word": "a"}), ("idle", {})), DONE
    )
    messages = tools_talk.ask()
    called, returned = "tool_called", "tool_returned"
    assert tool_events(tools_talk.log()) == [
        *[(called, "note"), (called, "note"), (called, "idle")],
        *[(returned, "note"), (returned, "note"), (returned, "idle")],
    ]
    assert tools_talk.scene.ran == ["b", "a"]
    prompt = text_of(model.seen[1])
    assert prompt.index("noted b") < prompt.index("noted a") < prompt.index("rested")
    assert messages[-1]["content"] == messages[-1]["content"] | {"state": "finished", "text": "done"}


def test_one_by_one_each_call_is_announced_when_it_begins(patient_talk: Talk) -> None:
    patient_talk.scene.script(Calls(("note", {"word": "b"}), ("idle", {})), DONE)
    patient_talk.ask()
    assert tool_events(patient_talk.log()) == [
        *[("tool_called", "note"), ("tool_returned", "note")],
        *[("tool_called", "idle"), ("tool_returned", "idle")],
    ]


def test_the_last_batch_ends_with_the_answer(tools_talk: Talk) -> None:
    tools_talk.scene.script(Calls(("final_answer", {"answer": "It is 42."}), text="I know this."))
    messages = tools_talk.ask()
    assert [message["type"] for message in messages[-3:]] == ["text", "evidence", "run"]
    assert messages[-3]["content"] == "It is 42."
    assert "".join(delta["content"] for delta in of_type(messages, "delta")) == "I know this."


@pytest.mark.starts
@pytest.mark.parametrize("kind", ["tools_talk", "patient_talk"])
def test_a_failing_call_in_the_middle_loses_no_result_of_the_others(
    kind: str, request: pytest.FixtureRequest
) -> None:
    talk: Talk = request.getfixturevalue(kind)
    step = Calls(("note", {"word": "one"}), ("fail", {"word": "two"}), ("note", {"word": "three"}))
    model = talk.scene.script(step, DONE)
    messages = talk.ask()
    prompt = text_of(model.seen[1])
    assert "noted one" in prompt
    assert "fail: Error: ValueError: no luck with two" in prompt
    assert "noted three" in prompt
    assert talk.scene.ran == ["one", "two", "three"]
    ends = [event for event in talk.log() if event["type"] in ("tool_returned", "tool_failed")]
    assert [event["type"] for event in ends] == ["tool_returned", "tool_failed", "tool_returned"]
    assert ends[1]["error"] == "ValueError: no luck with two"
    assert messages[-1]["content"]["state"] == "finished"


def test_a_denied_call_never_runs_and_its_neighbours_results_reach_the_model(tools_talk: Talk) -> None:
    step = Calls(("note", {"word": "before"}), ("pay", {"word": "30"}), ("note", {"word": "after"}))
    model = tools_talk.scene.script(step, DONE)
    ask = tools_talk.post("pay")
    assert (ask["content"]["tool"], ask["content"]["arguments"]) == ("pay", {"word": "30"})
    assert tools_talk.client.until("run", state="waiting")
    tools_talk.answer(ask, False, reason="too much")
    messages = tools_talk.client.until_closed()
    assert tools_talk.scene.ran == ["before", "after"]
    prompt = text_of(model.seen[1])
    assert "noted before" in prompt
    assert "pay: Error: ToolDenied: User denied the tool call: too much" in prompt
    assert "noted after" in prompt
    assert messages[-1]["content"]["state"] == "finished"
    states = [(m["content"]["tool"], m["content"]["state"]) for m in of_type(messages, "tool")]
    assert ("pay", "failed") in states


def test_a_granted_call_runs_once_with_the_arguments_the_person_left(tools_talk: Talk) -> None:
    model = tools_talk.scene.script(Calls(("pay", {"word": "30"})), DONE)
    ask = tools_talk.post("pay")
    assert tools_talk.scene.ran == []
    tools_talk.answer(ask, True, value={"word": "5"})
    tools_talk.client.until_closed()
    assert tools_talk.scene.ran == ["5"]
    assert "paid 5" in text_of(model.seen[1])


def test_two_asks_of_one_step_are_each_answered_for_themselves(tools_talk: Talk) -> None:
    model = tools_talk.scene.script(Calls(("pay", {"word": "30"}), ("pay", {"word": "40"})), DONE)
    tools_talk.answer(tools_talk.post("pay both"), False)
    tools_talk.answer(tools_talk.client.until("ask"), True)
    tools_talk.client.until_closed()
    assert tools_talk.scene.ran == ["40"]
    prompt = text_of(model.seen[1])
    assert "User denied the tool call" in prompt
    assert "paid 40" in prompt


def test_an_answer_beside_other_calls_waits_until_their_results_were_read(tools_talk: Talk) -> None:
    step = Calls(
        ("note", {"word": "one"}), ("final_answer", {"answer": "too early"}), ("note", {"word": "two"})
    )
    model = tools_talk.scene.script(step, DONE)
    messages = tools_talk.ask()
    assert tools_talk.scene.ran == ["one", "two"]
    prompt = text_of(model.seen[1])
    assert "noted one" in prompt
    assert "noted two" in prompt
    assert "call final_answer alone" in prompt
    assert messages[-1]["content"]["text"] == "done"


def test_an_unknown_tool_is_told_by_name_with_those_there_are(tools_talk: Talk) -> None:
    model = tools_talk.scene.script(Calls(("fly", {"to": "the moon"}), ("note", {"word": "still"})), DONE)
    messages = tools_talk.ask()
    prompt = text_of(model.seen[1])
    assert "There is no tool 'fly'; available: note, pay, fail, idle, huge" in prompt
    assert tools_talk.scene.ran == ["still"]
    assert messages[-1]["content"]["state"] == "finished"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, "note takes word; word is missing."),
        ({"wrod": "x"}, "note takes word; got 'wrod'."),
        ({"word": "x", "more": 1}, "note takes word; got 'more'."),
        ("not json", "note takes word; got 'answer'."),
        ("[1, 2]", "note takes word; got 'answer'."),
    ],
    ids=["none", "misspelt", "too many", "no JSON", "a list"],
)
def test_wrong_arguments_are_told_and_the_tool_does_not_run(
    tools_talk: Talk, arguments: object, expected: str
) -> None:
    model = tools_talk.scene.script(Calls(("note", arguments)), DONE)
    messages = tools_talk.ask()
    assert expected in text_of(model.seen[1])
    assert tools_talk.scene.ran == []
    assert messages[-1]["content"]["state"] == "finished"


@pytest.mark.parametrize("nothing", ["", "{}", "null"])
def test_a_tool_without_arguments_takes_nothing_in_every_spelling(tools_talk: Talk, nothing: str) -> None:
    model = tools_talk.scene.script(Calls(("idle", nothing)), DONE)
    tools_talk.ask()
    assert "idle: rested" in text_of(model.seen[1])


def test_calls_that_share_an_id_are_still_two_calls(tools_talk: Talk) -> None:
    step = Calls(("note", {"word": "a"}), ("note", {"word": "b"}), ids=["same", "same"])
    model = tools_talk.scene.script(step, DONE)
    tools_talk.ask()
    log = tools_talk.log()
    assert tools_talk.scene.ran == ["a", "b"]
    opened = [event["call_id"] for event in log if event["type"] == "tool_called"]
    closed = [event["call_id"] for event in log if event["type"] == "tool_returned"]
    assert len(set(opened)) == 2
    assert opened == closed
    prompt = text_of(model.seen[1])
    assert "noted a" in prompt
    assert "noted b" in prompt


def test_a_huge_result_is_cut_for_the_log_and_for_the_model(tools_talk: Talk) -> None:
    model = tools_talk.scene.script(Calls(("huge", {"size": 3_000_000}), ("note", {"word": "next"})), DONE)
    tools_talk.ask()
    prompt = text_of(model.seen[1])
    assert len(prompt) < 100_000
    assert "truncated" in prompt
    assert "noted next" in prompt
    assert max(len(str(event)) for event in tools_talk.log()) < 100_000


def test_a_model_that_calls_no_tool_answers_in_prose(tools_talk: Talk) -> None:
    tools_talk.scene.script("I would rather talk.")
    messages = tools_talk.ask()
    assert messages[-1]["content"]["text"] == "I would rather talk."
    assert of_type(messages, "text")[0]["withoutCode"] is True


def test_stop_while_an_ask_of_a_step_waits_runs_none_of_the_rest(tools_talk: Talk) -> None:
    tools_talk.scene.script(Calls(("pay", {"word": "30"}), ("pay", {"word": "40"})), DONE)
    ask = tools_talk.post("pay")
    assert tools_talk.stopped(ask)[-1]["content"]["state"] == "cancelled"
    assert tools_talk.scene.ran == []
    log = tools_talk.log()
    assert [event["tool"] for event in log if event["type"] == "tool_failed"] == ["pay", "pay"]
    assert [event["granted"] for event in log if event["type"] == "ask_closed"] == [False, False]
    assert tools_talk.scene.live.desk.runs.abandoned == 0
