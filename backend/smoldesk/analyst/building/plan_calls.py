"""Calls of the tools that answer questions about a plan: routes with their limits, lists of rooms."""

from dataclasses import dataclass, field

from smoldesk.analyst.building.intents import BuildingQuestion, Scalar

EVACUATION, REACH, COMPARE = "evacuation", "reachable_from", "compare_scenarios"


@dataclass
class Limits:
    """Restrictions of a route: step-free, closed places, stops on the way."""

    accessible: bool = False
    avoid: list[str] = field(default_factory=list[str])
    via: list[str] = field(default_factory=list[str])

    def __bool__(self) -> bool:
        return self.accessible or bool(self.avoid or self.via)


def list_rooms(floor: str, kind: str = "", show: str = "") -> BuildingQuestion:
    """Return the call that lists or measures rooms."""
    more = (("kind", kind), ("show", show))
    return BuildingQuestion("list_rooms", (("floor", floor), *(pair for pair in more if pair[1])))


def route(start: str, goal: str, near: bool, limits: Limits) -> BuildingQuestion:
    """Return the call that finds a route, or the nearest place of a kind if there are no restrictions."""
    if near and not limits:
        return BuildingQuestion("nearest", (("kind", goal), ("start", start)))
    arguments: list[tuple[str, Scalar]] = [("start", start), ("goal", goal)]
    if limits.accessible:
        arguments.append(("accessible", True))
    for name, places in (("avoid", limits.avoid), ("via", limits.via)):
        if places:
            arguments.append((name, ", ".join(places)))
    return BuildingQuestion("find_route", tuple(arguments))
