"""HTTP routes of live layers: values are added, layers listed and deleted."""

import asyncio
import time
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from smoldesk.buildings.layers.entries import NAME, NAME_FORM
from smoldesk.buildings.layers.rows import (
    EXPECTED,
    LONGEST_ROOM,
    MAX_ROWS,
    RoomValue,
    readings_of_csv,
    readings_of_rows,
)
from smoldesk.chats import Chats, LiveLayers
from smoldesk.errors import BadInput
from smoldesk.messages import LayersContent, Shape
from smoldesk.wires.bodies import parse_json, read_bounded
from smoldesk.wires.rest.models import refusals

# Bytes of one request: about MAX_ROWS rows of JSON.
LARGEST = 2_000_000
CSV_TYPE = "text/csv"
Name = Annotated[str, Path(max_length=200, json_schema_extra={"pattern": f"^{NAME.pattern}$"})]


class AddedValues(Shape):
    """Stored values: `unknown` are some of the names without a room, `unknown_values` counts all rows with such names.

    `too_old` counts rows from before the history.
    """

    accepted: int
    rooms: int
    unknown: list[str]
    unknown_values: int
    too_old: int


_ROOM: dict[str, Any] = {"type": ["string", "integer"], "minLength": 1, "maxLength": LONGEST_ROOM}
_VALUE: dict[str, Any] = {"type": ["number", "string"]}
_TIME: dict[str, Any] = {"type": ["string", "number", "null"], "format": "date-time"}
_ROW: dict[str, Any] = {
    "anyOf": [
        {
            "type": "object",
            "required": ["room", "value"],
            "properties": {"room": _ROOM, "value": _VALUE, "time": _TIME},
        },
        {
            "type": "array",
            "description": "room, time, value",
            "minItems": 3,
            "maxItems": 3,
            "prefixItems": [_ROOM, _TIME, _VALUE],
        },
    ]
}
_ROWS: dict[str, Any] = {"type": "array", "minItems": 1, "maxItems": MAX_ROWS, "items": _ROW}
BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "anyOf": [_ROWS, {"type": "object", "required": ["rows"], "properties": {"rows": _ROWS}}]
                }
            },
            CSV_TYPE: {"schema": {"type": "string"}},
        },
    }
}


def add_layer_routes(routes: APIRouter, unbounded: APIRouter, chats: Chats, layers: LiveLayers) -> None:
    """Add the routes of this module to the router of /api."""

    @routes.get("/chats/{chat_id}/layers", responses=refusals(404))
    async def index(chat_id: str) -> LayersContent:
        """List the live layers of a chat: those of agents.toml, then its own."""
        await chats.get(chat_id)
        return LayersContent(layers=await asyncio.to_thread(layers.statuses, chat_id))

    @unbounded.post("/chats/{chat_id}/layers/{name}", openapi_extra=BODY, responses=refusals(404, 409))
    async def add(
        chat_id: str,
        name: Name,
        request: Request,
        title: Annotated[str, Query(max_length=120)] = "",
        unit: Annotated[str, Query(max_length=20)] = "",
    ) -> AddedValues:
        """Add values of rooms to a live layer, which is made if there is none: JSON rows, or CSV with room, time, value.

        Pages that show the layer repaint as soon as the values are stored. A row that is malformed refuses all. `title`
        and `unit` are used when the layer is made.
        """
        if not NAME.fullmatch(name):
            raise BadInput(
                f"{name[:40]!r} is not the name of a layer.", f"Expected {NAME_FORM}.", code="bad_name"
            )
        await chats.get(chat_id)
        body = await read_bounded(request, LARGEST)
        is_csv = request.headers.get("content-type", "").startswith(CSV_TYPE)

        def work() -> Any:
            readings = _of_csv(body) if is_csv else readings_of_rows(parse_json(body, EXPECTED), time.time())
            return layers.add(chat_id, name, readings, title, unit)

        added, stored = await asyncio.to_thread(work)
        too_old = await asyncio.wrap_future(stored)
        return AddedValues(
            accepted=added.accepted,
            rooms=added.rooms,
            unknown=added.unknown,
            unknown_values=added.unknown_values,
            too_old=too_old,
        )

    @routes.delete("/chats/{chat_id}/layers/{name}", status_code=204, responses=refusals(404))
    async def remove(chat_id: str, name: Name) -> Response:
        """Delete a layer of the chat with its history."""
        await chats.get(chat_id)
        await asyncio.to_thread(layers.remove, chat_id, name)
        return Response(status_code=204)


def _of_csv(body: bytes) -> list[RoomValue]:
    try:
        return readings_of_csv(body.decode("utf-8-sig"), time.time())
    except UnicodeDecodeError:
        raise BadInput("The CSV is not text in UTF-8.", EXPECTED, code="bad_rows") from None
