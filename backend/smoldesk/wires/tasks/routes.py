"""The routes of this wire."""

import asyncio
from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute

from smoldesk.desk import Desk
from smoldesk.runs import RunRecord
from smoldesk.wires.base import Wire
from smoldesk.wires.bodies import read_bounded
from smoldesk.wires.event_stream import event_stream
from smoldesk.wires.task_projection import State
from smoldesk.wires.tasks.errors import TaskRoute
from smoldesk.wires.tasks.input import TaskInput, TaskSender
from smoldesk.wires.tasks.models import START, NewTask, Object, TaskPosition
from smoldesk.wires.tasks.queries import TaskQueries
from smoldesk.wires.tasks.requests import read_input, read_json, read_task
from smoldesk.wires.tasks.subscribe import TaskStream

# Maximum bytes of a message with its files.
BODY_LIMIT = 16 * 1024 * 1024
# Maximum bytes of an answer.
INPUT_LIMIT = 2 * 1024 * 1024
MAX_TASKS = 200
CANCELED = "Canceled by the client"


class TasksWire(Wire):
    """Runs as tasks over plain HTTP: `/tasks`."""

    name = "tasks"

    def routes(self) -> Sequence[BaseRoute]:
        return router(self.desk).routes


def router(desk: Desk) -> APIRouter:
    """Return the routes of this wire."""
    # a protocol of its own, told in spec/reference/tasks.md
    routes = APIRouter(prefix="/tasks", route_class=TaskRoute, include_in_schema=False)
    reading = TaskQueries(desk.runs.records)
    giving = TaskInput(desk.runs, desk.chats, reading)
    following = TaskStream(desk.runs)
    sending = TaskSender(desk.runs, desk.agents, desk.chats, desk.uploads, desk.settings.message_limit)

    async def begin(request: Request) -> str:
        body = await read_body(request, BODY_LIMIT)
        named = request.query_params.get("agent") or None
        task: NewTask = await asyncio.to_thread(read_task, body, desk.settings.file_limit, named)
        return await sending.begin(task)

    async def stream(record: RunRecord, after: TaskPosition) -> Response:
        first = await reading.first(record)
        return event_stream(following.pieces(record, first, after), desk.settings.keep_alive_seconds)

    @routes.post("/send")
    async def send(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        return _json(await reading.answer(await begin(request)))

    @routes.post("/sendSubscribe")
    async def send_subscribe(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        return await stream(await reading.record(await begin(request)), START)

    @routes.get("")
    async def tasks(  # pyright: ignore[reportUnusedFunction]
        limit: Annotated[int, Query(ge=1, le=MAX_TASKS)] = 50,
        before: str | None = None,
        state: State | None = None,
        context: Annotated[str | None, Query(alias="contextId")] = None,
        artifacts: bool = False,
    ) -> Response:
        return _json(await reading.page(limit, before, state, context, artifacts))

    @routes.get("/{task_id}")
    async def task(task_id: str) -> Response:  # pyright: ignore[reportUnusedFunction]
        return _json(await reading.task(task_id))

    @routes.get("/{task_id}/subscribe")
    async def subscribe(task_id: str, request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        record = await reading.record(task_id)
        last_id, named = request.headers.get("last-event-id"), request.query_params.get("after")
        after = TaskPosition.read(last_id or named or str(START))
        if last_id and await reading.is_delivered(record, after):
            return Response(status_code=204)  # what tells a browser not to come again
        return await stream(record, after)

    @routes.post("/{task_id}/input")
    async def give_input(task_id: str, request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        await giving.give(task_id, read_input(await read_body(request, INPUT_LIMIT)))
        return JSONResponse({"status": "input_provided", "task_id": task_id})

    @routes.post("/{task_id}/cancel")
    async def cancel(task_id: str) -> Response:  # pyright: ignore[reportUnusedFunction]
        await giving.cancel(task_id, CANCELED)
        return _json(await reading.answer(task_id))

    return routes


async def read_body(request: Request, limit: int) -> Object:
    """Read a JSON object of at most `limit` bytes on a thread, since its parsing takes time. Raises BadInput."""
    return await asyncio.to_thread(read_json, await read_bounded(request, limit))


def _json(body: bytes) -> Response:
    return Response(body, media_type="application/json")
