"""HTTP routes of scenarios and doors of a chat's building; closures are changed by frames of the page's socket."""

import asyncio
from collections.abc import Iterable
from itertools import chain
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field

from smoldesk.buildings.building import Building
from smoldesk.buildings.closures import doors_of, route_closures
from smoldesk.buildings.places import Spot
from smoldesk.buildings.routing.routes import Goal
from smoldesk.buildings.scenario_effects import reached_without, scenario_effect, way_before_and_after
from smoldesk.buildings.travel_profiles import PROFILES, find_profile
from smoldesk.chats import Buildings, ClosureChanges
from smoldesk.chats.choices import ScenarioAction
from smoldesk.errors import NotFound
from smoldesk.messages import MAX_CLOSURES, MAX_SCENARIO_NAME, Closure, ClosureState, RoomRef
from smoldesk.wires.rest.models import NOT_BLANK, refusals


class RoomDoors(BaseModel):
    """Doors of a room, in the form in which they are closed."""

    doors: list[Closure]


class ScenarioChange(BaseModel):
    """One change of a scenario; `closures` are those to save, by default the present ones, and `to` is a new name."""

    action: ScenarioAction
    name: Annotated[str, Field(max_length=MAX_SCENARIO_NAME, json_schema_extra={"pattern": NOT_BLANK})]
    closures: Annotated[list[Closure], Field(max_length=MAX_CLOSURES)] | None = None
    to: Annotated[str, Field(max_length=MAX_SCENARIO_NAME)] = ""


class ComparedScenario(BaseModel):
    """What a scenario changes; `name` is None for the present closures. Lengths are None without a goal, or a way."""

    name: str | None
    closures: int
    missing: int
    start_closed: bool = Field(serialization_alias="startClosed")
    cut_off: list[RoomRef] = Field(serialization_alias="cutOff")
    with_steps: list[RoomRef] = Field(serialization_alias="withSteps")
    before: float | None
    after: float | None


class ScenarioComparison(BaseModel):
    """Scenarios side by side; lengths are in metres, or in units of a plan without a scale."""

    start: RoomRef
    unit: Literal["m", ""]
    scenarios: list[ComparedScenario]


def add_closure_routes(routes: APIRouter, buildings: Buildings, changes: ClosureChanges) -> None:
    """Add the routes of this module to the router of /api."""

    @routes.post("/chats/{chat_id}/scenarios", responses=refusals(404, 409), status_code=204)
    async def change_scenario(chat_id: str, body: ScenarioChange) -> Response:
        """Save, apply, rename or delete a scenario; all followers of the chat get its `closures`."""
        await changes.change_scenario(chat_id, body.action, body.name, body.closures, body.to)
        return Response(status_code=204)

    @routes.get("/chats/{chat_id}/scenarios/comparison", responses=refusals(404))
    async def compare(
        chat_id: str,
        start: Annotated[str, Query(max_length=200)] = "",
        goal: Annotated[str, Query(max_length=200)] = "",
        profile: Annotated[str, Query(max_length=40, json_schema_extra={"enum": [*PROFILES]})] = "walk",
    ) -> ScenarioComparison:
        """Compare all scenarios and the present closures with the open building, as the tool compare_scenarios does.

        Without a start it is the first exit, or the first room of a plan without exits.
        """
        building = (await buildings.view(chat_id)).building
        state = await changes.state_of(chat_id)
        return await asyncio.to_thread(_comparison, building, state, start, goal, profile)

    @routes.get("/chats/{chat_id}/doors", response_model_exclude_none=True, responses=refusals(404))
    async def doors(
        chat_id: str,
        floor_id: Annotated[str, Query(alias="floorId", max_length=200)],
        room: Annotated[str, Query(max_length=200)],
    ) -> RoomDoors:
        """Return the doors of a room, also those that are assumed where rooms touch, because the plan has none."""
        building = (await buildings.view(chat_id)).building

        def find_doors() -> list[Closure]:
            if (floor_id, room) not in building.route_graph.spots:
                raise NotFound(
                    f"Floor {floor_id[:40]!r} has no room {room[:40]!r}.", "See the chat's building."
                )
            return doors_of(building, (floor_id, room))

        return RoomDoors(doors=await asyncio.to_thread(find_doors))


def _comparison(
    building: Building, state: ClosureState, start: str, goal: str, profile: str
) -> ScenarioComparison:
    graph, traveller = building.route_graph, find_profile(profile)
    begin = _start(building, start)
    goals = [Goal(spot) for spot in building.places.find(goal)] if goal.strip() else []
    reached = reached_without(building, begin, traveller)
    sets: list[tuple[str | None, tuple[Closure, ...]]] = [
        *((None, state.closures) for _ in state.closures[:1]),
        *((scenario.name, scenario.closures) for scenario in state.scenarios),
    ]

    def compared(name: str | None, parts: tuple[Closure, ...]) -> ComparedScenario:
        effect = scenario_effect(building, parts, begin, traveller, reached)
        closures = route_closures(graph, parts, traveller.stepless)
        routes = (None, None)
        if goals and not effect.missing and not effect.is_start_closed:
            routes = way_before_and_after(graph, begin, goals, closures)
        before, after = (None if route is None else route.length for route in routes)
        return ComparedScenario(
            name=name,
            closures=len(parts),
            missing=len(effect.missing),
            start_closed=effect.is_start_closed,
            cut_off=_rooms(effect.cut_off),
            with_steps=_rooms(effect.with_steps),
            before=before,
            after=after,
        )

    scenarios = [compared(name, parts) for name, parts in sets]
    return ScenarioComparison(start=_rooms([begin])[0], unit="m" if graph.scaled else "", scenarios=scenarios)


def _start(building: Building, text: str) -> Spot:
    if text.strip():
        return building.places.find(text)[0]
    doors = ((floor.floor_id, door) for floor in building.floors for door in floor.doors or [])
    exits = ((floor_id, door.rooms[0]) for floor_id, door in doors if len(door.rooms) == 1)
    # The sheet must open for a person to name another start, so a plan without exits starts in some room.
    if begin := next(chain(exits, building.route_graph.spots), None):
        return begin
    raise NotFound("The plan has no rooms.", "Choose a building with rooms.")


def _rooms(spots: Iterable[Spot]) -> list[RoomRef]:
    return [RoomRef(floor_id=floor_id, name=name) for floor_id, name in spots]
