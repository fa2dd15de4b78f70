"""Ways through a building: from doors to a graph, from the graph to routes, from routes to words.

Read in this order: `passages` (where one gets from room to room), `graph` (doors and stops, and the areas between them),
`inside` (how one walks inside a room), `crossings` (what crossing areas costs), `search` (shortest ways), `routes` (routes
and travel times), `steps` (a route as the page and people read it). Pure, and built once per building.
"""

from smoldesk.buildings.routing.graph import Place, RouteGraph
from smoldesk.buildings.routing.japanese import describe_in_japanese
from smoldesk.buildings.routing.routes import (
    Closures,
    NoRoute,
    Route,
    route_to,
    route_via,
    routes_to,
    travel_times,
)
from smoldesk.buildings.routing.steps import describe_route, overlay

__all__ = [
    "Closures",
    "NoRoute",
    "Place",
    "Route",
    "RouteGraph",
    "describe_in_japanese",
    "describe_route",
    "overlay",
    "route_to",
    "route_via",
    "routes_to",
    "travel_times",
]
