"""Closures and scenarios of a chat: read by name, changed, checked against the building. Pure."""

from collections.abc import Iterable, Sequence
from typing import Any

from smoldesk.buildings.building import Building
from smoldesk.buildings.closures import describe_closure, match_closure, route_closures
from smoldesk.buildings.overlay_text import clip
from smoldesk.errors import BadInput, Conflict, NotFound
from smoldesk.messages import MAX_CLOSURES, MAX_SCENARIO_NAME, MAX_SCENARIOS, Closure, ClosureState, Scenario
from smoldesk.messages.building import join_names


def checked_scenario(name: Any) -> str:
    """Return the name of a scenario without spaces around it; empty for none: the present closures are meant.

    Raises BadInput for blanks, for too long a name, and for one that no log can keep.
    """
    if name is None or name == "":
        return ""
    text = name.strip() if isinstance(name, str) else ""
    if not text or len(text) > MAX_SCENARIO_NAME or any("\ud800" <= sign <= "\udfff" for sign in text):
        raise BadInput(
            f"scenario is {clip(ascii(name))}.", f"Expected a name of at most {MAX_SCENARIO_NAME} characters."
        )
    return text


def closures_in(state: ClosureState, scenario: str | None) -> tuple[Closure, ...]:
    """Return the closures of a scenario; without a name, the present ones.

    Raises NotFound naming the scenarios, BadInput for what is no name.
    """
    name = checked_scenario(scenario)
    if not name:
        return state.closures
    for stored in state.scenarios:
        if stored.name.casefold() == name.casefold():
            return stored.closures
    names = ", ".join(stored.name for stored in state.scenarios) or "none"
    raise NotFound(
        f"There is no scenario {name!r}.",
        f"Scenarios: {names}.",
        japanese=f"シナリオ「{name}」はありません。シナリオ：{names}。",
    )


def with_closures(state: ClosureState, scenario: str | None, closures: Sequence[Closure]) -> ClosureState:
    """Return the state with these closures in a scenario, or as the present ones. Raises BadInput for too many.

    An empty scenario is removed.
    """
    name = checked_scenario(scenario)
    if len(closures) > MAX_CLOSURES:
        raise BadInput(
            f"{len(closures)} closures are too many.",
            f"At most {MAX_CLOSURES}; a floor is one closure.",
            japanese=f"通行止めは{MAX_CLOSURES}件までです（フロアは1件と数えます）。",
        )
    if not name:
        return state.model_copy(update={"closures": tuple(closures)})
    remaining_scenarios = [stored for stored in state.scenarios if stored.name.casefold() != name.casefold()]
    if len(remaining_scenarios) >= MAX_SCENARIOS:
        raise BadInput(
            f"There are {MAX_SCENARIOS} scenarios already.",
            "Reopen all of one that is not needed.",
            japanese=f"シナリオは{MAX_SCENARIOS}件までです。不要なシナリオの通行止めをすべて解除してください。",
        )
    changed_scenarios = [Scenario(name=name, closures=tuple(closures))] if closures else []
    return state.model_copy(update={"scenarios": (*remaining_scenarios, *changed_scenarios)})


def with_renamed_scenario(state: ClosureState, scenario: str, name: str) -> ClosureState:
    """Return the state with another name for a scenario. Its own name in another case is free.

    Raises NotFound without the scenario, BadInput for an invalid name, Conflict if another scenario has it.
    """
    name = checked_scenario(name)
    closures_in(state, scenario)  # raises without the scenario
    before = scenario.strip().casefold()
    names = [stored.name for stored in state.scenarios if stored.name.casefold() != before]
    if other := next((stored for stored in names if stored.casefold() == name.casefold()), None):
        raise Conflict(
            f"There is a scenario {other!r} already.",
            "Choose another name, or delete that scenario first.",
            japanese=f"シナリオ「{other}」はすでにあります。別の名前にするか、先にそのシナリオを削除してください。",
        )
    renamed = (
        stored.model_copy(update={"name": name}) if stored.name.casefold() == before else stored
        for stored in state.scenarios
    )
    return state.model_copy(update={"scenarios": tuple(renamed)})


def closed_after(
    building: Building, before: Iterable[Closure], close: Iterable[Closure], reopen: Iterable[Closure] = ()
) -> list[Closure]:
    """Return the closed parts after a change, as the building's own closures; those it no longer has are dropped.

    Raises BadInput for a part to close that the building does not have, and if all rooms would be closed.
    """
    present = [part for closure in before if (part := match_closure(building, closure))]
    added = [_checked_part(building, closure) for closure in close]
    reopened = dict.fromkeys(match_closure(building, closure) for closure in reopen)
    closures = [part for part in dict.fromkeys([*present, *added]) if part not in reopened]
    graph = building.route_graph
    if added and graph.spots and len(route_closures(graph, closures).rooms) == len(graph.spots):
        raise BadInput(
            "This would close every room of the building.",
            "Leave at least one open.",
            code="all_closed",
            japanese="建物のすべての部屋が通行止めになります。1部屋以上は残してください。",
        )
    return closures


def _checked_part(building: Building, closure: Closure) -> Closure:
    if part := match_closure(building, closure):
        return part
    links = join_names([link.link_id for link in building.links])
    raise BadInput(
        f"This building does not have {clip(describe_closure(building.places, building.links, closure))}.",
        f"Floors: {join_names(building.floor_ids())}. Lifts and stairs: {links}. "
        "A room needs its floor, a door also its place.",
        code="unknown_room",
    )
