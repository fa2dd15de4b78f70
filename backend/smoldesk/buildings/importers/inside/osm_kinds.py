"""Tags of OpenStreetMap that say what a room is, as kinds of `kinds.py`; other values stay the file's own words."""

from collections.abc import Mapping

# Keys that say what an area is for, most specific first.
KEYS = (
    "room",
    "buildingpart",
    "amenity",
    "shop",
    "office",
    "healthcare",
    "craft",
    "tourism",
    "leisure",
    "railway",
    "public_transport",
    "aeroway",
    "area:highway",
    "highway",
    "indoor",
)
# (key, value) -> kind. A value of "*" is any.
KINDS: dict[tuple[str, str], str] = {
    **{
        ("room", value): kind
        for kind, values in {
            "toilet": ("toilet", "toilets", "restroom", "wc", "washroom"),
            "bathroom": ("bathroom", "bath", "shower"),
            "kitchen": ("kitchen", "kitchenette", "pantry", "tea_kitchen"),
            "meeting": ("conference", "meeting", "meeting_room"),
            "office": ("office", "administration", "reception_office"),
            "library": ("library", "reading_room"),
            "lounge": ("lounge", "break_room", "recreation", "common_room", "living"),
            "storage": ("storage", "storage_room", "store", "closet", "locker", "archive", "warehouse"),
            "workshop": ("workshop",),
            "server": ("server", "server_room", "it"),
            "garage": ("garage", "parking"),
            "cafe": ("cafe",),
            "canteen": ("cafeteria", "canteen"),
            "restaurant": ("restaurant",),
            "shop": ("shop", "kiosk"),
            "corridor": ("corridor", "hall", "hallway", "lobby", "entrance", "foyer", "vestibule", "passage"),
            "stairs": ("stairs", "stair", "steps", "staircase", "stairwell", "stairway"),
            "lift": ("elevator", "lift"),
            "escalator": ("escalator",),
            "ramp": ("ramp",),
        }.items()
        for value in values
    },
    ("buildingpart", "corridor"): "corridor",
    ("buildingpart", "hall"): "corridor",
    ("amenity", "toilets"): "toilet",
    ("amenity", "shower"): "bathroom",
    ("amenity", "library"): "library",
    ("amenity", "conference_centre"): "meeting",
    ("amenity", "parking"): "garage",
    ("amenity", "cafe"): "cafe",
    ("amenity", "restaurant"): "restaurant",
    ("amenity", "fast_food"): "fast food",
    ("amenity", "food_court"): "food court",
    ("amenity", "canteen"): "canteen",
    ("shop", "*"): "shop",
    ("office", "*"): "office",
    ("craft", "*"): "workshop",
    ("highway", "elevator"): "lift",
    ("highway", "steps"): "stairs",
    ("area:highway", "steps"): "stairs",
    ("highway", "corridor"): "corridor",
    ("highway", "footway"): "corridor",
    ("highway", "pedestrian"): "corridor",
    ("indoor", "corridor"): "corridor",
    ("indoor", "elevator"): "lift",
    ("indoor", "area"): "area",
}
# Values that say only that there is something, and nothing about it.
_PLAIN = frozenset({"yes", "no", "room", "area", "other", "unknown", "vacant", "level", "verticalpassage"})


def kind_of(tags: Mapping[str, str]) -> str:
    """Return the kind of an area, the file's own word for it, or "" if it states none."""
    for key in KEYS:
        value = tags.get(key, "").split(";")[0].strip().casefold()
        kind = KINDS.get((key, value)) or (KINDS.get((key, "*")) if value and value != "no" else None)
        if kind:
            return kind
        if value and value not in _PLAIN:
            return value.replace("_", " ")[:100]
    return ""


# Keys with more words for what a room is.
_MORE_KEYS = (*KEYS[: KEYS.index("area:highway")], "cuisine", "toilets")
# Whom a toilet is for.
_USERS = ("female", "male", "unisex", "wheelchair", "toilets:wheelchair")


def words_of(tags: Mapping[str, str]) -> list[str]:
    """Return all words of the tags for what an area is: bakery of shop=bakery; female toilet."""
    values = [(key, value.strip().casefold()) for key in _MORE_KEYS for value in tags.get(key, "").split(";")]
    words = [value.replace("_", " ") for _, value in values if value and value not in _PLAIN]
    if "toilet" in (KINDS.get(pair) for pair in values):
        words += [f"{key.rpartition(':')[2]} toilet" for key in _USERS if tags.get(key) == "yes"]
    return list(dict.fromkeys(words))
