"""What clients send, read: every form of the protocol, and nothing but BadInput for all else. Pure."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoldesk.errors import BadInput
from smoldesk.events import Shown, StoredEvent
from smoldesk.messages import Chart, ChartContent
from smoldesk.wires.inline_images import INLINE_BYTES
from smoldesk.wires.openai_api.chat_requests import read_completion
from smoldesk.wires.openai_api.picture_addresses import picture_address
from smoldesk.wires.openai_api.requests import BadParameter
from smoldesk.wires.openai_api.response_requests import read_response
from tests.wires.openai_api.test_encoder import NOW

LIMIT = 1_000
FIELDS = (
    *(
        "model",
        "messages",
        "input",
        "tools",
        "tool_choice",
        "metadata",
        "stream",
        "stream_options",
        "n",
        "user",
    ),
    *(
        "response_format",
        "text",
        "conversation",
        "previous_response_id",
        "instructions",
        "store",
        "background",
    ),
)
INNER = (
    *("role", "content", "type", "text", "image_url", "url", "file", "file_data", "filename", "tool_call_id"),
    *("call_id", "output", "function", "name", "parameters", "properties", "format", "id", "chat_id"),
    *("json_schema", "schema", "$ref", "anyOf"),
)
WORDS = (
    "user",
    "assistant",
    "tool",
    "system",
    "message",
    "function",
    "function_call_output",
    "input_text",
    "data:,x",
)
LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(WORDS)
VALUES: Any = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(INNER), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=6))
def test_nothing_but_a_refusal_comes_of_any_body(body: dict[str, Any]) -> None:
    for read in (read_completion, read_response):
        try:
            read({"model": "code"} | body, {}, LIMIT)
        except BadInput as fault:
            assert fault.message


def test_names_hold_nothing_that_stands_between_names_and_nothing_of_the_wires_own() -> None:
    body: dict[str, Any] = {"model": "code", "messages": [{"role": "user", "content": "hi"}]}
    for more in ({"user": "ann\0"}, {"metadata": {"chat_id": "ann\0\0\0\0her chat"}}):
        with pytest.raises(BadParameter):
            read_completion(body | more, {}, LIMIT)
    noted = {"openai.store": True, "openai.previous": "resp_0123456789_1", "mine": 1}
    assert read_completion(body | {"metadata": noted}, {}, LIMIT).question.metadata == {"mine": 1}


def test_outputs_are_those_behind_the_last_calls() -> None:
    def tool(call_id: str, text: str) -> dict[str, str]:
        return {"role": "tool", "tool_call_id": call_id, "content": text}

    talk = [{"role": "user", "content": "go"}, {"role": "assistant"}, tool("old", "1"), {"role": "assistant"}]
    body = {"model": "code", "messages": [*talk, tool("new", "[2]"), tool("newer", "{broken")]}
    outputs = read_completion(body, {}, LIMIT).question.outputs
    assert [(output.call_id, output.value) for output in outputs] == [("new", [2]), ("newer", "{broken")]
    with pytest.raises(BadParameter, match="two tools"):
        tools = [{"type": "function", "name": name} for name in ("get-time", "get_time")]
        read_response({"model": "code", "input": "hi", "tools": tools}, {}, LIMIT)


def test_a_picture_is_in_the_answer_only_where_a_browser_could_not_fetch_it(tmp_path: Path) -> None:
    chart = ChartContent(
        spec_id="f_1", image_id="f_2", name="c", description="", width=1, height=1, rows=1, shown=1
    )
    stored = StoredEvent(
        chat_id="c_1", seq=1, run_id="r_1", at=NOW, event=Shown(message=Chart(content=chart))
    )
    (tmp_path / "f_2").write_bytes(b"png")
    address = "http://desk/api/chats/c_1/files/c.png?v=f_2"
    assert picture_address(stored, "http://desk", tmp_path.joinpath, whole=False) == address
    assert (
        picture_address(stored, "http://desk", tmp_path.joinpath, whole=True) == "data:image/png;base64,cG5n"
    )
    (tmp_path / "f_2").write_bytes(bytes(INLINE_BYTES + 1))
    assert picture_address(stored, "http://desk", tmp_path.joinpath, whole=True) == address
