"""Branches as rows: a chat that starts with the turns of another one before a certain turn. The other chat is unchanged.

Copied are those turns with all their events, messages between them, and their pins in the report: under new ids for
runs and files, so that one chat gives no access to the other. Asks, payments and grants are not copied.
"""

import json
import re
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, insert, or_, select

from smoldesk.errors import Conflict, NotFound
from smoldesk.events import (
    BranchBegun,
    BranchMade,
    BuildingChosen,
    ChartChanged,
    ModelCalled,
    RoomsSelected,
    unnested,
)
from smoldesk.store.buildings import is_building
from smoldesk.store.chat_choices import policies_of
from smoldesk.store.chat_tags import copy_tags
from smoldesk.store.chats import ChatInfo, get_chat
from smoldesk.store.event_log import parsed
from smoldesk.store.prompt_messages import StoredMessage, deflated, keep_messages, read_messages
from smoldesk.store.reports import in_branch, put_report, read_report
from smoldesk.store.run_options import RunOptions
from smoldesk.store.run_queue import TITLE_LENGTH
from smoldesk.store.run_rows import OPEN_STATES, get_run
from smoldesk.store.tables import ChatRow, EventRow, FileRow, RunRow
from smoldesk.store.transaction import Tx

# Ids of runs and files in JSON texts.
_ID = re.compile(r"\b[rf]_[0-9a-f]{24}\b")
_NUMBERED = re.compile(r" \(\d+\)$")


@dataclass(frozen=True)
class Trunk:
    """Rows that a branch starts with: those of the original chat before the turn of `run_id`, or with this run.

    `turn` is the first run of its turn.
    """

    chat: ChatInfo
    run_id: str
    turn: str
    message: str
    options: RunOptions
    title: str
    building_id: str | None
    selection: str | None
    runs: Sequence[Mapping[str, Any]]
    events: Sequence[Mapping[str, Any]]
    files: Sequence[Mapping[str, Any]]
    prompts: Sequence[StoredMessage]
    report: str | None


def read_trunk(connection: Connection, chat_id: str, run_id: str, after: RunOptions | None = None) -> Trunk:
    """Read the rows of a branch's original; with `after`, the options of a message behind the run, it belongs to them.

    Raises NotFound, or Conflict while the run is open.
    """
    chat = get_chat(connection, chat_id)
    run = get_run(connection, run_id)
    if run.chat_id != chat_id:
        raise NotFound(f"There is no run {run_id[:40]!r} in this chat.")
    if run.state in OPEN_STATES:
        raise Conflict(
            "This turn is still running.",
            "Wait for it to finish or stop it, then edit it again.",
            code="run_open",
        )
    options = RunOptions.read(run.options)
    turn = options.version_of or run_id
    position = select(RunRow.position).where(RunRow.id == turn, RunRow.chat_id == chat_id).scalar_subquery()
    copied = or_(RunRow.position < position, RunRow.id == (run_id if after else ""))
    query = select(RunRow.__table__).where(RunRow.chat_id == chat_id, copied).order_by(RunRow.position)
    runs = [dict(row) for row in connection.execute(query).mappings()]
    end = _end_of(connection, chat_id, run_id) if after else _start_of(connection, chat_id, turn)
    run_ids = {row["id"] for row in runs}
    events = _events(connection, chat_id, end, run_ids)
    report = _report(connection, chat_id, events)
    of_chat = select(FileRow.__table__).where(FileRow.chat_id == chat_id)
    rows = list(connection.execute(of_chat.order_by(FileRow.created_at, FileRow.id)).mappings())
    if after:
        about = after.about.file_id if after.about else None
        wanted = {row["id"] for row in rows if row["name"] in (after.attachments or ()) or row["id"] == about}
        events += _later_events(connection, chat_id, end, wanted, run_ids | _ids_in(events))
    named = _ids_in(events)
    building_id, selection = _map_of(connection, events)
    return Trunk(
        chat=chat,
        run_id=run_id,
        turn=turn,
        message="" if after else run.message,
        options=after or options,
        title=_title(connection, chat) if runs else "",
        building_id=building_id,
        selection=selection,
        runs=runs,
        events=events,
        files=[dict(row) for row in rows if row["id"] in named],
        prompts=_prompts(connection, chat_id, events),
        report=report,
    )


def _ids_in(events: Sequence[Mapping[str, Any]]) -> set[str]:
    return {name for event in events for name in _ID.findall(event["body"])}


def _report(connection: Connection, chat_id: str, events: Sequence[Mapping[str, Any]]) -> str | None:
    """Return the pins of these events."""
    report = read_report(connection, chat_id)
    return in_branch(report.body, [event["seq"] for event in events]) if report else None


def _prompts(
    connection: Connection, chat_id: str, events: Sequence[Mapping[str, Any]]
) -> list[StoredMessage]:
    """Return the messages that the model calls name, compressed without the steps' memory, which has other ids in the
    branch.
    """
    calls = [
        unnested(parsed(event["body"])) for event in events if event["type"] in ("model_called", "nested")
    ]
    names = [
        name
        for call in calls
        if isinstance(call, ModelCalled)
        for name in (*call.then, call.response)
        if name
    ]
    return [deflated(text, None) for text in read_messages(connection, chat_id, names).values()]


def _start_of(connection: Connection, chat_id: str, run_id: str) -> int:
    """Return the seq of a run's first event after it was queued."""
    first_seq = select(func.min(EventRow.seq)).where(EventRow.chat_id == chat_id, EventRow.run_id == run_id)
    return connection.execute(first_seq.where(EventRow.type != "run_queued")).scalar_one() or 0


def _end_of(connection: Connection, chat_id: str, run_id: str) -> int:
    """Return the seq behind a run's last event."""
    last_seq = select(func.max(EventRow.seq)).where(EventRow.chat_id == chat_id, EventRow.run_id == run_id)
    return connection.execute(last_seq).scalar_one() + 1


def _events(connection: Connection, chat_id: str, end: int, earlier: set[str]) -> list[dict[str, Any]]:
    """Return the events of the earlier runs, and those of no run, before a seq.

    That variables were lost is left out where no code came after it: it is found anew in the branch, and told to its run.
    """
    query = select(EventRow.__table__).where(EventRow.chat_id == chat_id, EventRow.seq < end)
    rows = [dict(row) for row in connection.execute(query.order_by(EventRow.seq)).mappings()]
    rows = [row for row in rows if row["run_id"] is None or row["run_id"] in earlier]
    last = max((row["seq"] for row in rows if row["type"] == "step_finished"), default=0)
    return [row for row in rows if row["type"] != "variables_lost" or row["seq"] < last]


def _later_events(
    connection: Connection, chat_id: str, start: int, wanted: Collection[str], copied: Collection[str]
) -> list[dict[str, Any]]:
    """Return the events of no run, from a seq, that name a wanted file (an upload, a changed chart), and what persons
    chose since of copied runs and charts.
    """
    query = select(EventRow.__table__).where(EventRow.chat_id == chat_id, EventRow.seq >= start)
    rows = connection.execute(query.where(EventRow.run_id.is_(None)).order_by(EventRow.seq)).mappings()

    def is_named(row: dict[str, Any]) -> bool:
        names = {*wanted, *copied} if row["type"] in ("reading_kept", "chart_changed") else {*wanted}
        return not names.isdisjoint(_ids_in([row]))

    return [row for row in map(dict, rows) if is_named(row)]


def _map_of(connection: Connection, events: Sequence[Mapping[str, Any]]) -> tuple[str | None, str | None]:
    """Return the chat's building after these events (None if it was deleted), and the selected rooms as its row has
    them.
    """
    building_id: str | None = None
    selection: str | None = None
    for event in events:
        if event["type"] not in ("building_chosen", "rooms_selected"):
            continue
        match parsed(event["body"]):
            case BuildingChosen(building_id=chosen):
                building_id, selection = chosen, None
            case RoomsSelected(rooms=rooms):
                dumped = [room.model_dump(mode="json") for room in rooms]
                selection = json.dumps(dumped, ensure_ascii=False) if rooms else None
            case _:
                pass
    if building_id is not None and not is_building(connection, building_id):
        return None, None
    return building_id, selection


def _title(connection: Connection, chat: ChatInfo) -> str:
    """Return the title of the chat with a number that tells its branches apart."""
    branch_count = select(func.count()).where(EventRow.chat_id == chat.id, EventRow.type == "branch_made")
    plain = _NUMBERED.sub("", chat.title)[: TITLE_LENGTH - 5]
    return f"{plain} ({connection.execute(branch_count).scalar_one() + 2})" if plain else ""


def write_branch(tx: Tx, trunk: Trunk, chat_id: str, file_ids: Mapping[str, str]) -> None:
    """Write the rows of a branch under a new chat's id; `file_ids` are new ids of the original's files."""
    get_chat(tx.connection, trunk.chat.id)  # it may have been deleted meanwhile
    run_ids = {row["id"]: f"r_{secrets.token_hex(12)}" for row in trunk.runs}
    chat = {"id": chat_id, "title": trunk.title, "created_at": tx.now, "updated_at": tx.now, "epoch": 0}
    chat |= {"last_seq": len(trunk.events), "building_id": trunk.building_id}
    chat |= {"selection": trunk.selection, "agent": trunk.chat.agent, "model": trunk.chat.model}
    tx.execute(insert(ChatRow), chat)
    # A version that the branch continues from is the only one of its turn there, and so its first.
    turn = {trunk.turn: run_ids[trunk.run_id]} if trunk.run_id in run_ids else {}
    renamed = Renamed({**run_ids, **turn, **file_ids})
    here = {"chat_id": chat_id}
    runs = [
        {
            **row,
            **here,
            "id": run_ids[row["id"]],
            "options": row["options"] and renamed.in_text(row["options"]),
            "client_message_id": None,
        }
        for row in trunk.runs
    ]
    files = [{**row, **here, "id": file_ids[row["id"]]} for row in trunk.files]
    seqs = {row["seq"]: seq for seq, row in enumerate(trunk.events, 1)}
    events = [
        {
            **row,
            **here,
            "seq": seqs[row["seq"]],
            "run_id": run_ids.get(row["run_id"]),
            "body": renamed.in_text(_renumbered(row, seqs)),
        }
        for row in trunk.events
    ]
    for table, rows in ((RunRow, runs), (FileRow, files), (EventRow, events)):
        if rows:
            tx.execute(insert(table), rows)
    _audit(tx, chat_id)
    keep_messages(tx, chat_id, trunk.prompts)
    if trunk.report:
        put_report(tx, chat_id, 0, trunk.report)
    copy_tags(tx, trunk.chat.id, chat_id)
    tx.append(chat_id, [BranchBegun(chat_id=trunk.chat.id, title=trunk.chat.title, run_id=trunk.run_id)])


def _audit(tx: Tx, chat_id: str) -> None:
    """Add what the branch takes over to the audit log: "always allow" of tools, which its events give it."""
    for tool, policy in policies_of(tx.connection, chat_id).items():
        if policy == "allow":
            tx.audit("permission.given", name=tool, chat_id=chat_id, outcome="in a branch")


def _renumbered(row: Mapping[str, Any], seqs: Mapping[int, int]) -> str:
    """Return the JSON of an event, with the seq in the branch of the code that a changed chart is in."""
    event = parsed(row["body"]) if row["type"] == "chart_changed" else None
    if not isinstance(event, ChartChanged) or event.code_seq is None:
        return row["body"]
    return event.model_copy(update={"code_seq": seqs.get(event.code_seq)}).model_dump_json()


def note_branch(tx: Tx, chat_id: str, run_id: str, branch_id: str, message_id: str | None) -> None:
    """Tell the chat that was left of its branch, once. Raises NotFound when either is gone."""
    tx.hold(chat_id)
    branch = get_chat(tx.connection, branch_id)
    noted = select(EventRow.seq).where(EventRow.chat_id == chat_id, EventRow.type == "branch_made")
    noted = noted.where(EventRow.body.contains(f'"chat_id":"{branch_id}"', autoescape=True))
    if tx.execute(noted).first() is None:
        event = BranchMade(chat_id=branch_id, title=branch.title, run_id=run_id, client_message_id=message_id)
        tx.append(chat_id, [event])


class Renamed:
    """Ids in JSON texts, each in the place of the one it stands for."""

    def __init__(self, ids: Mapping[str, str]) -> None:
        self._ids = ids

    def in_text(self, text: str) -> str:
        return _ID.sub(lambda match: self._ids.get(match[0], match[0]), text)
