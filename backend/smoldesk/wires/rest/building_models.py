"""Request and response models of /api/buildings."""

from typing import Annotated, Any

from pydantic import Field

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


class BundledBuilding(Shape):
    """Counts of the building that comes with the desk."""

    floors: int
    rooms: int


class BuildingList(Shape):
    """The bundled building, and the imported ones, newest first."""

    bundled: BundledBuilding
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


class BuildingPreview(Shape):
    """Building in the file, which is not stored. Its definition has no id; its images are those of the request."""

    name: str
    floors: int
    rooms: int
    report: list[FindingInfo]
    definition: MapDefinitionContent


NameText = Annotated[str, Field(max_length=200)]


class NamesChange(Shape):
    """Names of a floor, or with `room` (its `name` in the definition) of one of its rooms.

    `names` has names by language, and "" removes one; `aliases` replaces all other names.
    """

    floor_id: str
    room: str | None = None
    names: (
        dict[Annotated[str, Field(pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$")], NameText] | None
    ) = None
    aliases: Annotated[list[NameText], Field(max_length=20)] | None = None


class BuildingChanges(Shape):
    """Change of a building: its name, the number of its ground floor, and names of floors and rooms."""

    name: NameText | None = None
    ground_floor: Annotated[int, Field(ge=0, le=1)] | None = None
    names: Annotated[list[NamesChange], Field(default_factory=list[NamesChange], max_length=10_000)]


class BuildingOutline(Shape):
    """Small picture: the `path` of an SVG in a box of `width` by `height`."""

    width: int
    height: int
    path: str


class BuildingChoice(Shape):
    """One of several buildings in a file; `floors` and `rooms` are counts."""

    id: str
    name: str
    floors: int
    rooms: int


class BuildingRefused(Shape):
    """Error with the report, which has at least one error; or the buildings of a file that has several."""

    error: Fault
    report: list[FindingInfo] = Field(default_factory=list["FindingInfo"])  # none if a parameter is refused
    choices: list[BuildingChoice] | None = None


REFUSED: dict[int | str, dict[str, Any]] = {
    422: {
        "model": BuildingRefused,
        "description": "The file does not describe a building; the report has the places",
    }
}
PREVIEWED: dict[int | str, dict[str, Any]] = {
    200: {"model": BuildingPreview, "description": "The building in the file; nothing is stored"}
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
                        "file": {
                            "type": "array",
                            "minItems": 1,
                            "items": {"type": "string", "format": "binary", "minLength": 1},
                        },
                        "image": {"type": "array", "items": {"type": "string", "format": "binary"}},
                        "name": {"type": "string", "maxLength": 200},
                        "building": {"type": "string", "maxLength": 200},
                        "groundFloor": {"type": "string", "enum": ["0", "1"]},
                    },
                }
            }
        },
    }
}
