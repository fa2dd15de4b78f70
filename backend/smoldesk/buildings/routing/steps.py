"""A route as the page draws it and as people read it: legs floor by floor, changes between floors, instructions."""

import re
from collections.abc import Iterator

from smoldesk.buildings.names import fold
from smoldesk.buildings.routing.graph import RouteGraph
from smoldesk.buildings.routing.routes import Hop, Route
from smoldesk.messages import (
    XY,
    FloorChange,
    Link,
    RouteLeg,
    RouteOverlay,
    RouteStep,
)


def overlay(graph: RouteGraph, route: Route, accessible: bool = False) -> RouteOverlay:
    """Return the route for the map: its line, its changes of floor and its steps."""
    legs: list[list[XY]] = [[]]
    floors = [route.start[0]]
    changes: list[FloorChange] = []
    if route.hops:
        legs[0].append(_at(route.hops[0].start.x, route.hops[0].start.y))
    else:
        x, y = graph.crossings.middle(graph.spots[route.start])
        legs[0].append(_at(x, y))
    for hop in route.hops:
        if hop.room is None:
            changes.append(_change(graph, hop))
            legs.append([])
            floors.append(hop.end.floor_id)
        legs[-1].append(_at(hop.end.x, hop.end.y))
    return RouteOverlay(
        start=route.start[1],
        goal=route.goal[1],
        legs=[RouteLeg(floor_id=floor, points=points) for floor, points in zip(floors, legs, strict=True)],
        changes=changes,
        steps=list(_steps(graph, route)),
        length=round(route.length, 2),
        unit="m" if graph.scaled else "",
        seconds=round(route.seconds, 1) if graph.scaled else None,
        accessible=accessible,
    )


def describe_route(graph: RouteGraph, route: Route) -> str:
    """Return the route in English: a line with its length and time, then its numbered steps."""
    if route.start == route.goal and not route.hops:
        return f"{_named(graph, route.start)} is where you are."
    far = (
        f"{_length(route.length)} m, about {duration(route.seconds)}" if graph.scaled else "the shortest way"
    )
    head = f"From {_named(graph, route.start)} to {_goal(graph, route)}: {far}."
    lines = [f"{number}. {step.text}" for number, step in enumerate(_steps(graph, route), start=1)]
    if route.assumed:
        lines.append("(The plan names no doors there: I took it that rooms which touch are joined.)")
    return "\n".join([head, *lines])


def _steps(graph: RouteGraph, route: Route) -> Iterator[RouteStep]:
    leg, walked = 0, 0.0
    metres = graph.metres if graph.scaled else {}
    yield RouteStep(
        action="start", text=f"Start in {_named(graph, route.start)}.", leg=0, room=route.start[1]
    )
    for hop in route.hops:
        if hop.room is None:
            link = graph.links[hop.start.link or 0]
            lead = f"Walk {_length(walked)}{_unit(graph)}, then take" if walked else "Take"
            yield RouteStep(
                action="change",
                text=f"{lead} {called(link)} to {hop.end.floor_id}.",
                leg=leg,
                room=hop.start.room,
                name=link.name,
                kind=link.kind,
                to_floor_id=hop.end.floor_id,
                length=round(walked, 2),
            )
            leg, walked = leg + 1, 0.0
            continue
        walked += hop.length * metres.get(hop.start.floor_id, 1.0)
        if hop.end.kind == "middle" and hop is not route.hops[-1]:  # a stop on the way
            yield RouteStep(
                action="walk",
                text=f"Walk {_length(walked)}{_unit(graph)} to {_named(graph, hop.room)}: your stop on the way.",
                leg=leg,
                room=hop.room[1],
                length=round(walked, 2),
            )
            walked = 0.0
            continue
        if hop.end.passage:
            into = next(name for name in hop.end.passage.rooms if name != hop.room[1])
            lead = f"Walk {_length(walked)}{_unit(graph)} and go" if walked else "Go"
            is_assumed = hop.start.floor_id in graph.assumed
            through = "" if is_assumed else "through the door "
            yield RouteStep(
                action="through",
                text=f"{lead} {through}into {into}.",
                leg=leg,
                room=into,
                name=hop.end.passage.name or None,
                length=round(walked, 2),
                assumed=is_assumed or None,
            )
            walked = 0.0
    yield RouteStep(
        action="arrive",
        text=f"Walk {_length(walked)}{_unit(graph)}: you are {'at' if route.label else 'in'} {_goal(graph, route)}.",
        leg=leg,
        room=route.goal[1],
        name=route.label or None,
        length=round(walked, 2),
    )


def called(link: Link) -> str:
    """Return a link's name for a sentence: "the lift", "lift 2", or "the stairs 'Stairs A'" if the name adds information."""
    if match := re.fullmatch(rf"{link.kind} (\d+)", fold(link.name)):
        return f"{link.kind} {match[1]}"
    return f"the {link.kind}" + ("" if fold(link.name) in ("", link.kind) else f" {link.name!r}")


def _change(graph: RouteGraph, hop: Hop) -> FloorChange:
    link = graph.links[hop.start.link or 0]
    return FloorChange(
        kind=link.kind,
        name=link.name,
        from_floor_id=hop.start.floor_id,
        to_floor_id=hop.end.floor_id,
        at=_at(hop.start.x, hop.start.y),
        to=_at(hop.end.x, hop.end.y),
    )


def _at(x: float, y: float) -> XY:
    return XY(x=round(x, 3), y=round(y, 3))


def _goal(graph: RouteGraph, route: Route) -> str:
    place = _named(graph, route.goal)
    return f"{route.label} in {place}" if route.label else place


def _named(graph: RouteGraph, spot: tuple[str, str]) -> str:
    return f"{spot[1]} ({spot[0]})" if len(graph.building.floors) > 1 else spot[1]


def _unit(graph: RouteGraph) -> str:
    return " m" if graph.scaled else " units"


def _length(metres: float) -> str:
    return f"{metres:.0f}" if metres >= 10 else f"{metres:.1f}"


def duration(seconds: float) -> str:
    """Return a time for a sentence: "40 seconds", "2 minutes"."""
    if seconds < 55:
        return f"{max(5, 5 * round(seconds / 5))} seconds"
    minutes = max(1, round(seconds / 60))
    return f"{minutes} minute{'s' if minutes > 1 else ''}"
