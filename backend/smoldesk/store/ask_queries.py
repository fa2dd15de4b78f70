"""Queries of a chat's asks and answers, for wires whose clients answer by the ids of asks and calls."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, or_, select

from smoldesk.events import Ask, AskOpened, RunWaiting
from smoldesk.store.event_log import parsed, read_events
from smoldesk.store.run_rows import LIVE_STATES
from smoldesk.store.tables import AskRow, RunRow

MAX_EVENTS = 1_000_000


@dataclass(frozen=True)
class AskState:
    """One ask of a chat; `state` is open, granted or denied, `run_state` that of its run."""

    ask: Ask
    chat_id: str
    run_id: str
    state: str
    run_state: str

    @property
    def is_open(self) -> bool:
        return self.state == "open"

    @property
    def run_goes_on(self) -> bool:
        return self.run_state in LIVE_STATES


def ask_states(connection: Connection, chat_id: str, ask_ids: Collection[str]) -> list[AskState]:
    """Return the chat's asks with these ids and all its open ones. Asks of other chats are excluded."""
    query = select(AskRow.body, AskRow.chat_id, AskRow.run_id, AskRow.state, RunRow.state)
    query = query.join(RunRow, RunRow.id == AskRow.run_id)
    query = query.where(AskRow.chat_id == chat_id, or_(AskRow.id.in_(ask_ids), AskRow.state == "open"))
    return [AskState(Ask.model_validate_json(row[0]), *row[1:]) for row in connection.execute(query)]


def chat_of_ask(connection: Connection, ask_ids: Collection[str]) -> str | None:
    """Return the chat that opened one of these asks."""
    query = select(AskRow.chat_id).where(AskRow.id.in_(ask_ids)).limit(1)
    return connection.execute(query).scalar_one_or_none()


def still_open(connection: Connection, ask_ids: Collection[str]) -> list[Ask]:
    """Return the unanswered ones of these asks."""
    query = select(AskRow.body).where(AskRow.id.in_(ask_ids), AskRow.state == "open")
    return [Ask.model_validate_json(body) for body in connection.execute(query).scalars()]


def last_ask_seq(connection: Connection, chat_id: str, run_id: str, ask_ids: Collection[str]) -> int:
    """Seq of the run's last event that opened, or waited for, one of these asks; 0 when none did."""
    types = ("ask_opened", "run_waiting")
    last = 0
    for seq, _, _, body in read_events(connection, chat_id, 0, MAX_EVENTS, types, run_id):
        match parsed(body):
            case AskOpened(ask=ask):
                event_asks = {ask.id}
            case RunWaiting(ask_ids=ids):
                event_asks = set(ids)
            case _:
                event_asks = set[str]()
        if not event_asks.isdisjoint(ask_ids):
            last = seq
    return last
