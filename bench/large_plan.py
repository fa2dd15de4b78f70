"""A building of 10,000 polygonal rooms, and one of 99,520: import as GeoJSON (time and memory), and routes through it.

Floors are turned by 17° and have corridors with a niche at every second door, so that each has hundreds of corners that
see each other, and L-shaped rooms with a door to the next room, so that few are dead ends.
"""

import json
import math
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.report import Section, median, ms, percentile
from smoldesk.buildings.importers.inside.findings import Findings
from smoldesk.buildings.importers.inside.report import read_plan
from smoldesk.buildings.routing import Closures, RouteGraph, route_to, routes_to, travel_times
from smoldesk.buildings.routing.graph import Spot
from smoldesk.buildings.routing.routes import Goal
from smoldesk.messages import MapDefinitionContent

# Floors, rows of rooms, and rooms of a row: of 10,110 rooms, and of 99,520.
SIZE = (10, 20, 50)
LARGEST = (20, 50, 99)
TURN = math.radians(17)
ROUTES = 60


def plan(floors: int, rows: int, rooms: int) -> dict[str, Any]:
    """Return a building as GeoJSON in degrees."""
    features: list[dict[str, Any]] = []

    def degrees(x: float, y: float) -> list[float]:
        east, north = x * math.cos(TURN) - y * math.sin(TURN), x * math.sin(TURN) + y * math.cos(TURN)
        return [139.7 + east / 90_500, 35.6 + north / 110_950]

    def add(kind: str, level: object, points: Sequence[tuple[float, float]], name: str = "") -> None:
        ring = [degrees(*point) for point in points]
        shape = {"type": "Point", "coordinates": ring[0]} if len(ring) == 1 else None
        geometry = shape or {"type": "Polygon", "coordinates": [[*ring, ring[0]]]}
        properties = {"kind": kind, "level": level, "name": name}
        features.append({"type": "Feature", "properties": properties, "geometry": geometry})

    for level in range(floors):
        length, depth = 4 * rooms, 6 * rows
        add("corridor", level, [(-3, 0), (0, 0), (0, depth), (-3, depth)], f"Main {level}")
        for row in range(0, rows, 2):
            y = 6 * row
            niches = [(x, y + h) for n in range(0, rooms, 2) for x, h in (
                (4 * n, 7), (4 * n + 1, 7), (4 * n + 1, 7.5), (4 * n + 3, 7.5), (4 * n + 3, 7), (4 * n + 4, 7))]  # fmt: skip
            add("corridor", level, [(0, y + 5), *niches, (length, y + 7), (length, y + 5)], f"C{level}-{row}")
            add("door", level, [(0, y + 6)])
            for side, (near, far) in enumerate(((y + 5, y), (y + 7.5, y + 12))):
                middle = (near + far) / 2
                for n in range(rooms):
                    x = 4 * n
                    shape = [
                        (x, far),
                        (x + 4, far),
                        (x + 4, near),
                        (x + 1, near),
                        (x + 1, middle),
                        (x, middle),
                    ]
                    add("office", level, shape, f"{level}{row + side:02}{n:02}")
                    add("door", level, [(x + 2, near)])
                    if n:
                        add("door", level, [(x, (far + middle) / 2)])
    add("lift", list(range(floors)), [(-1.5, 30)], "Lift")
    return {"type": "FeatureCollection", "features": features}


def imported(path: Path) -> None:
    """Read the plan in this process; print CPU seconds, megabytes and counts as JSON."""
    findings = Findings()
    start = time.process_time()
    draft = read_plan(path, findings)
    definition = {"floors": draft.floors, "links": draft.links, "bitmaps": []}
    rooms = sum(len(floor["rectangles"]) for floor in draft.floors)
    doors = sum(len(floor.get("doors", [])) for floor in draft.floors)
    seconds = time.process_time() - start
    # ru_maxrss would be the parent's peak where that is higher: it outlives exec, VmHWM does not.
    status = Path("/proc/self/status").read_text()
    memory = int(status.partition("VmHWM:")[2].split()[0]) / 1024
    path.with_name("definition.json").write_text(json.dumps(definition))
    sys.stdout.write(json.dumps({"seconds": seconds, "memory": memory, "rooms": rooms, "doors": doors}))


def measure_import(section: Section, size: tuple[int, int, int], goal: str) -> bytes:
    """Add the figures of an import to a section; returns the definition."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "plan"
        path.write_text(json.dumps(plan(*size)))
        code = (
            f"from pathlib import Path; from bench.large_plan import imported; imported(Path({str(path)!r}))"
        )
        result = json.loads(
            subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
        )
        definition = path.with_name("definition.json").read_bytes()
    section.figures.append((
        f"import of {result['rooms']:,} rooms and {result['doors']:,} doors ({goal})",
        f"{result['seconds']:.1f} s CPU, {result['memory']:.0f} MB, {len(definition) / 1e6:.1f} MB of JSON",
    ))  # fmt: skip
    return definition


def measure_large_plan(section: Section) -> None:
    """Add the figures of imports and of routes to a section."""
    measure_import(section, LARGEST, "goal: 60 s, 2 GB")
    definition = measure_import(section, SIZE, "goal: 5 s, 512 MB")
    graph = RouteGraph(MapDefinitionContent.model_validate_json(definition))
    spots = list(graph.spots)
    pairs = [
        (spots[number * 7919 % len(spots)], spots[(number * 104_729 + 5_000) % len(spots)])
        for number in range(ROUTES)
    ]
    closures = Closures(rooms=frozenset(spots[37::50]) - {spot for pair in pairs for spot in pair})
    first = _seconds(lambda: route_to(graph, spots[0], spots[-1]))
    section.figures.append(("the first route in it, with all geometry", ms(first)))
    _figure(section, "a route", 20, lambda start, goal: route_to(graph, start, goal), pairs)
    name = f"a route, {len(closures.rooms)} rooms closed"
    _figure(section, name, 20, lambda start, goal: routes_to(graph, start, [Goal(goal)], closures), pairs)
    _figure(section, "times to all rooms", 100, lambda start, _: travel_times(graph, start), pairs)


def _figure(
    section: Section,
    name: str,
    goal: int,
    work: Callable[[Spot, Spot], object],
    pairs: list[tuple[Spot, Spot]],
) -> None:
    work(*pairs[0])  # what is computed once
    times = [_seconds(partial(work, *pair)) for pair in pairs]
    figure = f"median {ms(median(times))}, p95 {ms(percentile(times, 0.95))}"
    section.figures.append((f"{name} (goal: {goal} ms CPU)", figure))


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start
