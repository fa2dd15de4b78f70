"""Choices of a person for a chat: agent, model and rooms in its row and as events; policies of tools as events.

Late output of a terminal program is an event, too.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from pydantic import JsonValue
from sqlalchemy import Connection, bindparam, select, update

from smoldesk.events import (
    AgentChosen,
    ChatEvent,
    LateOutput,
    ModelChosen,
    PolicySet,
    RoomsSelected,
    RunEvent,
    StateShared,
)
from smoldesk.messages import RoomRef
from smoldesk.messages.strict_json import without_surrogates
from smoldesk.store.chats import ChatInfo, get_chat
from smoldesk.store.event_log import parsed, read_events
from smoldesk.store.statements import CompiledStatement
from smoldesk.store.tables import ChatRow, EventRow
from smoldesk.store.transaction import Tx

_AGENT = CompiledStatement(select(ChatRow.agent).where(ChatRow.id == bindparam("chat")))


def agent_of_chat(connection: Connection, chat_id: str) -> str | None:
    """Return the agent that a chat chose; None without a choice, and for a chat that does not exist."""
    return _AGENT.value(connection, {"chat": chat_id})


_CHOICES = CompiledStatement(select(ChatRow.agent, ChatRow.model).where(ChatRow.id == bindparam("chat")))


def choices_of_chat(connection: Connection, chat_id: str) -> tuple[str | None, str | None]:
    """Return the agent and the model that a chat chose; None for each without a choice."""
    rows = _CHOICES.rows(connection, {"chat": chat_id})
    return (rows[0][0], rows[0][1]) if rows else (None, None)


def choose_agent(tx: Tx, chat_id: str, agent: str | None) -> ChatInfo:
    """Have another agent answer from the next run on (None: the one the desk is served with), and followers told.

    The same again says nothing. Raises NotFound for the chat; whether there is such an agent is the caller's to know.
    """
    return _choose(tx, chat_id, "agent", agent, AgentChosen(agent=agent))


def choose_model(tx: Tx, chat_id: str, model: str | None) -> ChatInfo:
    """Have it answered by another model (None: the agent's own); as `choose_agent`."""
    return _choose(tx, chat_id, "model", model, ModelChosen(model=model))


def _choose(tx: Tx, chat_id: str, what: str, value: str | None, event: AgentChosen | ModelChosen) -> ChatInfo:
    tx.hold(chat_id)
    chat = get_chat(tx.connection, chat_id)
    if getattr(chat, what) == value:
        return chat
    tx.execute(update(ChatRow).where(ChatRow.id == chat_id).values({what: value}))
    tx.append(chat_id, [event])
    return get_chat(tx.connection, chat_id)


def append_late_output(tx: Tx, chat_id: str, agent: str, text: str) -> None:
    """Keep what a program wrote when no run listened. Raises NotFound for a chat that is gone."""
    tx.append(chat_id, [LateOutput(agent=agent, text=text)])


# Maximum characters of the state that front ends share with one chat, as JSON.
MAX_SHARED = 16_000
# Maximum nesting of the shared state.
DEEPEST_SHARED = 50
# Keys of the shared state that the desk writes; front ends may not set them.
DESK_PARTS = ("map", "tables", "images", "charts", "files")


def shared_state_of(connection: Connection, chat_id: str) -> dict[str, JsonValue]:
    """Return the state that front ends share with a chat; empty without any."""
    query = select(EventRow.body).where(EventRow.chat_id == chat_id, EventRow.type == "state_shared")
    body = connection.execute(query.order_by(EventRow.seq.desc()).limit(1)).scalar_one_or_none()
    event = parsed(body) if body else None
    return event.state if isinstance(event, StateShared) else {}


def merge_state(
    tx: Tx, chat_id: str, changes: Mapping[str, JsonValue], epoch: int
) -> dict[str, JsonValue] | None:
    """Merge a run's changes into the stored state (RFC 7396) and notify the chat's followers; None if it would be too
    long.

    Raises Conflict if the run is closed.
    """
    tx.hold(chat_id)
    stored = shared_state_of(tx.connection, chat_id)
    changed = merged(stored, changes)
    text = json.dumps(changed, ensure_ascii=False)
    if len(text) > MAX_SHARED:
        return None
    if text != json.dumps(stored, ensure_ascii=False):
        tx.append(chat_id, [StateShared(state=changed)], None, epoch)
    return changed


def merged(target: JsonValue, changes: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Apply a JSON Merge Patch (RFC 7396): null removes, objects are merged, all else replaces. Pure."""
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in changes.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), value) if isinstance(value, dict) else value
    return result


def share_state(tx: Tx, chat_id: str, state: dict[str, JsonValue], replace: bool) -> dict[str, JsonValue]:
    """Store a front end's state and notify the chat's followers, unless it is unchanged. Return the stored state.

    Without `replace` it is merged into the stored one. Raises NotFound.
    """
    tx.hold(chat_id)
    get_chat(tx.connection, chat_id)
    stored = shared_state_of(tx.connection, chat_id)
    new_state = state if replace else stored | state
    if len(json.dumps(new_state, ensure_ascii=False)) > MAX_SHARED:
        new_state = state
    if json.dumps(new_state) != json.dumps(stored):  # for Python, true is 1
        tx.append(chat_id, [StateShared(state=new_state)])
    return new_state


# Maximum rooms of a selection.
MAX_SELECTED = 500
_SELECTION = CompiledStatement(select(ChatRow.selection).where(ChatRow.id == bindparam("chat")))


def selection_of(connection: Connection, chat_id: str) -> list[RoomRef]:
    """Return the selected rooms of a chat; empty for a chat that does not exist."""
    return parse_selection(_SELECTION.value(connection, {"chat": chat_id}))


def parse_selection(column: str | None) -> list[RoomRef]:
    """Return the rooms of a chat's column."""
    return [RoomRef.model_validate(room) for room in json.loads(column)] if column else []


def select_rooms(tx: Tx, chat_id: str, rooms: Sequence[RoomRef]) -> None:
    """Have these rooms selected, and no others, and tell the chat's followers; the same again says nothing. Raises NotFound."""
    tx.hold(chat_id)
    get_chat(tx.connection, chat_id)
    unique_rooms = list(dict.fromkeys(rooms))
    if unique_rooms == selection_of(tx.connection, chat_id):
        return
    text = (
        json.dumps(without_surrogates([room.model_dump(mode="json") for room in unique_rooms]))
        if unique_rooms
        else None
    )
    tx.execute(update(ChatRow).where(ChatRow.id == chat_id).values(selection=text))
    tx.append(chat_id, [RoomsSelected(rooms=unique_rooms)])


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
    """Return the policies after a sequence of events. Pure."""
    return {event.tool: event.policy for event in events if isinstance(event, PolicySet)}
