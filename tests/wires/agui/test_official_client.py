"""`@ag-ui/client` against a real desk: its own checks of order and shape pass in every run, and these things come of it."""

import json
from collections.abc import Callable
from typing import Any

import httpx

from tests.support.desk_server import LiveDesk
from tests.support.scripted_model import Calls, Scripts, code, text_of
from tests.support.waiting import come_true
from tests.wires.agui.conftest import FrontEnd, Heard

Make = Callable[..., FrontEnd]
CALL = ["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END"]
TEXT = ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"]
SHOW = """
import pandas as pd
display(pd.DataFrame({"a": [1, 2]}, index=["x", "y"]))
print(show_map(floor_id="1F", highlight_rooms=["Kitchen"]))
draw_arrow("Room1", "up")
final_answer("Shown.")
"""
COLOUR = {
    "name": "pick_colour",
    "description": "Lets the person pick a colour.",
    "parameters": {"type": "object", "properties": {"first": {"type": "string"}}, "required": ["first"]},
}
HERE = '{"latitude": 35.5, "longitude": 139.5, "accuracy": 20}'


def answer(text: str) -> Calls:
    return Calls(("final_answer", {"answer": text}))


def payment(amount: float = 30) -> Calls:
    return Calls(("process_payment", {"recipient": "Alice", "amount": amount, "currency": "USD"}))


def test_an_answer_with_a_table_and_the_map(front_end: Make, scripts: Scripts, desk: LiveDesk) -> None:
    scripts.set(code(SHOW, "I look."))
    front = front_end("shown", "/agents/code/agui")
    received = front.run("Show me")
    assert received.types[:3] == ["RUN_STARTED", "STATE_SNAPSHOT", "STEP_STARTED"]
    assert received.end["outcome"] == {"type": "success"} and received.end["result"] == "Shown."
    table, *_ = [item["value"] for item in received.of("CUSTOM") if item["name"] == "table"]
    assert httpx.get(desk.url + table["url"]).json()["rowCount"] == 2
    assert received.state["map"]["floorId"] == "1F"
    assert [room["name"] for room in received.state["map"]["rooms"]] == ["Kitchen"]
    assert received.state["map"]["arrows"] == [{"room": "Room1", "direction": "up"}]
    assert [item["name"] for item in received.state["tables"]] == [table["name"]]
    called = [
        message["toolCalls"][0]["function"] for message in received.messages if message.get("toolCalls")
    ]
    assert [item["name"] for item in called] == ["python_interpreter", "show_map", "draw_arrow"]
    assert json.loads(called[0]["arguments"]) == {"code": SHOW}
    assert [text for role, text in received.said if role == "assistant"] == ["I look.\n", "Shown."]

    # another tab knows nothing of it, and gets the same messages and state
    again = front_end("shown", "/agents/code/agui").run(connect=True)
    assert (again.messages, again.state) == (received.messages, received.state)
    assert again.types == ["RUN_STARTED", "STATE_SNAPSHOT", "MESSAGES_SNAPSHOT", "RUN_FINISHED"]


def test_a_payment_waits_for_its_interrupt_and_runs_once_or_never(front_end: Make, scripts: Scripts) -> None:
    scripts.set(payment(), answer("Paid."))
    front = front_end("pay")
    requested = front.run("pay")
    assert requested.types == ["RUN_STARTED", "STATE_SNAPSHOT", "STEP_STARTED", *CALL, "STEP_FINISHED",
                           "STATE_SNAPSHOT", "MESSAGES_SNAPSHOT", "RUN_FINISHED"]  # fmt: skip
    [interrupt] = requested.interrupts
    assert (interrupt["reason"], interrupt["metadata"]["tool"]) == ("tool_call", "process_payment")
    assert interrupt["toolCallId"] == requested.of("TOOL_CALL_START")[0]["toolCallId"]
    paid = front.resume(requested, {"approved": True})
    assert paid.of("TOOL_CALL_START") == [], "the call is told in the run that asked"
    [result] = paid.of("TOOL_CALL_RESULT")
    assert '"wallet_balance": 970' in result["content"] and paid.end["result"] == "Paid."

    scripts.set(payment(999), answer("As you like."))
    requested = front.run("pay more")
    edited = {"recipient": "Bob", "amount": 1, "currency": "USD"}
    paid = front.resume(requested, {"approved": True, "editedArgs": edited})
    assert '"wallet_balance": 969' in paid.of("TOOL_CALL_RESULT")[0]["content"]

    scripts.set(payment(), answer("As you like."))
    requested = front.run("pay more")
    denied = front.resume(requested, {"approved": False, "reason": "Not today"})
    assert denied.of("TOOL_CALL_RESULT")[0]["content"].endswith("Not today")
    assert denied.interrupts == [] and denied.end["outcome"] == {"type": "success"}

    scripts.set(payment(), answer("Forgotten."))
    [open_] = front.run("pay once more").interrupts
    scripts.set(answer("Never mind, then."))
    instead = front.run("never mind", resume=[{"interruptId": open_["id"], "status": "cancelled"}])
    assert (instead.end["result"], instead.of("TOOL_CALL_RESULT")) == ("Never mind, then.", [])


def test_before_an_interrupt_the_whole_conversation_is_told_as_the_client_has_it(
    front_end: Make, scripts: Scripts
) -> None:
    before = [
        {"id": "s", "role": "system", "content": "Be brief."},
        {"id": "u1", "role": "user", "content": "Who am I?"},
        {"id": "a1", "role": "assistant", "content": "Ann."},
    ]
    scripts.set(payment(), answer("Paid."))
    front = front_end("whole")
    requested = front.run("pay", messages=before)
    [call] = requested.of("TOOL_CALL_START")
    assert [message["id"] for message in requested.messages[:3]] == ["s", "u1", "a1"]
    assert requested.messages[4]["id"] == call["toolCallId"] and len(requested.messages) == 5
    [report] = requested.of("MESSAGES_SNAPSHOT")
    assert report["messages"] == requested.messages, "nothing was dropped, changed or put elsewhere"

    # another tab, with an instruction of its own, loses that to no snapshot
    again = front_end("whole").run(connect=True, messages=before[:1])
    assert (again.interrupts, again.messages[0]) == (requested.interrupts, before[0])
    assert len(again.of("MESSAGES_SNAPSHOT")) == 1, "nothing is told twice"

    paid = front.resume(requested, {"approved": True})
    assert [message["id"] for message in paid.messages[:5]] == [
        message["id"] for message in requested.messages
    ]
    assert paid.of("MESSAGES_SNAPSHOT") == [] and paid.end["result"] == "Paid."


def test_a_tool_of_the_client_is_called_and_answered(
    front_end: Make, scripts: Scripts, desk: LiveDesk
) -> None:
    model = scripts.set(code("colour = pick_colour(first='red')\nfinal_answer(colour['name'])"))
    front = front_end("colour", "/agents/code/agui")
    context = [{"description": "The theme", "value": "dark"}]
    requested = front.run("Which colour?", tools=[COLOUR], context=context)
    assert "Lets the person pick" in text_of(model.seen[0]) and '"The theme"' in text_of(model.seen[0])
    [call] = [item for item in requested.of("TOOL_CALL_START") if item["toolCallName"] == "pick_colour"]
    assert requested.pending == [call["toolCallId"]] and requested.interrupts == []
    inputs = {"toolCallId": call["toolCallId"], "content": '{"name": "blue"}'}
    done = front.run(results=[inputs], tools=[COLOUR])
    assert done.end["result"] == "blue"
    [result] = [message for message in done.messages if message.get("toolCallId") == call["toolCallId"]]
    assert result["id"].startswith("result-"), "the client's own message of it is the only one"
    assert front_end("colour").run(connect=True).messages == done.messages

    scripts.set(Calls(("get_location", {})), answer("There."))
    place = front_end("place")
    requested = place.run("Where am I?")
    allowed = place.resume(requested, {"approved": True})
    assert allowed.pending == [requested.interrupts[0]["toolCallId"]]
    match = place.run(results=[{"toolCallId": requested.interrupts[0]["toolCallId"], "content": HERE}])
    assert match.end["result"] == "There."


def test_what_goes_wrong_is_told_in_the_protocols_form(front_end: Make, scripts: Scripts) -> None:
    scripts.set(RuntimeError("gone"))
    front = front_end("wrong")
    assert front.run("Now?").types[-2:] == ["STEP_FINISHED", "RUN_ERROR"]
    scripts.set(answer("Back."))
    assert front.run("And now?").end["result"] == "Back.", "the thread goes on"
    end = front.run("x", tools=[COLOUR | {"name": "process_payment"}]).end
    assert (end["type"], end["code"]) == ("RUN_ERROR", "tool_name_taken")
    assert front_end("w2", "/agui?agent=nobody").run("x").end["code"] == "unknown_agent"
    error = front_end("w3").tried("x", tools=[COLOUR | {"name": "no name"}])["error"]
    assert error.startswith("HTTP 400") and "bad_tool" in error


def test_a_foreign_an_unknown_and_an_answered_interrupt_change_nothing(
    front_end: Make, scripts: Scripts
) -> None:
    scripts.set(payment(), answer("Paid."))
    mine = front_end("mine")
    requested = mine.run("pay")
    scripts.set(payment(), answer("Paid."))
    [local] = front_end("theirs").run("pay").interrupts

    def tried(thread: str, *message: tuple[str, Any], **more: Any) -> Any:
        """The end of a run of a client that knows of no interrupts."""
        entries = [
            {"interruptId": item, "status": "resolved", "payload": payload} for item, payload in message
        ]
        return front_end(thread).run(resume=entries, **more).end.get("code")

    [foreign], yes, no = requested.interrupts, {"approved": True}, {"approved": False}
    assert tried("theirs", (local["id"], yes), (foreign["id"], yes)) == "unknown_interrupt"
    assert tried("theirs", ("a_none", yes)) == "unknown_interrupt"
    assert tried("theirs", (local["id"], {"approved": "perhaps"})) == "bad_answer"
    assert tried("nobody's", (foreign["id"], yes)) == "no_thread"
    assert front_end("theirs").run("instead").end["code"] == "interrupts_pending"
    forged = [{"toolCallId": foreign["toolCallId"], "content": '{"success": true}'}]
    assert front_end("theirs").run(results=forged).end["code"] == "nothing_to_continue"
    assert [interrupt["id"] for interrupt in front_end("theirs").run(connect=True).interrupts] == [
        local["id"]
    ]
    assert [interrupt["id"] for interrupt in front_end("mine").run(connect=True).interrupts] == [
        foreign["id"]
    ]

    assert mine.resume(requested, yes).end["result"] == "Paid."
    assert tried("mine", (foreign["id"], yes)) is None, "the same resume is safe to repeat"
    assert tried("mine", (foreign["id"], no)) == "ask_closed"


def test_a_client_that_leaves_comes_back_to_its_run(
    front_end: Make, scripts: Scripts, desk: LiveDesk
) -> None:
    scripts.set(code("pick_colour(first='red')\nfinal_answer('Seen.')", "A moment."))
    front = front_end("left", "/agents/code/agui")
    remaining = front.tried("Go on", tools=[COLOUR], runId="run-1", abortOn="STEP_STARTED")
    assert "RUN_FINISHED" not in [event["type"] for event in remaining["events"]]
    come_true(lambda: not desk.desk.runs.followers(), why="nobody follows a client that is gone")
    back = front_end("left", "/agents/code/agui").run(connect=True)
    assert back.said[0] == ("user", "Go on") and back.pending is not None
    same = front.run(runId="run-1")  # the very run once more: nothing begins anew
    assert same.pending == back.pending and same.messages == back.messages
    assert httpx.post(f"{desk.url}/agui/stop/left").json() == {"stopped": True}

    def is_over() -> Heard | None:
        """What is heard once the run has stopped, as it was told to."""
        received = front.run(connect=True)
        return None if received.pending else received

    assert come_true(is_over).end["outcome"]["type"] in ("cancelled", "success")
    assert httpx.post(f"{desk.url}/agui/stop/left").json() == {"stopped": False}
