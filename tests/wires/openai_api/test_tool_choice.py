"""A client's tools that must be called: by name, with arguments that fit their schema, or any of them; and refusals."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openai
import pytest
from openai import OpenAI
from openai.types.responses import ToolChoiceFunction
from pydantic import BaseModel

from tests.support.desk_server import LiveDesk, live_desk
from tests.support.openai_server import OpenAIServer, Says
from tests.support.scripted_model import Calls, Scripts, code, text_of
from tests.wires.openai_api.conftest import answer, user


class Room(BaseModel):
    name: str
    area: float


class Plan(BaseModel):
    """All rooms of a plan."""

    rooms: list[Room]


PLAN: Any = {"type": "function", "function": {"name": "Plan", "description": "Files a plan."}}
PLAN["function"]["parameters"] = Plan.model_json_schema()
CLOCK: Any = {"type": "function", "function": {"name": "get-time", "parameters": {"type": "object"}}}
NAMED: Any = {"type": "function", "function": {"name": "Plan"}}
FITS = {"rooms": [{"name": "Küche", "area": 1.5}]}
REQUEST: Any = {"messages": [user("Which rooms?")], "tools": [CLOCK, PLAN], "tool_choice": NAMED}


def test_a_forced_tool_is_called_with_fitting_arguments_by_agents_of_both_kinds(
    ai: OpenAI, scripts: Scripts
) -> None:
    for model, reply in (
        ("code", code(f"draw_arrow(room_name='Kitchen', direction='left')\nfinal_answer({FITS})")),
        ("tools", answer(json.dumps(FITS))),
    ):
        seen = scripts.set(reply).seen
        choice = ai.chat.completions.create(model=model, **REQUEST).choices[0]
        (call,) = choice.message.tool_calls or []
        assert call.type == "function" and call.function.name == "Plan"
        assert Plan.model_validate_json(call.function.arguments) == Plan.model_validate(FITS)
        assert (choice.finish_reason, choice.message.content) == ("tool_calls", None)
        assert "Files a plan." in text_of(seen[0]) and "get_time" not in text_of(seen[0])


def test_a_forced_call_is_streamed_and_is_an_item_of_a_response(ai: OpenAI, scripts: Scripts) -> None:
    scripts.set(code(f"final_answer({FITS})"))
    with ai.chat.completions.stream(model="code", **REQUEST) as stream:
        (call,) = stream.get_final_completion().choices[0].message.tool_calls or []
    assert json.loads(call.function.arguments) == FITS
    flat: Any = {"type": "function", **PLAN["function"]}
    forced: Any = {"type": "function", "name": "Plan"}
    response = ai.responses.create(model="code", input="Which rooms?", tools=[flat], tool_choice=forced)
    (item,) = [item for item in response.output if item.type == "function_call"]
    assert (item.name, json.loads(item.arguments)) == ("Plan", FITS)
    again = ai.responses.retrieve(response.id)
    assert again.output == response.output and again.status == "completed"
    assert again.tool_choice == ToolChoiceFunction(type="function", name="Plan")


def test_arguments_that_do_not_fit_are_returned_to_the_agent_once(ai: OpenAI, scripts: Scripts) -> None:
    model = scripts.set(code("final_answer({'rooms': [{'name': 'Hall'}]})"), code(f"final_answer({FITS})"))
    message = ai.chat.completions.create(model="code", **REQUEST).choices[0].message
    assert message.tool_calls and "'area' is a required property" in text_of(model.seen[1])
    scripts.set(code("final_answer('two rooms')"))
    with pytest.raises(openai.InternalServerError) as fault:
        ai.chat.completions.create(model="code", **REQUEST)
    assert fault.value.code == "answer_misfits"


def test_the_output_of_a_forced_call_is_the_next_message_of_its_chat(ai: OpenAI, scripts: Scripts) -> None:
    scripts.set(code(f"secret = 42\nfinal_answer({FITS})"))
    message = ai.chat.completions.create(model="code", **REQUEST).choices[0].message
    (call,) = message.tool_calls or []
    model = scripts.set(code("final_answer(f'filed, {secret}')"))
    output: Any = {"role": "tool", "tool_call_id": call.id, "content": '{"id": 7}'}
    talk: Any = [*REQUEST["messages"], message, output]
    done = ai.chat.completions.create(model="code", messages=talk, tools=[PLAN])
    assert done.choices[0].message.content == "filed, 42"
    assert 'The tool Plan returned: {"id":7}' in text_of(model.seen[0]).replace('": 7', '":7')
    for wrong in ("call_r_0123456789abcdef", "call_0123"):
        with pytest.raises(openai.BadRequestError, match="waits for an output"):
            ai.chat.completions.create(model="code", messages=[*talk[:2], output | {"tool_call_id": wrong}])


def test_a_required_tool_is_called_before_the_answer(ai: OpenAI, scripts: Scripts) -> None:
    required: Any = REQUEST | {"tool_choice": "required"}
    model = scripts.set(code("final_answer('noon')"), code("final_answer(get_time())"))
    message = ai.chat.completions.create(model="code", **required).choices[0].message
    (call,) = message.tool_calls or []
    assert call.type == "function" and call.function.name == "get-time"
    assert "no tool of the client was called; call one of: get_time, Plan" in text_of(model.seen[1])
    output: Any = {"role": "tool", "tool_call_id": call.id, "content": "12:00"}
    talk: Any = [*REQUEST["messages"], message, output]
    assert ai.chat.completions.create(model="code", messages=talk).choices[0].message.content == "12:00"

    scripts.set(Calls(("final_answer", {"answer": "noon"})))
    with pytest.raises(openai.InternalServerError) as fault:
        ai.chat.completions.create(model="tools", **required)
    assert fault.value.code == "tool_not_called"


def test_with_none_no_tool_is_offered(ai: OpenAI, scripts: Scripts) -> None:
    model = scripts.set(code("final_answer('hi')"))
    ai.chat.completions.create(model="code", **REQUEST | {"tool_choice": "none"})
    assert "get_time" not in text_of(model.seen[0]) and "Plan" not in text_of(model.seen[0])


PATTERN: Any = {"type": "object", "properties": {"a": {"type": "string", "pattern": "(a+)+$"}}}
ODD: Any = {"type": "function", "function": {"name": "odd", "parameters": PATTERN}}


@pytest.mark.parametrize(
    ("fields", "param", "expected"),
    [
        (
            {"tool_choice": {"type": "function", "function": {"name": "gone"}}},
            "tool_choice",
            "get-time, Plan",
        ),
        ({"tool_choice": {"type": "function"}}, "tool_choice", "get-time, Plan"),
        ({"tool_choice": {"type": "allowed_tools"}}, "tool_choice", "'required'"),
        ({"tool_choice": "always"}, "tool_choice", "'required'"),
        ({"tool_choice": 1}, "tool_choice", "'required'"),
        ({"tool_choice": "required", "tools": []}, "tool_choice", "no `tools`"),
        (
            {"tools": [ODD], "tool_choice": {"type": "function", "function": {"name": "odd"}}},
            "tools[0].parameters",
            "`pattern`",
        ),
    ],
)
def test_a_choice_that_cannot_be_made_is_refused_by_name(
    ai: OpenAI, fields: dict[str, Any], param: str, expected: str
) -> None:
    with pytest.raises(openai.BadRequestError) as fault:
        ai.chat.completions.create(model="code", **REQUEST | fields)
    assert fault.value.param == param and expected in fault.value.message


def test_a_program_cannot_be_made_to_call_a_tool(ai: OpenAI) -> None:
    with pytest.raises(openai.BadRequestError) as fault:
        ai.chat.completions.create(model="demo", **REQUEST)
    assert (fault.value.param, fault.value.code) == ("tool_choice", "unsupported_value")


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[LiveDesk, OpenAIServer]]:
    """A desk whose model is a server of the OpenAI API."""
    with OpenAIServer([Says(f"<code>final_answer({FITS})</code>")]) as server:
        options: dict[str, Any] = {"model": "openai:m", "openai_base_url": server.base_url}
        with live_desk(tmp_path_factory.mktemp("real"), **options) as live:
            yield live, server


def test_a_language_model_behind_the_desk_is_told_the_schema_and_its_answer_is_the_call(
    real: tuple[LiveDesk, OpenAIServer],
) -> None:
    live, server = real
    with OpenAI(base_url=f"{live.url}/v1", api_key="x", max_retries=0) as ai:
        message = ai.chat.completions.create(model="smoldesk", **REQUEST).choices[0].message
    (call,) = message.tool_calls or []
    assert call.type == "function" and json.loads(call.function.arguments) == FITS
    prompt = json.dumps(server.requests[-1].body["messages"])
    assert "fits this JSON Schema" in prompt and "Files a plan." in prompt


def test_the_builtin_analyst_declines_and_names_what_was_expected(tmp_path: Path) -> None:
    with live_desk(tmp_path) as live, OpenAI(base_url=f"{live.url}/v1", api_key="x", max_retries=0) as ai:
        for choice, tool in ((NAMED, "Plan"), ("required", "get-time or Plan")):
            with pytest.raises(openai.BadRequestError) as fault:
                ai.chat.completions.create(model="smoldesk", **REQUEST | {"tool_choice": choice})
            assert (fault.value.param, fault.value.code) == ("tool_choice", "unsupported_value")
            assert f"call {tool} with fitting arguments" in fault.value.message
            assert "Expected 'auto' or 'none'" in fault.value.message
