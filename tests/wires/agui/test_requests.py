"""What AG-UI clients send, read with patience, and a clear refusal of what it cannot be."""

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoldesk.errors import BadInput
from smoldesk.tools.declared_client_tools import DeclaredClientTool, inputs_of
from smoldesk.wires.agui.models import RunRequest
from smoldesk.wires.agui.requests import MAX_TOOLS, output_of, read_request
from smoldesk.wires.attachments import FilePart

ENVELOPE: dict[str, Any] = {"threadId": "t", "runId": "r", "messages": []}
USER = {"id": "u", "role": "user", "content": "hi"}


def read(**more: Any) -> RunRequest:
    return read_request(json.dumps(ENVELOPE | more).encode())


def tool(**more: Any) -> dict[str, Any]:
    return {"name": "pick", "description": "Picks."} | more


def test_parts_of_a_message_are_its_text_and_its_files_and_unknown_ones_are_skipped() -> None:
    data = {"type": "data", "value": "aGk=", "mimeType": "text/csv"}
    parts = [
        {"type": "text", "text": "look"},
        {"type": "document", "source": data, "metadata": {"filename": "a.csv"}},
        {"type": "image", "source": {"type": "url", "value": "data:image/png;base64,AA=="}},
        {"type": "binary", "mimeType": "text/plain", "data": "aGk=", "filename": "b.txt"},
        {"type": "hologram", "source": data},
        {"type": "image", "source": "nowhere"},
        7,
    ]
    [message, other] = read(
        messages=[USER | {"content": parts}, {"role": "oracle", "content": {"a": 1}}]
    ).messages
    assert message.text == "look"
    assert message.files == [
        FilePart("data:text/csv;base64,aGk=", "text/csv", "a.csv"),
        FilePart("data:image/png;base64,AA==", "application/octet-stream", None),
        FilePart("data:text/plain;base64,aGk=", "text/plain", "b.txt"),
    ]
    assert (other.role, other.text) == ("oracle", "")


def test_results_are_those_since_the_user_spoke_and_hold_data_where_they_are_json() -> None:
    result = {"id": "x", "role": "tool", "toolCallId": "c", "content": "1"}
    request = read(messages=[result | {"id": "old"}, USER, result, result | {"id": "y", "error": "no"}])
    assert [(result.id, result.call_id, result.error) for result in request.results] == [
        ("x", "c", None),
        ("y", "c", "no"),
    ]
    assert [output_of(text) for text in ('{"a": 1}', " [2]", "plain", "{broken", "7")] == [
        {"a": 1},
        [2],
        "plain",
        "{broken",
        "7",
    ]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"threadId": 1}, "bad_input"),
        ({"threadId": ""}, "bad_id"),
        ({"threadId": "a\nb"}, "bad_id"),
        ({"runId": "r" * 501}, "bad_id"),
        ({"messages": None}, "missing_field"),
        ({"messages": ["hi"]}, "not_an_object"),
        ({"resume": [{"interruptId": "a", "status": "maybe"}]}, "bad_input"),
        ({"tools": [tool(name="no name")]}, "bad_tool"),
        ({"tools": [tool(name="class")]}, "bad_tool"),
        ({"tools": [tool(name="final_answer")]}, "bad_tool"),
        ({"tools": [tool(parameters=["a"])]}, "bad_tool"),
        ({"tools": [tool(parameters={"properties": {"a b": {}}})]}, "bad_tool"),
        ({"tools": [tool(description="d" * 20_001)]}, "too_large"),
        ({"tools": [tool()] * (MAX_TOOLS + 1)}, "too_large"),
        ({"context": [{"description": "d", "value": "v" * 16_000}]}, "too_large"),
    ],
)
def test_what_cannot_be_a_request_is_refused_by_its_name(body: dict[str, Any], code: str) -> None:
    with pytest.raises(BadInput) as refused:
        read(**body)
    assert refused.value.code == code


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"\xff", b"[" * 100_000, b'{"threadId": NaN}'])
def test_what_is_no_object_of_json_is_refused(body: bytes) -> None:
    with pytest.raises(BadInput):
        read_request(body)


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=40)
@given(
    st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(
            ["messages", "tools", "resume", "context", "state", "forwardedProps", "runId"], ANY
        ),
    )
)
def test_any_json_is_a_request_or_is_refused(body: dict[str, Any]) -> None:
    with contextlib.suppress(BadInput):
        read(**body)


def test_a_schema_becomes_inputs_that_smolagents_takes() -> None:
    properties: dict[str, Any] = {
        "a": {"type": "string", "enum": ["x"]},
        "b": {"type": ["string", "null"]},
        "c": True,
    }
    inputs = inputs_of({"properties": properties, "required": ["a"]})
    assert inputs["a"] == {"type": "string", "enum": ["x"], "description": ""}
    assert (inputs["b"]["type"], inputs["b"]["nullable"], inputs["c"]["type"]) == ("any", True, "any")
    request = read(tools=[tool(parameters={"properties": properties, "required": ["a"]})])
    declared_client_tool = DeclaredClientTool(request.tools[0])
    assert (
        "pick" in declared_client_tool.to_code_prompt() and inputs_of({"properties": 3, "required": 1}) == {}
    )
