"""Export as one GeoJSON file: rooms, doors and stops of links with plain properties that map programs show."""

import json

from smoldesk.buildings.exporters.plan_features import (
    FloorDegrees,
    Json,
    PlanIds,
    outline_of,
    plain_definition,
)
from smoldesk.buildings.importers.inside.exported import plan_facts
from smoldesk.messages import Door, Floor, Link, MapDefinitionContent, Rectangle


def export_geojson(definition: MapDefinitionContent, name: str) -> bytes:
    """Return the bytes of the file. Without a georeference its degrees begin at 0° 0', anywhere."""
    ids = PlanIds(definition, name)
    degrees = {floor.floor_id: FloorDegrees.of(floor, definition.georeference) for floor in definition.floors}
    features: list[Json] = []
    for floor in definition.floors:
        projection = degrees[floor.floor_id]
        features += [_room(floor, room, projection, ids) for room in floor.rectangles]
        features += [
            _door(floor, number, door, projection, ids) for number, door in enumerate(floor.doors or [])
        ]
    for link in definition.links or []:
        features += _stops(link, degrees, ids)
    collection = {
        "type": "FeatureCollection",
        "name": name,
        "smoldesk": plan_facts(plain_definition(definition), features),
        "features": features,
    }
    return json.dumps(collection, ensure_ascii=False, separators=(",", ":")).encode()


def _room(floor: Floor, room: Rectangle, projection: FloorDegrees, ids: PlanIds) -> Json:
    properties: Json = {"name": room.name, "level": floor.floor_id}
    if room.kind:
        properties["kind"] = room.kind
    properties |= {f"name:{language}": text for language, text in (room.names or {}).items()}
    if room.aliases:
        properties["alt_name"] = room.aliases[0]
    properties["smoldesk"] = {"floor": floor.floor_id, "room": room.name}
    geometry = projection.polygon([outline_of(room), *(room.holes or [])])
    return _feature(ids.room(floor.floor_id, room.name), geometry, properties)


def _door(floor: Floor, number: int, door: Door, projection: FloorDegrees, ids: PlanIds) -> Json:
    properties: Json = {"kind": "door", "level": floor.floor_id, "rooms": door.rooms}
    if door.door_id is not None:
        properties["doorId"] = door.door_id
    if not door.accessible:
        properties["accessible"] = False
    return _feature(ids.id_of("opening", floor.floor_id, number), projection.point(door.at), properties)


def _stops(link: Link, degrees: dict[str, FloorDegrees], ids: PlanIds) -> list[Json]:
    return [
        _feature(
            ids.id_of("amenity", link.link_id, stop.floor_id),
            degrees[stop.floor_id].point(stop.at),
            {"kind": link.kind, "name": link.name, "level": stop.floor_id, "room": stop.room,
             "linkId": link.link_id},
        )
        for stop in link.stops
    ]  # fmt: skip


def _feature(id_: str, geometry: Json, properties: Json) -> Json:
    return {"type": "Feature", "id": id_, "geometry": geometry, "properties": properties}
