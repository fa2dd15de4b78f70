"""Roles of elements with OpenStreetMap's tags: a room, a door, stairs or a lift, an outline, or nothing indoors."""

from collections.abc import Mapping
from typing import Literal

from .site import ConnectorKind

# Values of `indoor` that are no room.
_NO_ROOMS = frozenset(
    {"no", "wall", "door", "level", "column", "pillar", "window", "furniture", "pathway", "yes"}
)
# Keys of things that fill a room, if they are drawn as an area with a level.
_USES = (
    "shop",
    "amenity",
    "office",
    "healthcare",
    "craft",
    "tourism",
    "leisure",
    "railway",
    "public_transport",
)
# Values of these keys that are things inside a room or outside a building.
_THINGS = frozenset(
    {
        "bench", "table", "lounger", "vending_machine", "parking_space", "bicycle_parking", "waste_basket", "locker",
        "fountain", "shelf", "artwork", "information", "rail", "subway", "light_rail", "tram", "platform_edge",
        "stop_position", "garden", "pitch", "track", "charging_station", "atm", "telephone", "photo_booth", "no",
    }
)  # fmt: skip
# Values of `building` without rooms of its own.
_NO_OUTLINES = frozenset({"no", "roof", "carport", "ruins", "construction"})
_LIFTS = frozenset({"elevator", "lift"})
_STAIRS = frozenset({"stairs", "steps", "staircase", "stairwell", "stair", "stairway"})
_WALKS = frozenset({"footway", "corridor", "path", "pedestrian"})
_MOVING = frozenset({"yes", "forward", "backward", "reversible"})
_RELEVANT = frozenset(
    {
        "indoor", "level", "repeat_on", "room", "building", "buildingpart", "door", "entrance", "stairs", "stairwell",
        "elevator", "buildingpart:verticalpassage",
    }
)  # fmt: skip
_CONNECTING = frozenset({"elevator", "steps", "escalator", "corridor"})
Purpose = Literal["room", "use", "level", "building", ""]


def is_relevant(tags: Mapping[str, str]) -> bool:
    """Check whether an element can be a part of an indoor map, or the outline of its building."""
    return not _RELEVANT.isdisjoint(tags) or tags.get("highway") in _CONNECTING


def area_purpose(tags: Mapping[str, str]) -> Purpose:
    """Return the purpose of an area: a room, a use that fills a room ("use"), the outline of a level or a building."""
    indoor = tags.get("indoor", "")
    if indoor == "level" or tags.get("buildingpart") == "shell":
        return "level"
    if indoor and indoor not in _NO_ROOMS:
        return "room"
    if indoor in ("wall", "door", "column", "pillar", "window", "furniture"):
        return ""
    if tags.get("building", "no") not in _NO_OUTLINES:
        return "building"
    kind = connector_kind(tags)
    named = any(tags.get(key, "no") not in ("no", "") for key in ("room", "buildingpart"))
    if (
        named
        or kind == "lift"
        or (kind in ("stairs", "escalator") and ("level" in tags or indoor not in ("", "yes")))
    ):
        return "room"
    if kind in ("stairs", "escalator"):
        return "use"  # steps in the street, too
    used = any(tags[key] not in _THINGS for key in _USES if key in tags)
    return "use" if used and ("level" in tags or indoor == "yes") else ""


def connector_kind(tags: Mapping[str, str]) -> ConnectorKind | None:
    """Return the kind of connection between levels that an element is."""
    values = {
        tags.get(key, "")
        for key in ("highway", "area:highway", "room", "indoor", "stairwell", "buildingpart:verticalpassage")
    }
    if values & _LIFTS or tags.get("elevator") == "yes":
        return "lift"
    moving = tags.get("conveying", "no") in _MOVING
    if "escalator" in values or (moving and (values & _STAIRS or values & _WALKS)):
        return "escalator"
    if values & _STAIRS or tags.get("stairs") == "yes" or tags.get("stairwell", "no") != "no":
        return "stairs"
    if "ramp" in values:
        return "ramp"
    # A footway on several levels leads from one to another; an area on several levels is repeated.
    rises = ";" in tags.get("level", "") and "indoor" not in tags and tags.get("area") != "yes"
    return "ramp" if tags.get("highway") in _WALKS and (rises or tags.get("ramp") == "yes") else None


def is_opening(tags: Mapping[str, str]) -> bool:
    """Check whether an element is a door, an entrance, or a gap in a wall (`door=no`)."""
    return "door" in tags or tags.get("entrance", "no") != "no" or tags.get("indoor") == "door"
