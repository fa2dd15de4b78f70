"""Rooms that the answer to a question was about, in its order: what "it", "there" and "the second one" mean afterwards."""

from smoldesk.analyst.building.intents import BuildingQuestion, MapUpdate
from smoldesk.analyst.building.terms import BuildingSchema, Spot
from smoldesk.buildings.kinds import CIRCULATION
from smoldesk.buildings.places import PlaceIndex
from smoldesk.buildings.room_facts import room_at, size_of


def result_spots(intent: object, building: BuildingSchema) -> tuple[Spot, ...]:
    """Return the rooms of an answer; empty for one that a route has to find."""
    places = building.places
    if places is None or not isinstance(intent, BuildingQuestion | MapUpdate):
        return ()
    if isinstance(intent, MapUpdate) or intent.tool not in ("list_rooms", "nearest"):
        return building.previous(intent, True)
    arguments = dict(intent.arguments)
    kind, show = str(arguments.get("kind", "")), str(arguments.get("show", ""))
    if show == "floors":
        return ()
    if intent.tool == "nearest":
        spots = building.spots_named(kind)
        return spots if len(spots) == 1 else ()
    floors = places.floor_ids(str(arguments["floor"])) if arguments.get("floor") else [*building.floors]
    spots = (
        building.spots_named(kind)
        if kind
        else tuple((floor, room) for floor in floors for room in building.floors[floor])
    )
    spots = tuple(spot for spot in spots if spot[0] in floors)
    return _by_size(places, spots, show, bool(kind)) if show.endswith(("largest", "smallest")) else spots


def _by_size(places: PlaceIndex, spots: tuple[Spot, ...], show: str, is_kind: bool) -> tuple[Spot, ...]:
    """Return the rooms that an answer about sizes names first."""
    passed = {spot for kind in CIRCULATION for spot in places.by_kind.get(kind, ())}
    inner = [spot for spot in spots if is_kind or spot not in passed] or [*spots]
    inner.sort(
        key=lambda spot: size_of(*room_at(places.definition, spot)).value, reverse=show.endswith("largest")
    )
    rank, _, _ = show.partition(" ")
    if rank[:-2].isdigit() and not rank.isdigit():
        return tuple(inner[int(rank[:-2]) - 1 : int(rank[:-2])])
    return tuple(inner[: int(rank) if rank.isdigit() else len(inner) if rank == "from" else 1])
