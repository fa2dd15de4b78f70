"""Reading a chat's log: its events in order, and what a run must know of those before it."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Select, bindparam, func, or_, select

from smoldesk.errors import NotFound
from smoldesk.events import AnyEvent, RunFinished, Shown, ToolProgress, event_adapter, unnested
from smoldesk.messages import (
    Alternative,
    Alternatives,
    Evidence,
    EvidenceContent,
    Table,
    TableContent,
    outputs_in,
)
from smoldesk.store.postgres import is_postgres
from smoldesk.store.statements import CompiledStatement
from smoldesk.store.tables import EventRow

# Types of the events that make an agent's memory.
MEMORY_TYPES = ("run_started", "step_finished", "reading_kept")

_EVENTS = (
    select(EventRow.seq, EventRow.run_id, EventRow.at, EventRow.body)
    .where(EventRow.chat_id == bindparam("chat"), EventRow.seq > bindparam("after"))
    .order_by(EventRow.seq)
    .limit(bindparam("most"))
)
# Characters of JSON (bytes on PostgreSQL) after which a page of the log ends: a reader that stalls keeps one in memory,
# and an event may have a table.
PAGE_SIZE = 500_000
# PostgreSQL knows the bytes of a long text without reading it.
_BYTES = func.octet_length(EventRow.body)
_UP_TO_HERE = func.sum(_BYTES).over(order_by=EventRow.seq)
_SIZED = _EVENTS.add_columns(_UP_TO_HERE.label("size"), (_UP_TO_HERE - _BYTES).label("before")).subquery()
_PAGE = (
    select(_SIZED.c.seq, _SIZED.c.run_id, _SIZED.c.at, _SIZED.c.body, _SIZED.c.size)
    .where(_SIZED.c.before < PAGE_SIZE)
    .order_by(_SIZED.c.seq)
)
_RUN_BACK = (
    select(EventRow.seq)
    .where(EventRow.chat_id == bindparam("chat"), EventRow.type == "run_started")
    .order_by(EventRow.seq.desc())
    .offset(bindparam("back"))
    .limit(1)
    .scalar_subquery()
)
_MEMORY = CompiledStatement(
    select(EventRow.seq, EventRow.run_id, EventRow.at, EventRow.body)
    .where(EventRow.chat_id == bindparam("chat"), EventRow.seq > bindparam("after"))
    .where(EventRow.seq >= func.coalesce(_RUN_BACK, 0))
    .where(or_(*(EventRow.type == name for name in MEMORY_TYPES)))
    .order_by(EventRow.seq)
)


def read_events(
    connection: Connection,
    chat_id: str,
    after: int = 0,
    limit: int = 500,
    types: Sequence[str] | None = None,
    run_id: str | None = None,
) -> list[tuple[int, str | None, float, str]]:
    """(seq, run id, time, JSON) of a chat's events after a seq, in order."""
    query = _EVENTS
    if types is not None:
        query = query.where(EventRow.type.in_(types))
    if run_id is not None:
        query = query.where(EventRow.run_id == run_id)
    rows: Any = connection.execute(query, {"chat": chat_id, "after": after, "most": limit})
    return [(row[0], row[1], row[2], row[3]) for row in rows]


def read_page(
    connection: Connection, chat_id: str, after: int, limit: int
) -> tuple[list[tuple[int, str | None, float, str]], bool]:
    """As `read_events`, and whether there may be more: at most `limit` events, and none beyond PAGE_SIZE."""
    # SQLite gives row by row; psycopg fetches them all before the first.
    query = _PAGE if is_postgres(connection.engine) else _EVENTS
    rows: list[tuple[int, str | None, float, str]] = []
    size = 0
    with connection.execute(query, {"chat": chat_id, "after": after, "most": limit}) as result:
        for row in result:
            rows.append((row[0], row[1], row[2], row[3]))
            size = row[4] if query is _PAGE else size + len(row[3])
            if size >= PAGE_SIZE:
                return rows, True
    return rows, len(rows) == limit


def read_memory(
    connection: Connection, chat_id: str, runs: int, after: int = 0
) -> list[tuple[int, str | None, float, str]]:
    """As `read_events`: the chat's newest run and the `runs` before it, after a seq: starts, steps, kept readings."""
    rows: list[Any] = _MEMORY.rows(connection, {"chat": chat_id, "back": runs, "after": after})
    return rows


def read_memory_before(
    connection: Connection, chat_id: str, runs: int, run_id: str
) -> list[tuple[int, str | None, float, str]]:
    """As `read_memory`, of the `runs` runs that started before this one."""
    # Its first event after it was queued: it started, or was cancelled before that.
    start = select(func.min(EventRow.seq)).where(EventRow.chat_id == chat_id, EventRow.run_id == run_id)
    seq = connection.execute(start.where(EventRow.type != "run_queued")).scalar_one() or 0
    starts = select(EventRow.seq).where(EventRow.chat_id == chat_id, EventRow.type == "run_started")
    starts = starts.where(EventRow.seq < seq).order_by(EventRow.seq.desc())
    first = connection.execute(starts.offset(runs - 1).limit(1)).scalar_one_or_none() or 0
    query = select(EventRow.seq, EventRow.run_id, EventRow.at, EventRow.body)
    query = query.where(EventRow.chat_id == chat_id, EventRow.seq >= first, EventRow.seq < seq)
    query = query.where(EventRow.type.in_(MEMORY_TYPES)).order_by(EventRow.seq)
    return [(row[0], row[1], row[2], row[3]) for row in connection.execute(query)]


def seq_before_run(connection: Connection, chat_id: str, run_id: str) -> int:
    """Return the seq after which a run's events start."""
    query = select(EventRow.seq).where(EventRow.chat_id == chat_id, EventRow.type == "run_queued")
    seq = connection.execute(query.where(EventRow.run_id == run_id)).scalar_one_or_none()
    return 0 if seq is None else seq - 1


# Steps that are searched for code: a model does not remember variables of earlier ones.
MAX_SEARCHED_STEPS = 100


def _variable_news() -> Select[tuple[str]]:
    """Return the statement for `says_loss_reported`, with the chat's id as `chat`."""
    kind = or_(EventRow.type == "step_finished", EventRow.type == "variables_lost")
    steps = select(EventRow.type, EventRow.seq, EventRow.body).where(
        EventRow.chat_id == bindparam("chat"), kind
    )
    last = steps.order_by(EventRow.seq.desc()).limit(MAX_SEARCHED_STEPS).subquery()
    calls = last.c.body.contains('"tool_calls":[', autoescape=True)  # quotes in texts are escaped there
    runs_code = last.c.body.contains('"name":"python_interpreter"', autoescape=True)
    query = select(last.c.type).where(or_(last.c.type == "variables_lost", ~calls, runs_code))
    return query.order_by(last.c.seq.desc()).limit(1)


VARIABLE_NEWS = _variable_news()
_VARIABLE_NEWS = CompiledStatement(VARIABLE_NEWS)


def says_loss_reported(news: str | None) -> bool:
    """Return True if no code ran in a chat since the loss of its variables was reported (or no code ever ran).

    `news` is what VARIABLE_NEWS selects. A step that only called other tools has no variables: code is a call in its
    memory, for each kind of agent.
    """
    return news != "step_finished"


def is_variable_loss_reported(connection: Connection, chat_id: str) -> bool:
    """Return `says_loss_reported` of a chat."""
    return says_loss_reported(_VARIABLE_NEWS.value(connection, {"chat": chat_id}))


def events_up_to(
    connection: Connection, chat_id: str, types: Sequence[str], before: int
) -> Iterator[AnyEvent]:
    """Yield a chat's events of these types up to a seq, in order, read page by page."""
    seq = 0
    while page := read_events(connection, chat_id, seq, types=types):
        for seq, _, _, body in page:
            if seq > before:
                return
            yield parsed(body)


def parsed(body: str) -> AnyEvent:
    """Parse an event from its JSON."""
    return event_adapter.validate_json(body)


def has_event(connection: Connection, chat_id: str, kind: str) -> bool:
    """Return whether the chat's log has an event of this type."""
    query = select(EventRow.seq).where(EventRow.chat_id == chat_id, EventRow.type == kind)
    return connection.execute(query.limit(1)).first() is not None


def has_controls_or_versions(connection: Connection, chat_id: str) -> bool:
    """Return whether a chat has charts with controls or turns with versions, which desks before them cannot read."""
    controls, versions = (
        EventRow.body.contains(field, autoescape=True) for field in ('"codeAt":[', '"version_of":"')
    )
    query = select(EventRow.seq).where(EventRow.chat_id == chat_id)
    query = query.where(EventRow.type.in_(["shown", "nested", "run_queued"]), or_(controls, versions))
    return connection.execute(query.limit(1)).first() is not None


# Answers of a chat whose evidence a later answer may rest on.
MAX_EARLIER = 30


def read_evidence(
    connection: Connection, chat_id: str, run_id: str
) -> list[tuple[str, str, EvidenceContent]]:
    """Return run id, text and evidence of the newest answers before a run, newest first."""
    query = select(EventRow.seq, EventRow.run_id, EventRow.body).where(EventRow.chat_id == chat_id)
    query = query.where(EventRow.type == "shown", EventRow.run_id != run_id)
    query = query.where(EventRow.body.contains('"type":"evidence"', autoescape=True))
    rows = connection.execute(query.order_by(EventRow.seq.desc()).limit(MAX_EARLIER)).all()
    ends = select(EventRow.run_id, EventRow.body).where(EventRow.chat_id == chat_id)
    ends = ends.where(EventRow.type == "run_finished", EventRow.run_id.in_([row[1] for row in rows]))
    texts = {
        run: event.text
        for run, body in connection.execute(ends)
        if isinstance(event := parsed(body), RunFinished)
    }
    answers: list[tuple[str, str, EvidenceContent]] = []
    for _, run, body in rows:
        event = parsed(body)
        if (
            isinstance(event, Shown)
            and isinstance(event.message, Evidence)
            and run is not None
            and run in texts
        ):
            answers.append((run, texts[run], event.message.content))
    return answers


def has_evidence(connection: Connection, chat_id: str) -> bool:
    """Return whether a chat has evidence of answers, which desks before it cannot read."""
    query = select(EventRow.seq).where(EventRow.chat_id == chat_id, EventRow.type == "shown")
    query = query.where(EventRow.body.contains('"type":"evidence"', autoescape=True))
    return connection.execute(query.limit(1)).first() is not None


def read_table(connection: Connection, chat_id: str, table_id: str) -> TableContent:
    """Return the table as it was shown: its name, its columns and its first rows. Raises NotFound."""
    query = select(EventRow.body).where(EventRow.chat_id == chat_id, EventRow.type.in_(["shown", "nested"]))
    query = query.where(EventRow.body.contains(table_id, autoescape=True))
    for (body,) in connection.execute(query.order_by(EventRow.seq)):
        event = unnested(parsed(body))
        for message in outputs_in(event.message) if isinstance(event, Shown) else ():
            if isinstance(message, Table) and message.content.table_id == table_id:
                return message.content
    raise NotFound(f"There is no table {table_id[:80]!r} in this chat.")


def read_alternatives(connection: Connection, chat_id: str, run_id: str) -> list[Alternative]:
    """Return the alternatives that a run showed; empty if its request was clear, or the chat has no such run."""
    query = select(EventRow.body).where(EventRow.chat_id == chat_id, EventRow.run_id == run_id)
    query = query.where(
        EventRow.type == "shown", EventRow.body.contains('"type":"alternatives"', autoescape=True)
    )
    for (body,) in connection.execute(query):
        event = parsed(body)
        if isinstance(event, Shown) and isinstance(event.message, Alternatives):
            return event.message.content.alternatives
    return []


def last_context(connection: Connection, chat_id: str, agent: str) -> str | None:
    """Return the last context id that this agent reported in this chat, or None."""
    query = select(EventRow.body).where(
        EventRow.chat_id == chat_id, EventRow.type.in_(["tool_progress", "nested"])
    )
    # a quote in a text is escaped in the log, so no text can look like these
    query = query.where(EventRow.body.contains('"context_id":"', autoescape=True))
    query = query.where(EventRow.body.contains(f'"agent":"{agent}"', autoescape=True))
    body = connection.execute(query.order_by(EventRow.seq.desc()).limit(1)).scalar_one_or_none()
    if body is None:
        return None
    event = unnested(parsed(body))
    return event.context_id if isinstance(event, ToolProgress) else None
