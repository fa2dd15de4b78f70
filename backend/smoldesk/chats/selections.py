"""The rooms that are selected on a chat's map."""

from collections.abc import Sequence

from smoldesk.chats.buildings import Buildings
from smoldesk.errors import BadInput
from smoldesk.messages import RoomRef
from smoldesk.store.selections import MOST_SELECTED, select_rooms, selection_of
from smoldesk.store.store import Store

__all__ = ["MOST_SELECTED", "Selections"]

NAMED = 40
"""Rooms that an error names."""


class Selections:
    """Selected rooms of all chats of a desk."""

    def __init__(self, store: Store, buildings: Buildings) -> None:
        self._store = store
        self._buildings = buildings

    async def of(self, chat_id: str) -> list[RoomRef]:
        """What is selected now; empty for a chat that is not there."""
        return await self._store.aread(lambda connection: selection_of(connection, chat_id))

    async def set(self, chat_id: str, rooms: Sequence[RoomRef]) -> None:
        """Have these rooms selected and no others. Raises NotFound, or BadInput for a room the chat's building lacks."""
        building = (await self._buildings.shown(chat_id)).building
        for room in rooms:
            if room.floor_id not in building.floor_ids():
                expected = f"Floors: {', '.join(building.floor_ids())}."
                raise BadInput(f"There is no floor {room.floor_id[:40]!r}.", expected, code="unknown_room")
            if room.floor_id not in building.floors_with(room.name):
                names = [one.name for one in building.floor(room.floor_id).rectangles]
                more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
                raise BadInput(
                    f"Floor {room.floor_id} has no room {room.name[:40]!r}.",
                    f"Rooms: {', '.join(names[:NAMED])}{more}.",
                    code="unknown_room",
                )
        await self._store.do(lambda tx: select_rooms(tx, chat_id, rooms))
