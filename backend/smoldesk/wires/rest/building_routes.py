"""HTTP routes of buildings: list, show, rename, delete, and their images; building_imports.py has the import."""

import asyncio
import json
from typing import Any

from fastapi import APIRouter, Response
from fastapi.responses import FileResponse

from smoldesk.buildings.importers.plans import Plans
from smoldesk.buildings.outline import outline_of
from smoldesk.buildings.renaming import BuildingChange, NewNames
from smoldesk.chats import Buildings, Files
from smoldesk.errors import NotFound
from smoldesk.messages import as_json
from smoldesk.wires.rest.building_imports import add_import_route
from smoldesk.wires.rest.building_models import (
    BuildingChanges,
    BuildingDetail,
    BuildingList,
    BuildingOutline,
    BuildingSummary,
    BundledBuilding,
)
from smoldesk.wires.rest.encoder import building_summary, report_info
from smoldesk.wires.rest.models import refusals
from smoldesk.wires.security import served_file_headers

IMAGE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The image: PNG, JPEG or WebP",
        "content": {"image/*": {"schema": {"type": "string", "format": "binary"}}},
    },
    206: {"description": "The requested range"},
    416: {"description": "The range is outside of the file"},
}


def add_building_routes(
    routes: APIRouter, unbounded: APIRouter, files: Files, buildings: Buildings, plans: Plans
) -> None:
    """Add the routes of this module to the routers of /api; those of `unbounded` limit their bodies themselves."""

    add_import_route(unbounded, files, buildings, plans)

    @routes.get("/buildings")
    async def index() -> BuildingList:
        floors = buildings.bundled.floors
        return BuildingList(
            bundled=BundledBuilding(floors=len(floors), rooms=sum(len(floor.rectangles) for floor in floors)),
            buildings=[building_summary(info) for info in await buildings.imported()],
        )

    @routes.get("/buildings/{building_id}", response_model=BuildingDetail, responses=refusals(404))
    async def show(building_id: str) -> Response:
        info, report = await buildings.info(building_id)
        building = await buildings.by_id(info.id)
        facts = as_json(building_summary(info)) | {
            "report": [as_json(finding) for finding in report_info(report)],
        }
        # A definition can have megabytes, so its text is not made again.
        text = f'{json.dumps(facts, ensure_ascii=False)[:-1]}, "definition": {building.text}}}'
        return Response(text.encode(), media_type="application/json")

    @routes.patch("/buildings/{building_id}", responses=refusals(400, 404))
    async def change(building_id: str, body: BuildingChanges) -> BuildingSummary:
        """Change names that are shown and understood, all or none. Canonical names and ids of floors and rooms stay."""
        names = [NewNames(item.floor_id, item.room, item.names, item.aliases) for item in body.names]
        return building_summary(
            await buildings.change(building_id, BuildingChange(body.name, body.ground_floor, names))
        )

    @routes.get("/buildings/{building_id}/outline", responses=refusals(404))
    async def outline(building_id: str, response: Response) -> BuildingOutline:
        """Return a small picture of a building; `bundled` is the one that comes with the desk."""
        building = (await buildings.by_id(None if building_id == "bundled" else building_id)).building
        response.headers["Cache-Control"] = "private, max-age=86400"  # outlines never change
        picture = await asyncio.to_thread(outline_of, building.definition)
        return BuildingOutline(width=picture.width, height=picture.height, path=picture.path)

    @routes.delete("/buildings/{building_id}", status_code=204, responses=refusals(404, 409))
    async def remove(building_id: str, undo: bool = False) -> Response:
        """Delete a building. With `undo`, it can be restored for ten minutes."""
        await (buildings.hide(building_id) if undo else buildings.delete(building_id))
        return Response(status_code=204)

    @routes.post("/buildings/{building_id}/restore", responses=refusals(404))
    async def restore(building_id: str) -> BuildingSummary:
        return building_summary(await buildings.restore(building_id))

    @routes.get(
        "/buildings/{building_id}/files/{name}",
        response_class=FileResponse,
        responses=refusals(404) | IMAGE,
    )
    async def image(building_id: str, name: str) -> FileResponse:
        building_image = (await buildings.images(building_id)).get(name)
        if building_image is None:
            raise NotFound(f"This building has no image {name[:80]!r}.", "See its `floorImage` names.")
        headers = served_file_headers(name, building_image.media_type)
        # Images never change: an import makes a new building with a new id.
        headers["Cache-Control"] = "private, max-age=86400"
        path = await files.existing_path(building_image.file_id)
        return FileResponse(path, media_type=building_image.media_type, headers=headers)
