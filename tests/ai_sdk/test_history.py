"""A client that opens a chat gets the messages it would hold, had it lived the chat, and goes on from them."""

from typing import Any

import pytest

from tests.ai_sdk.driving import Player, Version, is_tool
from tests.ai_sdk.scenarios import HERE, NO, PAID, PAY, PAY_BOTH, UNPAID, YES

NOTE = "data:text/plain;base64,bWlsaw=="
FILE = {"type": "file", "mediaType": "text/plain", "filename": "note.txt", "url": NOTE}
LIVED = [
    {"text": PAY_BOTH, "answers": [YES, NO | {"reason": "too much"}]},
    {"text": "Where am I?", "answers": [HERE]},
    {"message": {"role": "user", "parts": [FILE, {"type": "text", "text": "What time is it in Tokyo?"}]}},
    {"text": "Show the first 3 rows of titanic"},
    {"text": "Draw a left arrow in the Kitchen"},
    {"text": "What's the weather in Tokyo?"},
    {"regenerate": True},
]
CHART = {"text": "Plot the survival rate by class of the Titanic passengers"}


def as_stored(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Messages without what `validateUIMessages` of their own release refuses: a denied approval beside its error."""
    for part in (part for message in messages for part in message["parts"] if is_tool(part)):
        if part["state"] == "output-error" and not part.get("approval", {}).get("approved"):
            part.pop("approval", None)
    return messages


TOOLS_6 = {"text", "file", "data-table", "data-map-definition", "data-map", "tool-get_location"}


@pytest.mark.parametrize(
    ("agent", "version", "turns", "kinds"),
    [
        ("tools", 6, LIVED, TOOLS_6),
        ("tools", 7, [*LIVED[:1], CHART], {"file", "data-chart"}),
        ("code", 7, LIVED[:1], {"tool-python_interpreter"}),
    ],
)
def test_a_chat_is_opened_as_it_was_lived_and_gone_on_with(
    play: Player, agent: str, version: Version, turns: list[dict[str, Any]], kinds: set[str]
) -> None:
    chat = {"version": version, "predicate": "own", "chatId": f"lived-{agent}-{version}", "maxRequests": 30}
    chat |= {"query": f"?agent={agent}"}
    lived = play.once("sse", chat | {"turns": turns})
    assert lived.errors == []

    opened = play.once("sse", chat | {"history": "messages", "turns": [{"text": PAY, "answers": [YES]}]})

    assert opened.loaded == as_stored(lived.messages)
    assert kinds <= {part["type"] for message in lived.messages for part in message["parts"]}
    assert opened.errors == []
    assert opened.stopped is None
    assert opened.states == [*lived.states, *opened.states[len(lived.states) : -1], PAID]


@pytest.mark.parametrize("version", [6, 7])
def test_what_is_asked_is_told_by_resume_or_with_the_history(play: Player, version: Version) -> None:
    chat = {"version": version, "chatId": f"asked-{version}"}
    lived = play.once("sse", chat | {"turns": [{"text": PAY_BOTH}]})
    assert {call["state"] for call in lived.calls} == {"approval-requested"}

    resuming = play.once("sse", chat | {"history": "messages", "turns": [{"resume": True}]})
    assert [message["role"] for message in resuming.loaded or []] == ["user"]
    assert resuming.messages == lived.messages

    parameters = {"history": "messages?open=true", "turns": [{"answers": [YES, NO]}]}
    answering = play.once("sse", chat | parameters)
    assert answering.loaded == lived.messages
    assert answering.states == [PAID, UNPAID]


def test_a_chat_that_is_not_there_yet_has_no_messages(play: Player) -> None:
    new = {"version": 7, "chatId": "never/begun", "history": "messages", "turns": []}
    assert play.once("sse", new).loaded == []
