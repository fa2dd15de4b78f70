"""Turns that can be played again: message, options and recording of each run, and the earlier ones whose variables it uses."""

from collections.abc import Iterable, Sequence

from pydantic import BaseModel, ConfigDict
from sqlalchemy import Connection, select

from smoldesk.errors import Conflict, NotFound
from smoldesk.events import (
    AnyEvent,
    RunFinished,
    RunStarted,
    Shown,
    StepFinished,
)
from smoldesk.messages import Code
from smoldesk.reruns.variable_names import bound_names, free_names, names_in
from smoldesk.store.chats import get_chat
from smoldesk.store.event_log import parsed
from smoldesk.store.recordings import RECORDED_TYPES, Recording, recording_of
from smoldesk.store.run_options import RunOptions
from smoldesk.store.run_rows import OPEN_STATES, get_run
from smoldesk.store.tables import EventRow, RunRow

# Runs before a run that are played with it.
MAX_EARLIER = 20
# Runs before a run that are looked at.
MAX_READ = 100
_TYPES = ("run_started", "step_finished", "run_finished", "shown", *RECORDED_TYPES)
# Options of a run that have no meaning in another chat.
_OF_THE_CHAT = ("metadata", "traceparent", "client_message_id", "version_of", "model", "replay")


class RecordedTurn(BaseModel):
    """One run as it can be played again, also at another desk. `cells` is the code that it ran."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    run_id: str
    message: str
    options: RunOptions
    recording: Recording
    cells: list[str] = []
    failed_steps: list[int] = []
    answer: str | None = None

    @property
    def recorded_tools(self) -> list[str]:
        """Return the names of the tools whose recorded results it uses."""
        return list(dict.fromkeys(call.tool for call in self.recording.calls))


def read_turns(
    connection: Connection, chat_id: str, run_id: str, live_tools: frozenset[str]
) -> list[RecordedTurn]:
    """Return a run and the runs before it that its variables may come from, oldest first.

    `live_tools` are not recorded. Raises NotFound, and Conflict while the run is open.
    """
    get_chat(connection, chat_id)
    run = get_run(connection, run_id)
    if run.chat_id != chat_id:
        raise NotFound(f"There is no run {run_id[:40]!r} in this chat.")
    if run.state in OPEN_STATES:
        raise Conflict("This run is still working.", "Wait until it has ended.", code="run_open")
    turns = [_turn(connection, chat_id, row, live_tools) for row in _rows_before(connection, chat_id, run_id)]
    return [turn for turn in turns if turn.cells or turn.run_id == run_id]


def _rows_before(connection: Connection, chat_id: str, run_id: str) -> list[tuple[str, str, str | None]]:
    """Return (id, message, options) of the run and those before it with the same variables, oldest first."""
    started = select(EventRow.seq).where(
        EventRow.chat_id == chat_id, EventRow.run_id == run_id, EventRow.type == "run_started"
    )
    first = connection.execute(started).scalar() or 0
    lost = select(EventRow.seq).where(
        EventRow.chat_id == chat_id, EventRow.type == "variables_lost", EventRow.seq < first
    )
    since = connection.execute(lost.order_by(EventRow.seq.desc()).limit(1)).scalar() or 0
    starts = select(EventRow.run_id).where(
        EventRow.chat_id == chat_id,
        EventRow.type == "run_started",
        EventRow.seq > since,
        EventRow.seq <= first,
    )
    ids = list(connection.execute(starts.order_by(EventRow.seq.desc()).limit(MAX_READ + 1)).scalars())
    rows = {
        row[0]: (row[0], row[1], row[2])
        for row in connection.execute(
            select(RunRow.id, RunRow.message, RunRow.options).where(RunRow.id.in_(ids))
        )
    }
    return [rows[name] for name in reversed(ids) if name in rows]


def _turn(
    connection: Connection,
    chat_id: str,
    row: tuple[str, str, str | None],
    live_tools: frozenset[str],
) -> RecordedTurn:
    run_id, message, column = row
    query = select(EventRow.body).where(
        EventRow.chat_id == chat_id, EventRow.run_id == run_id, EventRow.type.in_(_TYPES)
    )
    events = [parsed(body) for body in connection.execute(query.order_by(EventRow.seq)).scalars()]
    options = RunOptions.read(column)
    started = next((event for event in events if isinstance(event, RunStarted)), None)
    gone = dict.fromkeys(_OF_THE_CHAT)
    agent = options.agent or (started.agent if started else None)
    return RecordedTurn(
        run_id=run_id,
        message=message,
        options=options.model_copy(update={**gone, "agent": agent}),
        recording=recording_of(connection, chat_id, events, live_tools),
        cells=[message] if options.is_code else _cells(events),
        failed_steps=failed_steps(events),
        answer=next((event.text for event in events if isinstance(event, RunFinished)), None),
    )


def _cells(events: Iterable[AnyEvent]) -> list[str]:
    messages = [event.message for event in events if isinstance(event, Shown)]
    return [message.content for message in messages if isinstance(message, Code) and message.step]


def failed_steps(events: Iterable[AnyEvent]) -> list[int]:
    """Return the numbers of the steps that ended with an error."""
    return [event.step for event in events if isinstance(event, StepFinished) and event.memory.get("error")]


def select_turns(turns: Sequence[RecordedTurn]) -> list[RecordedTurn]:
    """Return the last turn and those before it that may have set a variable that it reads."""
    *earlier, last = turns
    bound = {name for turn in earlier for name in bound_names(turn.cells)}
    needed = free_names(last.cells) & bound
    chosen = [last]
    for turn in reversed(earlier):
        if needed & names_in(turn.cells):
            needed |= free_names(turn.cells) & bound
            chosen.insert(0, turn)
    return chosen
