"""Files that a desk exported: the IMDF archive and the GeoJSON file, as a plan (`exported.py`)."""

from typing import Any, cast

from .draft import LONGEST_NAME, MAX_DOORS, MAX_FLOORS, MAX_LINKS, MAX_ROOMS, Draft, Json
from .exported import ExportedPlan, texts_of
from .fields import Fields
from .findings import Findings
from .imdf_features import ImdfFeature
from .imdf_kinds import LINK_KINDS, kind_of_category
from .imdf_links import referenced_ids
from .imdf_names import FeaturesOf
from .plan_file import PlanFile

DOOR = "door"
MAX_FEATURES = MAX_ROOMS + MAX_DOORS + MAX_LINKS * MAX_FLOORS


def exported_facts(feature: ImdfFeature) -> Json:
    """Return the member `smoldesk` of a feature's properties, or an empty one."""
    return _object(feature.properties.get("smoldesk"))


def read_exported_imdf(of: FeaturesOf, findings: Findings) -> Draft | None:
    """Read the features of an IMDF archive that a desk exported; None if no desk did. Raises Unreadable."""
    building = next((feature for feature in of("building") if exported_facts(feature)), None)
    if building is None:
        return None
    name = next(iter(building.labels("name").values()), "")
    plan = ExportedPlan(exported_facts(building), name, "imdf", findings)
    for feature in of("level"):
        facts = exported_facts(feature)
        name, names = _main_and_names(feature, facts)
        members: Json = {"floorName": name, **names}
        ordinal = feature.properties.get("ordinal")
        if isinstance(ordinal, int) and not facts.get("noOrdinal"):
            members["ordinal"] = ordinal
        plan.add_floor(feature.id, feature.where, facts, members)
    for feature in of("unit"):
        facts = exported_facts(feature)
        name, names = _main_and_names(feature, facts)
        kind = facts.get("kind", kind_of_category(feature.text("category")))
        plan.add_room(feature.text("level_id"), feature, name, str(kind), names | _aliases(facts))
    for feature in of("opening"):
        level, facts = feature.text("level_id"), exported_facts(feature)
        rooms = [plan.room_name(level, id_) for id_ in texts_of(facts.get("rooms"))]
        plan.add_door(level, feature, rooms, facts)
    _add_imdf_links(plan, of)
    return plan.draft


def _add_imdf_links(plan: ExportedPlan, of: FeaturesOf) -> None:
    level_of = {unit.id: unit.text("level_id") for unit in of("unit")}
    amenities = {amenity.id: amenity for amenity in of("amenity")}
    for feature in of("relationship"):
        kind = LINK_KINDS.get(feature.text("category"))
        if kind is None:
            continue
        stops: list[tuple[str, str, ImdfFeature]] = []
        for amenity in (amenities[id_] for id_ in referenced_ids(feature) if id_ in amenities):
            unit = next(iter(amenity.ids("unit_ids")), "")
            level = level_of.get(unit, "")
            stops.append((level, plan.room_name(level, unit), amenity))
        name = next((label for _, _, amenity in stops for label in _plain_labels(amenity).values()), "")
        plan.add_link(kind, name, exported_facts(feature) or {"linkId": feature.id}, stops)


def is_exported_geojson(file: PlanFile) -> bool:
    """Return whether a file is a GeoJSON file that a desk exported."""
    return (
        file.is_json
        and file.top.raw("type") == "FeatureCollection"
        and isinstance(file.top.raw("smoldesk"), dict)
    )


def read_exported_geojson(file: PlanFile) -> Draft:
    """Read a GeoJSON file that a desk exported. Raises Unreadable."""
    top = file.top
    facts = top.below("smoldesk")
    plan = ExportedPlan(cast(Json, top.raw("smoldesk")), top.text("name", ""), "geojson", file.findings)
    for floor, raw in zip(
        facts.objects("floors", "floors", MAX_FLOORS), facts.raw("floors") or [], strict=True
    ):
        members: Json = {"floorName": floor.text("floorName")}
        members |= {name: floor.raw(name) for name in ("names", "ordinal") if name in floor}
        plan.add_floor(floor.text("floorId"), floor.where, raw, members)
    features = [
        ImdfFeature("", _id_of(item), item.where, _object(item.raw("properties")), item.raw("geometry"))
        for item in top.objects("features", "features", MAX_FEATURES)
    ]
    for feature in features:
        if _object(feature.geometry).get("type") not in ("Polygon", "MultiPolygon"):
            continue
        names = {key[5:]: text for key, text in feature.properties.items() if key.startswith("name:")}
        members = ({"names": names} if names else {}) | _aliases(feature.properties)
        plan.add_room(feature.exact("level"), feature, feature.exact("name"), feature.exact("kind"), members)
    stops: dict[str, list[tuple[str, str, ImdfFeature]]] = {}
    for feature in features:
        properties = feature.properties
        if feature.exact("kind") == DOOR:
            plan.add_door(feature.exact("level"), feature, texts_of(properties.get("rooms")), properties)
        elif link := feature.exact("linkId"):
            stops.setdefault(link, []).append((feature.exact("level"), feature.exact("room"), feature))
    for link in facts.objects("links", "links", MAX_LINKS):
        id_ = link.text("linkId")
        numbers = {name: link.raw(name) for name in ("waitSeconds", "floorSeconds")}
        plan.add_link(
            link.text("kind"), link.text("name", ""), {"linkId": id_, **numbers}, stops.get(id_, [])
        )
    return plan.draft


def _main_and_names(feature: ImdfFeature, facts: Json) -> tuple[str, Json]:
    """Return the main name, and `names` if there are others; the main one is of the language that the facts state."""
    labels = _plain_labels(feature)
    tag = str(facts.get("mainLanguage"))
    name = labels.get(tag) or next(iter(labels.values()), "")
    if facts.get("unlisted"):
        labels = {key: label for key, label in labels.items() if key != tag}
    elif "mainLanguage" not in facts:
        labels = labels if len(labels) > 1 else {}
    return name, {"names": labels} if labels else {}


def _plain_labels(feature: ImdfFeature) -> dict[str, str]:
    """Return the labels as they are: names of a plan may have spaces that other files have by accident."""
    return {
        tag: label[:LONGEST_NAME]
        for tag, label in _object(feature.properties.get("name")).items()
        if isinstance(label, str)
    }


def _object(value: Any) -> Json:
    return cast(Json, value) if isinstance(value, dict) else {}


def _id_of(feature: Fields) -> str:
    return str(feature.raw("id") or "")


def _aliases(facts: Json) -> Json:
    aliases = texts_of(facts.get("aliases"))
    return {"aliases": aliases} if aliases else {}
