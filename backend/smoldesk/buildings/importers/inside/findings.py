"""Findings about a building file by their codes, in English; the page has the same texts under `building.report.CODE`.

A finding is a code, its place in the file and its values. Findings of one code are one line of the report: `{n}` is
their number, and each value lists the first different ones. Errors are one line for each text. `message` is a text of
this child about a file that cannot be read, which the page shows as it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from .draft import Json, clipped

# Code -> severity and text. An error keeps the building out, a warning means that part of it will not work, a note says
# what was made of the file.
CODES: dict[str, tuple[str, str]] = {
    "invalid": ("error", "{message}"),
    "expected": ("error", "Expected {expected}, not {value}."),
    "missing": ("error", "It is missing. Expected {expected}."),
    "image_missing": ("error", "The image '{name}' is missing. Images that were sent: {images}."),
    "no_image": ("warning", "The floor has no image. Images that were sent: {images}."),
    "image_unused": ("warning", "Images that no floor uses are not stored: {n} ({name})."),
    "image_corner": ("warning", "Corners that lie outside of their image: {n} (pixel {pixel} of {size})."),
    "file_left_out": ("warning", "Files of the archive that cannot be read were left out: {n} ({name}: {fault})."),
    "no_level": ("warning", "Left out, since they have no level: {n} ({name})."),
    "unknown_level": ("warning", "Left out, since their level is not in the file: {n} ({level})."),
    "no_area": ("warning", "Left out, since their outlines enclose no area: {n} ({name})."),
    "door_nowhere": ("warning", "Doors left out, since no room is within {distance} m of them: {n}."),
    "door_in_room": ("warning", "Doors left out, since they have the same room on both sides: {n} ({name})."),
    "unknown_area": ("warning", "References to rooms that are not on their level: {n} ({name})."),
    "link_one_level": ("warning", "Stairs left out, since they join no two floors with rooms: {n} ({name})."),
    "lift_one_level": ("warning", "Lifts left out, since they join no two floors with rooms: {n} ({name})."),
    "no_doors": ("warning", "Floors without doors, where rooms that touch are taken as joined: {floor}."),
    "link_no_room": ("warning", "Stops of stairs and lifts left out, since they stand in no room: {n} ({name})."),
    "other_building": ("warning", "Left out, since they belong to none of the file's buildings: {n} ({name})."),
    "unreachable_floor": ("warning", "No stairs and no lift lead to these floors from the others: {floor}."),
    "unreachable_rooms": ("warning", "Rooms without a door to the others: {n} ({name})."),
    "repaired": ("note", "Outlines that crossed themselves were repaired: {n} ({name})."),
    "simplified": ("note", "Outlines with more than {most} corners were simplified: {n} ({name})."),
    "slivers": ("note", "Slivers without room for a person were left out: {n}."),
    "overlaps": ("note", "Rooms inside of other rooms were cut out of these: {n} ({name})."),
    "unnamed": ("note", "Rooms without a name were numbered: {n} ({name})."),
    "duplicate_names": ("note", "Rooms with a name that their floor has already were numbered: {n} ({name})."),
    "one_sided": ("note", "Doors with a room on one side only lead out: {n}."),
    "open_passages": ("note", "Corridors and stairs that touch without a wall were joined: {n}."),
    "footways": ("note", "Footways indoors became corridors: {n}."),
    "cabins": ("note", "Lifts that stand in no room became places of their own: {n} ({name})."),
    "landings": ("note", "Levels that are landings of stairs became no floors: {n} ({level})."),
    "no_shape": ("warning", "Left out, since the file has no shape for them: {n} ({name})."),
    "covering": ("note", "Areas that cover other rooms became no rooms: {n} ({name})."),
    "balconies": ("note", "Doors from a room to none above the ground floor, as to a balcony, were left out: {n} ({name})."),
    "no_entry": ("note", "Cells that nobody can enter became no rooms: {n} ({name})."),
    "assumed_height": ("note", "The file states no unit: rooms are taken to be {metres} m high, which gives all lengths."),
    "y_up": ("note", "y grows upwards in this file."),
    "y_down": ("note", "y grows downwards in this file."),
    "one_level": ("note", "Nothing has a level: all rooms are on one floor."),
    "degrees": ("note", "Coordinates are degrees; the plan is {width} m by {height} m, turned by {angle}°."),
    "metres": ("note", "Coordinates are metres; the plan is {width} m by {height} m, turned by {angle}°."),
    "osm_no_level": ("note", "Rooms without a level were taken to be on level 0: {n} ({name})."),
    "osm_outdoors": ("note", "Left out, since they are not part of an indoor map: {n} objects of OpenStreetMap."),
    "osm_incomplete": ("warning", "Left out, since the file lacks their coordinates: {n} ways and relations."),
    "not_used": ("note", "Not used: {n} of {kind}."),
    "empty_levels": ("note", "Levels without rooms became no floors: {n} ({level})."),
    "joined_levels": ("note", "Levels that are parts of another level's floor were joined with it: {n} ({level})."),
    "levels_of_rooms": ("note", "The file has no levels of its own: they are those that the rooms name."),
    "one_direction": ("note", "Stairs and lifts that lead in one direction only are taken in both: {n}."),
    "more": ("note", "Other findings: {n}."),
}  # fmt: skip
SEVERITIES = ("error", "warning", "note")
# Lines of a report, and findings that are listed behind each.
MAX_REPORT_LINES = 8
MAX_PLACES = 50
# Different values of a line that its text lists.
LISTED_VALUES = 5


@dataclass(frozen=True)
class FindingPlace:
    """One finding of a group: its place in the file, and its values as texts."""

    where: str
    values: dict[str, str] = field(default_factory=dict[str, str])


@dataclass
class FindingGroup:
    """All findings of one code; the first of them have their places listed."""

    code: str
    count: int = 0
    places: list[FindingPlace] = field(default_factory=list[FindingPlace])

    @property
    def severity(self) -> str:
        return CODES[self.code][0]

    def extend(self, count: int, places: list[FindingPlace]) -> None:
        """Add findings, of which only the first are listed."""
        self.count += count
        self.places += places[: MAX_PLACES - len(self.places)]

    def values(self) -> dict[str, str]:
        """Return for each name the first different values as a list; of messages the first."""
        lists: dict[str, list[str]] = {}
        for place in self.places:
            for name, value in place.values.items():
                entries = lists.setdefault(name, [])
                if value and value not in entries:
                    entries.append(value)
        return {
            name: entries[0] if name == "message" and entries else _listed(entries)
            for name, entries in lists.items()
        }


class FindingGroups:
    """Findings in groups: one for each code, and for errors one for each text, of which a code has at most eight."""

    def __init__(self) -> None:
        self._groups: dict[str, FindingGroup] = {}

    def extend(self, code: str, count: int, places: list[FindingPlace]) -> None:
        """Add `count` findings of a code, the first of them at these places."""
        key = code
        if CODES[code][0] == "error":
            same_code = sum(group.code == code for group in self._groups.values())
            key = finding_text(code, 1, places[0].values)
            key = key if key in self._groups or same_code < MAX_REPORT_LINES else code
        self._groups.setdefault(key, FindingGroup(code)).extend(count, places)

    @property
    def has_errors(self) -> bool:
        return any(group.severity == "error" for group in self._groups.values())

    def groups(self) -> list[FindingGroup]:
        """Return errors, then warnings, then notes, each in the order of the file."""
        return sorted(self._groups.values(), key=lambda group: SEVERITIES.index(group.severity))


class Findings(FindingGroups):
    """Findings of one file; `entries` is the form of the child's answer."""

    def add(self, code: str, where: str, n: int = 1, **values: object) -> None:
        """Add `n` findings of a code at one place. Raises KeyError for a code that is not in CODES."""
        if code not in CODES:
            raise KeyError(code)
        texts = {
            name: clipped(_text(value), 800 if name == "message" else 60) for name, value in values.items()
        }
        self.extend(code, n, [FindingPlace(where[:500], texts)])

    def error(self, where: str, message: str) -> None:
        """Add an error that has no code of its own."""
        self.add("invalid", where, message=message)

    def entries(self) -> list[Json]:
        """Return the groups as JSON, the worst first."""
        return [
            {
                "code": group.code,
                "count": group.count,
                "places": [{"where": place.where, "values": place.values} for place in group.places],
            }
            for group in self.groups()
        ]


def finding_text(code: str, count: int, values: Mapping[str, str]) -> str:
    """Return the English text of a group, or, with a count of 1, of one finding."""
    text = CODES[code][1].replace("{n}", f"{count:,}")
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    # A finding about something without a name leaves empty brackets.
    return text.replace(" ()", "")


def _text(value: object) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _listed(entries: list[str]) -> str:
    return ", ".join(entries[:LISTED_VALUES]) + (", …" if len(entries) > LISTED_VALUES else "")
