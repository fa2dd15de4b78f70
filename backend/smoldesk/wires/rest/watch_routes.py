"""HTTP routes of watches: create, list, change, delete, history, and the unread reports."""

from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import ConfigDict, Field

from smoldesk.desk import Desk
from smoldesk.messages import Shape, WatchNotice
from smoldesk.watches import Condition, Report, Target, WatchBody, WatchChange, WatchRecord
from smoldesk.watches.watch import Line
from smoldesk.wires.rest.models import refusals
from smoldesk.wires.watch_notices import notice_of


class NewWatch(Shape):
    """Body of POST /api/chats/{id}/watches. `runId` is the run of the answer; a room of a live layer has none."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    run_id: Annotated[str | None, Field(max_length=100)] = None
    title: Line = ""
    target: Target = Target()
    condition: Condition = Condition()
    on_change: bool = True
    cron: Line | None = None
    zone: Line = "UTC"
    mail: list[Line] = Field(default=[], max_length=10)
    webhook: Annotated[str | None, Field(max_length=2_000)] = None
    language: Literal["en", "ja"] = "en"


class ChangedWatch(Shape):
    """Body of PATCH /api/watches/{id}; what is left out stays."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False, "minProperties": 1})

    title: Line | None = None
    condition: Condition | None = None
    on_change: bool | None = None
    cron: Line | None = None
    zone: Line | None = None
    mail: Annotated[list[Line] | None, Field(max_length=10)] = None
    paused: bool | None = None


class WatchInfo(Shape):
    """Watch; `value` is that of its last check, `problem` why it could not be computed. Times in seconds since the epoch."""

    id: str
    chat_id: str
    run_id: str | None
    title: str
    target: Target
    condition: Condition
    on_change: bool
    cron: str | None
    zone: str
    mail: list[str]
    webhook: str | None
    state: Literal["active", "paused"]
    value: str | None
    code: str
    problem: str
    next_at: float | None
    created_at: float


class WatchCreated(WatchInfo):
    """New watch; `secret` verifies its webhook, and cannot be asked for again."""

    secret: str | None


class WatchList(Shape):
    """Watches, newest first; whether mail and webhooks can be chosen."""

    watches: list[WatchInfo]
    has_mail: bool
    has_webhooks: bool


class WatchDelivery(Shape):
    """Delivery of a report; `problem` is that of its last attempt."""

    turn: int
    kind: Literal["mail", "webhook"]
    address: str
    state: Literal["pending", "sent", "failed"]
    attempts: int
    problem: str


class WatchHistory(Shape):
    """What a watch reported, newest first, and its deliveries."""

    reports: list[WatchNotice]
    deliveries: list[WatchDelivery]


class Watchable(Shape):
    """Whether an answer can be watched; `code` and `message` say why not."""

    is_watchable: bool
    code: str = ""
    message: str = ""


def add_watch_routes(routes: APIRouter, desk: Desk) -> None:
    """Add the routes of this module to the router of /api."""
    watches = desk.watches

    def listed(records: list[WatchRecord]) -> WatchList:
        rules = watches.rules
        return WatchList(
            watches=[_info(record) for record in records],
            has_mail=rules.has_mail,
            has_webhooks=bool(rules.hosts),
        )

    @routes.get("/watches")
    async def of_desk() -> WatchList:
        return listed(await watches.of_chat(None))

    @routes.get("/chats/{chat_id}/watches", responses=refusals(404))
    async def of_chat(chat_id: str) -> WatchList:
        await desk.chats.get(chat_id)
        return listed(await watches.of_chat(chat_id))

    @routes.post("/chats/{chat_id}/watches", status_code=201, responses=refusals(400, 403, 404, 409))
    async def create(chat_id: str, body: NewWatch) -> WatchCreated:
        await desk.chats.get(chat_id)
        record, secret = await watches.create(chat_id, WatchBody(**dict(body)))
        return WatchCreated(**dict(_info(record)), secret=secret)

    @routes.get("/chats/{chat_id}/runs/{run_id}/watchable", responses=refusals(404, 409))
    async def watchable(chat_id: str, run_id: str) -> Watchable:
        """Return whether the answer of a run can be watched. Watching plays it again once, which may find more."""
        fault = await watches.problem(chat_id, run_id)
        if fault is None:
            return Watchable(is_watchable=True)
        return Watchable(is_watchable=False, code=fault.code, message=fault.message)

    @routes.patch("/watches/{watch_id}", responses=refusals(400, 403, 404))
    async def change(watch_id: str, body: ChangedWatch) -> WatchInfo:
        return _info(await watches.change(watch_id, WatchChange(**dict(body))))

    @routes.delete("/watches/{watch_id}", status_code=204, responses=refusals(404))
    async def delete(watch_id: str) -> None:
        await watches.remove(watch_id)

    @routes.get("/watches/{watch_id}/history", responses=refusals(404))
    async def history(watch_id: str) -> WatchHistory:
        record = await watches.get(watch_id)
        turns, deliveries = await watches.history(watch_id)
        chat_id, title = record.stored.chat_id, record.body.title
        return WatchHistory(
            reports=[
                notice_of(turn, chat_id, title, Report.model_validate_json(turn.body)) for turn in turns
            ],
            deliveries=[
                WatchDelivery.model_validate(
                    {name: getattr(delivery, name) for name in WatchDelivery.model_fields}
                )
                for delivery in deliveries
            ],
        )

    @routes.post("/notices/seen", status_code=204)
    async def see() -> None:
        """Mark all reports as read."""
        await watches.notices.see()

    @routes.post("/watches/{watch_id}/seen", status_code=204, responses=refusals(404))
    async def see_one(watch_id: str) -> None:
        """Mark the reports of a watch as read."""
        await watches.get(watch_id)
        await watches.notices.see(watch_id)


def _info(record: WatchRecord) -> WatchInfo:
    stored, body, last = record.stored, record.body, record.last
    shared = {"title", "run_id", "target", "condition", "on_change", "cron", "zone", "mail", "webhook"}
    return WatchInfo.model_validate(
        {name: getattr(body, name) for name in shared}
        | {name: getattr(stored, name) for name in ("id", "chat_id", "state", "next_at", "created_at")}
        | {"value": last.value.text if last.value else None, "code": last.code, "problem": last.problem}
    )
