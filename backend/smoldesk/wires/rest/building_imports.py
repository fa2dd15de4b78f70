"""HTTP route that imports a building, or shows it before it is stored."""

import asyncio
from collections.abc import AsyncIterator

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from smoldesk.buildings.importers.plans import Plan, Plans
from smoldesk.buildings.importers.recent_plans import RecentPlans
from smoldesk.chats import BuildingImage, BuildingInfo, Buildings, Files
from smoldesk.logs import log_refusal
from smoldesk.messages import as_json
from smoldesk.stopping import StopFlag
from smoldesk.wires.rest.building_models import (
    FORM,
    PREVIEWED,
    REFUSED,
    BuildingChoice,
    BuildingImported,
    BuildingPreview,
    BuildingRefused,
)
from smoldesk.wires.rest.building_uploads import BuildingUpload, fallback_name, receive_building
from smoldesk.wires.rest.encoder import report_info
from smoldesk.wires.rest.models import Fault, refusals


def add_import_route(unbounded: APIRouter, files: Files, buildings: Buildings, plans: Plans) -> None:
    """Add the route of this module to a router whose routes limit their bodies themselves."""
    recent = RecentPlans()

    @unbounded.post(
        "/buildings",
        status_code=201,
        response_model=BuildingImported,
        openapi_extra=FORM,
        responses=refusals(409) | REFUSED | PREVIEWED,
    )
    async def import_building(request: Request, preview: bool = False) -> Response | BuildingImported:
        """Import a building from files and images, which a child process reads. With `preview` nothing is stored, and the
        response has its definition. Errors have their place in the file.
        """
        await buildings.check_room()
        upload = await receive_building(files, request)
        stored_names: frozenset[str] = frozenset()
        try:
            plan = recent.take(upload.digest) or await _read(plans, upload)
            if plan.choices:
                return _undecided(plan)
            if plan.definition is None:
                return _refused(plan)
            if preview:
                recent.put(upload.digest, plan)
                return await asyncio.to_thread(_previewed, upload, plan)
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


def _previewed(upload: BuildingUpload, plan: Plan) -> Response:
    assert plan.definition is not None
    floors = plan.definition.floors
    building = BuildingPreview(
        name=_name(upload, plan),
        floors=len(floors),
        rooms=sum(len(floor.rectangles) for floor in floors),
        report=report_info(plan.report),
        definition=plan.definition,
    )
    text = building.model_dump_json(exclude_none=True)
    return Response(text, media_type="application/json")


async def _read(plans: Plans, upload: BuildingUpload) -> Plan:
    """Read the upload in a child. Raises DeskError."""
    stop = StopFlag()
    try:
        images = {name: upload.files.path(file_id) for name, (file_id, _) in upload.images.items()}
        return await plans.read(upload.files.path(upload.file_id), images, stop, upload.building)
    finally:
        stop.close()


async def _keep(buildings: Buildings, upload: BuildingUpload, plan: Plan) -> BuildingInfo:
    definition, report = plan.definition, plan.report
    assert definition is not None
    if upload.ground_floor is not None:
        definition = definition.model_copy(update={"ground_floor": upload.ground_floor})
    for name, data in plan.unpacked.items():
        upload.images[name] = await upload.files.receive(_pieces(data), len(data))
    images = {
        image.name: BuildingImage(
            upload.images[image.name][0], image.media_type, upload.images[image.name][1]
        )
        for image in plan.images
    }
    return await buildings.add(_name(upload, plan), definition, images, report)


async def _pieces(data: bytes) -> AsyncIterator[bytes]:
    yield data


def _name(upload: BuildingUpload, plan: Plan) -> str:
    return upload.name or plan.name.strip() or fallback_name(upload.file_name)


def _undecided(plan: Plan) -> JSONResponse:
    """Return the buildings of a file that has several, none of which was requested."""
    log_refusal("several_buildings", status=422)
    refusal = BuildingRefused(
        error=Fault(
            code="several_buildings",
            message=f"The file has {len(plan.choices)} buildings.",
            hint="Send it again with the `id` of one of the `choices` as `building`.",
        ),
        report=report_info(plan.report),
        choices=[BuildingChoice.model_validate(choice.model_dump()) for choice in plan.choices],
    )
    return JSONResponse(as_json(refusal), status_code=422)


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
