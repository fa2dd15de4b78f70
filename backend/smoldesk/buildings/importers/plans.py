"""Imported buildings: a child reads the file and its images; its answer is checked here and becomes a report.

The child has parsed untrusted bytes. Its answer is accepted only in the right shape, and the building is checked
again (`buildings/checks.py`), so a compromised child cannot make an inconsistent building. `Building` repeats these checks
when it is first used.
"""

import asyncio
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, field_validator

from smoldesk.buildings.building import definition_of
from smoldesk.buildings.checks import faults
from smoldesk.buildings.importers.import_report import Report
from smoldesk.buildings.importers.inside.draft import ANSWER, LONGEST_NAME, MAX_ANSWER, PLAN
from smoldesk.buildings.importers.inside.findings import CODES, MAX_PLACES, MAX_REPORT_LINES, FindingPlace
from smoldesk.buildings.reach import unreachable
from smoldesk.errors import BadInput
from smoldesk.folders import opened_inside, place, remove_tree
from smoldesk.messages import Bitmap, Floor, MapDefinitionContent
from smoldesk.messages.building import Finding, error
from smoldesk.stopping import StopFlag
from smoldesk.tables.models import NOT_BELIEVED, ProfileModel, Short
from smoldesk.tables.table_profiles import Profiles

READ = "from smoldesk.buildings.importers.inside.report import report\nreport({images!r}, {building!r})"
MAX_IMAGES = 50
# Bytes of all images of an archive.
MAX_UNPACKED_IMAGES = 60_000_000
MAX_CHOICES = 1_000
_PART = re.compile(r"(?:\.[^.\[\]]+|\[\d+\])$")


class PlanPlace(ProfileModel):
    """Place of one finding of a group in the child's answer, and the values of its text."""

    where: Annotated[str, Field(max_length=500)]
    values: Annotated[dict[Short, Annotated[str, Field(max_length=900)]], Field(max_length=10)]


class PlanFinding(ProfileModel):
    """Findings of one code in the child's answer; `places` has the first of them."""

    code: Short
    count: Annotated[int, Field(ge=1)]
    places: Annotated[list[PlanPlace], Field(min_length=1, max_length=MAX_PLACES)]

    @field_validator("code")
    @classmethod
    def _known(cls, code: str) -> str:
        if code not in CODES:
            raise ValueError("unknown code")
        return code


class PlanChoice(ProfileModel):
    """Building of a file with several; `floors` and `rooms` are counts."""

    id: Short
    name: Short
    floors: Annotated[int, Field(ge=0)]
    rooms: Annotated[int, Field(ge=0)]


class PlanImage(ProfileModel):
    """A floor image as the child found it; sizes in pixels."""

    name: Short
    media_type: Literal["image/png", "image/jpeg", "image/webp"]
    width: Annotated[int, Field(gt=0)]
    height: Annotated[int, Field(gt=0)]
    unpacked: Annotated[str, Field(pattern=r"^(unpacked-\d{1,3})?$")] = ""
    """File in the child's folder, for an image that came in an archive."""


class PlanAnswer(ProfileModel):
    """First line of a child's answer about a building file; `definition` is a map_definition's content, not yet checked.

    Its floors are on the lines below.
    """

    format: Short
    name: Short
    definition: dict[str, Any] | None
    origins: dict[Short, Annotated[str, Field(max_length=500)]]
    images: Annotated[list[PlanImage], Field(max_length=2 * MAX_IMAGES)]
    findings: Annotated[list[PlanFinding], Field(max_length=MAX_REPORT_LINES * len(CODES))]
    choices: Annotated[list[PlanChoice], Field(max_length=MAX_CHOICES, default_factory=list)]


@dataclass(frozen=True)
class Plan:
    """Imported building, or the reason for none: then the report has an error, and `definition` stays None."""

    name: str
    definition: MapDefinitionContent | None
    report: list[Finding]
    images: list[PlanImage]
    choices: list[PlanChoice] = field(default_factory=list[PlanChoice])
    """Buildings of the file if it has several and none was requested."""
    unpacked: dict[str, bytes] = field(default_factory=dict[str, bytes])
    """Bytes of the images that came in an archive, by name."""


class Plans:
    """Reads building files in children of their own. Use it on an event loop."""

    def __init__(self, profiles: Profiles, scratch: Path, bitmaps: list[Bitmap]) -> None:
        """`scratch` is a folder for what is read, emptied after each; `bitmaps` are those of every building."""
        self._profiles = profiles
        self._scratch = scratch
        self._bitmaps = bitmaps

    async def read(self, file: Path, images: Mapping[str, Path], stop: StopFlag, building: str = "") -> Plan:
        """Read the building in a stored file, with its images by name; of several that with the id `building`.

        Raises DeskError.
        """
        folder = self._scratch / f"plan-{secrets.token_hex(8)}"
        names = [(f"image-{number}", name) for number, name in enumerate(images)]
        try:
            await asyncio.to_thread(_lay_out, folder, file, [(here, images[name]) for here, name in names])
            code = READ.format(images=names, building=building[:LONGEST_NAME])
            await asyncio.wrap_future(self._profiles.ask(folder.name, folder, code, stop))
            return await asyncio.to_thread(self._answer, folder)
        finally:
            await asyncio.shield(asyncio.to_thread(remove_tree, folder))

    def _answer(self, folder: Path) -> Plan:
        with (
            opened_inside(folder, ANSWER, MAX_ANSWER) as descriptor,
            open(descriptor, "rb", closefd=False) as answer,
        ):
            plan, unpacked = self._checked(answer.read(MAX_ANSWER))
        return replace(plan, unpacked=_read_unpacked(folder, unpacked)) if unpacked else plan

    def _checked(self, text: bytes) -> tuple[Plan, dict[str, str]]:
        """Return the plan, and the files of its images that came in an archive, by name."""
        try:
            first, *floors = text.split(b"\n")
            answer = PlanAnswer.model_validate_json(first)
            if answer.definition is not None and floors:
                answer.definition["floors"] = [Floor.model_validate_json(floor) for floor in floors]
            definition = self._definition(answer)
        except (ValidationError, RecursionError, ValueError):
            raise BadInput(NOT_BELIEVED, "Check the file.", code="unreadable") from None
        report = Report()
        for finding in answer.findings:
            places = [FindingPlace(place.where, place.values) for place in finding.places]
            report.extend(finding.code, finding.count, places)
        if definition is not None:
            findings = [*faults(definition)]
            findings += (
                [] if any(finding.severity == "error" for finding in findings) else unreachable(definition)
            )
            for finding in findings:
                report.add(replace(finding, where=origin(finding.where, answer.origins)))
        if definition is None and not report.has_errors:
            report.add(error("", NOT_BELIEVED))
        if report.has_errors:
            return Plan(answer.name, None, report.lines(), [], answer.choices), {}
        assert definition is not None
        used = {floor.floor_image for floor in definition.floors}
        images = [image for image in answer.images if image.name in used]
        unpacked = {image.name: image.unpacked for image in images if image.unpacked}
        return Plan(answer.name, definition, report.lines(), images), unpacked

    def _definition(self, answer: PlanAnswer) -> MapDefinitionContent | None:
        if answer.definition is None:
            return None
        validated = definition_of(answer.definition)
        image_names = {image.name for image in answer.images} | {""}
        if any(floor.floor_image not in image_names for floor in validated.floors):
            raise ValueError("an image that was not sent")
        return validated.model_copy(
            update={"bitmaps": self._bitmaps, "building_id": None, "building_name": None}
        )


def _read_unpacked(folder: Path, files: Mapping[str, str]) -> dict[str, bytes]:
    """Return the bytes of the images that the child unpacked. Raises BadInput beyond the limit."""
    images: dict[str, bytes] = {}
    remaining = MAX_UNPACKED_IMAGES
    for name, file in files.items():
        with (
            opened_inside(folder, file, remaining) as descriptor,
            open(descriptor, "rb", closefd=False) as image,
        ):
            images[name] = image.read(remaining)
        remaining -= len(images[name])
    return images


def _lay_out(folder: Path, file: Path, images: Sequence[tuple[str, Path]]) -> None:
    """Copy the files for the child, under names of ours."""
    folder.mkdir(parents=True, mode=0o700)
    place(folder, PLAN, file)
    for name, source in images:
        place(folder, name, source)


def origin(where: str, origins: Mapping[str, str]) -> str:
    """Return the path in the person's file for a path in the definition."""
    path, path_end = where, ""
    while path:
        if path in origins:
            return origins[path] + path_end
        last = _PART.search(path)
        if last is None:
            break
        path, path_end = path[: last.start()], last[0] + path_end
    return where
