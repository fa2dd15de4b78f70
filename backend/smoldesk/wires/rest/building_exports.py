"""HTTP route that exports a building as a file."""

import asyncio
import re
from pathlib import Path

from fastapi import APIRouter, Response

from smoldesk.assets import DATA
from smoldesk.buildings.exporters.formats import ExportFormat, export_building
from smoldesk.chats import Buildings, Files
from smoldesk.errors import BadInput, NotFound
from smoldesk.messages import MapDefinitionContent
from smoldesk.wires.rest.models import refusals
from smoldesk.wires.security import served_file_headers

# Id of the building that comes with the desk, and its name in exports.
BUNDLED_ID = "bundled"
BUNDLED_NAME = "smoldesk"
# Bytes of all images of an export, which is made in memory.
MAX_IMAGE_BYTES = 200_000_000
FILE = {
    200: {
        "description": "The file: a zip archive for `imdf`, GeoJSON for `geojson`; for `smoldesk` JSON, or a zip "
        "archive if the building has images",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


def add_export_route(routes: APIRouter, files: Files, buildings: Buildings) -> None:
    """Add the route of this module to the router of /api."""

    @routes.get(
        "/buildings/{building_id}/export", response_class=Response, responses=refusals(400, 404) | FILE
    )
    async def export(building_id: str, format: ExportFormat) -> Response:
        """Return a building as a file that another desk, or for IMDF and GeoJSON another program, can import."""
        bundled = building_id == BUNDLED_ID
        name = BUNDLED_NAME if bundled else (await buildings.info(building_id))[0].name
        view = await buildings.by_id(None if bundled else building_id)
        definition = view.building.definition
        paths: dict[str, Path] = {}
        if format == "smoldesk":
            paths = _bundled_paths(definition) if bundled else await _paths(building_id, files, buildings)
        images = await asyncio.to_thread(_read_images, paths)
        exported = await asyncio.to_thread(export_building, format, definition, name, images)
        file_name = " ".join(re.sub(r"[\\/\x00-\x1f]+", " ", name).split())[:80] or "building"
        headers = served_file_headers(f"{file_name}{exported.suffix}", exported.media_type)
        return Response(exported.data, headers=headers)


def _bundled_paths(definition: MapDefinitionContent) -> dict[str, Path]:
    names = {floor.floor_image for floor in definition.floors if floor.floor_image}
    return {name: DATA / "floors" / name for name in sorted(names)}


async def _paths(building_id: str, files: Files, buildings: Buildings) -> dict[str, Path]:
    images = await buildings.images(building_id)
    return {name: await files.existing_path(image.file_id) for name, image in images.items()}


def _read_images(paths: dict[str, Path]) -> dict[str, bytes]:
    try:
        size = sum(path.stat().st_size for path in paths.values())
        if size > MAX_IMAGE_BYTES:
            raise BadInput(
                f"The images of the building have {size:,} bytes.",
                f"At most {MAX_IMAGE_BYTES:,} are exported. Export it as imdf or geojson.",
                code="too_large",
            )
        return {name: path.read_bytes() for name, path in paths.items()}
    except FileNotFoundError as fault:
        raise NotFound(f"The image {Path(fault.filename).name} is not on this server.") from fault
