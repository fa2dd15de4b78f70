"""What a chat says about tools that need approval: its PolicySet events, the last of each tool."""

from collections.abc import Iterable
from typing import Literal

from sqlalchemy import Connection

from smoldesk.events import ChatEvent, PolicySet, RunEvent
from smoldesk.store.chats import get_chat
from smoldesk.store.event_log import parsed, read_events
from smoldesk.store.transaction import Tx

ChatPolicy = Literal["allow", "ask"]
_MOST = 1_000_000


def policies_of(connection: Connection, chat_id: str) -> dict[str, ChatPolicy]:
    """Tool to policy, for the tools that a person said something about; `ask` is an `allow` taken back."""
    rows = read_events(connection, chat_id, limit=_MOST, types=["policy_set"])
    return fold(parsed(body) for _, _, _, body in rows)


def set_policy(tx: Tx, chat_id: str, tool: str, policy: ChatPolicy) -> None:
    """Write what a chat says about a tool, unless it says so already. Raises NotFound."""
    get_chat(tx.connection, chat_id)
    if policies_of(tx.connection, chat_id).get(tool, "ask") != policy:
        tx.append(chat_id, [PolicySet(tool=tool, policy=policy)])


def fold(events: Iterable[RunEvent | ChatEvent]) -> dict[str, ChatPolicy]:
    """The policies that a sequence of events leaves; pure."""
    return {event.tool: event.policy for event in events if isinstance(event, PolicySet)}
