"""Earlier runs for an agent's memory: the starts and steps of each chat's newest runs, parsed once.

A chat's log is only appended to, so a later run reads only the events after those that an earlier one has read.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from sqlalchemy import Connection

from smoldesk.events import RunStarted, StepFinished, StoredEvent
from smoldesk.store import event_log

MAX_CHATS = 64
# Characters of JSON of one chat; a longer history is read from the log for each run.
MAX_CHARS = 1_000_000


@dataclass(frozen=True)
class NewestStep:
    """The last step that ended, and its event's JSON."""

    run_id: str
    step: int
    body: str


@dataclass
class _Chat:
    """Events that were read of one chat, with the lengths of their JSON."""

    events: list[StoredEvent] = field(default_factory=list[StoredEvent])
    lengths: list[int] = field(default_factory=list[int])
    newest_step: NewestStep | None = None

    def forget_runs_before(self, runs: int) -> None:
        """Leave the newest run and the `runs` before it."""
        starts = [n for n, stored in enumerate(self.events) if isinstance(stored.event, RunStarted)]
        if len(starts) > runs + 1:
            first = starts[-runs - 1]
            del self.events[:first], self.lengths[:first]


class RunHistory:
    """Events of each chat's newest runs. Safe for threads; a chat has one run at a time."""

    def __init__(self, runs: int) -> None:
        """Create an empty cache; `runs` earlier runs are remembered, 0 for none."""
        self.runs = runs
        self._lock = threading.Lock()
        self._chats: OrderedDict[str, _Chat] = OrderedDict()

    def read_before(self, connection: Connection, chat_id: str, run_id: str) -> list[StoredEvent]:
        """Return what `read` returned when a run started, for another version of its turn."""
        return [
            StoredEvent.of(chat_id, seq, run, datetime.fromtimestamp(at, UTC), event_log.parsed(body))
            for seq, run, at, body in event_log.read_memory_before(connection, chat_id, self.runs, run_id)
        ]

    def read(self, connection: Connection, chat_id: str) -> tuple[list[StoredEvent], NewestStep | None]:
        """Return the starts and steps of the chat's newest runs and the kept readings, oldest first; and the newest step."""
        with self._lock:
            chat = self._chats.pop(chat_id, None) or _Chat()
        after = chat.events[-1].seq if chat.events else 0
        for seq, run_id, at, body in event_log.read_memory(connection, chat_id, self.runs, after):
            event = event_log.parsed(body)
            chat.events.append(StoredEvent.of(chat_id, seq, run_id, datetime.fromtimestamp(at, UTC), event))
            chat.lengths.append(len(body))
            if isinstance(event, StepFinished) and run_id is not None:
                chat.newest_step = NewestStep(run_id, event.step, body)
        chat.forget_runs_before(self.runs)
        events = [*chat.events]
        if sum(chat.lengths) <= MAX_CHARS:
            with self._lock:
                self._chats[chat_id] = chat
                while len(self._chats) > MAX_CHATS:
                    self._chats.popitem(last=False)
        return events, chat.newest_step


def continued(events: Iterable[StoredEvent]) -> Iterator[StoredEvent]:
    """Yield the events that a new turn continues from: of each turn's versions the newest before the next turn began."""
    versions: dict[str, str] = {}
    events = [*events]
    last = ""
    for stored in events:
        if not isinstance(stored.event, RunStarted) or stored.run_id is None:
            continue
        turn = stored.event.version_of or stored.run_id
        if turn == stored.run_id:
            last = turn
        if turn == last:
            versions[last] = stored.run_id
    runs = {*versions.values()}
    return (stored for stored in events if stored.run_id is None or stored.run_id in runs)
