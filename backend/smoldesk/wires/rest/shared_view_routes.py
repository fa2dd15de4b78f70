"""HTTP routes of a chat's shared views: create, list, revoke."""

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import ConfigDict, Field

from smoldesk.desk import Desk
from smoldesk.export.pins import MAX_SEQ, Pin
from smoldesk.export.shared_views import MAX_SECONDS, MIN_SECONDS, SharedView
from smoldesk.messages import Shape
from smoldesk.wires.rest.models import refusals
from smoldesk.wires.security import VIEW_PAGE

SharedKind = Literal["table", "chart", "image", "map"]


class NewSharedView(Shape):
    """Body of POST /api/chats/{id}/shared-views: what the event at `seq` shows, or the map as it is from now on.

    `floorId` is a floor of the map; without one, the map shows the floor that was drawn on last.
    """

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    kind: SharedKind
    seq: Annotated[int, Field(ge=1, le=MAX_SEQ, strict=True)] = 1
    caption: Annotated[str, Field(max_length=1000)] = ""
    floor_id: Annotated[str | None, Field(max_length=200)] = None
    seconds: Annotated[int, Field(ge=MIN_SECONDS, le=MAX_SECONDS, strict=True)] = 24 * 3600


class SharedViewInfo(Shape):
    """Shared view; times are in seconds since the epoch."""

    id: str
    kind: SharedKind
    caption: str
    created_at: float
    expires_at: float


class SharedViewCreated(SharedViewInfo):
    """New shared view. `path` has its key, which cannot be asked for again."""

    path: str


class SharedViewList(Shape):
    """Shared views of a chat that have not expired, newest first."""

    views: list[SharedViewInfo]


def add_shared_view_routes(routes: APIRouter, desk: Desk) -> None:
    """Add the routes of this module to the router of /api."""
    views = desk.shared_views

    @routes.post("/chats/{chat_id}/shared-views", status_code=201, responses=refusals(404, 409))
    async def create(chat_id: str, body: NewSharedView) -> SharedViewCreated:
        pin = Pin(kind=body.kind, seq=body.seq, caption=body.caption, floor_id=body.floor_id)
        view, key = await asyncio.to_thread(views.create, chat_id, pin, body.seconds)
        return SharedViewCreated(**_info(view).model_dump(by_alias=False), path=f"{VIEW_PAGE}#{key}")

    @routes.get("/chats/{chat_id}/shared-views", responses=refusals(404))
    async def index(chat_id: str) -> SharedViewList:
        return SharedViewList(views=[_info(view) for view in await asyncio.to_thread(views.of_chat, chat_id)])

    @routes.delete("/chats/{chat_id}/shared-views/{view_id}", status_code=204, responses=refusals(404))
    async def revoke(chat_id: str, view_id: str) -> None:
        """Revoke a view. An open page of it is empty within ten seconds."""
        await asyncio.to_thread(views.revoke, chat_id, view_id)


def _info(view: SharedView) -> SharedViewInfo:
    kind = view.pin.kind
    assert kind not in ("answer", "text")
    return SharedViewInfo(
        id=view.id,
        kind=kind,
        caption=view.pin.caption,
        created_at=view.created_at,
        expires_at=view.expires_at,
    )
