"""Runs of every kind of event, in orders that agents seldom have, taken by AG-UI's own client; files and histories."""

import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from smoldesk import events as e
from smoldesk import messages as m
from smoldesk.chats.chats import derived
from smoldesk.errors import DeskError
from smoldesk.tools.run_context import RunContext
from tests.support.desk_server import LiveDesk, events_of, live_desk
from tests.wires.agui.conftest import FrontEnd

LATER = datetime.now(UTC) + timedelta(hours=1)
SEEN: list[str] = []
ATTACHED: list[list[str]] = []


def ask(name: str, **more: Any) -> e.Ask:
    return e.Ask(id=f"a_{name}", kind="input", prompt=f"{name}?", expires_at=LATER, **more)


def drawn(*rooms: str) -> m.Map:
    content = m.MapContent(
        floor_id="1F",
        timestamp="",
        rectangles=[m.MapRectangle(name=room, stroke_opacity=1, fill_opacity=0.3) for room in rooms],
    )
    return m.Map(content=content)


def worked(message: str, ctx: RunContext) -> str:
    """An agent that does what the message says."""
    SEEN.append(message)
    ATTACHED.append([*ctx.attachments])
    ctx.emit(e.StepStarted(step=1))
    match message.partition(" ")[0]:
        case "think":
            for kind, text in (
                ("reasoning", "Hm. "),
                ("text", "So."),
                ("reasoning", "But."),
                ("text", "The end."),
            ):
                ctx.emit(e.Delta(step=1, kind=kind, text=text))  # pyright: ignore[reportArgumentType]
            return "The end."
        case "delegate":
            call: dict[str, Any] = {"step": 1, "call_id": f"{ctx.run_id}.1", "tool": "ask_agent"}
            ctx.emit(e.ToolCalled(**call, arguments={"to": "bob"}))
            for state, text in (("running", "One. "), ("waiting", "Two."), ("finished", "")):
                ctx.emit(e.ToolProgress(**call, agent="bob", text=text, state=state))  # pyright: ignore
            ctx.emit(e.ToolReturned(**call, result="[1]", value=[1]))
            image = m.Image(format="png", file_id=ctx.keep_bytes(b"\x89PNG", "figure", "a.png").id)
            ctx.emit(e.Shown(message=image), e.Shown(message=m.Json(content={"b": None})))
            ctx.emit(e.StepFinished(step=1, memory={}, duration=0.1), e.StepStarted(step=2))
            return "Bob knows."
        case "team":
            call = {"step": 1, "call_id": f"{ctx.run_id}.1", "tool": "helper"}
            local: dict[str, Any] = {"step": 1, "call_id": f"{ctx.run_id}.1.1", "tool": "look"}
            image = m.Image(format="png", file_id=ctx.keep_bytes(b"\x89PNG", "figure", "b.png").id)
            ctx.emit(e.Shown(message=drawn("Kitchen", "Room1")))
            work = (
                e.StepStarted(step=1),
                e.Delta(step=1, kind="text", text="mine alone"),
                e.ToolCalled(**local, arguments={"at": 1}),
                e.ToolReturned(**local, result="seen"),
                e.Shown(message=image),
                e.Shown(message=drawn("Room1", "Toilet")),
                *([e.Shown(message=m.ClearMap())] if "clear" in message else []),
                e.StepFinished(step=1, memory={}, duration=0.1, input_tokens=7, output_tokens=2),
            )
            ctx.emit(e.ToolCalled(**call, arguments={"task": "look"}))
            ctx.emit(*(e.Nested(within=call["call_id"], agent="helper", event=item) for item in work))
            ctx.emit(e.ToolReturned(**call, result="done"), e.StepFinished(step=1, memory={}, duration=0.1))
            return "It was looked at."
        case "ask":
            chosen = ctx.ask(ask("colour", input_type="selection", options=["red", "blue"])).value
            secret = ctx.ask(ask("secret", input_type="password"))
            sure = ctx.ask(ask("sure")).granted
            return f"{chosen} {secret.value} {sure}"
        case "break":
            ctx.emit(e.Delta(step=1, kind="text", text="I "), e.Delta(step=1, kind="code", text='print("'))
            raise DeskError("It broke.", "Mend it.", code="broken")
        case "hang":
            ctx.emit(e.Delta(step=1, kind=message.split()[1], text="while True"))  # pyright: ignore[reportArgumentType]
            ctx.stop.wait(60)
            ctx.stop.check()
            return ""
        case _:
            return "ok"


def until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    with live_desk(tmp_path_factory.mktemp("desk"), answer=worked) as live:
        yield live


def test_reasoning_and_text_are_messages_of_their_own(front_end: Any) -> None:
    received = front_end("think").run("think")
    assert [(message["role"], message["content"]) for message in received.messages[1:]] == [
        ("reasoning", "Hm. "),
        ("assistant", "So."),
        ("reasoning", "But."),
        ("assistant", "The end."),
    ]
    assert front_end("think").run(connect=True).messages == received.messages

    # a client that left in the middle has each once when it comes back
    front = front_end("thought")
    front.tried("think", runId="once", abortOn="TEXT_MESSAGE_END")
    back = front.run(runId="once").messages
    assert [item["content"] for item in back] == [message["content"] for message in received.messages]


def test_progress_is_an_activity_and_what_is_shown_is_told_with_its_state(front_end: Any) -> None:
    received = front_end("delegate").run("delegate")
    [activity] = [message for message in received.messages if message["role"] == "activity"]
    assert (activity["content"]["state"], activity["content"]["text"]) == ("finished", ["One. ", "Two."])
    image, data = [item["value"] for item in received.of("CUSTOM")]
    assert image["src"].startswith("data:image/png;base64,") and data == {"b": None}
    assert [item["url"] for item in received.state["images"]] == [image["url"]]
    assert [item["stepName"] for item in received.of("STEP_FINISHED")] == ["step 1", "step 2"]
    again = front_end("delegate").run(connect=True)
    assert (again.messages, again.state) == (received.messages, received.state)


def test_a_managed_agents_calls_and_pictures_are_the_runs_own_also_after_a_reload(front_end: Any) -> None:
    received = front_end("team").run("team")
    assert [item["toolCallName"] for item in received.of("TOOL_CALL_START")] == ["helper", "look"]
    assert [text for role, text in received.said if role != "user"] == ["done", "seen", "It was looked at."]
    [image] = [item["value"] for item in received.of("CUSTOM") if item["name"] == "image"]
    assert [item["url"] for item in received.state["images"]] == [image["url"]]
    again = front_end("team").run(connect=True)
    assert (again.messages, again.state) == (received.messages, received.state)


def test_each_agent_has_a_layer_of_its_own_on_the_shared_map(front_end: Any) -> None:
    def names(state: dict[str, Any]) -> list[str]:
        return [room["name"] for room in state["rooms"]]

    shared = front_end("layers").run("team").state["map"]
    assert names(shared) == ["Kitchen", "Room1", "Toilet"]
    reports = [(layer["agent"], layer["number"], names(layer)) for layer in shared["layers"]]
    assert reports == [("tools", 1, ["Kitchen", "Room1"]), ("helper", 2, ["Room1", "Toilet"])]
    cleared = front_end("layers").run("team clear").state["map"]
    assert (names(cleared), cleared["layers"]) == (["Kitchen", "Room1"], []), "it clears what it drew"
    assert front_end("layers").run(connect=True).state["map"] == cleared


def test_values_are_asked_for_by_interrupts_whose_schema_says_what_they_take(front_end: Any) -> None:
    front = front_end("ask")
    received = front.run("ask")
    [interrupt] = received.interrupts
    assert (interrupt["reason"], interrupt["message"]) == ("input_required", "colour?")
    assert interrupt["responseSchema"]["properties"]["value"] == {"type": "string", "enum": ["red", "blue"]}
    wrong = front.resume(received, {"value": "green"})
    assert (wrong.end["type"], wrong.end["code"]) == ("RUN_ERROR", "bad_answer")
    received = front.resume(received, {"value": "blue"})
    received = front.resume(received, "hush")
    assert received.interrupts[0]["reason"] == "confirmation"
    answers = [{"interruptId": received.interrupts[0]["id"], "status": "cancelled"}]
    assert front.run(resume=answers).end["result"] == "blue hush False"
    assert front.run("think").end["result"] == "The end.", "the thread goes on"


def test_a_run_that_breaks_closes_what_was_open(front_end: Any) -> None:
    front = front_end("break")
    received = front.run("break")
    assert received.types[-4:] == ["TOOL_CALL_END", "TOOL_CALL_RESULT", "STEP_FINISHED", "RUN_ERROR"]
    assert (received.end["code"], received.end["message"]) == ("broken", "It broke. Mend it.")


@pytest.mark.parametrize("kind", ["code", "text", "reasoning"])
def test_a_client_comes_back_in_the_middle_and_sees_the_stop(
    front_end: Any, desk: LiveDesk, kind: str
) -> None:
    remaining = front_end(kind).tried(f"hang {kind}", abortOn="STATE_SNAPSHOT")
    assert [item["type"] for item in remaining["events"]][-1] != "RUN_FINISHED"

    runs, pieces = desk.desk.runs, 4
    until(lambda: not runs.followers() and len(events_of(desk.url, derived(kind, "agui"))) == pieces)

    def stop() -> None:
        until(lambda: runs.followers() == 1)  # the client is back
        httpx.post(f"{desk.url}/agents/scripted/agui/stop/{kind}", timeout=60)

    stopping = threading.Thread(target=stop)
    stopping.start()
    received = front_end(kind).run(connect=True)
    stopping.join()
    assert received.end["outcome"] == {"type": "cancelled"} and received.types[-2] == "STEP_FINISHED"
    if kind == "code":
        [call] = [
            message["toolCalls"][0]["function"] for message in received.messages if message.get("toolCalls")
        ]
        assert call["arguments"] == '{"code":"while True"}' and "TOOL_CALL_RESULT" in received.types
    else:
        role = "assistant" if kind == "text" else "reasoning"
        assert received.said == [("user", f"hang {kind}"), (role, "while True")]


def test_files_and_a_history_come_with_the_first_message_and_context_stands_behind_it(
    front_end: Any, desk: LiveDesk
) -> None:
    front: FrontEnd = front_end("files")
    data = {"type": "data", "value": "YSxiCjEsMgo=", "mimeType": "text/csv"}
    document = {"type": "document", "source": data, "metadata": {"filename": "t.csv"}}
    assert front.run("before").end["result"] == "ok"
    other = front_end("told").run(
        [{"type": "text", "text": "read"}, document], context=[{"description": "d", "value": "v"}]
    )
    assert ATTACHED[-1] == ["t.csv"]
    assert SEEN[-1].startswith("read\n\n(Note: the front end says:") and '"value": "v"' in SEEN[-1]
    assert [one["name"] for one in other.state["files"]] == ["t.csv"]
    away = {"type": "image", "source": {"type": "url", "value": "http://example.org/a.png"}}
    assert front_end("away").run([away]).end["code"] == "not_a_data_url"
    messages = [
        {"id": "1", "role": "user", "content": "Who am I?"},
        {"id": "2", "role": "assistant", "content": "Ann."},
    ]
    body = {
        "threadId": "history",
        "runId": "r",
        "messages": [*messages, {"id": "3", "role": "user", "content": "x"}],
    }
    assert '"result":"ok"' in httpx.post(f"{desk.url}/agui", json=body, timeout=60).text
    chat = httpx.get(f"{desk.url}/api/chats").json()["chats"][0]["id"]
    assert {"type": "run_finished", "text": "Ann."} in events_of(desk.url, chat)
    again = body | {"messages": [{"id": "9", "role": "user", "content": "another"}]}
    assert '"id_taken"' in httpx.post(f"{desk.url}/agui", json=again, timeout=60).text
