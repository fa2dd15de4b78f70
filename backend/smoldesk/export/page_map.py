"""Maps as the page draws them: its own modules, run by a JavaScript engine in a jailed child.

`spec/decisions.md` has the reason and the alternatives.
"""

import base64
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from smoldesk.assets import BITMAPS, FRONTEND
from smoldesk.charts import CHILD_PACKAGES as CHARTS
from smoldesk.charts import Drawing, NoPicture
from smoldesk.charts.svg import checked_svg
from smoldesk.errors import BadInput
from smoldesk.export.linked_modules import linked

ENTRY = FRONTEND / "js" / "map" / "drawn.js"
# Bytes of all images of one map; what exceeds it is left out, and a floor without its image has walls instead.
MAX_IMAGES = 8 * 1024**2
_MAP = Drawing(
    "smoldesk.export.inside.map_program",
    {**CHARTS, "smoldesk.export": str(Path(__file__).parent)},
    "map",
    "Draw fewer rooms, texts or points.",
)


@dataclass(frozen=True)
class FloorPicture:
    """SVG of one floor with the chat's drawings; `floor_id` is "points" for places by latitude and longitude."""

    floor_id: str
    svg: str

    @property
    def caption(self) -> str:
        """Caption in English, with the id of the floor, since its name may be in another language."""
        return "Map of the points" if self.floor_id == "points" else f"Map of {self.floor_id}"


def page_pictures(
    drawn: Mapping[str, Any], images: Mapping[str, Path], bitmap_files: Iterable[str]
) -> list[FloorPicture]:
    """Return the pictures of a map, the shown floor first. `drawn` is the input of map/drawn.js. Raises NoPicture."""
    bitmaps = {name: BITMAPS / name for name in bitmap_files}
    frame = {
        "type": "map",
        "script": _script(),
        "map": json.dumps(drawn),
        "images": _encoded(images),
        "bitmaps": _encoded(bitmaps),
    }
    try:
        floors = json.loads(_MAP.answer_to(frame, None))
        return [FloorPicture(floor["floorId"], checked_svg(floor["svg"], is_map=True)) for floor in floors]
    except (ValueError, TypeError, KeyError, BadInput) as fault:
        raise NoPicture("The process that draws the map sent an invalid answer.") from fault


def _encoded(paths: Mapping[str, Path]) -> dict[str, str]:
    """Return the bytes of files in base64, without those that are missing and what exceeds the limit."""
    encoded: dict[str, str] = {}
    remaining = MAX_IMAGES
    for name, path in paths.items():
        size = path.stat().st_size if path.is_file() else MAX_IMAGES + 1
        if size <= remaining:
            remaining -= size
            encoded[name] = base64.b64encode(path.read_bytes()).decode()
    return encoded


@cache
def _script() -> str:
    return linked(ENTRY)
