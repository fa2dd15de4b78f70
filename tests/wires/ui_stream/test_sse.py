"""POST /stream and its resume, by a real server: what a client gets, and what runs."""

from tests.support.desk_server import LiveDesk
from tests.support.scripted_model import Calls
from tests.support.ui_client import SseClient, of_type, said, types
from tests.wires.ui_stream.conftest import Scripts, answer


def test_a_message_is_answered_as_text(desk: LiveDesk, scripts: Scripts) -> None:
    scripts.replies = [answer("Forty-two.")]
    with SseClient(desk.url) as client:
        response = client.post(id="chat-1", messages=[{"role": "user", "content": "what?"}])
        assert response.status_code == 200
        assert {name: response.headers[name] for name in ("content-type", "cache-control")} == {
            "content-type": "text/event-stream",
            "cache-control": "no-cache",
        }
        assert response.headers["x-vercel-ai-ui-message-stream"] == "v1"
        assert response.headers["x-accel-buffering"] == "no"
        chunks = client.ask("what?")
    assert types(chunks) == ["start", "text-start", "text-delta", "text-end", "finish"]
    assert said(chunks) == "Forty-two."
    facts = chunks[-1]["messageMetadata"]
    assert facts["usage"] == {"promptTokens": None, "completionTokens": None, "totalTokens": None}
    assert facts["modelVersion"] == "builtin"
    assert len(facts["durations"]["steps"]) == 1


def test_a_call_is_a_tool_part(desk: LiveDesk, scripts: Scripts) -> None:
    scripts.replies = [Calls(("note", {"word": "a"}), text="I note it."), answer("Done.")]
    with SseClient(desk.url) as client:
        chunks = client.ask("note a")
    assert types(chunks) == [
        *("start", "text-start", "text-delta", "text-end"),
        *("tool-input-start", "tool-input-available", "tool-output-available"),
        *("text-start", "text-delta", "text-end", "finish"),
    ]
    [ready] = of_type(chunks, "tool-input-available")
    assert (ready["toolName"], ready["input"]) == ("note", {"word": "a"})
    [output] = of_type(chunks, "tool-output-available")
    assert output == {
        "type": "tool-output-available",
        "toolCallId": ready["toolCallId"],
        "output": "noted a",
    }


def test_an_approved_call_runs_once_in_a_second_response(desk: LiveDesk, scripts: Scripts) -> None:
    scripts.replies = [Calls(("pay", {"word": "bread"})), answer("Paid.")]
    with SseClient(desk.url) as client:
        first = client.ask("pay")
        assert types(first) == [
            "start",
            "tool-input-start",
            "tool-input-available",
            "tool-approval-request",
            "finish",
        ]
        assert scripts.ran == []
        second = client.answer(True)
    assert scripts.ran == ["bread"]
    assert types(second) == [
        "start",
        "tool-output-available",
        "text-start",
        "text-delta",
        "text-end",
        "finish",
    ]
    assert second[0]["messageId"] == first[0]["messageId"]


def test_a_denied_call_leaves_no_trace(desk: LiveDesk, scripts: Scripts) -> None:
    scripts.replies = [Calls(("pay", {"word": "bread"})), answer("Not paid.")]
    with SseClient(desk.url) as client:
        client.ask("pay")
        second = client.answer(False, "too much")
    assert scripts.ran == []
    [denied] = of_type(second, "tool-output-error")
    assert denied["errorText"] == "User denied the tool call: too much"
    assert said(second) == "Not paid."
