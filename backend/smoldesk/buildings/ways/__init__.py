"""Ways through a building: from doors to a graph, from the graph to routes, from routes to words.

Read in this order: `passages` (where one gets from room to room), `inside` (how one walks inside a room), `graph` (all of it
as arrays), `routes` (shortest paths), `steps` (a route as the page and people read it). Pure, and built once per building.
"""

from smoldesk.buildings.ways.graph import Place, WayGraph
from smoldesk.buildings.ways.routes import (
    Closures,
    NoWay,
    Route,
    route_to,
    routes_to,
)
from smoldesk.buildings.ways.steps import in_words, overlay

__all__ = [
    "Closures",
    "NoWay",
    "Place",
    "Route",
    "WayGraph",
    "in_words",
    "overlay",
    "route_to",
    "routes_to",
]
