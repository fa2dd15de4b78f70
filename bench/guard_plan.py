"""Guard figures of one floor of the large plan: 1,011 polygonal rooms, of which the corridors have a hundred doors each."""

import json
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.large_plan import plan
from bench.routes import edges_of
from smoldesk.buildings.importers.inside.findings import Findings
from smoldesk.buildings.importers.inside.report import read_plan
from smoldesk.buildings.routing import RouteGraph, route_to
from smoldesk.messages import MapDefinitionContent


def plan_file(stack: ExitStack) -> Path:
    """Write the floor as GeoJSON."""
    path = Path(stack.enter_context(TemporaryDirectory(prefix="smoldesk-guard-"))) / "plan"
    path.write_text(json.dumps(plan(1, 20, 50)))
    return path


class Import:
    """Import of the floor; the peer parses its JSON and its shapes, which is a part of it."""

    def __init__(self, stack: ExitStack) -> None:
        self.path = plan_file(stack)

    def ours(self) -> None:
        read_plan(self.path, Findings())

    def peer(self) -> None:
        import shapely

        text = self.path.read_text()
        json.loads(text)
        shapely.from_geojson(text)


class DenseRoute:
    """Five routes through the floor; the peer is one path of networkx, over its doors in straight lines."""

    def __init__(self, stack: ExitStack) -> None:
        import networkx as nx

        floors = read_plan(plan_file(stack), Findings()).floors
        building = MapDefinitionContent.model_validate_json(json.dumps({"floors": floors, "bitmaps": []}))
        self.graph = RouteGraph(building)
        self.start, *_, self.goal = self.graph.spots
        self.peers: Any = nx.Graph()
        self.peers.add_weighted_edges_from(edges_of(building))
        self.ends = self.graph.nodes_of(self.start)[0], self.graph.nodes_of(self.goal)[0]

    def ours(self) -> None:
        for _ in range(5):
            route_to(self.graph, self.start, self.goal)

    def peer(self) -> None:
        import networkx as nx

        nx.dijkstra_path(self.peers, *self.ends)
