"""HTTP routes about closing parts of a chat's building; the closures themselves are changed by frames of the page's socket."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel

from smoldesk.buildings.closures import doors_of
from smoldesk.chats import Buildings
from smoldesk.errors import NotFound
from smoldesk.messages import Closure
from smoldesk.wires.rest.models import refusals


class RoomDoors(BaseModel):
    """Doors of a room, in the form in which they are closed."""

    doors: list[Closure]


def add_closure_routes(routes: APIRouter, buildings: Buildings) -> None:
    """Add the routes of this module to the router of /api."""

    @routes.get("/chats/{chat_id}/doors", response_model_exclude_none=True, responses=refusals(404))
    async def doors(
        chat_id: str,
        floor_id: Annotated[str, Query(alias="floorId", max_length=200)],
        room: Annotated[str, Query(max_length=200)],
    ) -> RoomDoors:
        """Return the doors of a room, also those that are assumed where rooms touch, because the plan has none."""
        building = (await buildings.view(chat_id)).building

        def find_doors() -> list[Closure]:
            if (floor_id, room) not in building.route_graph.spots:
                raise NotFound(
                    f"Floor {floor_id[:40]!r} has no room {room[:40]!r}.", "See the chat's building."
                )
            return doors_of(building, (floor_id, room))

        return RoomDoors(doors=await asyncio.to_thread(find_doors))
