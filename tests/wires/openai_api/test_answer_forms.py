"""Answers as data (`response_format`, `text.format`) by the official Python client."""

from typing import Any, Literal

import httpx
import openai
import pytest
from openai import OpenAI
from pydantic import BaseModel

from tests.support.scripted_model import Scripts, code, text_of
from tests.wires.openai_api.conftest import answer, chat_ids, user


class Room(BaseModel):
    name: str
    kind: Literal["wet", "dry"]
    area: float | None = None


class Rooms(BaseModel):
    rooms: list[Room]


FITS = {"rooms": [{"name": "Küche", "kind": "wet", "area": 1.5}]}
DRAWN = f"print('on my way')\ndraw_arrow(room_name='Kitchen', direction='left')\nfinal_answer({FITS})"


def test_the_python_client_parses_an_answer_whole_and_streamed(ai: OpenAI, scripts: Scripts) -> None:
    model = scripts.set(code(DRAWN))
    requested: Any = {"model": "code", "messages": [user("Which rooms?")], "response_format": Rooms}
    message = ai.chat.completions.parse(**requested).choices[0].message
    assert message.parsed == Rooms.model_validate(FITS)
    assert "ThisSchema" not in text_of(model.seen[0]) and '"enum": ["wet", "dry"]' in text_of(model.seen[0])
    with ai.chat.completions.stream(**requested) as stream:
        streamed = stream.get_final_completion().choices[0].message
    assert (streamed.parsed, streamed.content) == (message.parsed, message.content)

    response = ai.responses.parse(model="code", input="Which rooms?", text_format=Rooms)
    assert response.output_parsed == message.parsed
    assert response.text is not None and response.text.format is not None
    assert response.text.format.type == "json_schema"


def test_what_does_not_fit_is_told_to_the_agent_and_tried_again_once(ai: OpenAI, scripts: Scripts) -> None:
    model = scripts.set(answer("Two rooms."), answer('{"rooms": []}'))
    requested: Any = {"model": "tools", "messages": [user("Which rooms?")], "response_format": Rooms}
    assert ai.chat.completions.parse(**requested).choices[0].message.parsed == Rooms(rooms=[])
    assert "'Two rooms.' is not of type 'object'" in text_of(model.seen[1])

    scripts.set(code("final_answer('Two rooms.')"))
    with pytest.raises(openai.InternalServerError) as complete:
        ai.chat.completions.parse(**(requested | {"model": "code"}))
    assert complete.value.code == "answer_misfits"
    with pytest.raises(openai.APIError, match="does not fit") as streamed:
        form: Any = {"type": "json_object"}
        list(
            ai.chat.completions.create(model="code", messages=[user("?")], response_format=form, stream=True)
        )
    assert streamed.value.code == "answer_misfits"
    failed = ai.responses.create(model="code", input="?", text={"format": {"type": "json_object"}})
    assert failed.status == "failed"


def test_json_of_no_schema_is_an_object(ai: OpenAI, scripts: Scripts) -> None:
    scripts.set(code("final_answer([1])"), code("final_answer({'a': [1]})"))
    requested: Any = {
        "response_format": {"type": "json_object"},
        "messages": [user("As JSON")],
        "model": "code",
    }
    assert ai.chat.completions.create(**requested).choices[0].message.content == '{"a": [1]}'


@pytest.mark.parametrize(
    ("form", "param"),
    [
        ({"type": "grammar"}, "response_format"),
        ("json_object", "response_format"),
        ([], "response_format"),
        (
            {"type": "json_schema", "json_schema": {"name": "x" * 65, "schema": {}}},
            "response_format.json_schema.name",
        ),
        ({"type": "json_schema"}, "response_format.json_schema.schema"),
        ({"type": "json_schema", "json_schema": {"schema": {}}}, "name"),
        (
            {"type": "json_schema", "json_schema": {"name": "x", "schema": {"pattern": "(a+)+$"}}},
            "response_format.json_schema.schema",
        ),
    ],
)
def test_what_cannot_be_held_to_is_refused_by_its_name(ai: OpenAI, form: Any, param: str) -> None:
    with pytest.raises(openai.BadRequestError) as fault:
        ai.chat.completions.create(model="code", messages=[user("hi")], response_format=form)
    assert fault.value.param == param


def test_a_program_answers_by_no_schema(ai: OpenAI) -> None:
    with pytest.raises(openai.BadRequestError) as fault:
        ai.responses.create(model="demo", input="hi", text={"format": {"type": "json_object"}})
    assert (fault.value.param, fault.value.code) == ("text.format", "unsupported_value")


def test_who_answers_in_the_chat_decides_and_a_refused_request_leaves_no_chat(
    ai: OpenAI, scripts: Scripts, http: httpx.Client, chat: str
) -> None:
    form: Any = {"type": "json_object"}
    http.patch(f"/api/chats/{chat}", json={"agent": "demo"}).raise_for_status()
    before = chat_ids(http)
    requested: Any = {"messages": [user("As JSON")], "response_format": form}
    for model, place in (("smoldesk", chat), ("demo", "one of the client's"), ("demo", None)):
        with pytest.raises(openai.BadRequestError) as fault:
            ai.chat.completions.create(**requested, model=model, metadata={"chat_id": place} if place else {})
        assert (fault.value.param, fault.value.code) == ("response_format", "unsupported_value")
    assert chat_ids(http) == before

    scripts.set(code("final_answer({})"))
    created = ai.chat.completions.create(**requested, model="code", metadata={"chat_id": chat})
    assert created.choices[0].message.content == "{}"
