"""Events of another agent's work as messages of the four-pane wire; the others are seen by real clients."""

from smoldesk import messages as m
from smoldesk.events import ToolProgress
from smoldesk.wires.four_pane.encoder import message_of


def test_what_another_agent_says_is_a_message_of_the_call_it_works_for() -> None:
    event = ToolProgress(
        step=2, call_id="r_1.1", tool="ask_agent", agent="weather", text="Looking", state="running"
    )
    message = message_of(event, "r_1")
    assert message is not None
    assert m.as_json(message) == {
        "type": "tool_progress",
        "content": {
            "callId": "r_1.1",
            "tool": "ask_agent",
            "agent": "weather",
            "text": "Looking",
            "state": "running",
            "step": 2,
        },
    }
