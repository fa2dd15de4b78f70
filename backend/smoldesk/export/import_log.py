"""A log as a chat of this desk: readable as it was, and to be gone on with. Buildings that it brings are read in a child."""

import asyncio
import json
from functools import partial as with_loop
from pathlib import Path
from typing import Any

from smoldesk.buildings.importers.plans import Plans
from smoldesk.chats import Buildings, KeptImage
from smoldesk.errors import DeskError
from smoldesk.export.log_format import LogBuilding
from smoldesk.export.log_reading import Imported, LogReading
from smoldesk.stopping import StopFlag
from smoldesk.store.files import new_file_id
from smoldesk.store.store import Store


class Imports:
    """Reads logs into a desk. `quota` is what a chat's folder may hold, in bytes."""

    def __init__(self, store: Store, buildings: Buildings, plans: Plans, quota: int) -> None:
        self._store = store
        self._buildings = buildings
        self._plans = plans
        self._quota = quota

    async def read(self, path: Path, partial: bool = False, tells: bool = True) -> Imported:
        """The log in a file as a new chat, which `tells` where it comes from; with `partial`, a cut one as far as it goes.

        Raises BadInput as `read_log`, DeskError("disk_full"); then nothing is kept.
        """
        loop = asyncio.get_running_loop()
        reading = LogReading(self._store, self._quota, with_loop(self._building, loop))
        return await asyncio.shield(asyncio.to_thread(reading.whole, path, partial, tells))

    def _building(self, loop: asyncio.AbstractEventLoop, found: LogBuilding, images: Path) -> str | None:
        """The id of a building here: one that is the same, or a new one; None for what makes none."""
        return asyncio.run_coroutine_threadsafe(self._imported(found, images), loop).result()

    async def _imported(self, found: LogBuilding, images: Path) -> str | None:
        for info in await self._buildings.imported():
            known = (await self._buildings.by_id(info.id)).definition
            if _plain(known) == _plain(found.definition):
                return info.id
        definition = images / "building.json"
        stop = StopFlag()
        kept: dict[str, KeptImage] = {}
        try:
            await asyncio.to_thread(definition.write_text, json.dumps(found.definition), "utf-8")
            named = {name: images / f"image-{at}" for at, name in enumerate(found.images)}
            plan = await self._plans.read(definition, {n: p for n, p in named.items() if p.is_file()}, stop)
            if plan.definition is None:
                return None
            for image in plan.images:
                source, file_id = named[image.name], new_file_id()
                kept[image.name] = KeptImage(file_id, image.media_type, source.stat().st_size)
                await asyncio.to_thread(self._store.files.adopt, source, file_id)
            return (await self._buildings.add(found.name[:200], plan.definition, kept, plan.report)).id
        except DeskError:
            for image in kept.values():
                self._store.files.discard(image.file_id)
            return None
        finally:
            stop.close()


def _plain(definition: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in definition.items() if key not in ("buildingId", "buildingName")}
