"""What closures change for somebody who starts in a room: rooms cut off, rooms without a step-free way, a longer way. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from smoldesk.buildings.building import Building
from smoldesk.buildings.closures import match_closure, route_closures
from smoldesk.buildings.places import Spot
from smoldesk.buildings.routing import Closures, Route, RouteGraph, routes_to
from smoldesk.buildings.routing.routes import Goal
from smoldesk.buildings.travel_profiles import TravelProfile, find_profile, seconds_from
from smoldesk.messages import Closure

STEPLESS = find_profile("wheelchair")


@dataclass(frozen=True)
class ScenarioEffect:
    """Rooms that closures cut off, and those that they leave no step-free way to. `missing` parts are of another building."""

    missing: tuple[Closure, ...] = ()
    is_start_closed: bool = False
    cut_off: tuple[Spot, ...] = ()
    with_steps: tuple[Spot, ...] = ()


def reached_without(
    building: Building, start: Spot, profile: TravelProfile
) -> tuple[Mapping[Spot, float], ...]:
    """Return the seconds to the rooms without closures: with the profile, and without steps."""
    return tuple(seconds_from(building, start, travel, ()) for travel in (profile, STEPLESS))


def scenario_effect(
    building: Building,
    parts: Sequence[Closure],
    start: Spot,
    profile: TravelProfile,
    reached: Sequence[Mapping[Spot, float]],
) -> ScenarioEffect:
    """Return what closures change; `reached` is that of `reached_without`."""
    if missing := tuple(part for part in parts if not match_closure(building, part)):
        return ScenarioEffect(missing)
    closed = route_closures(building.route_graph, parts, profile.stepless).rooms
    if start in closed:
        return ScenarioEffect(is_start_closed=True)
    after, stepless = (seconds_from(building, start, travel, parts) for travel in (profile, STEPLESS))
    return ScenarioEffect(
        cut_off=tuple(spot for spot in reached[0] if spot not in after and spot not in closed),
        with_steps=tuple(spot for spot in reached[1] if spot not in stepless and spot in after),
    )


def way_before_and_after(
    graph: RouteGraph, start: Spot, goals: Sequence[Goal], closures: Closures
) -> tuple[Route | None, Route | None]:
    """Return the ways to the nearest of the goals: without closures and with them; None where there is none."""
    before = routes_to(graph, start, goals, Closures(stepless=closures.stepless), most=1)
    after = routes_to(graph, start, goals, closures, most=1)
    return (before[0] if before else None), (after[0] if after else None)
