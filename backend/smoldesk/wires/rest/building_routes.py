"""HTTP routes of buildings: import, list, show, delete, and their images."""

import asyncio
import json
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse, JSONResponse

from smoldesk.buildings.importers.plans import Plan, Plans
from smoldesk.chats import BuildingImage, BuildingInfo, Buildings, Files
from smoldesk.errors import NotFound
from smoldesk.logs import log_refusal
from smoldesk.messages import as_json
from smoldesk.stopping import StopFlag
from smoldesk.wires.rest.building_models import (
    FORM,
    REFUSED,
    BuildingDetail,
    BuildingImported,
    BuildingList,
    BuildingRefused,
)
from smoldesk.wires.rest.encoder import building_summary, report_info
from smoldesk.wires.rest.models import Fault, refusals
from smoldesk.wires.rest.requests import BuildingUpload, fallback_name, receive_building
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

    @unbounded.post(
        "/buildings",
        status_code=201,
        response_model=BuildingImported,
        openapi_extra=FORM,
        responses=refusals(409) | REFUSED,
    )
    async def import_one(request: Request) -> Response | BuildingImported:
        """Import a building from a file and images, which a child process reads. Errors have their place in the file."""
        upload = await receive_building(files, request)
        stored_names: frozenset[str] = frozenset()
        try:
            plan = await _read(plans, upload)
            if plan.definition is None:
                return _refused(plan)
            info = await _keep(buildings, upload, plan)
            stored_names = frozenset(image.name for image in plan.images)
        finally:
            upload.discard(stored_names)
        return BuildingImported(
            building_id=info.id,
            name=info.name,
            floors=info.floors,
            rooms=info.rooms,
            report=report_info(plan.report),
        )

    @routes.get("/buildings")
    async def index() -> BuildingList:
        return BuildingList(buildings=[building_summary(info) for info in await buildings.imported()])

    @routes.get("/buildings/{building_id}", response_model=BuildingDetail, responses=refusals(404))
    async def show(building_id: str) -> Response:
        info, report = await buildings.info(building_id)
        building = await buildings.by_id(info.id)
        facts = as_json(building_summary(info)) | {
            "report": [as_json(finding) for finding in report_info(report)],
            "definition": building.definition,
        }
        # A definition can have megabytes, which would block the event loop.
        text = await asyncio.to_thread(json.dumps, facts, ensure_ascii=False, separators=(",", ":"))
        return Response(text.encode(), media_type="application/json")

    @routes.delete("/buildings/{building_id}", status_code=204, responses=refusals(404, 409))
    async def remove(building_id: str) -> Response:
        await buildings.delete(building_id)
        return Response(status_code=204)

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
        # Buildings never change: an import makes a new one with a new id.
        headers["Cache-Control"] = "private, max-age=86400"
        path = await files.existing_path(building_image.file_id)
        return FileResponse(path, media_type=building_image.media_type, headers=headers)


async def _read(plans: Plans, upload: BuildingUpload) -> Plan:
    stop = StopFlag()
    try:
        images = {name: upload.files.path(file_id) for name, (file_id, _) in upload.images.items()}
        return await plans.read(upload.files.path(upload.file_id), images, stop)
    finally:
        stop.close()


async def _keep(buildings: Buildings, upload: BuildingUpload, plan: Plan) -> BuildingInfo:
    definition, report = plan.definition, plan.report
    assert definition is not None
    name = upload.name or plan.name.strip() or fallback_name(upload.file_name)
    images = {
        image.name: BuildingImage(
            upload.images[image.name][0], image.media_type, upload.images[image.name][1]
        )
        for image in plan.images
    }
    return await buildings.add(name, definition, images, report)


def _refused(plan: Plan) -> JSONResponse:
    """Return the first error in the usual form, with the complete report."""
    errors = [finding for finding in plan.report if finding.severity == "error"]
    log_refusal("bad_building", status=422)
    refusal = BuildingRefused(
        error=Fault(
            code="bad_building",
            # A finding about the whole file has an empty `where`.
            message=f"The file does not describe a building: {errors[0].where}: {errors[0].message}".replace(
                ": : ", ": "
            ),
            hint=f"The report has {len(errors)} error{'' if len(errors) == 1 else 's'}.",
        ),
        report=report_info(plan.report),
    )
    return JSONResponse(as_json(refusal), status_code=422)
