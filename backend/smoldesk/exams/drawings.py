"""Drawings of a run as data that two runs can be compared by: the map, charts with their rows, pictures."""

import hashlib
import json
from collections.abc import Callable, Iterator
from typing import Any, cast

from pydantic import JsonValue

from smoldesk.exams.expected_parts import MAX_DRAWINGS, ExpectedDrawing
from smoldesk.exams.produced import Produced
from smoldesk.messages import (
    AtRectangle,
    BitmapOverlay,
    ChartContent,
    LegendOverlay,
    MapContent,
    MapRectangle,
    RouteOverlay,
    TextOverlay,
)

# Rows of a chart that are stored; all count in its hash.
CHART_ROWS = 100
# Digits that a number of a chart is hashed by.
DIGITS = 9


def drawings_of(produced: Produced, read_chart: Callable[[str], bytes | None]) -> list[ExpectedDrawing]:
    """Return what a run drew, at most MAX_DRAWINGS; `read_chart` returns the spec of a chart's `spec_id`."""
    return [*_all(produced, read_chart)][:MAX_DRAWINGS]


def _all(produced: Produced, read_chart: Callable[[str], bytes | None]) -> Iterator[ExpectedDrawing]:
    for room, direction in sorted(produced.arrows):
        yield _drawing("arrow", room, {"direction": direction})
    if produced.map is not None:
        yield from _map_drawings(produced.map)
    for room in produced.highlighted:
        yield _drawing("room", room, {})
    if produced.frames is not None:
        for frame in produced.frames.frames:
            yield _drawing("frame", frame.time, {room.name: room.value for room in frame.rectangles})
    if produced.points is not None:
        points: list[JsonValue] = [
            point.model_dump(exclude_none=True) for point in produced.points.points[:CHART_ROWS]
        ]
        yield _drawing(
            "points", produced.points.description, {"count": len(produced.points.points), "points": points}
        )
    for chart in produced.charts:
        yield _drawing(
            "chart", chart.description or chart.name, _chart_facts(chart, read_chart(chart.spec_id))
        )
    for number in range(produced.images):
        yield _drawing("image", str(number + 1), {})


def _map_drawings(content: MapContent) -> Iterator[ExpectedDrawing]:
    yield _drawing("floor", content.floor_id, {})
    for room in content.rectangles:
        yield _drawing("room", room.name, _room_facts(room, content.floor_id))
    for overlay in content.overlays:
        place = getattr(overlay, "position", None)
        at = place.name if isinstance(place, AtRectangle) else ""
        match overlay:
            case RouteOverlay() as route:
                yield _drawing("route", f"{route.start} – {route.goal}", _route_facts(route))
            case TextOverlay(text=text):
                yield _drawing("text", text, {"room": at})
            case BitmapOverlay(bitmap_id=bitmap) if bitmap.startswith("arrow_"):
                yield _drawing("arrow", at, {"direction": bitmap.removeprefix("arrow_")})
            case BitmapOverlay(bitmap_id=bitmap):
                yield _drawing("icon", bitmap, {"room": at})
            case LegendOverlay():
                pass  # it repeats the values of the rooms


def _room_facts(room: MapRectangle, floor: str) -> dict[str, JsonValue]:
    return {"floor": room.floor_id or floor, "color": room.color, "value": room.value}


def _route_facts(route: RouteOverlay) -> dict[str, JsonValue]:
    return {
        "length": route.length,
        "accessible": route.accessible,
        "floors": [leg.floor_id for leg in route.legs],
        "seconds": route.seconds,
    }


def _chart_facts(chart: ChartContent, data: bytes | None) -> dict[str, JsonValue]:
    try:
        spec = json.loads(data) if data else None
    except (ValueError, RecursionError):
        spec = None
    if not isinstance(spec, dict):
        return {"rows": chart.rows}
    spec = cast("dict[str, Any]", spec)
    values = cast("list[JsonValue]", cast("dict[str, Any]", spec.get("datasets") or {}).get("rows") or [])
    mark: Any = spec.get("mark")
    without_rows = {name: part for name, part in spec.items() if name not in ("datasets", "mark")}
    return {
        "mark": mark.get("type") if isinstance(mark, dict) else mark,
        "rows": chart.rows,
        "values": values[:CHART_ROWS],
        "values_hash": _hash(values),
        "look_hash": _hash(without_rows),
    }


def _hash(value: JsonValue) -> str:
    text = json.dumps(_rounded(value), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def _rounded(value: Any) -> Any:
    match value:
        case float():
            return float(f"{value:.{DIGITS}g}")
        case list():
            return [_rounded(item) for item in cast("list[Any]", value)]
        case dict():
            return {name: _rounded(item) for name, item in cast("dict[str, Any]", value).items()}
        case _:
            return value


def _drawing(kind: Any, name: str, facts: dict[str, JsonValue]) -> ExpectedDrawing:
    return ExpectedDrawing(kind=kind, name=name[:1_000], facts=facts)
