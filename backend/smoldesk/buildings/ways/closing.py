"""What a person says is closed ("lift", "Kitchen", "Stairs A", a door's id), found in the building."""

from collections.abc import Iterable

from smoldesk.buildings.kinds import find_kind
from smoldesk.buildings.names import fold
from smoldesk.buildings.overlay_words import clip
from smoldesk.buildings.places import find_places
from smoldesk.buildings.ways.graph import Spot, WayGraph
from smoldesk.buildings.ways.routes import Closures
from smoldesk.errors import BadInput, NotFound


def read_closures(graph: WayGraph, names: Iterable[str], stepless: bool = False) -> Closures:
    """The closures that these names mean; raises BadInput for one that means nothing, naming links and doors."""
    rooms: set[Spot] = set()
    links: set[int] = set()
    doors: set[tuple[str, str]] = set()
    for name in names:
        said = fold(name).removeprefix("the ")
        kind = find_kind(said)
        named = {
            number for number, link in enumerate(graph.links) if said in (fold(link.name), fold(link.link_id))
        }
        of_kind = {number for number, link in enumerate(graph.links) if link.kind == kind}
        ways = {
            (place.floor_id, place.passage.name)
            for place in graph.places
            if place.passage and place.passage.name and fold(place.passage.name) == said
        }
        if named or of_kind or ways:
            links |= named or of_kind
            doors |= ways
            continue
        try:
            rooms |= set(find_places(graph.building, name))
        except NotFound as fault:
            there = [f"{link.name or link.link_id} ({link.kind})" for link in graph.links]
            raise BadInput(
                f"Nothing here is called {clip(name)}.",
                f"Lifts and stairs: {', '.join(there) or 'none'}. {fault.hint}",
            ) from fault
    return Closures(frozenset(rooms), frozenset(links), frozenset(doors), stepless)
