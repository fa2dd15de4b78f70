"""Request and response models of /api/buildings."""

from typing import Any

from smoldesk.messages import MapDefinitionContent, Shape
from smoldesk.messages.building import Severity
from smoldesk.wires.rest.models import Fault


class FindingDetailInfo(Shape):
    """One of the findings of a line: its path in the file, its English text, and the values of that text."""

    where: str
    message: str
    values: dict[str, str]


class FindingInfo(Shape):
    """Line of an import report; `where` is a path in the file, `severity` error, warning or note.

    `count` findings have the code of the line; a line of several has the first of them in `details`.
    """

    severity: Severity
    where: str
    message: str
    code: str
    count: int
    values: dict[str, str]
    details: list[FindingDetailInfo]


class BuildingSummary(Shape):
    """Building of the list; `floors` and `rooms` are counts, the time is in seconds since the epoch."""

    building_id: str
    name: str
    floors: int
    rooms: int
    created_at: float


class BuildingList(Shape):
    """Imported buildings, newest first."""

    buildings: list[BuildingSummary]


class BuildingImported(Shape):
    """Building made from the file; the report has warnings and notes."""

    building_id: str
    name: str
    floors: int
    rooms: int
    report: list[FindingInfo]


class BuildingDetail(BuildingImported):
    """Building with its map definition."""

    created_at: float
    definition: MapDefinitionContent


class BuildingRefused(Shape):
    """Error with the complete report, which has at least one error."""

    error: Fault
    report: list[FindingInfo]


REFUSED: dict[int | str, dict[str, Any]] = {
    422: {
        "model": BuildingRefused,
        "description": "The file does not describe a building; the report has the places",
    }
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
