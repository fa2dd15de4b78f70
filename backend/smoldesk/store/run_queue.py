"""The queue of a chat's runs: what a start, a claim, a cancel and a close change, each inside one transaction.

Every change that two parties may want at once is a compare-and-set here; the loser gets Conflict. What every run
executes is prepared (see prepared.py).
"""

import secrets
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from pydantic import JsonValue
from sqlalchemy import bindparam, exists, func, insert, select, true, update

from smoldesk.errors import Conflict, code_of
from smoldesk.events import (
    ChatEvent,
    RunCancelled,
    RunEvent,
    RunFailed,
    RunFinished,
    RunQueued,
    RunStarted,
    VariablesLost,
)
from smoldesk.messages import Note, RoomRef, RowSelection
from smoldesk.store.chat_choices import parse_selection
from smoldesk.store.chats import no_such_chat
from smoldesk.store.event_log import VARIABLE_NEWS, is_variable_loss_reported, says_loss_reported
from smoldesk.store.heartbeats import is_held_elsewhere
from smoldesk.store.run_lists import is_valid, run_sent_as
from smoldesk.store.run_notes import note_of_loss, note_of_rooms, note_of_rows
from smoldesk.store.run_options import NO_CHOICE, IdempotencyKey, RunOptions
from smoldesk.store.run_rows import (
    IS_OPEN,
    NEW_STATE,
    OPEN_STATES,
    RunInfo,
    get_run,
    open_runs,
    same_server,
    set_state,
)
from smoldesk.store.statements import CompiledStatement
from smoldesk.store.tables import ChatRow, FileRow, RunRow
from smoldesk.store.transaction import (
    TAKE_SEQS,
    Holder,
    Tx,
    fenced,
    plain,
)

TITLE_LENGTH = 60
# A chat's agent and model, None for each without a choice.
Choices = tuple[str | None, str | None]
# A chat's title, its last position, the number of its open runs, and the time of its deletion.
_QUEUE = select(
    ChatRow.title,
    select(func.max(RunRow.position)).where(RunRow.chat_id == ChatRow.id).scalar_subquery(),
    select(func.count()).where(RunRow.chat_id == ChatRow.id, IS_OPEN).scalar_subquery(),
    ChatRow.deleted_at,
).where(ChatRow.id == bindparam("chat"))
_READ_QUEUE = CompiledStatement(_QUEUE)
# And what the log says of lost variables.
_READ_QUEUE_AND_NEWS = CompiledStatement(_QUEUE.add_columns(VARIABLE_NEWS.scalar_subquery()))
_ADD_RUN = CompiledStatement(
    insert(RunRow),
    (
        "id",
        "chat_id",
        "position",
        "state",
        "message",
        "cancel_reason",
        "created_at",
        "changed_at",
        "options",
        "client_message_id",
        "received_by",
    ),
)
_CLOSE_RUN = CompiledStatement(NEW_STATE.where(IS_OPEN).returning(RunRow.id))
_NEW_EPOCH = TAKE_SEQS.values(epoch=ChatRow.epoch + 1).returning(ChatRow.epoch)
_TAKE_CHAT = CompiledStatement(
    _NEW_EPOCH.values(owner=bindparam("me"), is_held=true()).returning(
        ChatRow.selection, ChatRow.agent, ChatRow.model
    )
)
_FENCE_CHAT = CompiledStatement(_NEW_EPOCH)
_FENCE_CHAT_FENCED = CompiledStatement(_NEW_EPOCH.where(ChatRow.epoch == bindparam("fence")))


@dataclass(frozen=True)
class Claim:
    """A run that now belongs to this server, under this epoch."""

    run: RunInfo
    epoch: int
    notes: list[str]
    more: bool
    """True when another run waits behind it."""
    moved: bool
    """True when another server was the last to work on the chat."""
    attachments: list[str]
    """The names, in the chat's folder, of the files that came with its message."""
    selection: list[RoomRef]
    """The rooms that are selected on the map."""
    about: RowSelection | None
    """The rows of a chart or a table that it is about."""
    shared_state: dict[str, JsonValue] | None
    """What its front end shares of its own state."""
    choices: Choices
    """The agent and the model that the chat chose."""


@dataclass(frozen=True)
class Claimant:
    """Server that claims a run.

    `server` is its data directory, a colon, a part that changes with each start; other servers are dead after `silence`
    seconds without a heartbeat. `lost` is why the chat's variables are gone; it is reported once and noted for the run.
    `trace` starts the trace of a run from the header of its request and returns the trace's id, if any. `default_agent`
    answers without a choice.
    """

    server: str
    silence: float
    lost: str | None = None
    trace: Callable[[str, str | None], str | None] = lambda run_id, traceparent: None
    default_agent: str | None = None


@dataclass(frozen=True)
class Queued:
    """The run of a message; `existed` if the message came before, `claim` if the run began at once."""

    run_id: str
    claim: Claim | None = None
    existed: bool = False


def start_once(
    tx: Tx,
    chat_id: str,
    message: str,
    limit: int,
    options: RunOptions,
    key: IdempotencyKey,
    received_by: str | None = None,
    claimant: Claimant | None = None,
) -> Queued:
    """Return the run of a message, if it exists; else as `start_run`.

    Raises Conflict if another message used the id.
    """
    existing = run_sent_as(tx.connection, key)
    if existing is not None:
        if existing.message != plain(message):
            hint = "Send each message under a new id."
            raise Conflict("This id belongs to an earlier message with another text.", hint, code="id_taken")
        return Queued(existing.id, existed=True)
    # The column is unique, and a run that no longer counts for this key may still hold the id. One that counts has come
    # from another server since the look above, and refuses the new row.
    expired = update(RunRow).where(RunRow.client_message_id == key.id, ~is_valid(key))
    tx.execute(expired.values(client_message_id=None))
    return start_run(tx, chat_id, message, limit, options, key.id, received_by, claimant)


def enqueue_run(
    tx: Tx,
    chat_id: str,
    message: str,
    limit: int,
    options: RunOptions = NO_CHOICE,
    received_by: str | None = None,
) -> RunInfo:
    """Queue a message behind the open runs of its chat; raises NotFound, or Conflict beyond `limit` open runs.

    `received_by` is the server that got it.
    """
    new = _add_run(tx, chat_id, message, limit, options, received_by=received_by)
    tx.append(chat_id, [new.queued], new.run.id)
    return new.run


def start_run(
    tx: Tx,
    chat_id: str,
    message: str,
    limit: int,
    options: RunOptions = NO_CHOICE,
    client_message_id: str | None = None,
    received_by: str | None = None,
    claimant: Claimant | None = None,
) -> Queued:
    """Queue a message as `enqueue_run` does; its run begins at once if `claimant` may claim it and the chat is idle."""
    new = _add_run(tx, chat_id, message, limit, options, client_message_id, received_by, claimant)
    if new.begins and claimant is not None:
        return Queued(new.run.id, _claim(tx, new.run, claimant, new.is_loss_reported, queued=new.queued))
    tx.append(chat_id, [new.queued], new.run.id)
    return Queued(new.run.id)


@dataclass(frozen=True)
class _NewRun:
    """The row of a message's run, and its event, which is not appended yet.

    `begins`: the row says that the run has begun already; its claimant is to claim it.
    """

    run: RunInfo
    queued: RunQueued
    begins: bool
    is_loss_reported: bool


def _add_run(
    tx: Tx,
    chat_id: str,
    message: str,
    limit: int,
    options: RunOptions,
    client_message_id: str | None = None,
    received_by: str | None = None,
    claimant: Claimant | None = None,
) -> _NewRun:
    message = plain(message)
    # Two starts at the same time would otherwise take the same position in the queue.
    holder = tx.hold(chat_id)
    reads_log = claimant is not None and claimant.lost is not None
    rows = (
        _READ_QUEUE_AND_NEWS.rows(tx.reading(chat_id), {"chat": chat_id})
        if reads_log
        else _READ_QUEUE.rows(tx.unflushed, {"chat": chat_id})
    )
    if not rows or (rows[0][3] is not None and options.replay is None):
        raise no_such_chat(chat_id)
    title, last, ahead, _, *news = rows[0]
    if options.is_code and ahead:
        raise Conflict(
            "Code cannot run while the chat is working.",
            "Wait until the run has ended, or stop it.",
            code="run_open",
        )
    if ahead >= limit:
        raise Conflict(
            f"{ahead} messages already wait in this chat.", "Wait for one to be answered.", code="queue_full"
        )
    run = RunInfo(f"r_{secrets.token_hex(12)}", chat_id, "queued", message, None, options.to_column())
    begins = not ahead and claimant is not None and _may_begin(tx, holder, claimant)
    state = "running" if begins else "queued"
    values = {"id": run.id, "chat_id": chat_id, "state": state, "message": message}
    values |= {"created_at": tx.now, "changed_at": tx.now}
    values |= {"position": (last or 0) + 1, "cancel_reason": None, "options": run.options}
    values |= {"client_message_id": client_message_id, "received_by": received_by}
    _ADD_RUN.run(tx.unflushed, values)
    attachments = options.attachments or []
    # a title before the first question may be the name of a file, which the question says more about
    if not title or (last is None and _is_upload(tx, chat_id, title)):
        first_line = (message.strip() or ", ".join(attachments)).split("\n", 1)[0]
        title = first_line if len(first_line) <= TITLE_LENGTH else first_line[: TITLE_LENGTH - 1] + "…"
        tx.execute(update(ChatRow).where(ChatRow.id == chat_id).values(title=title))
    queued = _queued(message, ahead, options, client_message_id)
    return _NewRun(run, queued, begins, says_loss_reported(news[0]) if news else True)


def _may_begin(tx: Tx, holder: Holder | None, claimant: Claimant) -> bool:
    """Return whether a chat's run may begin with its message. After another server's runs, its variables are looked at."""
    if holder is None or not same_server(holder.owner, claimant.server):
        return False
    return not is_held_elsewhere(tx.unflushed, holder, claimant.server, claimant.silence)


def _is_upload(tx: Tx, chat_id: str, name: str) -> bool:
    uploads = select(FileRow.id).where(FileRow.chat_id == chat_id, FileRow.name == name)
    return tx.execute(uploads.where(FileRow.kind == "upload")).first() is not None


def _queued(message: str, ahead: int, options: RunOptions, client_message_id: str | None) -> RunQueued:
    """Return the event of a message. Metadata is the client's own: it names a conversation only under a key of ours."""
    match (options.metadata or {}).get("conversation"):
        case {"id": str(talk)} if (client_message_id or "").startswith("conversations:"):
            conversation = talk
        case _:
            conversation = None
    return RunQueued(
        message=message,
        ahead=ahead,
        attachments=options.attachments or [],
        is_code=options.is_code or False,
        conversation=conversation,
        version_of=options.version_of,
    )


def claim_next(tx: Tx, chat_id: str, claimant: Claimant) -> Claim | None:
    """Start the oldest queued run of the chat under a new epoch; return None without one, or if one is live.

    None also if another living server holds the chat: it is left to that one.
    """
    holder = tx.hold(chat_id)
    if holder is None or is_held_elsewhere(tx.unflushed, holder, claimant.server, claimant.silence):
        return None
    runs = open_runs(tx.unflushed, chat_id)
    if not runs or runs[0].state != "queued":
        return None
    set_state(tx, runs[0].id, "running")
    moved = not same_server(holder.owner, claimant.server)
    is_reported = claimant.lost is None or is_variable_loss_reported(tx.reading(chat_id), chat_id)
    return _claim(tx, runs[0], claimant, is_reported, more=len(runs) > 1, moved=moved)


def _claim(
    tx: Tx,
    run: RunInfo,
    claimant: Claimant,
    is_loss_reported: bool,
    *,
    queued: RunQueued | None = None,
    more: bool = False,
    moved: bool = False,
) -> Claim:
    """Take a chat for a run whose row says that it runs: its new epoch, and the events of its start, after `queued`."""
    chat_id, lost = run.chat_id, claimant.lost
    events: list[tuple[str | None, RunEvent | ChatEvent]] = [] if queued is None else [(run.id, queued)]
    notes_by_run: list[tuple[str, Note]] = []
    if lost is not None and not is_loss_reported:
        notes_by_run.append(note_of_loss(lost))
        events.append((None, VariablesLost(reason=lost, code=code_of(lost))))
    # The new epoch fences a server that was taken for dead: its writes name the old one and are refused.
    taken = tx.take(_TAKE_CHAT, chat_id, len(events) + 1, me=claimant.server)
    assert taken is not None, "the chat is held"
    last, epoch, selected, agent, model = taken
    if selection := parse_selection(selected):
        notes_by_run.append(note_of_rooms(selection))
    options = RunOptions.read(run.options)
    if options.about is not None:
        notes_by_run.append(note_of_rows(options.about))
    notes = [note for note, _ in notes_by_run]
    started = RunStarted(
        message=run.message,
        attachments=options.attachments or [],
        notes=notes,
        noted=[note for _, note in notes_by_run],
        selection=selection,
        reading=options.reading,
        about=options.about,
        is_code=options.is_code or False,
        version_of=options.version_of,
        trace_id=claimant.trace(run.id, options.traceparent),
        agent=options.agent or agent or claimant.default_agent,
    )
    events.append((run.id, started))
    tx.record(chat_id, last, events)
    return Claim(
        run,
        epoch,
        notes,
        more,
        moved,
        started.attachments,
        selection,
        options.about,
        options.shared_state,
        (agent, model),
    )


def request_cancel(tx: Tx, run_id: str, reason: str) -> RunInfo:
    """Request a run to stop: a queued run is closed at once, a live one is marked. The first reason counts.

    Returns the run as it was before. Raises NotFound, or Conflict for a closed run.
    """
    tx.hold(get_run(tx.connection, run_id).chat_id)
    # Read again under the lock; the first read finds the chat, and the run may have ended since.
    run = get_run(tx.connection, run_id)
    if run.state not in OPEN_STATES:
        raise _closed()
    reason = plain(reason)
    if run.state == "queued":
        set_state(tx, run_id, "cancelled")
        tx.append(run.chat_id, [RunCancelled(reason=reason)], run_id)
    elif run.cancel_reason is None:
        tx.execute(update(RunRow).where(RunRow.id == run_id).values(cancel_reason=reason))
    return run


def close_run(tx: Tx, run: RunInfo, epoch: int | None, events: Sequence[RunEvent]) -> None:
    """Append the last events of a run, the last of which closes it, and fence the holder of its epoch.

    `epoch` is the one the run was claimed under (Conflict when it is no longer the chat's), or None to close it from
    outside. Raises Conflict when it is closed already.
    """
    closing = events[-1]
    if epoch is None:
        tx.hold(run.chat_id)
    else:  # the run's own end: its epoch shows that nobody has closed it, and taking seqs locks the chat
        tx.appended_to.add(run.chat_id)
    next_seq = tx.take(
        _FENCE_CHAT if epoch is None else _FENCE_CHAT_FENCED, run.chat_id, len(events), fence=epoch
    )
    if next_seq is None:
        raise fenced()
    state = {RunFinished: "finished", RunFailed: "failed", RunCancelled: "cancelled"}[type(closing)]  # pyright: ignore
    # The end of a run and a cancel may arrive together: the statement changes an open run only.
    if _CLOSE_RUN.value(tx.unflushed, {"run": run.id, "new": state, "now": tx.now}) is None:
        raise _closed()
    tx.record(run.chat_id, next_seq[0], [(run.id, event) for event in events])


def check_open(tx: Tx, run_id: str) -> None:
    """Raise NotFound, or Conflict for a closed run."""
    if get_run(tx.unflushed, run_id).state not in OPEN_STATES:
        raise _closed()


def _closed() -> Conflict:
    return Conflict("This run is already closed.", code="run_closed")


def release_chats(tx: Tx, owner: str, chat_ids: Collection[str]) -> set[str]:
    """Let go of chats whose variables `owner` no longer has; those with open runs stay as they are.

    Returns those of the chats that `owner` does not hold any more, also because another server took them.
    """
    # The owner stays in the row: by it `claim_next` finds out whether the chat moved.
    is_open = exists().where(RunRow.chat_id == ChatRow.id, IS_OPEN)
    ours = ChatRow.id.in_(chat_ids) & (ChatRow.owner == owner)
    tx.execute(update(ChatRow).where(ours, ~is_open).values(is_held=False))
    held = tx.execute(select(ChatRow.id).where(ours, ChatRow.is_held.is_(True))).scalars()
    return set(chat_ids).difference(held)
