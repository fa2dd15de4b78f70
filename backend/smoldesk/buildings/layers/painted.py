"""Values of a live layer as messages: new ones for a page, and the present ones as a drawing for the log. Pure."""

from smoldesk.buildings.building import Building
from smoldesk.buildings.layers.layer_history import LayerHistory
from smoldesk.buildings.painted_rooms import main_floor, painted_rectangles
from smoldesk.buildings.places import Spot
from smoldesk.messages import (
    LayerFrame,
    LayerValuesContent,
    LegendOverlay,
    MapContent,
    RoomRef,
)

# Maximum rooms of a drawing in the log.
MAX_DRAWN = 2_000


def values_since(
    history: LayerHistory, name: str, title: str, unit: str, versions: tuple[int, int]
) -> LayerValuesContent | None:
    """Return the values that came after the first version (all for -1) until the second; None without any."""
    frames = history.since(*versions)
    legend = legend_of(history, title, unit)
    if not frames or legend is None or history.last_time is None:
        return None
    places: dict[Spot, int] = {}
    for values in frames.values():
        for spot in values:
            places.setdefault(spot, len(places))
    return LayerValuesContent(
        layer=name,
        reset=versions[0] < 0,
        since=history.times()[0],
        time=history.last_time,
        rooms=[RoomRef(floor_id=floor, name=room) for floor, room in places],
        frames=[
            LayerFrame(at=at, places=[places[spot] for spot in values], values=[*values.values()])
            for at, values in frames.items()
        ],
        legend=legend,
    )


def legend_of(history: LayerHistory, title: str, unit: str) -> LegendOverlay | None:
    """Return the legend; None without values."""
    scale = history.scale()
    return None if scale is None else LegendOverlay(title=title, unit=unit, stops=scale.stops())


def picture_of(history: LayerHistory, building: Building, title: str, unit: str) -> MapContent | None:
    """Return the last value of each room as a drawing, at most MAX_DRAWN; None without values."""
    scale, legend = history.scale(), legend_of(history, title, unit)
    if scale is None or legend is None:
        return None
    latest = history.latest()
    floor_id = main_floor(building, latest)
    rectangles = painted_rectangles(dict([*latest.items()][:MAX_DRAWN]), scale, floor_id)
    return MapContent(
        floor_id=floor_id, timestamp=history.time_text(), rectangles=rectangles, overlays=[legend]
    )
