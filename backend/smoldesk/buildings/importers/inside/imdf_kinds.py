"""Categories of IMDF units as kinds of rooms, and those of walls, columns and air (IMDF 1.0.0, unit categories)."""

from .site import ConnectorKind

# Category -> kind. A category that is not here is its own kind; `restroom.female` is looked up as `restroom`, too.
UNIT_KINDS = {
    "room": "",
    "unspecified": "",
    "restroom": "toilet",
    "shower": "bathroom",
    "conferenceroom": "meeting",
    "huddleroom": "meeting",
    "lounge": "lounge",
    "privatelounge": "lounge",
    "waitingroom": "waiting",
    "serverroom": "server",
    "parking": "garage",
    "foodservice": "food",
    "walkway": "corridor",
    "footbridge": "corridor",
    "movingwalkway": "corridor",
    "corridor": "corridor",
    "steps": "stairs",
    "elevator": "lift",
    "unenclosedarea": "open area",
    "fieldofplay": "field of play",
    "firstaid": "first aid",
    "fitnessroom": "fitness room",
    "mailroom": "mail room",
    "mothersroom": "nursing room",
    "movietheater": "cinema",
    "phoneroom": "phone room",
    "smokingarea": "smoking area",
    "retail": "shop",
}
# Walls, columns and air: a unit of these is part of the building and no place to go to.
NO_ROOMS = frozenset(
    (
        "brick",
        "column",
        "concrete",
        "drywall",
        "glass",
        "opentobelow",
        "structure",
        "vegetation",
        "void",
        "wood",
    )
)
# Kinds of links by the category of a unit, an amenity or a relationship. `steps` lead within one level.
LINK_KINDS: dict[str, ConnectorKind] = {
    "elevator": "lift",
    "escalator": "escalator",
    "stairs": "stairs",
    "ramp": "ramp",
}


def kind_of_category(category: str) -> str:
    """Return the kind that a category means: of `restroom.female` that of `restroom`; unknown ones stay."""
    word = category.strip().lower()
    base = word.partition(".")[0]
    return UNIT_KINDS.get(word, UNIT_KINDS.get(base, base))


def words_of_categories(categories: list[str]) -> list[str]:
    """Return the words of categories: coffee and tea of `coffee.tea`, female toilet of `restroom.female`."""
    words: list[str] = []
    for category in categories:
        base, *details = category.strip().lower().split(".")
        is_toilet = UNIT_KINDS.get(base) == "toilet"
        words += [f"{word} toilet" if is_toilet else word for word in details]
        words += [base] if base and UNIT_KINDS.get(base, base) else []
    return list(dict.fromkeys(words))
