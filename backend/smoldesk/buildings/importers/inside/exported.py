"""The desk's own plan inside its exports: IMDF's `building` and GeoJSON's collection have a member `smoldesk` with it.

Names that another program changed are the new ones. A file of which anything else was changed, such as a wall, is read
like any other file. The exporters make the member by the same functions.
"""

import hashlib
import itertools
import json
from collections.abc import Iterable
from typing import Any, cast

from .draft import LONGEST_NAME, MAX_ALIASES, MAX_TAG, Draft, Json
from .fields import Fields
from .findings import Findings
from .imdf_features import ImdfArchive, ImdfFeature
from .plan_file import PlanFile
from .smoldesk_json import read_smoldesk

# Version of the member; a file with another one is read like any other file.
VERSION = 2
# Language tags for a main name that is not among the names by language: English, undetermined, private.
UNLISTED_TAGS = ("en", "und", "x-name")
# Types of IMDF's features that a plan is exported to.
_TYPES = ("level", "unit", "opening", "amenity", "relationship")


def plan_facts(definition: Json, features: Iterable[Json]) -> Json:
    """Return the member `smoldesk` for the definition of a building and all features it is exported to."""
    records = [ImdfFeature("", item["id"], "", item["properties"], item["geometry"]) for item in features]
    return {"version": VERSION, "fingerprint": _fingerprint(records), "definition": definition}


def labels_of(name: str, names: dict[str, str] | None) -> tuple[dict[str, str], str]:
    """Return the names by language with the main one among them, and the language tag of this one.

    A main name of no language is English for the formats' sake, or undetermined beside another English name.
    """
    names = names or {}
    tag = next((tag for tag, text in names.items() if text == name), None)
    if tag is None:
        spare_tags = (*UNLISTED_TAGS, *(f"x-name{number}" for number in range(len(names))))
        tag = next(tag for tag in spare_tags if tag not in names)
    return {tag: name, **names}, tag


def read_exported_imdf(archive: ImdfArchive, findings: Findings) -> Draft | None:
    """Return the plan of an IMDF archive that a desk exported; None for others."""
    features = [feature for kind in _TYPES for feature in archive.of(kind)]
    for building in archive.of("building"):
        if draft := _read_plan(building.properties.get("smoldesk"), features, findings):
            draft.format, draft.name = "imdf", next(iter(_labels(building.properties).values()), "")
            return draft
    return None


def read_exported_geojson(file: PlanFile) -> Draft | None:
    """Return the plan of a GeoJSON file that a desk exported; None for others."""
    if "smoldesk" not in file.top:
        return None
    items = cast("list[Any]", file.top.raw("features")) if isinstance(file.top.raw("features"), list) else []
    features = [
        ImdfFeature("", str(item.get("id")), "", _object(item.get("properties")), item.get("geometry"))
        for item in map(_object, items)
    ]
    draft = _read_plan(file.top.raw("smoldesk"), features, file.findings)
    if draft is not None:
        draft.format, draft.name = "geojson", file.top.text("name", "")
    return draft


def _read_plan(facts: Any, features: list[ImdfFeature], findings: Findings) -> Draft | None:
    facts = _object(facts)
    if facts.get("version") != VERSION or facts.get("fingerprint") != _fingerprint(features):
        return None
    draft = read_smoldesk(Fields(facts.get("definition"), "smoldesk.definition", findings))
    _rename(draft, features)
    return draft


def _rename(draft: Draft, features: list[ImdfFeature]) -> None:
    """Give the floors and rooms of a plan the names that their features have now."""
    floors: dict[str, Json] = {floor["floorId"]: floor for floor in draft.floors}
    rooms = {(id_, room["name"]): room for id_, floor in floors.items() for room in floor["rectangles"]}
    for feature in features:
        origin = _object(feature.properties.get("smoldesk"))
        floor_id, room_name = str(origin.get("floor")), origin.get("room")
        if room_name is None and floor_id in floors:
            _take_labels(floors[floor_id], "floorName", _labels(feature.properties))
        elif room := rooms.get((floor_id, str(room_name))):
            _take_labels(room, "name", _labels(feature.properties))
    new_names = {place: room["name"] for place, room in rooms.items()}
    for id_, floor in floors.items():
        for door in floor.get("doors", ()):
            door["rooms"] = [new_names.get((id_, name), name) for name in door["rooms"]]
    for stop in (stop for link in draft.links for stop in link["stops"]):
        stop["room"] = new_names.get((stop["floorId"], stop["room"]), stop["room"])


def _take_labels(part: Json, key: str, labels: dict[str, str]) -> None:
    """Set the main name, which GeoJSON has under no language, and the others of a floor or a room."""
    if not labels:
        return
    names = part.pop("names", {})
    main = "" if "" in labels else labels_of(part[key], names)[1]
    part[key] = labels.get(main) or next(iter(labels.values()))
    if names := {tag: text for tag, text in labels.items() if tag != main or tag in names}:
        part["names"] = dict(itertools.islice(names.items(), MAX_ALIASES))


def _labels(properties: Json) -> dict[str, str]:
    """Return the names by language as they are: those of a plan may have spaces that other files have by accident."""
    name = properties.get("name")
    labels = cast(Json, name) if isinstance(name, dict) else {"": name}
    labels |= {key[5:]: text for key, text in properties.items() if key.startswith("name:")}
    return {
        tag[:MAX_TAG]: text[:LONGEST_NAME] for tag, text in labels.items() if isinstance(text, str) and text
    }


def _fingerprint(features: Iterable[ImdfFeature]) -> str:
    """Return a hash of all that features contain besides the names of floors and rooms, in any order."""
    contents: list[str] = []
    for feature in features:
        is_place = "smoldesk" in feature.properties
        properties = {
            key: value
            for key, value in feature.properties.items()
            if not (is_place and key.partition(":")[0] == "name")
        }
        contents.append(json.dumps([feature.id, feature.geometry, properties], sort_keys=True))
    return hashlib.sha256("\n".join(sorted(contents)).encode()).hexdigest()


def _object(value: Any) -> Json:
    return cast(Json, value) if isinstance(value, dict) else {}
