"""Rooms in the colours of their values, as drawings: for tools that paint the plan, and for live layers."""

from collections.abc import Iterable, Mapping

from smoldesk.buildings.building import Building
from smoldesk.buildings.palettes import Scale
from smoldesk.buildings.places import Spot
from smoldesk.messages import MapRectangle

FILL = 0.75


def painted_rectangles(painted: Mapping[Spot, float], scale: Scale, floor: str) -> list[MapRectangle]:
    """Return the rooms in the colours of their values."""
    return [
        MapRectangle(
            name=name,
            color=scale.colour(value),
            stroke_opacity=1.0,
            fill_opacity=FILL,
            value=value,
            floor_id=None if floor_id == floor else floor_id,
        )
        for (floor_id, name), value in painted.items()
    ]


def main_floor(building: Building, painted: Iterable[Spot]) -> str:
    """Return the floor with most of the rooms; the building's first one if several have."""
    counts = {floor.floor_id: 0 for floor in building.floors}
    for floor_id, _ in painted:
        counts[floor_id] += 1
    return max(counts, key=lambda floor_id: counts[floor_id])
