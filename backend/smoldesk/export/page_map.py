"""Maps as the page draws them: its own modules, run by a JavaScript engine in a jailed child.

`spec/decisions.md` has the reason and the alternatives.
"""

import base64
import json
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from smoldesk.assets import BITMAPS, FRONTEND
from smoldesk.charts import CHILD_PACKAGES as CHARTS
from smoldesk.charts import Drawing, NoPicture
from smoldesk.charts.svg import checked_svg
from smoldesk.errors import BadInput
from smoldesk.export.linked_modules import linked

ENTRY = FRONTEND / "js" / "map" / "drawn.js"
# Bytes of all images of one map; what exceeds it is left out, and a floor without its image has walls instead.
MAX_IMAGES = 8 * 1024**2
# Maps of one process, and pictures in memory: a report has at most 100 parts.
BATCH = 16
MOST_KNOWN = 128
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


@dataclass(frozen=True)
class DrawnMap:
    """Input of map/drawn.js as JSON, without its images; `images` are floors' images by name, `bitmaps` names of files."""

    drawn: str
    images: tuple[tuple[str, Path], ...]
    bitmaps: frozenset[str]


_lock = threading.Lock()
# Latest pictures, or why there are none: a report is read again after each change.
_known: OrderedDict[DrawnMap, list[FloorPicture] | NoPicture] = OrderedDict()


def page_pictures(drawn: DrawnMap) -> list[FloorPicture]:
    """Return the pictures of a map, the shown floor first. Raises NoPicture."""
    draw_ahead([drawn])
    with _lock:
        pictures = _known.get(drawn)
        if isinstance(pictures, NoPicture):
            del _known[drawn]
    if pictures is None or isinstance(pictures, NoPicture):
        raise pictures or NoPicture("The map could not be drawn.")
    return pictures


def draw_ahead(maps: Iterable[DrawnMap]) -> None:
    """Draw maps in few processes; `page_pictures` returns the pictures, or raises why there are none."""
    with _lock:
        missing = [drawn for drawn in dict.fromkeys(maps) if drawn not in _known]
    for at in range(0, len(missing), BATCH):
        batch = missing[at : at + BATCH]
        try:
            results: Sequence[list[FloorPicture] | NoPicture] = _pictures_of(batch)
        except NoPicture as fault:
            results = [fault] * len(batch)
        with _lock:
            _known.update(zip(batch, results, strict=True))
            while len(_known) > MOST_KNOWN:
                _known.popitem(last=False)


def _pictures_of(batch: Sequence[DrawnMap]) -> list[list[FloorPicture]]:
    frame = {
        "type": "map",
        "script": _script(),
        "maps": [drawn.drawn for drawn in batch],
        "images": _encoded({name: path for drawn in batch for name, path in drawn.images}),
        "bitmaps": _encoded({name: BITMAPS / name for drawn in batch for name in drawn.bitmaps}),
    }
    try:
        maps = json.loads(_MAP.answer_to(frame, None))
        pictures = [
            [FloorPicture(floor["floorId"], checked_svg(floor["svg"], is_map=True)) for floor in floors]
            for floors in maps
        ]
        if len(pictures) != len(batch) or not all(pictures):
            raise ValueError("it has other maps")
    except (ValueError, TypeError, KeyError, BadInput) as fault:
        raise NoPicture("The process that draws the map sent an invalid answer.") from fault
    return pictures


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
