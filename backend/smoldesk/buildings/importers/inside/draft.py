"""Result of reading a building file: an unchecked definition and the origin of each part; its limits."""

from dataclasses import dataclass, field
from typing import Any

PLAN = "plan"
# Names of files in the child's folder: its input and its answer.
ANSWER = "answer.json"
MAX_ANSWER = 128 * 1024**2
MAX_FLOORS = 200
MAX_ROOMS = 100_000
MAX_DOORS = 250_000
MAX_LINKS = 2_000
# Maximum corners of one room's polygon.
MAX_CORNERS = 1_000
# Maximum corners of all polygons together.
MAX_POINTS = 1_000_000
LONGEST_NAME = 200
# Most other names of a room or a floor, and characters of a language tag.
MAX_ALIASES = 20
MAX_TAG = 35

Json = dict[str, Any]


class Unreadable(Exception):
    """File that is not a building; `where` is a path into it, or empty."""

    def __init__(self, message: str, where: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.where = where


@dataclass
class Draft:
    """A building as JSON in the four-pane form, not yet checked as a whole.

    `origins` says where a part stood in the file, where that is not its path in the definition. With `takes_image`,
    a floor that names no image takes the only one that was sent.
    """

    format: str
    name: str = ""
    floors: list[Json] = field(default_factory=list[Json])
    links: list[Json] = field(default_factory=list[Json])
    origins: dict[str, str] = field(default_factory=dict[str, str])
    takes_image: bool = False
    images: dict[str, str] = field(default_factory=dict[str, str])
    """Files in the child's folder of the floor images that came in the archive, by name."""
    georeference: Json | None = None
    ground_floor: int | None = None


class SeveralBuildings(Unreadable):
    """File with several buildings, of which none was requested; `choices` are {id, name, floors, rooms}."""

    def __init__(self, choices: list[Json], message: str) -> None:
        super().__init__(message)
        self.choices = choices


def clipped(text: object, longest: int = 60) -> str:
    """Return a value of the file, shortened for a sentence."""
    text_ = str(text)
    return text_ if len(text_) <= longest else f"{text_[:longest]}…"


def join_names(names: list[str], most: int = 12) -> str:
    """Return the names for a sentence: the first of them, and how many more there are."""
    text_ = ", ".join(clipped(name) for name in names[:most])
    return (f"{text_} and {len(names) - most} more" if len(names) > most else text_) or "none"


def too_many(what: str, count: int, most: int, where: str) -> Unreadable:
    """Return the error for a list that is longer than its limit."""
    return Unreadable(f"There are {count:,} {what}; at most {most:,} are taken.", where)
