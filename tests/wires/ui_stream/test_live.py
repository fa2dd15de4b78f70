"""WS /live by a real server, in the dialect of clients with one stream."""

import pytest

from tests.support.desk_server import LiveDesk
from tests.support.scripted_model import Calls
from tests.support.ui_client import LiveClient, folded, of_type, respond, said, types, user
from tests.wires.ui_stream.conftest import Scripts, answer


def test_an_approval_closes_a_step_and_the_stream_goes_on(desk: LiveDesk, scripts: Scripts) -> None:
    scripts.replies = [Calls(("pay", {"word": "bread"}), ("pay", {"word": "milk"})), answer("Paid.")]
    with LiveClient(desk.url) as client:
        client.say(user("pay"))
        first = client.until("finish-step")
        asked = [
            "tool-input-start",
            "tool-input-available",
            "start-step",
            "tool-approval-request",
            "finish-step",
        ]
        assert types(first) == ["start", *asked]
        message = folded(first)
        client.say(user("pay"), respond(message, True))
        second = client.until("finish-step")
        assert scripts.ran == ["bread"]
        assert types(second) == ["tool-output-available", *asked]
        client.say(user("pay"), respond(folded(second, message), False, "enough"))
        last = client.until_done()
    assert scripts.ran == ["bread"]
    assert types(last) == ["tool-output-error", "text-start", "text-delta", "text-end", "finish"]
    assert of_type(last, "tool-output-error")[0]["errorText"] == "User denied the tool call: enough"
    assert said(last) == "Paid."


def test_a_ping_is_answered_beside_the_stream(desk: LiveDesk) -> None:
    with LiveClient(desk.url) as client:
        client.send(type="ping", timestamp=17)
        assert client.next() == {"type": "pong", "timestamp": 17}


@pytest.mark.parametrize("chat", ["chat-1", None])
def test_either_envelope_is_taken(desk: LiveDesk, scripts: Scripts, chat: str | None) -> None:
    scripts.replies = [answer("Yes.")]
    with LiveClient(desk.url, chat) as client:
        client.say(user("flat?"))
        assert said(client.until_done()) == "Yes."
        client.send(type="message", version="1.0", data={"messages": [user("wrapped?", None)]})
        assert said(client.until_done()) == "Yes."
