"""What clients send, read with patience: every shape the reference knows, and a clear refusal of all else."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoldesk.errors import BadInput
from smoldesk.wires.ai_sdk import client_frames as f
from smoldesk.wires.ai_sdk.request_handling import continued_message, read_new_message
from smoldesk.wires.ai_sdk.requests import (
    ChatRequest,
    ClientMessage,
    ToolPart,
    read_json,
    read_request,
)
from smoldesk.wires.attachments import FilePart, decode_files
from smoldesk.wires.bodies import MAX_FILES

LIMIT = 100_000


def request(*messages: Any, **more: Any) -> ChatRequest:
    return read_request({"id": "chat", "messages": list(messages), **more})


def tool(**part: Any) -> ToolPart:
    [message] = request(
        {"role": "assistant", "parts": [{"type": "tool-pay", "toolCallId": "t", **part}]}
    ).messages
    return message.tools[0]


# --- messages --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message",
    [
        {"id": "1", "role": "user", "parts": [{"type": "text", "text": "hello"}]},
        {"id": "1", "role": "user", "content": "hello"},
        {"id": "1", "role": "user", "content": [{"type": "text", "text": "hello"}]},
        {"id": "1", "role": "user", "content": "hello", "parts": []},
        {
            "id": "1",
            "role": "user",
            "metadata": {"a": 1},
            "parts": [
                {"type": "text", "text": "hello", "state": "done", "citations": []},
                {"type": "step-start"},
                {"type": "reasoning", "text": "hm"},
                {"type": "custom", "kind": "a.b"},
                {"type": "data-weather", "data": {}},
                {"type": "steering-message", "id": "x", "parts": []},
                {"type": "of the future", "text": 7},
            ],
        },
    ],
)
def test_a_text_is_read_in_every_shape(message: Any) -> None:
    assert request(message).messages == [ClientMessage(role="user", id="1", text="hello")]


def test_a_message_needs_no_id() -> None:
    assert request({"role": "user", "content": "hello"}).messages[0].id is None


@pytest.mark.parametrize("name", ["args", "input"])
def test_a_call_is_read_whatever_its_arguments_are_called(name: str) -> None:
    part = {name: {"amount": 1}, "toolName": "pay"}
    approval = {"id": "a", "approved": False, "reason": "no"}
    assert tool(state="approval-responded", approval=approval, **part) == ToolPart(
        call_id="t", state="approval-responded", approval_id="a", approved=False, reason="no"
    )


@pytest.mark.parametrize(
    ("part", "approved"),
    [
        ({"state": "input-streaming"}, None),
        ({"state": "input-available"}, None),
        ({"state": "approval-requested", "approval": {"id": "a"}}, None),
        ({"state": "approval-responded", "approval": {"id": "a", "approved": True}}, True),
        ({"state": "approval-responded", "approval": {"id": "a", "approved": "yes"}}, None),
        ({"state": "approval-responded", "approval": 7}, None),
        ({"state": "output-available", "output": 1, "approval": {"id": "a", "approved": True}}, True),
        ({"state": "output-error", "errorText": "x"}, None),
        ({"state": "output-denied", "approval": {"id": "a"}}, False),
    ],
)
def test_a_call_is_read_in_every_state(part: dict[str, Any], approved: bool | None) -> None:
    assert (tool(**part).state, tool(**part).approved) == (part["state"], approved)


def test_a_dynamic_tool_is_a_call_and_an_older_tool_part_is_none() -> None:
    parts = [
        {"type": "dynamic-tool", "toolName": "pay", "toolCallId": "t", "state": "input-available"},
        {"type": "tool-result", "toolCallId": "t", "result": 1},
        {"type": "tool-invocation", "toolInvocation": {}},
    ]
    [message] = request({"role": "assistant", "parts": parts}).messages
    assert [part.call_id for part in message.tools] == ["t"]


@pytest.mark.parametrize(
    ("output", "read"),
    [
        ('{"latitude": 35.6}', {"latitude": 35.6}),
        (" [1, 2]", [1, 2]),
        ('{"not": json', '{"not": json'),
        ('{"no": NaN}', '{"no": NaN}'),
        ("[" * 100_000, "[" * 100_000),
        ("plain", "plain"),
        ("7", "7"),
        ({"a": 1}, {"a": 1}),
        (None, None),
    ],
)
def test_an_output_may_be_json_text(output: Any, read: Any) -> None:
    assert tool(state="output-available", output=output).output == read


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "missing_field"),
        ({"messages": []}, "missing_field"),
        ({"messages": {"role": "user"}}, "missing_field"),
        ({"messages": ["hello"]}, "not_an_object"),
        ({"messages": [{"role": "user", "parts": "hello"}]}, "wrong_type"),
        ({"messages": [{"role": "user", "parts": ["hello"]}]}, "not_an_object"),
        ({"messages": [{"role": "user", "parts": [{"type": "text"}]}]}, "wrong_type"),
        ({"messages": [{"role": "user", "parts": [{"type": "text", "text": 7}]}]}, "wrong_type"),
        ({"messages": [{"role": "user", "parts": [{"type": "file", "url": None}]}]}, "wrong_type"),
        ({"messages": [{"parts": [{"type": "tool-pay", "state": "approval-responded"}]}]}, "wrong_type"),
        ({"id": 7, "messages": [{"role": "user", "content": "x"}]}, "bad_id"),
        ({"id": "x" * 501, "messages": [{"role": "user", "content": "x"}]}, "bad_id"),
    ],
)
def test_what_is_malformed_is_refused(body: Any, code: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_request(body)
    assert refused.value.code == code
    assert refused.value.hint


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", "not_json"),
        ("\ufeff{}", "not_json"),
        (b"\xff\xfe\x00", "not_json"),
        ('{"a": NaN}', "not_json"),
        ('{"a": 1e999}', "not_json"),
        ("7", "not_an_object"),
        ("[" * 100_000, "too_deep"),
        ('{"a": "' + "x" * 500_000 + '"}', "too_large"),
        ("[" + "1," * 600_000, "too_large"),
    ],
)
def test_what_is_no_request_is_refused(text: str | bytes, code: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_json(text, 450_000)
    assert refused.value.code == code


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=4,
)
KEYS = st.sampled_from(
    ["id", "role", "content", "parts", "type", "text", "state", "approval", "toolCallId", "url", "output"]
)
KINDS = st.sampled_from(
    ["user", "assistant", "text", "file", "tool-pay", "dynamic-tool", "approval-responded"]
)
PARTS = st.lists(st.dictionaries(KEYS, JSON | KINDS, max_size=5), max_size=3)


@given(st.lists(st.dictionaries(KEYS, JSON | KINDS | PARTS, max_size=5), max_size=3))
def test_no_request_breaks_the_reading(messages: list[Any]) -> None:
    try:
        parsed = read_request({"messages": messages})
        continued_message(parsed)
        read_new_message(parsed, LIMIT)
    except BadInput as refused:
        assert refused.hint


# --- what a request asks for -----------------------------------------------------------------------------------------

HISTORY = [
    {"id": "u1", "role": "user", "content": "first"},
    {"id": "m1", "role": "assistant", "content": "one"},
    {"id": "m2", "role": "assistant", "content": "and more"},
    {"id": "s1", "role": "system", "content": "be good"},
    {"id": "u2", "role": "user", "content": "second"},
]


def test_a_new_message_comes_with_what_was_said_before() -> None:
    opening = read_new_message(request(*HISTORY), LIMIT)
    assert opening.message == "second"
    assert [(turn.question, turn.answer) for turn in opening.history] == [("first", "one\n\nand more")]


@pytest.mark.parametrize(
    ("messages", "message_id", "goes_on_with"),
    [
        (HISTORY, None, None),
        (HISTORY, "u2", None),
        (HISTORY[:2], None, "m1"),
        (HISTORY, "m1", "m1"),  # an answer to an earlier message
        (HISTORY[:2], "of the future", "m1"),
    ],
)
def test_a_request_goes_on_with_the_message_it_names(
    messages: list[Any], message_id: str | None, goes_on_with: str | None
) -> None:
    message = continued_message(request(*messages, messageId=message_id))
    assert (message.id if message else None) == goes_on_with
    assert continued_message(request(*messages, messageId=message_id, trigger="regenerate-message")) is None


@pytest.mark.parametrize(
    ("messages", "code"),
    [
        ([{"role": "system", "content": "be good"}], "empty"),
        ([{"role": "user", "content": "   "}], "empty"),
        ([{"role": "user", "parts": [{"type": "step-start"}]}], "empty"),
        ([{"role": "user", "content": "x" * (LIMIT + 1)}], "too_large"),
    ],
)
def test_a_message_that_asks_nothing_is_refused(messages: list[Any], code: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_new_message(request(*messages), LIMIT)
    assert refused.value.code == code


# --- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "name", "data"),
    [
        ("data:text/csv;base64,YSxiCjEsMg==", "t.csv", b"a,b\n1,2"),
        ("data:text/csv,a%2Cb%0A1", "t.csv", b"a,b\n1"),
        ("DATA:text/csv;charset=utf-8;base64,YQ==", "t.csv", b"a"),
        ("data:;base64,YQ==", None, b"a"),
    ],
)
def test_a_data_url_is_a_file(url: str, name: str | None, data: bytes) -> None:
    [file] = decode_files([FilePart(url, "text/csv", name)], LIMIT)
    assert (file.name, file.data) == (name or "file-1.csv", data)


@pytest.mark.parametrize(
    ("url", "name", "code"),
    [
        ("https://example.com/t.csv", "t.csv", "not_a_data_url"),
        ("file:///etc/passwd", "t.csv", "not_a_data_url"),
        ("data:text/csv;base64", "t.csv", "not_a_data_url"),
        ("data:text/csv;base64,!!", "t.csv", "bad_input"),
        ("data:text/csv;base64,", "t.csv", "empty_file"),
        ("data:text/csv;base64," + "YQ==" * LIMIT, "t.csv", "too_large"),
        ("data:text/csv," + "a" * (LIMIT + 1), "t.csv", "too_large"),
        ("data:text/csv;base64,YQ==", "../../t.csv", "bad_input"),
        ("data:text/csv;base64,YQ==", ".hidden", "bad_input"),
        ("data:text/csv;base64,YQ==", "a\0b", "bad_input"),
    ],
)
def test_what_is_no_file_is_refused(url: str, name: str, code: str) -> None:
    with pytest.raises(BadInput) as refused:
        decode_files([FilePart(url, "text/csv", name)], LIMIT)
    assert refused.value.code == code


def test_no_message_brings_more_files_than_a_few() -> None:
    with pytest.raises(BadInput):
        decode_files([FilePart("data:,a", "text/plain", None)] * (MAX_FILES + 1), LIMIT)


# --- frames ----------------------------------------------------------------------------------------------------------

MESSAGES = [{"role": "user", "content": "hello"}]
HELLO = [ClientMessage(role="user", text="hello")]


@pytest.mark.parametrize(
    ("frame", "read"),
    [
        (
            {
                "type": "message",
                "version": "1.0",
                "id": "c",
                "messages": MESSAGES,
                "trigger": "submit-message",
            },
            f.Message(ChatRequest("c", HELLO)),
        ),
        (
            {"type": "message", "version": "1.0", "data": {"messages": MESSAGES}},
            f.Message(ChatRequest(None, HELLO)),
        ),
        (
            {"type": "message", "messages": MESSAGES, "trigger": "regenerate-message", "messageId": "m"},
            f.Message(ChatRequest(None, HELLO, "regenerate-message", "m")),
        ),
        ({"type": "ping", "timestamp": 1}, f.Ping(1)),
        ({"type": "interrupt", "reason": "enough"}, f.Interrupt("enough")),
        ({"type": "interrupt"}, f.Interrupt("")),
        ({"type": "audio_chunk", "data": "AAAA"}, f.SkippedFrame()),
        (
            {"type": "send", "requestId": "r", "id": "c", "messages": MESSAGES, "headers": {}, "body": {}},
            f.Send("r", ChatRequest("c", HELLO)),
        ),
        ({"type": "resume", "requestId": "r", "id": "c", "lastSequence": 3}, f.Resume("r", "c")),
        ({"type": "abort", "requestId": "r"}, f.Abort("r")),
    ],
)
def test_a_frame_is_read_in_either_dialect(frame: Any, read: f.ClientFrame) -> None:
    assert f.read_frame(json.dumps(frame), None, LIMIT) == read


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ({"type": "tool_result", "data": {"toolCallId": "t", "approved": True}}, "not_supported"),
        ({"messages": MESSAGES}, "missing_field"),
        ({"type": 7}, "missing_field"),
        ({"type": "message", "data": {}}, "missing_field"),
        ({"type": "send", "id": "c", "messages": MESSAGES}, "missing_field"),
    ],
)
def test_a_frame_that_cannot_be_obeyed_is_refused(frame: Any, code: str) -> None:
    with pytest.raises(BadInput) as refused:
        f.read_frame(json.dumps(frame), None, LIMIT)
    assert refused.value.code == code


def test_a_frame_of_bytes_is_refused() -> None:
    with pytest.raises(BadInput) as refused:
        f.read_frame(None, b"\x00", LIMIT)
    assert refused.value.code == "binary_frame"


@pytest.mark.parametrize("frame", [{"type": "send", "messages": []}, {"type": "resume"}])
def test_what_is_wrong_with_a_request_is_told_to_that_request(frame: Any) -> None:
    with pytest.raises(f.BadFrame) as refused:
        f.read_frame(json.dumps({"requestId": "r", **frame}), None, LIMIT)
    assert refused.value.request_id == "r"
