"""Import of a log as a new chat of this desk, which can be continued. A child reads the log's buildings."""

import asyncio
import filecmp
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from smoldesk import messages as m
from smoldesk.buildings.importers.plans import Plans
from smoldesk.chats import BuildingImage, Buildings
from smoldesk.errors import Conflict, DeskError, NotFound
from smoldesk.export.log_format import LogBuilding
from smoldesk.export.log_reading import MAKE_ROOM, ImportResult, LogReader
from smoldesk.stopping import StopFlag, shielded
from smoldesk.store.files import new_file_id
from smoldesk.store.partial_files import full_disk_errors
from smoldesk.store.store import Store


class Imports:
    """Reads logs into a desk. `quota` is the most bytes of a chat's folder."""

    def __init__(self, store: Store, buildings: Buildings, plans: Plans, quota: int) -> None:
        self._store = store
        self._buildings = buildings
        self._plans = plans
        self._quota = quota

    async def read(self, path: Path, partial: bool = False, records_origin: bool = True) -> ImportResult:
        """Read a log from a file into a new chat; with `records_origin` the chat notes its origin.

        With `partial`, a cut log is read as far as it goes. Raises BadInput as `read_log` does, and
        DeskError("disk_full"); both leave nothing behind.
        """
        loop = asyncio.get_running_loop()
        created_ids: list[str] = []

        # The reader runs on a thread of its own; buildings are handled on the event loop.
        def building(log_building: LogBuilding, images: Path) -> str | None:
            return asyncio.run_coroutine_threadsafe(
                self._building(log_building, images, created_ids), loop
            ).result()

        reading = LogReader(self._store, self._quota, building)
        return await shielded(self._import(reading, path, partial, records_origin, created_ids))

    async def _import(
        self, reading: LogReader, path: Path, partial: bool, records_origin: bool, created_ids: list[str]
    ) -> ImportResult:
        try:
            with full_disk_errors(MAKE_ROOM):
                return await asyncio.to_thread(reading.import_all, path, partial, records_origin)
        except BaseException:
            for building_id in created_ids:
                with suppress(NotFound, Conflict):  # another chat may show it by now
                    await self._buildings.delete(building_id)
            raise

    async def _building(self, log_building: LogBuilding, images: Path, created_ids: list[str]) -> str | None:
        """Return the id of an equal building of the desk, or of a new one, added to `created_ids`; None if it is
        invalid.
        """
        named = {name: images / f"image-{at}" for at, name in enumerate(log_building.images)}
        if (existing_id := await self._same(log_building.definition, named)) is not None:
            return existing_id
        definition = images / "building.json"
        stop = StopFlag()
        images_by_name: dict[str, BuildingImage] = {}
        try:
            await asyncio.to_thread(definition.write_text, json.dumps(log_building.definition), "utf-8")
            plan = await self._plans.read(definition, {n: p for n, p in named.items() if p.is_file()}, stop)
            if plan.definition is None:
                return None
            if (existing_id := await self._same(m.as_json(plan.definition), named)) is not None:
                return existing_id
            for image in plan.images:
                source, file_id = named[image.name], new_file_id()
                images_by_name[image.name] = BuildingImage(file_id, image.media_type, source.stat().st_size)
                await asyncio.to_thread(self._store.files.adopt, source, file_id)
            info = await self._buildings.add(
                log_building.name[:200], plan.definition, images_by_name, plan.report
            )
            created_ids.append(info.id)
            return info.id
        except DeskError:
            for image in images_by_name.values():
                self._store.files.discard(image.file_id)
            return None
        finally:
            stop.close()

    async def _same(self, definition: dict[str, Any], images: Mapping[str, Path]) -> str | None:
        """Return the id of a building with this definition and these images; None if there is none."""
        for info in await self._buildings.imported():
            with suppress(NotFound, KeyError, OSError):  # it may be deleted meanwhile
                if _plain((await self._buildings.by_id(info.id)).definition) != _plain(definition):
                    continue
                stored_images = await self._buildings.images(info.id)
                pairs = [
                    (await asyncio.to_thread(self._store.files.fetch, image.file_id), images[name])
                    for name, image in stored_images.items()
                ]
                if all([await asyncio.to_thread(filecmp.cmp, *pair, False) for pair in pairs]):
                    return info.id
        return None


def _plain(definition: dict[str, Any]) -> dict[str, Any]:
    # Desks give their own ids and names to the same building.
    return {key: value for key, value in definition.items() if key not in ("buildingId", "buildingName")}
