"""Pages of tasks, the last changed first. A page token is a position in that order, so it stays valid while tasks change."""

import base64
import binascii
import re
import struct
from collections.abc import Iterator

from a2a.types import a2a_pb2 as pb
from a2a.utils.errors import InvalidParamsError
from a2a.utils.task import apply_history_length, validate_history_length, validate_page_size

from smoldesk.chats import Chats
from smoldesk.events import StoredEvent
from smoldesk.runs import Change, RunFilter, RunRecord, Runs
from smoldesk.wires.a2a.models import STATES
from smoldesk.wires.a2a.send_message import WIRE
from smoldesk.wires.a2a.task_view import build_viewed_task
from smoldesk.wires.task_projection import RUN_STATES, STATUS_EVENTS, TASK_EVENTS

PAGE = 50


async def page(runs: Runs, chats: Chats, params: pb.ListTasksRequest, base: str) -> pb.ListTasksResponse:
    """Return one page. Raises InvalidParamsError."""
    validate_history_length(params)
    size = PAGE
    if params.HasField("page_size"):
        validate_page_size(params.page_size)
        size = params.page_size
    place = read_token(params.page_token) if params.page_token else None
    since: float | None = None
    if params.HasField("status_timestamp_after"):
        since = params.status_timestamp_after.ToMilliseconds() / 1000

    answer = pb.ListTasksResponse(page_size=size)
    chat_id = await chats.find(params.context_id, WIRE) if params.context_id else None
    state = _run_state(params.status)
    if (params.context_id and chat_id is None) or state == "":
        return answer
    run_filter = RunFilter(state, chat_id, since)

    def task(record: RunRecord, seq: int, events: Iterator[StoredEvent]) -> pb.Task:
        full_task = build_viewed_task(record, seq, events).task(base, artifacts=params.include_artifacts)
        return apply_history_length(full_task, params)

    types = TASK_EVENTS if params.include_artifacts else STATUS_EVENTS
    tasks, answer.total_size, following = await runs.records.last_changed(
        size, run_filter, place, types, task
    )
    answer.tasks.extend(tasks)
    if following is not None:
        answer.next_page_token = token_of(following)
    return answer


def token_of(place: Change) -> str:
    """Return a position as text; its time bit for bit, since it is compared."""
    at, run_id = place
    return base64.urlsafe_b64encode(struct.pack(">d", at) + run_id.encode()).decode().rstrip("=")


def read_token(token: str) -> Change:
    """Parse a page token. Raises InvalidParamsError for an invalid one."""
    try:
        raw = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        (at,), run_id = struct.unpack(">d", raw[:8]), raw[8:].decode()
    except (binascii.Error, ValueError, struct.error):
        raise _no_token() from None
    if at != at or not re.fullmatch(r"[\w-]{1,80}", run_id):
        raise _no_token()
    return at, run_id


def _no_token() -> InvalidParamsError:
    return InvalidParamsError(message="This is not a page token. Expected the nextPageToken of a page.")


def _run_state(state: pb.TaskState) -> str | None:
    """None for any; empty for one that no run has (REJECTED, AUTH_REQUIRED)."""
    if state == pb.TASK_STATE_UNSPECIFIED:
        return None
    return next((RUN_STATES[ours] for ours, theirs in STATES.items() if theirs == state), "")
