"""The tool `python_interpreter` on a real desk: code beside other calls, shown, told and asked about as a code agent's."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.agents.wrapper.conftest import (
    Scene,
    Talk,
    scene_of,
    talk_in,
)
from tests.support.scripted_model import Calls, text_of
from tests.support.ws_client import Message, of_type

DONE = Calls(("final_answer", {"answer": "done"}))


@pytest.fixture(scope="module")
def wary_scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """Its operator wants to be asked before code runs, which is interpreted here."""
    folder = tmp_path_factory.mktemp("wary")
    approval = {"python_interpreter": "always"}
    yield from scene_of(folder, agent="tools", executor="ast", tool_approval=approval)


@pytest.fixture
def hasty_talk(tmp_path: Path) -> Iterator[Talk]:
    """Its cells may run for a second."""
    for scene in scene_of(tmp_path, agent="tools", cell_seconds=1):
        yield from talk_in(scene)


@pytest.fixture
def wary_talk(wary_scene: Scene) -> Iterator[Talk]:
    yield from talk_in(wary_scene)


def python(*lines: str) -> tuple[str, dict[str, str]]:
    return "python_interpreter", {"code": "\n".join(lines)}


def events(log: list[Message], *kinds: str) -> list[Message]:
    return [event for event in log if event["type"] in kinds]


def order(log: list[Message]) -> list[tuple[str, str]]:
    return [(event["type"], event["tool"]) for event in log if event["type"].startswith("tool_")]


# --- what is told, what is shown ------------------------------------------------------------------------------------


def test_the_model_reads_what_was_printed_and_the_value(tools_talk: Talk) -> None:
    model = tools_talk.scene.script(Calls(python("print('six times seven')", "6 * 7")), DONE)
    messages = tools_talk.ask()
    prompt = text_of(model.seen[1])
    assert (
        "python_interpreter: Execution logs:\nsix times seven\nLast output from code snippet:\n42" in prompt
    )
    assert "".join(message["content"] for message in of_type(messages, "printed")) == "six times seven\n"
    assert messages[-1]["content"] == messages[-1]["content"] | {"state": "finished", "text": "done"}


def test_code_tables_images_and_files_are_in_the_batch_of_their_step(tools_talk: Talk) -> None:
    outputs = [
        "import pandas as pd, matplotlib.pyplot as plt",
        "display(pd.DataFrame({'n': [1, 2]}))",
        "plt.plot([1, 2])",
        "open('notes.txt', 'w').write('kept')",
    ]
    tools_talk.scene.script(Calls(python(*outputs), text="I look at it."), DONE)
    messages = tools_talk.ask()
    kinds = [message["type"] for message in messages if message.get("seq")]
    batch = kinds[kinds.index("debug") :][:5]
    assert batch == ["debug", "code", "table", "image", "file"]
    assert of_type(messages, "debug")[0]["content"]["output_count"] == 4
    assert of_type(messages, "code")[0]["content"] == "\n".join(outputs)
    assert of_type(messages, "table")[0]["content"]["rowCount"] == 2
    assert of_type(messages, "file")[0]["content"]["name"] == "notes.txt"
    logs = of_type(messages, "debug")[0]["content"]["agent_response"]["logs"]
    assert logs == [{"step_number": 1, "tool_calls": ["python_interpreter"]}]


def test_two_cells_of_a_step_each_keep_what_they_made_though_the_second_writes_over_it(
    tools_talk: Talk,
) -> None:
    step = Calls(
        python("open('plot.svg', 'w').write('<svg>one</svg>')", "print('first')"),
        ("note", {"word": "between"}),
        python("open('plot.svg', 'w').write('<svg>the other</svg>')", "print('second')"),
    )
    model = tools_talk.scene.script(step, DONE)
    messages = tools_talk.ask()
    assert [code["content"].rsplit("'")[-2] for code in of_type(messages, "code")] == ["first", "second"]
    images = of_type(messages, "image")
    url = tools_talk.scene.live.url
    assert [httpx.get(url + image["url"], timeout=30).text for image in images] == [
        "<svg>one</svg>",
        "<svg>the other</svg>",
    ]
    assert of_type(messages, "debug")[0]["content"]["agent_response"]["raw_output"] == "first\nsecond\n"
    prompt = text_of(model.seen[1])
    assert prompt.index("logs:\nfirst") < prompt.index("noted between") < prompt.index("logs:\nsecond")


def test_an_arrow_that_code_drew_is_one_arrow_however_often_it_is_said(tools_talk: Talk) -> None:
    command = "ARROW_COMMAND: room=Kitchen, direction=left"
    tools_talk.scene.script(Calls(python(f"said = note({command!r})", "print(said)", "said")), DONE)
    assert len(of_type(tools_talk.ask(), "arrow")) == 1


def test_long_output_is_cut_for_the_model_and_the_value_is_still_told(tools_talk: Talk) -> None:
    model = tools_talk.scene.script(Calls(python("print('x' * 300_000)", "'the ' + 'value'")), DONE)
    tools_talk.ask()
    prompt = text_of(model.seen[1])
    assert len(prompt) < 90_000
    assert "truncated" in prompt and "the value" in prompt


def test_code_is_logged_whole_where_other_arguments_are_cut(tools_talk: Talk) -> None:
    body = "\n".join(f"value_{n} = {n}" for n in range(400))
    tools_talk.scene.script(Calls(python(body), ("note", {"word": "w" * 9_000})), DONE)
    tools_talk.ask()
    called = events(tools_talk.log(), "tool_called")
    assert called[0]["arguments"]["code"] == body
    assert len(called[1]["arguments"]["word"]) < 2_100


# --- errors ----------------------------------------------------------------------------------------------------------


def test_code_that_fails_is_told_with_what_it_printed_and_its_neighbours_still_run(tools_talk: Talk) -> None:
    step = Calls(python("print('so far')", "1 / 0"), ("note", {"word": "after"}))
    model = tools_talk.scene.script(step, DONE)
    messages = tools_talk.ask()
    prompt = text_of(model.seen[1])
    assert "Execution logs:\nso far\n\nError: Code failed at line 2: 1 / 0\nZeroDivisionError" in prompt
    assert "noted after" in prompt
    (error,) = of_type(messages, "error")
    assert error["code"] == "code_error" and "ZeroDivisionError" in error["content"]
    assert [code["content"] for code in of_type(messages, "code")] == ["print('so far')\n1 / 0"]
    (failed,) = events(tools_talk.log(), "tool_failed")
    assert failed["error"].startswith("Code failed at line 2: 1 / 0")
    assert messages[-1]["content"]["state"] == "finished"


def test_the_errors_of_two_cells_are_both_shown_and_told(tools_talk: Talk) -> None:
    model = tools_talk.scene.script(Calls(python("1 / 0"), python("{}['key']")), DONE)
    messages = tools_talk.ask()
    (error,) = of_type(messages, "error")
    for name in ("ZeroDivisionError", "KeyError"):
        assert name in error["content"] and name in text_of(model.seen[1])


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, "python_interpreter takes code; code is missing."),
        ({"code": ""}, "takes its code as text"),
        ({"code": ["1 + 1"]}, "takes its code as text"),
        ({"source": "1"}, "python_interpreter takes code; got 'source'."),
    ],
    ids=["none", "empty", "a list", "misnamed"],
)
def test_a_call_without_code_is_told_what_is_wrong(tools_talk: Talk, arguments: Any, expected: str) -> None:
    model = tools_talk.scene.script(Calls(("python_interpreter", arguments)), DONE)
    messages = tools_talk.ask()
    assert expected in text_of(model.seen[1])
    assert messages[-1]["content"]["state"] == "finished"


def test_bare_text_is_code(tools_talk: Talk) -> None:
    model = tools_talk.scene.script(Calls(("python_interpreter", "print('bare', 6 * 7)")), DONE)
    tools_talk.ask()
    assert "bare 42" in text_of(model.seen[1])


# --- variables ---------------------------------------------------------------------------------------------------------


def test_variables_stay_from_call_to_call_and_from_run_to_run(tools_talk: Talk) -> None:
    model = tools_talk.scene.script(Calls(python("kept = 41")), Calls(python("print(kept + 1)")), DONE)
    tools_talk.ask()
    assert "42" in text_of(model.seen[2])
    model = tools_talk.scene.script(Calls(python("print(kept + 2)")), DONE)
    tools_talk.ask()
    assert "43" in text_of(model.seen[1])


def test_lost_variables_are_noted_for_the_next_run(tools_talk: Talk) -> None:
    tools_talk.scene.script(Calls(python("kept = 41")), DONE)
    tools_talk.ask()
    tools_talk.scene.live.desk.agents.drop(tools_talk.chat_id, "a test ended it")
    model = tools_talk.scene.script(DONE)
    tools_talk.ask()
    assert "The variables of earlier code are gone (a test ended it)" in text_of(model.seen[0])
    assert len(events(tools_talk.log(), "variables_lost")) == 1


def test_a_chat_that_ran_no_code_is_told_of_no_loss(tools_talk: Talk) -> None:
    name_json = '"name":"python_interpreter"'
    model = tools_talk.scene.script(Calls(("note", {"word": name_json}), text=name_json), DONE)
    tools_talk.ask()
    tools_talk.ask()
    assert "variables of earlier code" not in text_of(model.seen[-1])
    assert events(tools_talk.log(), "variables_lost") == []


def test_code_runs_in_a_later_run_though_the_one_before_ran_none(tools_talk: Talk) -> None:
    tools_talk.scene.script(Calls(python("kept = 1")), DONE)
    tools_talk.ask()
    tools_talk.scene.script(DONE)
    tools_talk.ask()
    tools_talk.scene.live.desk.agents.drop(tools_talk.chat_id, "a test ended it")
    model = tools_talk.scene.script(DONE)
    tools_talk.ask()
    assert "a test ended it" in text_of(model.seen[0])


def test_a_run_that_only_calls_tools_starts_no_process(tools_talk: Talk) -> None:
    tools_talk.scene.script(Calls(("note", {"word": "a"})), DONE)
    tools_talk.ask()
    children = tools_talk.scene.live.desk.children
    assert not children.alive(tools_talk.chat_id)
    tools_talk.scene.script(Calls(python("1")), DONE)
    tools_talk.ask()
    assert children.alive(tools_talk.chat_id)


# --- an answer inside code ---------------------------------------------------------------------------------------------


def test_an_answer_of_code_that_stands_alone_ends_the_run(tools_talk: Talk) -> None:
    tools_talk.scene.script(Calls(python("import pandas as pd", "final_answer(pd.DataFrame({'n': [1, 2]}))")))
    messages = tools_talk.ask()
    assert messages[-1]["content"]["state"] == "finished"
    assert of_type(messages, "table")[0]["content"]["rowCount"] == 2
    tools_talk.scene.script(Calls(python("final_answer('It is ' + str(6 * 7))")))
    messages = tools_talk.ask()
    assert [message["type"] for message in messages if message["type"] in ("debug", "code", "text")] == [
        *["debug", "code", "text"]
    ]
    assert messages[-1]["content"]["text"] == "It is 42"


def test_an_answer_of_code_beside_other_calls_is_an_observation(tools_talk: Talk) -> None:
    step = Calls(python("final_answer('too early')"), ("note", {"word": "one"}))
    model = tools_talk.scene.script(step, DONE)
    messages = tools_talk.ask()
    prompt = text_of(model.seen[1])
    assert "too early" in prompt and "call final_answer alone" in prompt and "noted one" in prompt
    assert messages[-1]["content"]["text"] == "done"


# --- tools called by code, asks -----------------------------------------------------------------------------------------


@pytest.mark.starts
@pytest.mark.parametrize("kind", ["tools_talk", "patient_talk"])
def test_calls_of_code_lie_inside_the_call_of_the_interpreter(
    kind: str, request: pytest.FixtureRequest
) -> None:
    talk: Talk = request.getfixturevalue(kind)
    talk.scene.script(Calls(python("note('a')", "note('b')")), DONE)
    talk.ask()
    assert order(talk.log()) == [
        ("tool_called", "python_interpreter"),
        *[("tool_called", "note"), ("tool_returned", "note")] * 2,
        ("tool_returned", "python_interpreter"),
    ]
    assert [event["line"] for event in events(talk.log(), "tool_called")] == [None, 1, 2]
    assert talk.scene.ran == ["a", "b"]


def test_code_does_not_find_the_interpreter_in_itself(tools_talk: Talk) -> None:
    model = tools_talk.scene.script(Calls(python("python_interpreter('1')")), DONE)
    tools_talk.ask()
    assert "NameError" in text_of(model.seen[1])


def test_code_stops_at_the_line_that_asks(tools_talk: Talk) -> None:
    model = tools_talk.scene.script(Calls(python("print('before')", "receipt = pay('30')", "receipt")), DONE)
    ask = tools_talk.post("pay")
    assert (ask["content"]["codeLine"], ask["content"]["line"]) == ("receipt = pay('30')", 2)
    assert "".join(message["content"] for message in of_type(tools_talk.client.seen, "printed")) == "before\n"
    assert tools_talk.scene.ran == []
    tools_talk.answer(ask, True, value={"word": "5"})
    tools_talk.client.until_closed()
    assert tools_talk.scene.ran == ["5"]
    assert "paid 5" in text_of(model.seen[1])


def test_a_denial_in_code_is_told_and_later_calls_of_the_step_run(tools_talk: Talk) -> None:
    step = Calls(python("pay('30')", "print('never')"), ("note", {"word": "after"}))
    model = tools_talk.scene.script(step, DONE)
    tools_talk.answer(tools_talk.post("pay"), False, reason="too much")
    tools_talk.client.until_closed()
    assert "User denied the tool call: too much" in text_of(model.seen[1])
    assert tools_talk.scene.ran == ["after"]


def test_asks_around_code_and_inside_it_are_open_together_and_answered_in_any_order(tools_talk: Talk) -> None:
    model = tools_talk.scene.script(Calls(("pay", {"word": "outside"}), python("print(pay('inside'))")), DONE)
    tools_talk.client.say("pay")
    outside, inside = tools_talk.client.until("ask"), tools_talk.client.until("ask")
    assert [ask["content"]["arguments"]["word"] for ask in (outside, inside)] == ["outside", "inside"]
    tools_talk.client.until("run", state="waiting")
    tools_talk.answer(outside, True)
    tools_talk.client.until("ask_closed")
    assert tools_talk.scene.ran == []
    tools_talk.answer(inside, True)
    assert tools_talk.client.until_closed()[-1]["content"]["state"] == "finished"
    assert tools_talk.scene.ran == ["inside", "outside"]
    prompt = text_of(model.seen[1])
    assert prompt.index("paid outside") < prompt.index("paid inside")
    waits = [event["ask_ids"] for event in events(tools_talk.log(), "run_waiting")]
    assert waits[0] == [ask["content"]["askId"] for ask in (outside, inside)]


@pytest.mark.parametrize("first", ["outside", "inside"])
@pytest.mark.parametrize("granted", [True, False])
def test_an_answer_for_the_step_reaches_asks_around_code_and_inside_it(
    tools_talk: Talk, first: str, granted: bool
) -> None:
    tools_talk.scene.script(
        Calls(
            ("pay", {"word": "outside"}),
            python("try:", "    pay('inside')", "except ToolDenied:", "    pass"),
        ),
        DONE,
    )
    tools_talk.client.say("pay")
    asks = {"outside": tools_talk.client.until("ask"), "inside": tools_talk.client.until("ask")}
    tools_talk.answer(asks[first], granted, scope="step")
    messages = tools_talk.client.until_closed()
    assert messages[-1]["content"]["state"] == "finished"
    assert tools_talk.scene.ran == (["inside", "outside"] if granted else [])
    closed = events(tools_talk.log(), "ask_closed")
    assert sorted((event["granted"], event["by"]) for event in closed) == [
        (granted, "person"),
        (granted, "policy"),
    ]


def test_an_operator_may_want_to_be_asked_before_code_and_a_person_may_edit_it(wary_talk: Talk) -> None:
    model = wary_talk.scene.script(Calls(python("note('as written')")), DONE)
    ask = wary_talk.post("go")
    assert ask["content"]["arguments"] == {"code": "note('as written')"}
    wary_talk.answer(ask, True, value={"code": "note('as edited')"})
    messages = wary_talk.client.until_closed()
    assert wary_talk.scene.ran == ["as edited"]
    assert [code["content"] for code in of_type(messages, "code")] == ["note('as edited')"]
    assert "noted as edited" in text_of(model.seen[1])


# --- other executors -----------------------------------------------------------------------------------------------------


def test_interpreted_code_is_told_shown_and_answers_like_that_of_the_sandbox(wary_talk: Talk) -> None:
    wary_talk.client.send(type="policy", tool="python_interpreter", policy="allow")
    wary_talk.client.until("policy")
    step = Calls(python("kept = note('a')", "print(kept)", "1 / 0"), python("print(kept)"))
    model = wary_talk.scene.script(step, Calls(python("final_answer(kept)")))
    messages = wary_talk.ask()
    prompt = text_of(model.seen[1])
    assert "ZeroDivisionError" in prompt and prompt.count("noted a\n") >= 2
    assert [of_type(messages, "error")[0]["code"], messages[-1]["content"]["text"]] == [
        "code_error",
        "noted a",
    ]
    assert len(of_type(messages, "code")) == 3
    assert "is interpreted" in model.offered


# --- stopping ------------------------------------------------------------------------------------------------------------


def test_stop_ends_code_keeps_its_variables_and_runs_no_later_call(tools_talk: Talk) -> None:
    step = Calls(python("kept = 41", "print('on')", "while True:", "    pass"), ("note", {"word": "never"}))
    tools_talk.scene.script(step, DONE)
    tools_talk.client.say("loop")
    run = tools_talk.client.until("printed")
    messages = tools_talk.stopped(run)
    assert messages[-1]["content"]["state"] == "cancelled"
    assert of_type(messages, "error") == []
    assert len(of_type(tools_talk.client.seen, "code")) == 1
    assert tools_talk.scene.ran == []
    failed = [event["tool"] for event in events(tools_talk.log(), "tool_failed")]
    assert sorted(failed) == ["note", "python_interpreter"]
    model = tools_talk.scene.script(Calls(python("print(kept + 1)")), DONE)
    tools_talk.ask()
    assert "the step was cut off: Stopped by the person" in text_of(model.seen[0])
    assert "42" in text_of(model.seen[1])
    assert tools_talk.scene.live.desk.runs.abandoned == 0


def test_code_that_runs_too_long_is_told_and_its_variables_and_the_later_calls_go_on(
    hasty_talk: Talk,
) -> None:
    endless = python("kept = 41", "print('on')", "while True:", "    pass")
    model = hasty_talk.scene.script(
        Calls(endless, ("note", {"word": "after"}), python("print(kept + 1)")), DONE
    )
    messages = hasty_talk.ask()
    prompt = text_of(model.seen[1])
    assert "TimeoutError: The code ran longer than 1 s" in prompt
    assert "logs:\non\n" in prompt and "noted after" in prompt and "logs:\n42\n" in prompt
    late = of_type(messages, "error")[0]
    assert "TimeoutError" in late["content"] and late["code"] == "code_timeout"
    assert messages[-1]["content"]["state"] == "finished"


def test_stop_while_code_asks_denies_it_and_keeps_the_variables(tools_talk: Talk) -> None:
    tools_talk.scene.script(Calls(python("kept = 41", "pay('30')")), DONE)
    ask = tools_talk.post("pay")
    assert tools_talk.stopped(ask)[-1]["content"]["state"] == "cancelled"
    assert tools_talk.scene.ran == []
    assert [event["granted"] for event in events(tools_talk.log(), "ask_closed")] == [False]
    tools_talk.scene.script(Calls(python("final_answer(str(kept + 1))")))
    assert tools_talk.ask("go on")[-1]["content"]["text"] == "42"


# --- what a model and a client are told of it ----------------------------------------------------------------------------


def test_only_the_agent_that_calls_tools_offers_it(tools_talk: Talk, code_talk: Talk) -> None:
    offered = [of_type(talk.client.seen, "chat")[0]["content"]["tools"] for talk in (tools_talk, code_talk)]
    assert offered[0] == [*offered[1], "python_interpreter"]
    model = tools_talk.scene.script(DONE)
    tools_talk.ask()
    assert "python_interpreter" in text_of(model.seen[0])
    assert "these tools are functions with the same arguments: note, pay, fail, idle, huge." in model.offered
