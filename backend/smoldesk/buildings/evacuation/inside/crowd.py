"""Simulation of a crowd on one floor by JuPedSim, in a jailed child; where it is not installed the answer says so.

The floor is its rooms, 5 cm smaller, as many plans have no walls; a door opens ground of its width between its
rooms, an exit some towards the outside, where people are gone. Everyone goes to the exit that the request names.
"""

import importlib
import json
from pathlib import Path
from typing import Any, cast

SCENE = "scene.json"
WALL = 0.05
# Metres between people, and to walls, at the start.
APART, FROM_WALL = 0.45, 0.25
STEP = 0.02
# Longest simulated time in seconds.
LONGEST = 1800.0

Json = dict[str, Any]


def simulate() -> Json:
    """Return the seconds until all are out and how many remain, from the scene in this folder; or what is wrong."""
    try:
        jupedsim = importlib.import_module("jupedsim")
    except ImportError:
        return {"error": "missing"}
    try:
        return _Floor(jupedsim, json.loads(Path(SCENE).read_text(encoding="utf-8"))).run()
    except Exception as fault:  # its own classes of errors differ by version
        return {"error": str(fault)[:200]}


class _Floor:
    """One floor with its people."""

    def __init__(self, library: Any, scene: Json) -> None:
        import shapely

        self.library, self.scene = library, scene
        self.shapely = cast("Any", shapely)
        self.shapes = [
            self.shapely.Polygon(room["outline"], room["holes"]).buffer(0) for room in scene["rooms"]
        ]
        self.inner = [shape.buffer(-WALL, join_style="mitre") for shape in self.shapes]

    def run(self) -> Json:
        """Simulate each part of the floor that has an exit."""
        doors = [self._opening(door) for door in self.scene["doors"]]
        exits = [self._opening(exit_) for exit_ in self.scene["exits"]]
        rooms = [shape for shape, room in zip(self.inner, self.scene["rooms"], strict=True) if room["open"]]
        ground = self.shapely.union_all([*rooms, *doors, *exits])
        parts = [part for part in self.shapely.get_parts(ground) if part.geom_type == "Polygon"]
        seconds, remaining = 0.0, 0
        for part in parts:
            stages = {
                number: self._stage(exit_, self.scene["exits"][number]["rooms"][0])
                for number, exit_ in enumerate(exits)
                if part.intersects(exit_)
            }
            if stages:
                time, count = self._run_part(part, stages)
                seconds, remaining = max(seconds, time), remaining + count
        return {"seconds": seconds, "remaining": remaining, "version": str(self.library.__version__)}

    def _run_part(self, ground: Any, stages: dict[int, Any]) -> tuple[float, int]:
        model = self.library.CollisionFreeSpeedModel()
        simulation = self.library.Simulation(model=model, geometry=ground, dt=STEP)
        journeys: dict[int, tuple[int, int]] = {}
        for number, stage in stages.items():
            stage_id = simulation.add_exit_stage(stage)
            journeys[number] = (simulation.add_journey(self.library.JourneyDescription([stage_id])), stage_id)
        for number, room in enumerate(self.scene["rooms"]):
            if not room["people"] or room["exit"] not in journeys:
                continue
            journey, stage = journeys[room["exit"]]
            for place in self._places(self.inner[number], room["people"]):
                simulation.add_agent(
                    self.library.CollisionFreeSpeedModelAgentParameters(
                        position=place, journey_id=journey, stage_id=stage, desired_speed=self.scene["speed"]
                    )
                )
        while simulation.agent_count() and simulation.elapsed_time() < LONGEST:
            simulation.iterate()
        return float(simulation.elapsed_time()), int(simulation.agent_count())

    def _places(self, shape: Any, count: int) -> Any:
        """Return where the people of a room stand, closer together if they are many."""
        for share in (1.0, 0.9):
            try:
                return self.library.distribute_by_number(
                    polygon=shape, number_of_agents=count, distance_to_agents=APART * share,
                    distance_to_polygon=FROM_WALL * share, seed=1,
                )  # fmt: skip
            except Exception:  # its own classes of errors, which differ by version
                continue
        raise ValueError(f"{count} people do not fit in {shape.area:.0f} m².")

    def _opening(self, place: Json) -> Any:
        """Return the ground that a door opens: as wide as it is, to both rooms, without other rooms."""
        half, rooms = place["width"] / 2, place["rooms"]
        point = self.shapely.Point(place["x"], place["y"])
        lines = [self.shapely.shortest_line(point, self.inner[room]) for room in rooms]
        square = self.shapely.box(point.x - half, point.y - half, point.x + half, point.y + half)
        opening = self.shapely.union_all([square, *(line.buffer(half, cap_style="square") for line in lines)])
        others = [
            shape
            for number, shape in enumerate(self.shapes)
            if number not in rooms and shape.intersects(opening)
        ]
        return opening.difference(self.shapely.union_all(others)) if others else opening

    def _stage(self, opening: Any, room: int) -> Any:
        """Return where people are out: the part of an exit's ground outside of its room, if there is one."""
        outside = [
            part for part in self.shapely.get_parts(opening.difference(self.shapes[room])) if part.area > 0.01
        ]
        largest = max(outside, key=lambda part: part.area) if outside else opening
        return largest.convex_hull  # the library takes no other
