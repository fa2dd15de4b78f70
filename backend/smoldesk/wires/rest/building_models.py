"""What /api/buildings takes and answers, as /openapi.json tells it."""

from typing import Any

from smoldesk.messages import MapDefinitionContent, Shape
from smoldesk.messages.building import Severity
from smoldesk.wires.rest.models import Fault


class FindingInfo(Shape):
    """One line of a report; `where` is a path into the file, `severity` error, warning or note."""

    severity: Severity
    where: str
    message: str


class BuildingSummary(Shape):
    """`floors` and `rooms` are counts; the time is in seconds since the epoch."""

    building_id: str
    name: str
    floors: int
    rooms: int
    created_at: float


class BuildingList(Shape):
    """Imported buildings, newest first."""

    buildings: list[BuildingSummary]


class BuildingImported(Shape):
    """What was made of the file; the report holds warnings and notes."""

    building_id: str
    name: str
    floors: int
    rooms: int
    report: list[FindingInfo]


class BuildingDetail(BuildingImported):
    """A building with its map definition."""

    created_at: float
    definition: MapDefinitionContent


class BuildingRefused(Shape):
    """The usual refusal, and the whole report: at least one error is in it."""

    error: Fault
    report: list[FindingInfo]


REFUSED: dict[int | str, dict[str, Any]] = {
    422: {"model": BuildingRefused, "description": "The file makes no building, and the report says where"}
}
FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "additionalProperties": False,
                    "properties": {
                        "file": {"type": "string", "format": "binary", "minLength": 1},
                        "image": {"type": "array", "items": {"type": "string", "format": "binary"}},
                        "name": {"type": "string", "maxLength": 200},
                    },
                }
            }
        },
    }
}
