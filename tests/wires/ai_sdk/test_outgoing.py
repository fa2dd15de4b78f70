"""From events to chunks, as whole lists: what each event becomes, and what is closed before what."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from smoldesk import events as e
from smoldesk import messages as m
from smoldesk.wires.ai_sdk.encoder import WAITING, ChunkEncoder, Mode
from smoldesk.wires.serialization import json_text
from tests.wires.ai_sdk.strict import faults

AT = datetime(2030, 1, 1, tzinfo=UTC)
RUN = "r_1"
Event = e.RunEvent | e.ChatEvent


def folded(events: Sequence[Event], mode: Mode = "sse", **options: Any) -> list[dict[str, Any]]:
    """All chunks of a run; each event comes a second after the one before."""
    fold = ChunkEncoder(mode, **({"model": "builtin", "chat_id": "c_1"} | options))  # pyright: ignore[reportArgumentType]
    chunks: list[Any] = []
    for seq, event in enumerate(events, 1):
        at = AT + timedelta(seconds=seq)
        chunks += fold.take(e.StoredEvent(chat_id="c_1", seq=seq, run_id=RUN, at=at, event=event))
    assert faults(chunks) == []
    return chunks


def ask(ask_id: str = "a_1", call_id: str = "t1", kind: Any = "approval", **more: Any) -> e.AskOpened:
    return e.AskOpened(ask=e.Ask(id=ask_id, kind=kind, tool="pay", call_id=call_id, expires_at=AT, **more))


def called(call_id: str = "t1", tool: str = "pay", **arguments: Any) -> e.ToolCalled:
    return e.ToolCalled(step=1, call_id=call_id, tool=tool, arguments=arguments)


def step(code: str | None = None, error: str | None = None, **more: Any) -> e.StepFinished:
    memory: dict[str, Any] = {
        "code_action": code,
        "observations": "Execution logs:\n4\n" if code else None,
        "error": {"type": "AgentExecutionError", "message": error} if error else None,
    }
    return e.StepFinished(step=1, memory=memory, duration=0.25, **more)


def shown(message: Any) -> e.Shown:
    return e.Shown(message=message)


def input_chunks(call_id: str, tool: str, arguments: dict[str, Any]) -> list[dict[str, Any]]:
    call = {"toolCallId": call_id, "toolName": tool}
    return [
        {"type": "tool-input-start", **call},
        {"type": "tool-input-available", **call, "input": arguments},
    ]


def text_chunks(number: int, *deltas: str) -> list[dict[str, Any]]:
    one = {"id": f"text-{number}"}
    return [
        {"type": "text-start", **one},
        *({"type": "text-delta", **one, "delta": delta} for delta in deltas),
        {"type": "text-end", **one},
    ]


def thought_chunks(number: int, *deltas: str) -> list[dict[str, Any]]:
    return [
        chunk | {"type": chunk["type"].replace("text", "reasoning"), "id": f"reasoning-{number}"}
        for chunk in text_chunks(number, *deltas)
    ]


def think(text: str) -> e.Delta:
    return e.Delta(step=1, kind="reasoning", text=text)


def finish(reason: str = "stop", tokens: Any = (None, None, None), run: float = 0.0, steps: Any = ()) -> Any:
    usage = dict(zip(("promptTokens", "completionTokens", "totalTokens"), tokens, strict=True))
    facts = {"usage": usage, "modelVersion": "builtin", "durations": {"run": run, "steps": list(steps)}}
    return {"type": "finish", "finishReason": reason, "messageMetadata": facts}


def test_deltas_are_one_text_and_the_answer_is_another() -> None:
    events = [
        e.RunQueued(message="go"),
        e.RunStarted(message="go", notes=["something was lost"]),
        e.StepStarted(step=1),
        e.Delta(step=1, kind="text", text="Let me "),
        e.Delta(step=1, kind="text", text="see."),
        step(input_tokens=10, output_tokens=3),
        e.StepStarted(step=2),
        e.RunFinished(text="Done."),
    ]
    assert folded(events) == [
        *text_chunks(1, "Let me ", "see."),
        *text_chunks(2, "Done."),
        finish(tokens=(10, 3, 13), run=6.0, steps=[0.25]),
    ]


def test_an_answer_that_was_written_as_it_came_is_not_told_twice() -> None:
    events = [e.Delta(step=1, kind="text", text="Done.\n"), e.RunFinished(text="Done.")]
    assert folded(events) == [*text_chunks(1, "Done.\n"), finish()]


def test_what_another_agent_says_is_data_of_the_call_it_works_for() -> None:
    about: Any = {"step": 1, "call_id": "t1", "tool": "ask_agent", "agent": "weather"}
    events = [
        called(tool="ask_agent", name="weather"),
        e.ToolProgress(**about, state="queued"),
        e.ToolProgress(**about, state="running", text="Looking"),
        e.ToolReturned(step=1, call_id="t1", tool="ask_agent", result="Sunny"),
    ]
    call = {"toolCallId": "t1", "agent": "weather"}
    assert folded(events)[2:] == [
        {
            "type": "data-tool-progress",
            "data": {**call, "state": "queued", "text": ""},
            "transient": True,
        },
        {
            "type": "data-tool-progress",
            "data": {**call, "state": "running", "text": "Looking"},
            "transient": True,
        },
        {"type": "tool-output-available", "toolCallId": "t1", "output": "Sunny"},
    ]


def test_code_is_written_as_the_input_of_a_call_with_its_inner_calls_beside_it() -> None:
    cell = {"toolCallId": "r_1.step1"}
    events = [
        e.Delta(step=1, kind="text", text="I pay."),
        e.Delta(step=1, kind="code", text='print("a")\n'),
        e.Delta(step=1, kind="code", text="pay(30)"),
        e.Delta(step=1, kind="text", text="\n"),
        e.Printed(step=1, text="a\n"),
        called(amount=30),
        e.ToolReturned(step=1, call_id="t1", tool="pay", result="{'ok': True}", value={"ok": True}),
        step('print("a")\npay(30)'),
        e.RunFinished(text=""),
    ]
    assert folded(events) == [
        *text_chunks(1, "I pay."),
        {"type": "tool-input-start", **cell, "toolName": "python_interpreter"},
        {"type": "tool-input-delta", **cell, "inputTextDelta": '{"code":"print(\\"a\\")\\n'},
        {"type": "tool-input-delta", **cell, "inputTextDelta": "pay(30)"},
        {"type": "tool-input-delta", **cell, "inputTextDelta": '"}'},
        {
            "type": "tool-input-available",
            **cell,
            "toolName": "python_interpreter",
            "input": {"code": 'print("a")\npay(30)'},
        },
        {"type": "data-printed", "data": {**cell, "text": "a\n"}, "transient": True},
        *input_chunks("t1", "pay", {"amount": 30}),
        {"type": "tool-output-available", "toolCallId": "t1", "output": {"ok": True}},
        {"type": "tool-output-available", **cell, "output": "Execution logs:\n4\n"},
        finish(steps=[0.25]),
    ]


def test_reasoning_is_a_part_of_its_own_and_no_part_of_the_answer() -> None:
    events = [
        e.StepStarted(step=1),
        think("\n"),
        think("Two "),
        think("and two."),
        e.Delta(step=1, kind="text", text=" \n"),
        e.Delta(step=1, kind="text", text="Four."),
        think("Sure?"),
        e.RunFinished(text="Four."),
    ]
    assert folded(events) == [
        *thought_chunks(1, "Two ", "and two."),
        *text_chunks(1, "Four."),
        *thought_chunks(2, "Sure?"),
        finish(),
    ]


@pytest.mark.parametrize("mode", ["sse", "bidi"])
@pytest.mark.parametrize(
    "after",
    [
        e.StepStarted(step=2),
        e.Delta(step=1, kind="code", text="1"),
        e.Printed(step=1, text="a"),
        called(),
        ask("a_2", "t1"),
        ask("a_3", kind="input", prompt="Which?"),
        shown(m.Json(content={"a": 1})),
        e.ToolFailed(step=1, call_id="t1", tool="pay", error="no"),
        e.ToolReturned(step=1, call_id="t1", tool="pay", result="paid"),
        step("1"),
        e.RunFailed(code="model_error", message="It broke."),
        e.RunCancelled(reason="Stopped by the person"),
    ],
    ids=lambda each: each if isinstance(each, str) else each.type,
)
def test_reasoning_is_closed_before_whatever_follows(after: Any, mode: Mode) -> None:
    kinds = [chunk["type"] for chunk in folded([think("Hm."), after, think("So.")], mode)]
    assert kinds[:3] == ["reasoning-start", "reasoning-delta", "reasoning-end"]


def test_reasoning_is_closed_before_a_pause_and_before_an_error() -> None:
    for end in (ChunkEncoder.pause, lambda fold: fold.fail("It broke.")):
        fold = ChunkEncoder("sse", "builtin", chat_id="c_1")
        chunks = [
            *fold.take(e.StoredEvent(chat_id="c_1", seq=1, run_id=RUN, at=AT, event=think("Hm."))),
            *end(fold),
        ]
        assert faults(chunks) == []  # type: ignore[arg-type]
        assert [chunk["type"] for chunk in chunks][2] == "reasoning-end"


@pytest.mark.parametrize("written", [True, False])
def test_code_that_fails_is_a_call_that_failed(written: bool) -> None:
    deltas = [e.Delta(step=1, kind="code", text="1/0")] if written else []
    chunks = folded([*deltas, step("1/0", error="ZeroDivisionError: division by zero")])
    assert [chunk["type"] for chunk in chunks if chunk["type"] != "tool-input-delta"] == [
        "tool-input-start",
        "tool-input-available",
        "tool-output-error",
    ]
    assert chunks[-2]["input"] == {"code": "1/0"}
    assert chunks[-1]["errorText"] == "ZeroDivisionError: division by zero"


def test_over_sse_an_approval_is_asked_without_a_step() -> None:
    request = {"type": "tool-approval-request", "approvalId": "a_1", "toolCallId": "t1"}
    assert folded([called(amount=30), ask()]) == [*input_chunks("t1", "pay", {"amount": 30}), request]


def test_over_bidi_an_approval_stands_in_a_step_of_its_own() -> None:
    events = [
        e.Delta(step=1, kind="text", text="I ask."),
        called(),
        e.Delta(step=1, kind="text", text="Wait."),
        ask(),
        e.RunWaiting(ask_ids=["a_1"]),
        e.AskClosed(ask_id="a_1", granted=True),
        e.RunResumed(),
        e.ToolReturned(step=1, call_id="t1", tool="pay", result="paid"),
        e.RunFinished(text="Paid."),
    ]
    assert folded(events, "bidi") == [
        *text_chunks(1, "I ask."),
        *input_chunks("t1", "pay", {}),
        *text_chunks(2, "Wait."),
        {"type": "start-step"},
        {"type": "tool-approval-request", "approvalId": "a_1", "toolCallId": "t1"},
        {"type": "finish-step"},
        {"type": "tool-output-available", "toolCallId": "t1", "output": "paid"},
        *text_chunks(3, "Paid."),
        finish(),
    ]


@pytest.mark.parametrize(
    ("error", "text"),
    [
        ("ToolDenied: User denied the tool call: too much", "User denied the tool call: too much"),
        ("ToolDenied: Approval request timed out", "Approval request timed out"),
        ("ClientToolFailed: The sensor is off", "The sensor is off"),
        ("ValueError: no luck", "ValueError: no luck"),
    ],
)
def test_a_call_that_failed_says_why_and_a_denial_says_only_that(error: str, text: str) -> None:
    chunks = folded([called(), e.ToolFailed(step=1, call_id="t1", tool="pay", error=error)])
    assert chunks[-1] == {"type": "tool-output-error", "toolCallId": "t1", "errorText": text}


def test_a_clients_tool_is_asked_by_the_call_itself() -> None:
    assert folded([called(), ask(kind="client_tool")]) == input_chunks("t1", "pay", {})


def test_a_value_that_is_asked_for_is_a_part_that_is_replaced() -> None:
    asked = e.Ask(
        id="a_1",
        kind="input",
        prompt="Which?",
        input_type="selection",
        options=["x", "y"],
        default="x",
        expires_at=AT,
    )
    facts = {"prompt": "Which?", "inputType": "selection", "options": ["x", "y"], "default": "x"}
    assert folded([e.AskOpened(ask=asked), e.AskClosed(ask_id="a_1", granted=True, value="y")]) == [
        {"type": "data-ask", "id": "a_1", "data": {"askId": "a_1", "open": True} | facts},
        {"type": "data-ask", "id": "a_1", "data": {"askId": "a_1", "open": False} | facts},
    ]


def test_a_pause_closes_the_text_and_ends_what_goes_on_behind_it() -> None:
    fold = ChunkEncoder("sse", "builtin")
    events = [
        e.Delta(step=1, kind="code", text="pay(30)"),
        called(amount=30),
        ask(),
        called("t2", "free"),
        e.Delta(step=1, kind="text", text="So."),
    ]
    for seq, event in enumerate(events, 1):
        fold.take(e.StoredEvent(chat_id="c_1", seq=seq, run_id=RUN, at=AT, event=event))
    assert fold.pause() == [
        {"type": "text-end", "id": "text-1"},
        {"type": "tool-output-available", "toolCallId": "r_1.step1", "output": WAITING},
        {"type": "tool-output-available", "toolCallId": "t2", "output": WAITING},
        finish(),
    ]


def test_a_failed_run_closes_everything_before_it_says_so() -> None:
    events = [
        e.Delta(step=1, kind="code", text="pay(30)"),
        called(amount=30),
        e.Delta(step=1, kind="text", text="So"),
        e.ToolFailed(step=1, call_id="t1", tool="pay", error="The run ended"),
        shown(m.Error(content="No key. Set one.", code="no_key", hint="Set one.")),
        e.RunFailed(code="no_key", message="No key.", hint="Set one."),
    ]
    chunks = folded(events)
    assert [chunk["type"] for chunk in chunks[-6:]] == [
        *("text-delta", "text-end", "tool-output-error", "tool-output-error", "error", "finish"),
    ]
    assert chunks[-3] == {"type": "tool-output-error", "toolCallId": "r_1.step1", "errorText": "No key."}
    assert chunks[-2:] == [{"type": "error", "errorText": "No key. Set one."}, finish("error")]


def test_a_response_that_breaks_off_leaves_open_only_what_waits_for_a_person() -> None:
    fold = ChunkEncoder("sse", "builtin")
    events = [
        e.Delta(step=1, kind="text", text="So"),
        called("t1"),
        ask(),
        called("t2", "free"),
        e.Delta(step=1, kind="code", text="pay("),
        e.Delta(step=1, kind="text", text="And"),
    ]
    chunks: list[Any] = []
    for seq, event in enumerate(events, 1):
        chunks += fold.take(e.StoredEvent(chat_id="c_1", seq=seq, run_id=RUN, at=AT, event=event))
    broken = fold.fail("Gone.")
    assert faults([*chunks, *broken]) == []  # pyright: ignore[reportArgumentType]
    assert broken == [
        {"type": "text-end", "id": "text-2"},
        {"type": "tool-input-delta", "toolCallId": "r_1.step1", "inputTextDelta": '"}'},
        *input_chunks("r_1.step1", "python_interpreter", {"code": "pay("})[1:],
        {"type": "tool-output-error", "toolCallId": "r_1.step1", "errorText": "Gone."},
        {"type": "tool-output-error", "toolCallId": "t2", "errorText": "Gone."},
        {"type": "error", "errorText": "Gone."},
        finish("error"),
    ]


def test_a_cancelled_run_is_aborted() -> None:
    events = [e.Delta(step=1, kind="text", text="So"), e.RunCancelled(reason="Stopped by the person")]
    assert folded(events) == [*text_chunks(1, "So"), {"type": "abort"}, finish("other")]


def test_what_is_shown_is_a_part_of_its_kind() -> None:
    column = m.Column(name="room", kind="text")
    rows: list[list[Any]] = [["Kitchen"], [None]]
    content = m.TableContent(table_id="f_1", name="rooms", columns=[column], rows=rows, row_count=2)
    file = m.FileContent(file_id="f_2", name="a b.csv", size=3, media_type="text/csv")
    image = m.Image(format="png", file_id="f_3", path="plot.png", width=640, height=480)
    events = [
        shown(m.Table(content=content)),
        shown(m.File(content=file)),
        shown(m.Json(content={"a": None})),
        shown(image),
        shown(m.Text(content="Done.")),
        shown(m.Code(content="1 + 1")),
        shown(m.Debug(content=m.DebugContent(agent_response={}, parsed_outputs=[], output_count=5))),
    ]
    picture = "/api/chats/c_1/files/plot.png?v=f_3"
    assert folded(events) == [
        {
            "type": "data-table",
            "id": "f_1",
            "data": {
                "tableId": "f_1",
                "name": "rooms",
                "columns": [{"name": "room", "kind": "text"}],
                "rows": rows,
                "rowCount": 2,
                "url": "/api/chats/c_1/tables/f_1",
            },
        },
        {
            "type": "data-file",
            "id": "f_2",
            "data": {
                "fileId": "f_2",
                "name": "a b.csv",
                "size": 3,
                "mediaType": "text/csv",
                "url": "/api/chats/c_1/files/a%20b.csv?v=f_2",
            },
        },
        {"type": "data-json", "data": {"a": None}},
        {"type": "file", "url": picture, "mediaType": "image/png"},
        {
            "type": "data-image",
            "id": "f_3",
            "data": {
                "fileId": "f_3",
                "format": "png",
                "path": "plot.png",
                "width": 640,
                "height": 480,
                "url": picture,
            },
        },
    ]


def test_the_building_is_defined_once_before_the_first_map() -> None:
    arrow = m.Arrow(content=m.ArrowContent(room="Kitchen", direction="left"))
    chunks = folded([shown(arrow), shown(m.ClearArrows())], definition={"floors": []})
    assert chunks == [
        {"type": "data-map-definition", "id": "map-definition", "data": {"floors": []}},
        {
            "type": "data-map",
            "data": {"type": "arrow", "content": {"room": "Kitchen", "direction": "left"}},
        },
        {"type": "data-map", "data": {"type": "clear_arrows", "content": {}}},
    ]


def test_numbers_that_json_does_not_have_become_null() -> None:
    nan = float("nan")
    assert json_text({"a": [nan, 1.5], "b": {"c": float("inf")}}) == '{"a":[null,1.5],"b":{"c":null}}'


def test_facts_of_the_chat_are_no_part_of_a_message() -> None:
    file = m.FileContent(file_id="f_2", name="a.csv", size=3, media_type="text/csv")
    assert folded([
        e.FileAdded(file=file),
        e.PolicySet(tool="pay", policy="allow"),
        e.VariablesLost(reason="gone"),
        e.ArrowsCleared(),
        e.BuildingChosen(building_id="b_1", name="Mine"),
        e.RoomsSelected(rooms=[m.RoomRef(floor_id="1F", name="Kitchen")]),
    ]) == []  # fmt: skip
