"""Responses as the official Python client sees them: kept, streamed, resumed, cancelled, gone on from."""

import json
from threading import current_thread
from typing import Any

import httpx
import openai
import pytest
from openai import OpenAI

from smoldesk.export.map_svg import MapState
from tests.support.desk_server import events_of
from tests.support.scripted_model import Calls, Scripts, code
from tests.wires.openai_api.conftest import answer, chat_ids, payment, user

CLOCK: Any = {
    "type": "function",
    "name": "get_time",
    "description": "The time somewhere.",
    "parameters": {"type": "object", "properties": {"zone": {"type": "string"}}, "required": ["zone"]},
}


def test_a_response_is_kept_gone_on_from_and_deleted(
    ai: OpenAI, scripts: Scripts, http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = chat_ids(http)
    scripts.set(code("x = 41\nfinal_answer(x + 1)"))
    first = ai.responses.create(
        model="code", input="41 + 1?", instructions="Be brief.", metadata={"mine": "1"}
    )
    assert (first.status, first.output_text, first.metadata) == ("completed", "42", {"mine": "1"})
    assert [item.type for item in first.output] == ["reasoning", "message"]
    assert ai.responses.retrieve(first.id) == first
    [item] = ai.responses.input_items.list(first.id)
    assert item.type == "message" and item.content[0].text == "41 + 1?"  # pyright: ignore
    scripts.set(code("final_answer(x + 2)"))
    second = ai.responses.create(model="code", input="and 2?", previous_response_id=first.id)
    assert (second.output_text, second.previous_response_id) == ("43", first.id)
    [chat] = chat_ids(http) - before
    with pytest.raises(openai.ConflictError) as fault:
        ai.responses.delete(first.id)
    assert fault.value.code == "response_in_use"

    scripts.set(code("final_answer('x' in globals())"))
    fork = ai.responses.create(model="code", input="and 3?", previous_response_id=first.id)
    [other] = chat_ids(http) - before - {chat}
    assert http.get(f"/api/chats/{other}/events").text.count('"run_queued"') == 2, (
        "told of the first, not the second"
    )
    scripts.set(code("show_map('1F', highlight_rooms='Kitchen')\nfinal_answer('there')"))
    single = ai.responses.create(model="code", input="alone")
    threads: list[str] = []
    drawn = MapState.svg
    monkeypatch.setattr(MapState, "svg", lambda state: threads.append(current_thread().name) or drawn(state))
    assert ai.responses.retrieve(single.id).output_text == single.output_text
    assert len(threads) == 1 and not threads[0].startswith("store-reader"), (
        "no connection waits for a drawing"
    )
    ai.responses.delete(single.id)
    for gone in (single.id, fork.id.replace(fork.id[5:13], "00000000"), "resp_1"):
        with pytest.raises(openai.NotFoundError) as missing:
            ai.responses.retrieve(gone)
        assert missing.value.code == "response_not_found"
    unkept = ai.responses.create(model="code", input="alone", store=False)
    with pytest.raises(openai.NotFoundError):
        ai.responses.retrieve(unkept.id)


def test_a_stream_that_was_lost_goes_on_where_it_was(ai: OpenAI, scripts: Scripts) -> None:
    scripts.set(code("print(1)\nx = 1", thought="First."), code("final_answer('done')", thought="Then."))
    stream = ai.responses.create(model="code", input="go", stream=True)
    events = [event.model_dump() for event in stream]
    assert [event["sequence_number"] for event in events] == list(range(len(events)))
    kinds = [event["type"] for event in events]
    assert kinds[:4] == [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.reasoning_summary_part.added",
    ]
    assert kinds[-5:] == [
        "response.output_text.delta",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ]
    final = events[-1]["response"]
    assert final == ai.responses.retrieve(final["id"]).model_dump()
    for after in (0, 5, len(events) - 2):
        remaining = ai.responses.retrieve(final["id"], stream=True, starting_after=after)
        assert [event.model_dump() for event in remaining] == events[after + 1 :]


def test_one_in_the_background_outlives_its_stream_and_can_be_cancelled(ai: OpenAI, scripts: Scripts) -> None:
    scripts.set(code("import time\ntime.sleep(60)"))
    with ai.responses.create(model="code", input="wait", stream=True, background=True) as stream:
        name = next(stream).response.id  # pyright: ignore
    assert ai.responses.retrieve(name).status in ("queued", "in_progress")
    assert ai.responses.cancel(name).status == "cancelled"
    assert ai.responses.retrieve(name).status == "cancelled"
    last = list(ai.responses.retrieve(name, stream=True))[-1]
    assert last.type == "response.incomplete" and last.response.status == "cancelled"
    started = ai.responses.create(model="code", input="wait", background=True)
    assert started.status in ("queued", "in_progress") and started.background
    assert ai.responses.cancel(started.id).status == "cancelled"


def test_a_run_that_fails_is_a_failed_response(ai: OpenAI, scripts: Scripts) -> None:
    scripts.set(RuntimeError("no provider"))
    failed = ai.responses.create(model="code", input="hi")
    assert failed.status == "failed" and failed.error is not None and "no provider" in failed.error.message
    last = list(ai.responses.create(model="code", input="hi", stream=True))[-1]
    assert last.type == "response.failed"


def test_a_tool_of_the_client_goes_through_a_function_call(ai: OpenAI, scripts: Scripts) -> None:
    scripts.set(Calls(("get_time", {"zone": "Asia/Tokyo"})), answer("Noon."))
    with ai.responses.stream(model="tools", input="What time is it?", tools=[CLOCK]) as stream:
        first = stream.get_final_response()
    call = first.output[-1]
    assert call.type == "function_call" and json.loads(call.arguments) == {"zone": "Asia/Tokyo"}
    inputs: Any = {"type": "function_call_output", "call_id": call.call_id, "output": '{"hour": 12}'}
    second = ai.responses.create(model="tools", input=[inputs], previous_response_id=first.id, tools=[CLOCK])
    assert second.output_text == "Noon." and second.id != first.id
    [item] = ai.responses.input_items.list(second.id)
    assert item.type == "function_call_output" and item.output == '{"hour":12}'
    assert ai.responses.retrieve(first.id).output_text == "", "each is what it was"
    assert ai.responses.retrieve(second.id) == second
    with pytest.raises(openai.BadRequestError):
        ai.responses.create(model="tools", input=[inputs | {"call_id": "call_" + "0" * 24}])


def test_an_approval_is_answered_by_the_next_input(ai: OpenAI, scripts: Scripts, http: httpx.Client) -> None:
    before = chat_ids(http)
    scripts.set(payment(1), payment(2), answer("Done."))
    requested = ai.responses.create(model="tools", input="Pay")
    assert requested.status == "completed" and '"amount":1' in requested.output_text
    again = ai.responses.create(model="tools", input="yes", previous_response_id=requested.id)
    assert '"amount":2' in again.output_text
    repeated = ai.responses.create(model="tools", input="yes", previous_response_id=requested.id)
    assert repeated == again, "that question is answered; the next one is not"
    done = ai.responses.create(model="tools", input="no", previous_response_id=again.id)
    assert done.output_text == "Done."
    [chat] = chat_ids(http) - before
    closed = [
        event for event in events_of(str(http.base_url).rstrip("/"), chat) if event["type"] == "ask_closed"
    ]
    assert [event["granted"] for event in closed] == [True, False]


@pytest.mark.parametrize(
    ("wrong", "param"),
    [
        ({"text": {"format": {"type": "json_schema", "name": "x"}}}, "text.format.schema"),
        ({"tools": [{"type": "code_interpreter", "container": {"type": "auto"}}]}, "tools[0].type"),
        ({"input": [{"type": "computer_call_output"}]}, "input[0]"),
        ({"input": [user([{"type": "input_file", "file_id": "file-1"}])]}, "input[0].content[0]"),
        ({"background": True, "store": False}, "store"),
        ({"conversation": "mine", "previous_response_id": "resp_00000000_1"}, "conversation"),
        ({"prompt": {"id": "p"}}, "prompt"),
    ],
)
def test_what_is_not_done_here_is_refused_by_its_name(ai: OpenAI, wrong: dict[str, Any], param: str) -> None:
    with pytest.raises(openai.BadRequestError) as fault:
        requested: dict[str, Any] = {"model": "code", "input": "hi", "temperature": 0.1}
        ai.responses.create(**(requested | wrong))
    assert fault.value.param == param
