"""State, shared both ways with AG-UI's own client: what it keeps there comes back, and reaches the agent."""

from collections.abc import Callable
from typing import Any

import pytest

from smoldesk.chats.chats import derived
from smoldesk.errors import BadInput
from smoldesk.messages import RoomRef
from smoldesk.wires.agui.client_state import DESK_PARTS, ClientState, read_state, tag_of
from smoldesk.wires.agui.shared_state import SharedState
from tests.support.desk_server import LiveDesk
from tests.support.scripted_model import Calls, Scripts, code, text_of
from tests.support.ws_client import WsClient
from tests.wires.agui.conftest import FrontEnd

Make = Callable[..., FrontEnd]
CODE = "/agents/code/agui"
KITCHEN, OFFICE = {"floorId": "1F", "name": "Kitchen"}, {"floorId": "2F", "name": "Office"}
DRAFT: dict[str, Any] = {"title": "Plan", "steps": ["a", None], 'k"~/1': {"__proto__x": True}}


def own(state: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in state.items() if name not in DESK_PARTS}


def final(text: str) -> Calls:
    return Calls(("final_answer", {"answer": text}))


def test_what_a_front_end_keeps_reaches_the_agent_and_comes_back(front_end: Make, scripts: Scripts) -> None:
    model = scripts.set(code("final_answer(f\"{shared_state['draft']['title']} {len(selection)}\")"))
    front = front_end("both", CODE)
    inputs = {
        "draft": DRAFT,
        "map": {"selected": [KITCHEN], "rooms": [{"name": "forged"}]},
        "tables": ["forged"],
    }
    received = front.run("Read it", state=inputs)
    assert received.end["result"] == "Plan 1"
    text = text_of(model.seen[0])
    assert '"title": "Plan"' in text and "selected these rooms: Kitchen (1F)" in text
    assert received.of("STATE_SNAPSHOT")[0]["snapshot"] == received.state, "from the first event on"
    assert own(received.state) == {"draft": DRAFT} and received.state["tables"] == []
    assert (received.state["map"]["selected"], received.state["map"]["rooms"]) == ([KITCHEN], [])

    # a reload has it, and one that begins with a state of its own adds to it
    other = front_end("both", CODE)
    assert own(other.run(connect=True, state={"theme": "dark"}).state) == {"draft": DRAFT, "theme": "dark"}
    scripts.set(code("final_answer(str(sorted(shared_state)))"))
    assert front_end("both", CODE).run("What is there?").end["result"] == "['draft', 'theme']"

    # what is missing from a state that was made of the desk's was removed
    scripts.set(code("final_answer(str('shared_state' in dir() and shared_state))"))
    stored = other.run("And now?", state={**received.state, "draft": 1})
    assert (own(stored.state), stored.end["result"]) == ({"draft": 1}, "{'draft': 1}")
    scripts.set(final("ok"))
    assert own(other.run("And now?", state={"map": {}}).state) == {}


def test_an_agent_writes_into_the_state_that_a_front_end_shares(front_end: Make, scripts: Scripts) -> None:
    hostile = (
        "def tried(changes):\n"
        "    try:\n"
        "        share_state(changes)\n"
        "    except Exception as fault:\n"
        "        return str(fault)\n"
        "deep = []\n"
        "for _ in range(60):\n"
        "    deep = [deep]\n"
        "told = [tried(one) for one in ({'map': {}}, {'a': 'b' * 16_000}, {'a': deep}, [1])]\n"
    )
    model = scripts.set(
        code(
            "kept = share_state({'draft': {'title': 'Plan B', 'steps': None, 'by': 'agent'}, 'done': None})"
        ),
        code(f"{hostile}final_answer(str([kept, [one is None or len(one) for one in told]]))"),
    )
    front = front_end("written", CODE)
    received = front.run(
        "Name it", state={"draft": {"title": "Plan", "steps": [1]}, "done": True, "theme": "dark"}
    )
    written = {"draft": {"title": "Plan B", "by": "agent"}, "theme": "dark"}
    reports = [own(item["snapshot"]) for item in received.of("STATE_SNAPSHOT")]
    assert reports[1] == written == own(received.state), "while the run goes on, and to its end"
    assert received.end["result"].startswith(str([written])[:-1]), received.end
    assert "True" not in received.end["result"], "what cannot be is refused, and the run goes on"
    assert "share_state" in text_of(model.seen[0])
    assert received.types.index("STATE_SNAPSHOT", 2) < received.types.index("TOOL_CALL_RESULT")
    assert own(front_end("written").run(connect=True).state) == written
    model = scripts.set(final("ok"))
    front_end("shares nothing", CODE).run("x")
    assert "share_state" not in text_of(model.seen[0])


def test_a_selection_is_the_clients_where_it_changed_it_and_the_pages_where_it_did_not(
    front_end: Make, scripts: Scripts, desk: LiveDesk
) -> None:
    scripts.set(final("ok"))
    front = front_end("selects", CODE)
    front.run("Begin", state={"map": {"selected": [KITCHEN]}})
    with WsClient(desk.ws_url, f"?chat={derived('selects', 'agui')}").greeted() as page:
        assert page.seen[1]["content"]["selection"] == [KITCHEN]
        page.send(type="selection", rooms=[OFFICE])
        page.until("chat")
        scripts.set(final("ok"))
        state = front.run("Go on").state
        assert state["map"]["selected"] == [OFFICE], "the client sent back what it was told"
        scripts.set(final("ok"))
        changed = {**state, "map": {**state["map"], "selected": [OFFICE, KITCHEN]}}
        assert front.run("Go on", state=changed).state["map"]["selected"] == [OFFICE, KITCHEN]
        while page.until("chat")["content"]["selection"] != [OFFICE, KITCHEN]:
            pass  # it is told for other reasons, too


def test_an_answer_brings_state_too_and_what_is_refused_changes_nothing(
    front_end: Make, scripts: Scripts
) -> None:
    pay = Calls(("process_payment", {"recipient": "Alice", "amount": 1, "currency": "USD"}))
    scripts.set(pay, final("Paid."))
    front = front_end("refused")
    requested = front.run("pay", state={"form": 1})
    assert own(requested.state) == {"form": 1}
    none = {**requested.state, "form": 2, "map": {"selected": [{"floorId": "1F", "name": "Ballroom"}]}}
    assert front.resume(requested, {"approved": True}, state=none).end["code"] == "unknown_room"
    assert own(front_end("refused").run(connect=True).state) == {"form": 1}
    paid = front.resume(requested, {"approved": True}, state={**requested.state, "form": 3})
    assert (paid.end["result"], own(paid.state)) == ("Paid.", {"form": 3})
    assert (
        front.resume(requested, {"approved": True}, state={**requested.state, "form": 2}).end["result"]
        == "Paid."
    )
    assert own(front_end("refused").run(connect=True).state) == {"form": 3}, "an answer that is sent again"
    for state in (["a"], "text", {"map": {"selected": 1}}, {"a": "b" * 16_000}):
        assert front_end("hostile").tried("x", state=state)["error"].startswith("HTTP 4")


def test_forwarded_props_choose_the_agent_and_the_model_and_may_hold_anything_else(
    front_end: Make, scripts: Scripts
) -> None:
    scripts.set(code("final_answer(1 + 1)"))
    props = {"agent": "code", "model": 7, "config": {"a": None}}
    assert front_end("chosen").run("x", forwardedProps=props).end["result"] == "2"
    assert front_end("chosen").run("x", forwardedProps={"agent": "nobody"}).end["code"] == "unknown_agent"
    assert front_end("chosen").run("x", forwardedProps={"model": "nobody"}).end["code"] == "unknown_model"
    scripts.set(final("The address counts."))
    tools = front_end("chosen", "/agents/tools/agui").run("x", forwardedProps={"agent": "nobody"})
    assert tools.end["result"] == "The address counts."


def test_the_selection_a_client_was_told_is_known_by_its_tag() -> None:
    rooms = [RoomRef(floor_id="1F", name="Kitchen")]
    report = SharedState("c").snapshot()
    assert read_state(report) == ClientState({}, True, None) and read_state(None) == ClientState()
    assert read_state({"map": {**report["map"], "selected": [KITCHEN]}}).rooms == rooms
    assert read_state({"map": {"selected": [KITCHEN], "selectedTag": tag_of(rooms)}}).rooms is None


DEEP: Any = 0
for _ in range(60):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    "state",
    [
        {"a": DEEP},
        {"map": {"selected": [{"floorId": 1, "name": "Kitchen"}]}},
        {"map": {"selected": [KITCHEN] * 501}},
        {"map": {"selected": [KITCHEN | {"more": 1}]}},
    ],
)
def test_a_state_that_cannot_be_one_is_refused(state: Any) -> None:
    with pytest.raises(BadInput) as refused:
        read_state(state)
    assert refused.value.code == "bad_state"
