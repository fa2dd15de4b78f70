"""Parts of the four-pane wire without a server: a long replay leaves the event loop to others; another agent's words."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from smoldesk import messages as m
from smoldesk.events import Delta, StoredEvent, ToolProgress, VariablesLost
from smoldesk.wires.four_pane.encoder import encode_event
from smoldesk.wires.four_pane.routes import REPLAY_BATCH, Connection
from tests.support.aio import run_async


def test_what_another_agent_says_is_a_message_of_the_call_it_works_for() -> None:
    event = ToolProgress(
        step=2, call_id="r_1.1", tool="ask_agent", agent="weather", text="Looking", state="running"
    )
    message = encode_event(event, "r_1")
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


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (VariablesLost(reason="rested too long", code="idle"), "idle"),
        (VariablesLost(reason="they were not used for 5 minutes"), "idle"),  # as logs of before have it
        (VariablesLost(reason="a comet"), "a comet"),
    ],
)
def test_a_page_is_told_why_variables_are_gone_by_a_code(event: VariablesLost, reason: str) -> None:
    message = encode_event(event, None)
    assert isinstance(message, m.Text)
    assert message.facts == {"reason": reason}
    assert event.reason in message.content


EVENTS = [
    StoredEvent(
        chat_id="c", seq=seq, run_id="r", at=datetime.now(UTC), event=Delta(step=1, kind="text", text="w")
    )
    for seq in range(1, 501)
]


class FastReader:
    """A socket whose other end takes everything at once, so that sending never waits."""

    query_params: dict[str, str] = {"after": "0"}  # noqa: RUF012

    def __init__(self) -> None:
        self.sent = 0

    async def send_text(self, text: str) -> None:
        self.sent += 1


class OneBatch:
    """A log that is read in one piece."""

    async def follow(self, chat_id: str, after: int) -> AsyncIterator[list[StoredEvent]]:
        yield EVENTS


def test_a_replay_leaves_the_event_loop_to_others_in_between() -> None:
    reader = FastReader()
    positions: list[int] = []

    settings = SimpleNamespace(message_limit=1_000)
    services: Any = SimpleNamespace(
        runs=OneBatch(), chats=None, files=None, buildings=None, settings=settings
    )

    async def scenario() -> None:
        connection: Any = Connection(reader, services)  # pyright: ignore
        replay = asyncio.create_task(connection._follow("c", 0))
        while not replay.done():
            positions.append(reader.sent)
            await asyncio.sleep(0)
        await replay

    run_async(scenario())
    assert reader.sent == len(EVENTS)
    assert max(later - earlier for earlier, later in itertools.pairwise(positions)) <= REPLAY_BATCH
