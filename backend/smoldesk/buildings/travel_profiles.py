"""Profiles of who travels, and the seconds from one room to all others by profile, under closures.

Speeds on level ground in metres a second. walk: that of all routes. wheelchair (manual, unassisted, 0.69) and slow (with a
walking stick, 0.81): means of Boyce, Shields and Silcock, "Toward the Characterization of Building Occupancies for Fire
Safety Engineering: Capabilities of Disabled People Moving Horizontally and on an Incline", Fire Technology 35 (1999), 51-67.
cart (1.0): an assumption. A wheelchair and a cart take no stairs, escalators or doors with steps.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from smoldesk.buildings.building import Building
from smoldesk.buildings.closures import route_closures
from smoldesk.buildings.overlay_text import clip
from smoldesk.buildings.places import Spot
from smoldesk.buildings.routing import RouteGraph, travel_times
from smoldesk.buildings.routing.graph import WALKING
from smoldesk.errors import BadInput
from smoldesk.messages import Closure


@dataclass(frozen=True)
class TravelProfile:
    """Speed in metres a second, whether steps are impossible, and the name in Japanese."""

    speed: float
    stepless: bool
    japanese: str


PROFILES = {
    "walk": TravelProfile(WALKING, False, "徒歩"),
    "wheelchair": TravelProfile(0.69, True, "車椅子"),
    "cart": TravelProfile(1.0, True, "台車"),
    "slow": TravelProfile(0.81, False, "ゆっくり歩く人"),
}


def find_profile(name: str | None) -> TravelProfile:
    """Return a profile by its name. Raises BadInput with the names."""
    profile = PROFILES.get((name or "walk").strip().casefold())
    if profile is None:
        raise BadInput(f"There is no profile {clip(str(name))}.", f"Profiles: {', '.join(PROFILES)}.")
    return profile


def seconds_from(
    building: Building, start: Spot, profile: TravelProfile, closures: Iterable[Closure]
) -> dict[Spot, float]:
    """Return the seconds from a room to each room that is open and reached."""
    graph = profile_graph(building, profile)
    return travel_times(graph, start, route_closures(graph, closures, profile.stepless))


def profile_graph(building: Building, profile: TravelProfile) -> RouteGraph:
    """Return the ways of a building with the times of a profile; its lengths are not to be used.

    A slower speed is a longer metre: so waiting for a lift, riding it and opening doors take as long as for all.
    """
    if profile.speed == WALKING:
        return building.route_graph
    graph = building.profile_graphs.get(profile.speed)
    if graph is None:
        metres = building.route_graph.metres
        floors = [
            floor.model_copy(update={"metres_per_unit": metres[floor.floor_id] * WALKING / profile.speed})
            for floor in building.floors
        ]
        graph = RouteGraph(building.definition.model_copy(update={"floors": floors}))
        graph.scaled = building.route_graph.scaled  # a guess does not count as a scale
        building.profile_graphs[profile.speed] = graph
    return graph
