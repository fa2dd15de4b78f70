"""Comparison of an evacuation with JuPedSim, where the operator installed it: a child simulates one floor."""

import json
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field, ValidationError

from smoldesk import folders
from smoldesk.buildings.building import Building
from smoldesk.buildings.evacuation.escape_routes import EscapeRoutes, escape_routes
from smoldesk.buildings.evacuation.flow import DOOR_WIDTH, flow
from smoldesk.buildings.evacuation.inside.crowd import SCENE, Json
from smoldesk.buildings.overlay_text import clip
from smoldesk.buildings.places import Spot
from smoldesk.buildings.routing.passages import outline
from smoldesk.buildings.travel_profiles import TravelProfile
from smoldesk.errors import BadInput
from smoldesk.messages import Closure, Rectangle
from smoldesk.stopping import StopFlag
from smoldesk.tables.table_profiles import Profiles

RUN = "from smoldesk.buildings.evacuation.inside.crowd import simulate\nsimulate()"
# Most people and rooms of a floor: the child's time grows with both.
MAX_PEOPLE_SIMULATED, MAX_ROOMS_SIMULATED = 500, 2_000


class CrowdAnswer(BaseModel):
    """Answer of the child."""

    error: Annotated[str, Field(max_length=200)] = ""
    seconds: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    remaining: Annotated[int, Field(ge=0)] = 0
    version: Annotated[str, Field(max_length=20, pattern=r"^[\w.]*$")] = ""


class Comparison(BaseModel):
    """Seconds until the people of one floor are out, by both models; `remaining` did not get out by JuPedSim."""

    floor_id: str
    people: int
    hydraulic: float
    simulated: float
    remaining: int
    version: str


class CrowdComparison:
    """Runs JuPedSim in children that read files; each run has a folder of its own below `scratch`."""

    def __init__(self, profiles: Profiles, scratch: Path, stop: StopFlag | None = None) -> None:
        self._profiles, self._scratch, self._stop = profiles, scratch, stop or StopFlag()

    def compare(
        self,
        building: Building,
        floor_id: str,
        people: Mapping[Spot, int],
        profile: TravelProfile,
        closed: list[Closure],
    ) -> Comparison:
        """Simulate the people of a floor on the way to its exits. Raises BadInput if that cannot be, and Stopped."""
        floor = building.floor(floor_id)
        here = {spot: count for spot, count in people.items() if spot[0] == floor_id}
        if not floor.metres_per_unit:
            raise BadInput(
                "The plan has no scale, so no crowd can be simulated.", "Give the floor metresPerUnit."
            )
        if sum(here.values()) > MAX_PEOPLE_SIMULATED or len(floor.rectangles) > MAX_ROOMS_SIMULATED:
            raise BadInput(
                f"Floor {floor_id} is too large to simulate.",
                f"At most {MAX_PEOPLE_SIMULATED} people and {MAX_ROOMS_SIMULATED:,} rooms.",
            )
        alone = Building(building.definition.model_copy(update={"floors": [floor], "links": []}))
        routes = escape_routes(alone, profile, closed)
        movement = flow(routes, here)
        answer = self._simulated(scene_of(routes, here, profile.speed, floor.metres_per_unit))
        return Comparison(
            floor_id=floor_id,
            people=movement.saved,
            hydraulic=movement.clearance,
            simulated=answer.seconds,
            remaining=answer.remaining,
            version=answer.version,
        )

    def _simulated(self, scene: Json) -> CrowdAnswer:
        folder = self._scratch / f"crowd-{secrets.token_hex(8)}"
        folder.mkdir(parents=True, mode=0o700)
        try:
            folders.write(folder, SCENE, json.dumps(scene).encode())
            value = self._profiles.ask(folder.name, folder, RUN, self._stop).result()
            answer = CrowdAnswer.model_validate(value)
        except ValidationError:
            raise BadInput("JuPedSim gave no result.", "Try fewer people.") from None
        finally:
            folders.remove_tree(folder)
        if answer.error and answer.error != "missing":
            raise BadInput(f"JuPedSim cannot simulate this: {clip(answer.error)}.", "Try fewer people.")
        if answer.error:
            raise BadInput(
                "JuPedSim is not installed on this desk.",
                "Its operator can install it: pip install jupedsim.",
            )
        return answer


def scene_of(routes: EscapeRoutes, people: Mapping[Spot, int], speed: float, scale: float) -> Json:
    """Return a floor in metres as the child reads it: rooms with people and exit, open doors, exits.

    `scale` is in metres for one unit of the plan.
    """
    graph, [floor] = routes.graph, routes.graph.building.floors
    closed_doors = {*routes.closures.closed_doors(graph)}

    def ring(points: list[tuple[float, float]]) -> list[list[float]]:
        return [[x * scale, y * scale] for x, y in points]

    def room_scene(number: int, room: Rectangle) -> Json:
        spot = (floor.floor_id, room.name)
        return {
            "outline": ring(outline(room)),
            "holes": [ring([(point.x, point.y) for point in hole]) for hole in room.holes or []],
            "open": spot not in routes.closures.rooms,
            "people": people.get(spot, 0),
            "exit": routes.exit_of[number],
        }

    def door_scene(at: tuple[float, float], width: float | None, rooms: list[int]) -> Json:
        return {"x": at[0] * scale, "y": at[1] * scale, "width": width or DOOR_WIDTH, "rooms": rooms}

    doors = [
        door_scene((node.x, node.y), node.passage.width, graph.rooms_at(number))
        for number, node in enumerate(graph.places)
        if node.passage and number not in closed_doors
    ]
    exits: list[Json] = []
    for exit_ in routes.exits:
        room, at = graph.spots[exit_.goal.spot], exit_.goal.at
        exits.append(door_scene((at.x, at.y) if at else graph.crossings.middle(room), exit_.width, [room]))
    rooms = [room_scene(number, room) for number, room in enumerate(floor.rectangles)]
    return {"speed": speed, "rooms": rooms, "doors": doors, "exits": exits}
