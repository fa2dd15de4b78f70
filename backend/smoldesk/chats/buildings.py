"""Buildings: the one a chat shows, read once and kept while it is among those used last; imported, listed and deleted."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any

from pydantic_core import from_json
from sqlalchemy import Connection

from smoldesk.buildings.building import Building, definition_of
from smoldesk.buildings.renaming import BuildingChange, renamed
from smoldesk.errors import NotFound
from smoldesk.logs import DESK, acting
from smoldesk.messages import MapDefinitionContent, as_json
from smoldesk.messages.building import Finding
from smoldesk.store import buildings
from smoldesk.store.buildings import BuildingImage, BuildingInfo
from smoldesk.store.store import Store

# Imported buildings cached in memory, and the rooms of all of them: 10,000 polygons take some 70 MB.
REMEMBERED = 16
REMEMBERED_ROOMS = 150_000
# Seconds in which a deleted building can be restored.
UNDO_SECONDS = 600.0


@dataclass(frozen=True)
class BuildingView:
    """A building, and its definition as JSON text, made once."""

    building: Building
    text: str

    @cached_property
    def definition(self) -> dict[str, Any]:
        """The definition as plain JSON data."""
        return as_json(self.building.definition)


class Buildings:
    """The bundled building and the imported ones. All methods may be called from any thread."""

    def __init__(self, store: Store, bundled: Building) -> None:
        self._store = store
        self._bundled = _view_of(bundled)
        self._lock = Lock()
        self._cache: OrderedDict[str, tuple[float, BuildingView]] = OrderedDict()
        self._expiring: set[asyncio.Task[None]] = set()

    @property
    def bundled(self) -> Building:
        return self._bundled.building

    def of_chat(self, chat_id: str | None) -> Building:
        """Return the building that a chat shows now. Blocks on the database. Raises NotFound."""
        if chat_id is None:
            return self.bundled
        return self._store.read(
            lambda connection: self._visible_building(connection, chat_id, None), snapshot=False
        ).building

    def at(self, chat_id: str, seq: int) -> Building:
        """Return the building that a chat showed at `seq`, or the bundled one if it was deleted. Blocks on the database."""
        try:
            return self._store.read(
                lambda connection: self._visible_building(connection, chat_id, seq)
            ).building
        except NotFound:
            return self.bundled

    def read(self, building_id: str | None) -> Building:
        """Return an imported building, or the bundled one for None. Blocks on the database. Raises NotFound."""
        return self._store.read(lambda connection: self._with_id(connection, building_id)).building

    async def view(self, chat_id: str, at: int | None = None) -> BuildingView:
        """Return the view of a chat's building at a place in its log, or now. Raises NotFound."""
        return await self._store.aread(lambda connection: self._visible_building(connection, chat_id, at))

    async def by_id(self, building_id: str | None) -> BuildingView:
        """Return an imported building, or the bundled one for None. Raises NotFound."""
        return await self._store.aread(lambda connection: self._with_id(connection, building_id))

    async def add(
        self,
        name: str,
        definition: MapDefinitionContent,
        images: Mapping[str, BuildingImage],
        report: Sequence[Finding],
    ) -> BuildingInfo:
        """Keep a checked building. Raises Conflict when there are too many."""
        return await self._store.do(
            lambda tx: buildings.new_building(tx, name, definition, images, [*report])
        )

    async def imported(self) -> Sequence[BuildingInfo]:
        """Return all imported ones."""
        return await self._store.aread(buildings.list_buildings)

    async def info(self, building_id: str) -> tuple[BuildingInfo, list[Finding]]:
        """Return the facts of an imported building and the findings of its import. Raises NotFound."""
        info = await self._store.aread(lambda connection: buildings.get_building(connection, building_id))
        return info, await self._store.aread(lambda connection: buildings.report_of(connection, building_id))

    async def images(self, building_id: str) -> Mapping[str, BuildingImage]:
        """Return the floor images of an imported one by name. Raises NotFound."""
        return await self._store.aread(lambda connection: buildings.images_of(connection, building_id))

    async def change(self, building_id: str, change: BuildingChange) -> BuildingInfo:
        """Change the names of an imported building. Raises NotFound, BadInput."""
        return await self._store.do(
            lambda tx: buildings.change_building(
                tx, building_id, lambda definition: renamed(definition, change)
            )
        )

    async def check_room(self) -> None:
        """Raise Conflict if there are too many buildings to keep another one."""
        await self._store.aread(buildings.check_room)

    async def delete(self, building_id: str) -> None:
        """Delete an imported building and its images. Raises NotFound, or Conflict while a chat shows it."""
        await self._store.do(lambda tx: buildings.hide_building(tx, building_id))
        await self._erase(building_id)

    async def hide(self, building_id: str) -> None:
        """Delete an imported building so that `restore` can bring it back, for UNDO_SECONDS. Raises as `delete` does."""
        await self._store.do(lambda tx: buildings.hide_building(tx, building_id))
        task = asyncio.create_task(self._erase_later())
        self._expiring.add(task)  # which the loop alone would not keep
        task.add_done_callback(self._expiring.discard)

    async def restore(self, building_id: str) -> BuildingInfo:
        """Restore a building that was hidden; raises NotFound when it is gone for good."""
        return await self._store.do(lambda tx: buildings.restore_building(tx, building_id))

    async def erase_expired(self) -> None:
        """Remove the buildings that were hidden too long ago: at the start of a server, and as their time comes."""
        then = time.time() - UNDO_SECONDS
        for building_id in await self._store.aread(
            lambda connection: buildings.hidden_before(connection, then)
        ):
            await self._erase(building_id)

    async def _erase_later(self) -> None:
        await asyncio.sleep(UNDO_SECONDS + 1)
        with acting(DESK):  # it may erase what others deleted, too
            await self.erase_expired()

    async def _erase(self, building_id: str) -> None:
        gone = await self._store.do(lambda tx: buildings.erase_building(tx, building_id))
        with self._lock:
            self._cache.pop(building_id, None)
        for file_id in gone:
            await asyncio.to_thread(self._store.files.discard, file_id)

    def _visible_building(self, connection: Connection, chat_id: str, at: int | None) -> BuildingView:
        if at is None:
            return self._with_id(connection, buildings.building_of_chat(connection, chat_id))
        return self._with_id(connection, buildings.building_at(connection, chat_id, at))

    def _with_id(self, connection: Connection, building_id: str | None) -> BuildingView:
        if building_id is None:
            return self._bundled
        # Another server of the same database may have changed its names.
        changed_at = buildings.changed_at(connection, building_id)
        with self._lock:
            cached = self._cache.get(building_id)
            if cached is not None and cached[0] == changed_at:
                self._cache.move_to_end(building_id)
                return cached[1]
        text = buildings.definition_text(connection, building_id)
        building_view = _view_of(Building(definition_of(from_json(text))))
        with self._lock:
            self._cache[building_id] = (changed_at, building_view)
            self._cache.move_to_end(building_id)
            while len(self._cache) > 1 and self._is_full():
                self._cache.popitem(last=False)
        return building_view

    def _is_full(self) -> bool:
        cached = (view.building.floors for _, view in self._cache.values())
        rooms = sum(len(floor.rectangles) for floors in cached for floor in floors)
        return len(self._cache) > REMEMBERED or rooms > REMEMBERED_ROOMS


def _view_of(building: Building) -> BuildingView:
    return BuildingView(building, building.definition.model_dump_json(exclude_none=True))
