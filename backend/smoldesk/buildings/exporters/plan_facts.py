"""Facts of a plan that IMDF and GeoJSON have no members for: they stand in a member `smoldesk` of each feature.

The reader is `importers/inside/exported.py`. What the formats can say (names, levels, outlines) stands where their
programs expect it and is read back from there, so that a name changed in another program is the new name.
"""

import uuid
from typing import Any

from smoldesk.buildings.exporters.plan_degrees import FloorDegrees
from smoldesk.messages import Door, Floor, Link, MapDefinitionContent, Rectangle, as_json

Json = dict[str, Any]

# Language tags for a main name that is not among the names by language: English, undetermined, private.
UNLISTED_TAGS = ("en", "und", "x-name")
# Version of the members below; the reader takes no other.
VERSION = 1


class PlanIds:
    """UUIDs of a building's parts: the same building has the same ids in each export."""

    def __init__(self, definition: MapDefinitionContent, name: str) -> None:
        place = definition.georeference
        self._base = uuid.uuid5(uuid.NAMESPACE_OID, f"smoldesk building {name} {place}")

    def id_of(self, *path: object) -> str:
        """Return the id of the part with these names or numbers."""
        return str(uuid.uuid5(self._base, "\n".join(map(str, path))))

    def room(self, floor_id: str, name: str) -> str:
        return self.id_of("unit", floor_id, name)

    def floor(self, floor_id: str) -> str:
        return self.id_of("level", floor_id)


def building_facts(definition: MapDefinitionContent) -> Json:
    """Return the facts about the plan; a `georeference` of None: its degrees begin at 0° 0', anywhere."""
    place = definition.georeference
    return {
        "version": VERSION,
        "georeference": as_json(place) if place else None,
        "groundFloor": definition.ground_floor,
    }


def floor_facts(floor: Floor, degrees: FloorDegrees) -> Json:
    """Return the id, scale and coordinate system of a floor."""
    facts: Json = {
        "floorId": floor.floor_id,
        "metresPerUnit": floor.metres_per_unit,
        "unitMetres": degrees.unit_metres,
        "ySign": degrees.y_sign,
        "coordinateSystem": as_json(floor.coordinate_system),
    }
    if floor.ordinal is None:
        facts["noOrdinal"] = True
    if floor.doors is not None and not floor.doors:
        facts["noDoors"] = True
    return facts


def door_facts(floor: Floor, door: Door, ids: PlanIds) -> Json:
    """Return the rooms of a door by the ids of their features, and what else is not geometry."""
    facts: Json = {"rooms": [ids.room(floor.floor_id, room) for room in door.rooms]}
    if door.door_id is not None:
        facts["doorId"] = door.door_id
    if not door.accessible:
        facts["accessible"] = False
    return facts


def link_facts(link: Link) -> Json:
    """Return the id of a link and its times in seconds."""
    return {"linkId": link.link_id, "waitSeconds": link.wait_seconds, "floorSeconds": link.floor_seconds}


def labels_of(name: str, names: dict[str, str] | None) -> tuple[dict[str, str], Json]:
    """Return the names by language with the main one among them, and the facts of which it is.

    A main name of no language is English for the formats' sake, or undetermined beside another English name.
    """
    names = names or {}
    tag = next((tag for tag, text in names.items() if text == name), None)
    if tag is not None:
        return dict(names), {"mainLanguage": tag}
    tag = next(
        tag for tag in (*UNLISTED_TAGS, *(f"x-name{n}" for n in range(len(names)))) if tag not in names
    )
    return {tag: name, **{key: text for key, text in names.items() if key != tag}}, {
        "mainLanguage": tag,
        "unlisted": True,
    }


def named_facts(part: Rectangle | Floor) -> Json:
    """Return the aliases of a room or a floor, if it has some."""
    return {"aliases": list(part.aliases)} if part.aliases else {}
