"""Maps as the page draws them: its own modules, run by a JavaScript engine in a jailed child.

`spec/decisions.md` has the reason and the alternatives.
"""

import base64
import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
# Bytes of all images of one process; what exceeds it is left out, and a floor without its image has walls instead.
MAX_IMAGES = 8 * 1024**2
# Maps of one process, and bytes of the pictures in memory.
BATCH = 16
MOST_BYTES = 64 * 1024**2
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

    @property
    def key(self) -> bytes:
        """Hash of the input: a building alone may have megabytes."""
        return hashlib.sha256(f"{self.drawn}{self.images}{sorted(self.bitmaps)}".encode()).digest()


_lock = threading.Lock()
# Latest pictures, or why there are none, by the key of their map: a report is read again after each change.
_known: OrderedDict[bytes, list[FloorPicture] | NoPicture] = OrderedDict()


def page_pictures(drawn: DrawnMap) -> list[FloorPicture]:
    """Return the pictures of a map, the shown floor first. Raises NoPicture."""
    draw_ahead([drawn])
    with _lock:
        pictures = _known.pop(drawn.key, None)
        if pictures is not None and not isinstance(pictures, NoPicture):
            _known[drawn.key] = pictures  # as the latest
    if pictures is None or isinstance(pictures, NoPicture):
        raise pictures or NoPicture("The map could not be drawn.")
    return pictures


def draw_ahead(maps: Iterable[DrawnMap]) -> None:
    """Draw maps in few processes; `page_pictures` returns the pictures, or raises why there are none."""
    with _lock:
        missing = {key: drawn for drawn in maps if (key := drawn.key) not in _known}
    for batch in _batches(missing.values()):
        results = _results(batch)
        with _lock:
            _known.update(zip((drawn.key for drawn in batch), results, strict=True))
            size = sum(map(_size, _known.values()))
            while size > MOST_BYTES and len(_known) > len(batch):
                size -= _size(_known.popitem(last=False)[1])


def _size(pictures: list[FloorPicture] | NoPicture) -> int:
    return 0 if isinstance(pictures, NoPicture) else sum(len(floor.svg) for floor in pictures)


def _batches(maps: Iterable[DrawnMap]) -> Iterator[list[DrawnMap]]:
    """Yield the maps of each process: their images fit into one frame, and no two of them share a name."""
    batch: list[DrawnMap] = []
    images: dict[str, Path] = {}
    for drawn in maps:
        joined = images | dict(drawn.images)
        size = sum(path.stat().st_size for path in joined.values() if path.is_file())
        is_full = len(batch) == BATCH or size > MAX_IMAGES or images.items() - joined.items()
        if batch and is_full:
            yield batch
            batch, joined = [], dict(drawn.images)
        batch, images = [*batch, drawn], joined
    if batch:
        yield batch


def _results(batch: Sequence[DrawnMap]) -> Sequence[list[FloorPicture] | NoPicture]:
    """Return the pictures of each map; of several that fail, draw each half again: one may be broken or large."""
    try:
        return _pictures_of(batch)
    except NoPicture as fault:
        middle = len(batch) // 2
        return [*_results(batch[:middle]), *_results(batch[middle:])] if middle else [fault]


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
