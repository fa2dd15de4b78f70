"""Ways through large buildings: one route, as a multiple of a bare networkx call on the same graph.

The building is a square of rooms with a door in every wall, which is the worst case: no dead end is left out. The route
goes from corner to corner. networkx gets the finished graph and its Dijkstra; ours also reads closures, joins the ends
and makes hops of the path.
"""

from collections.abc import Callable
from itertools import combinations
from typing import Any

from bench.growth import started
from bench.report import CannotMeasure, Ratio, Section, median, ms, of_times
from smoldesk.buildings.routing import RouteGraph, route_to
from smoldesk.buildings.routing.graph import DOOR_SECONDS, WALKING
from smoldesk.messages import XY, MapDefinitionContent

GOAL = 0.5


def square(rooms: int) -> MapDefinitionContent:
    """That many rooms (rounded down to a square), 10 by 10 each, with a door in every wall between two."""
    side = int(rooms**0.5)
    rectangles: list[dict[str, Any]] = []
    doors: list[dict[str, Any]] = []
    for x in range(side):
        for y in range(side):
            corners = {
                "topLeft": {"x": 10 * x, "y": 10 * y},
                "bottomRight": {"x": 10 * x + 10, "y": 10 * y + 10},
            }
            rectangles.append({"name": f"R{x}-{y}", **corners})
            along = (7 * x + 3 * y) % 8 + 1  # so that no two ways are equally long
            if x + 1 < side:
                doors.append(
                    {"rooms": [f"R{x}-{y}", f"R{x + 1}-{y}"], "at": {"x": 10 * x + 10, "y": 10 * y + along}}
                )
            if y + 1 < side:
                doors.append(
                    {"rooms": [f"R{x}-{y}", f"R{x}-{y + 1}"], "at": {"x": 10 * x + along, "y": 10 * y + 10}}
                )
    end = {"px": 10 * side, "py": 10 * side, "x": 10 * side, "y": 10 * side}
    floor = {
        "floorId": "1F",
        "floorName": "1F",
        "floorImage": "",
        "metresPerUnit": 1,
        "coordinateSystem": {"topLeft": {"px": 0, "py": 0, "x": 0, "y": 0}, "bottomRight": end},
        "rectangles": rectangles,
        "doors": doors,
    }
    return MapDefinitionContent.model_validate({"floors": [floor], "bitmaps": []})


def edges_of(building: MapDefinitionContent) -> list[tuple[int, int, float]]:
    """Return the ways between the doors of each room of a building of rectangles, as networkx takes them."""
    edges: list[tuple[int, int, float]] = []
    for floor in building.floors:
        pace = (floor.metres_per_unit or 1) / WALKING
        doors_of: dict[str, list[tuple[int, XY]]] = {}
        for number, door in enumerate(floor.doors or []):
            for name in door.rooms:
                doors_of.setdefault(name, []).append((number, door.at))
        for doors in doors_of.values():
            for (first, at), (second, to) in combinations(doors, 2):
                length = ((at.x - to.x) ** 2 + (at.y - to.y) ** 2) ** 0.5
                edges.append((first, second, length * pace + DOOR_SECONDS))
    return edges


def measure(sizes: tuple[int, ...] = (1_000, 10_000), repeats: int = 7) -> Section:
    """A route, networkx's, and what building the graph takes, for each size."""
    try:
        import networkx as nx
    except ImportError as fault:
        raise CannotMeasure("networkx is not installed: pip install -e '.[bench]'") from fault
    section = Section(
        "routes: from corner to corner of a square of rooms",
        method=[f"a door in every wall; processor time, medians of {repeats}; networkx has its graph ready"],
    )
    built: dict[int, float] = {}
    for size in sizes:
        building = square(size)
        side = int(size**0.5)
        start, goal = ("1F", "R0-0"), ("1F", f"R{side - 1}-{side - 1}")
        graphs: list[RouteGraph] = []
        built[size] = _median(lambda building=building, graphs=graphs: graphs.append(RouteGraph(building)), 3)
        graph = graphs[-1]
        bare: Any = nx.Graph()
        edges = edges_of(building)
        bare.add_weighted_edges_from(edges)
        ends = graph.nodes_of(start)[0], graph.nodes_of(goal)[0]
        route_to(graph, start, goal)  # imports and arrays
        ours = _median(lambda graph=graph, start=start, goal=goal: route_to(graph, start, goal), repeats)
        peer = _median(lambda bare=bare, ends=ends: nx.dijkstra_path(bare, *ends), repeats)
        figures = f"{ms(ours)}; networkx {ms(peer)}; graph built in {ms(built[size])}"
        section.figures.append((f"{size:,} rooms, {len(edges):,} edges", figures))
        section.ratios.append(of_times(f"route in {size:,} rooms / networkx", ours, peer, GOAL))
    small, large = sizes[0], sizes[-1]
    growth = built[large] / built[small] / (large / small)
    section.ratios.append(
        Ratio(
            f"graph of {large:,} rooms / {small:,}, per room", ms(built[large]), ms(built[small]), growth, 2.0
        )
    )
    return section


def _median(work: Callable[[], object], repeats: int) -> float:
    times: list[float] = []
    for _ in range(repeats):
        clock = started()
        work()
        times.append(clock())
    return median(times)
