"""Rooms that a person means: "Kitchen", "the meeting room on 2F", 2階の会議室, 2101, "room E001". Pure.

A room has its name, its names in other languages and its aliases; a number in a name, such as 2101 of "Room 2101",
is a name of its own. Names come before kinds: with a room called Toilet, "toilet" means it and its namesakes only.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from smoldesk.buildings.floor_names import floor_names
from smoldesk.buildings.kana import KATAKANA, sounds
from smoldesk.buildings.kinds import CIRCULATION, find_kind, kind_of_name, kinds_of
from smoldesk.buildings.names import apart, fold, spelled
from smoldesk.buildings.overlay_text import clip, read_names
from smoldesk.errors import NotFound
from smoldesk.messages import Floor, MapDefinitionContent, Rectangle

Spot = tuple[str, str]
_ARTICLE = re.compile(
    r"^(?:(?:the|a|an|my|our|all|every|each|any|all the|all of the) |(?:すべて|全て|全部|全)の)"
)
_GENERIC = re.compile(
    r"^(?:room|rm|no|nr|number|classroom|教室|部屋|室|raum)\.? ?#?(?=.*\d)|(?<=\d) ?(?:号室|番教室|教室|室|の部屋)$"
)
_CODE = re.compile(r"[^\W_]*\d[^\W_]*(?:[-.][^\W_]+)*")
_WRITTEN_FLOOR = re.compile(
    r"((?:地下|b)?[\d〇一二三四五六七八九]+(?:階|f)|最上階|地下|地階)の?(?=[^\sf\d])(.+)"
)
# Names that an importer gave to rooms without one.
_NUMBERED = re.compile(r" \(?\d+\)?$")
# The number of a name that several rooms have.
_NUMBER = re.compile(r" \(\d+\)$")
_NUMERAL = re.compile(r"\d|^[ivx]+$")
_FEWEST_WORDS = 2
MAX_NUMBERED = 100
# Minimum characters of a number in a longer name that is a name of its own.
_SHORTEST_CODE = 3
# Words that many names end with and that say nothing.
_TOO_WIDE = frozenset(("room", "area", "space", "unit", "zone", "floor", "level", "building"))
# Maximum names in an error.
_MAX_LISTED_NAMES = 40


def room_names(room: Rectangle) -> list[str]:
    """Return the name of a room, its names in other languages and its aliases."""
    return [room.name, *(room.names or {}).values(), *(room.aliases or ())]


def short_forms(name: str) -> Iterator[str]:
    """Yield what else a folded name may be written as: 2101 for "room 2101", 2101号室, "2101.0" and "02101"."""
    plain = _GENERIC.sub("", name).strip()
    if re.fullmatch(r"\d+\.0+", plain):
        plain = plain.partition(".")[0]
    yield from (
        form for form in (plain, plain.lstrip("0") if plain.isdigit() else "") if form and form != name
    )
    if re.search(r"\d", plain) and re.search(r"[-\s]", plain):
        yield re.sub(r"[-\s]", "", plain)


def name_endings(name: str) -> Iterator[str]:
    """Yield what a name says a room is, without its number: "server room" of "A/V SERVER RM (2)", "ward" of "K Wards"."""
    parts = [part for part in spelled(_NUMBER.sub("", name)).split() if not _NUMERAL.search(part)][-4:]
    for at in range(len(parts)):
        ending = " ".join(parts[at:])
        single = ending.removesuffix("s") if len(ending) > _SHORTEST_CODE else ending
        if (
            len(single) >= _SHORTEST_CODE
            and single not in _TOO_WIDE
            and not (find_kind(single) or find_kind(ending))
        ):
            yield single


def _starts(name: str) -> Iterator[str]:
    """Yield the beginnings of a name, of two words at least, before its number: Office Smith of Office Smith II."""
    parts = fold(_NUMBER.sub("", name)).split()
    at = len(parts)
    while at > _FEWEST_WORDS and not re.search(r"[^\W\d_]{4}", parts[at - 1]):
        at -= 1
        if (start := " ".join(parts[:at])) and not find_kind(start):
            yield start


def _codes(name: str) -> Iterator[str]:
    """Yield the numbers in a longer name: A101 of "A101 Seminar room"."""
    yield from (code for code in _CODE.findall(name) if len(code) >= _SHORTEST_CODE and code != name)


class UnknownPlace(NotFound):
    """No room or floor has this name; `japanese` says so in Japanese."""

    def __init__(self, message: str, hint: str, japanese: str) -> None:
        super().__init__(message, hint=hint, japanese=japanese)


class PlaceIndex:
    """Rooms and floors of a building by all their names; a look-up costs the same in any building."""

    def __init__(self, definition: MapDefinitionContent) -> None:
        self.definition = definition
        self.floors = floor_names(definition)
        self.by_kind: dict[str, list[Spot]] = {}
        """Rooms by their kind, in the order of the file."""
        self._by_id = {floor.floor_id: floor for floor in definition.floors}
        # Names, then other names, then parts of names.
        self._ranks: tuple[dict[str, list[Spot]], ...] = ({}, {}, {})
        shared: dict[str, list[Spot]] = {}
        beginnings: dict[str, list[Spot]] = {}
        for floor in definition.floors:
            for room in floor.rectangles:
                self._add(room, (floor.floor_id, room.name))
                for text in dict.fromkeys(start for name in room_names(room) for start in _starts(name)):
                    beginnings.setdefault(text, []).append((floor.floor_id, room.name))
                for ending in dict.fromkeys(end for name in room_names(room) for end in name_endings(name)):
                    shared.setdefault(ending, []).append((floor.floor_id, room.name))
        self._beginnings = {text: spots for text, spots in beginnings.items() if len(spots) > 1}
        for ending, spots in shared.items():  # the team rooms of this building: what several names end with
            if len(spots) > 1 and ending not in self.by_kind:
                self.by_kind[ending] = spots

    def _add(self, room: Rectangle, spot: Spot) -> None:
        for kind in kinds_of(room):
            self.by_kind.setdefault(kind, []).append(spot)
        name, *translations = map(fold, room_names(room))
        joined = [
            fold(text) for text in map(apart, room_names(room)) if fold(text) not in (name, *translations)
        ]
        shorter = joined + [
            form for text in (name, *translations) for form in (*short_forms(text), *_codes(text))
        ]
        # A text is searched for without its article.
        shorter += [text[4:] for text in (name, *translations) if text.startswith("the ")]
        for rank, texts in zip(self._ranks, ([name], translations, shorter), strict=True):
            for text in dict.fromkeys(texts):
                rank.setdefault(text, []).append(spot)

    def named(self, text: str) -> list[Spot]:
        """Return the rooms of exactly this name or number, without regard to case and width; empty for none."""
        name = fold(text)
        for form in (name, *short_forms(name)):
            for rank in (*self._ranks, self._beginnings):
                if spots := rank.get(form):
                    return spots
        return []

    def _numbered(self, name: str) -> list[Spot]:
        """Return the rooms of a name that stands several times in the file: Stairs, Stairs (2)."""
        spots = self.named(name)
        more = (
            spot for number in range(2, MAX_NUMBERED) for spot in self._ranks[0].get(f"{name} ({number})", ())
        )
        return list(dict.fromkeys((*spots, *more))) if spots else []

    def sounding(self, text: str) -> list[Spot]:
        """Return the rooms whose foreign name a text is in katakana, or katakana before the word for its kind: サービス通路.

        Empty if rooms of several names sound so.
        """
        first = KATAKANA.match(text)
        kind = self.kind(text[first.end() :]) if first and first.end() < len(text) else None
        if first and kind:
            heard = self._by_first_sounds.get(sounds(first[0]), ())
            spots = [spot for spot in heard if spot in self.by_kind.get(kind, ())]
        else:
            spots = self._by_sounds.get(sounds(text), []) if KATAKANA.search(text) else []
        return spots if len({room for _, room in spots}) == 1 else []

    @cached_property
    def link_names(self) -> frozenset[str]:
        """Folded names of lifts, stairs and escalators that have a number or several words: escalator 3."""
        names = (fold(link.name or "") for link in self.definition.links or ())
        return frozenset(name for name in names if re.search(r"[a-z].*[\d ]", name))

    @cached_property
    def _by_first_sounds(self) -> dict[str, list[Spot]]:
        """Rooms by the sounds of the first word of their names, of several words."""
        rooms: dict[str, list[Spot]] = {}
        for spot in (spot for spots in self.by_kind.values() for spot in spots):
            if (word := spot[1].partition(" ")[0]) != spot[1] and (sound := sounds(word)):
                rooms.setdefault(sound, []).append(spot)
        return rooms

    @cached_property
    def _by_sounds(self) -> dict[str, list[Spot]]:
        rooms: dict[str, list[Spot]] = {}
        for floor in self.definition.floors:
            for room in floor.rectangles:
                for sound in dict.fromkeys(map(sounds, room_names(room))):
                    rooms.setdefault(sound, []).append((floor.floor_id, room.name))
        rooms.pop("", None)
        return rooms

    def names(self) -> Iterator[tuple[str, list[Spot]]]:
        """Yield all names with their rooms; a part of a name only if it is no name itself."""
        for number, rank in enumerate(self._ranks):
            for name, spots in rank.items():
                if not any(name in before for before in self._ranks[:number]):
                    yield name, spots

    def kind(self, text: str) -> str | None:
        """Return the kind that a word means: one that rooms may have, or what several names of this file end with."""
        word = _ARTICLE.sub("", spelled(text))
        forms = (word, word.removesuffix("s"), word.removesuffix("es"), re.sub(r" rooms?$", "", word))
        stored = next((form for form in forms if form in self.by_kind), None)
        kind = stored or find_kind(word)
        # A hall is a corridor where the plan has no halls.
        return "corridor" if kind == "hall" and kind not in self.by_kind else kind

    def find(self, text: str) -> list[Spot]:
        """Return every room that the words fit, best reading first. Raises NotFound naming near ones."""
        name = _ARTICLE.sub("", fold(text))
        readings = self.readings(text)
        for floors, phrase in readings:
            if spots := [spot for spot in self._numbered(phrase) if spot[0] in floors]:
                return spots
        for floors, phrase in readings:
            kind = self.kind(phrase)
            if spots := [spot for spot in self.by_kind.get(kind or "", ()) if spot[0] in floors]:
                return spots
        for floors, phrase in readings:
            if spots := [spot for spot in self.sounding(phrase) if spot[0] in floors]:
                return spots
        elsewhere = [(floors[0], spot) for floors, phrase in readings[1:] for spot in self.named(phrase)]
        for floor_id, (other, room) in elsewhere:
            raise UnknownPlace(
                f"There is no room {clip(room)} on floor {floor_id}.",
                f"It is on floor {other}.",
                f"{self.label(floor_id, 'ja')}に「{room}」はありません。{self.label(other, 'ja')}にあります。",
            )
        near = self.near(name)
        raise UnknownPlace(
            f"There is no room {clip(text)}.",
            (f"Did you mean {' or '.join(near)}? " if near else "") + f"Rooms: {self._listing()}.",
            f"「{text[:60]}」という部屋はありません。" + (f"近い名前：{'、'.join(near)}。" if near else ""),
        )

    def find_each(self, text: str) -> tuple[list[Spot], list[str]]:
        """Return the rooms of a name, or of each name of a list with commas, and the names that no room has.

        Raises UnknownPlace if there is none at all.
        """
        names = [name.text for name in read_names(text)]
        try:
            return self.find(names[0] if len(names) == 1 else text), []
        except UnknownPlace:
            if len(names) < 2:
                raise
        spots: list[Spot] = []
        unknown: list[str] = []
        for name in names:
            try:
                spots += self.find(name)
            except UnknownPlace:
                unknown.append(name)
        return (list(dict.fromkeys(spots)), unknown) if spots else (self.find(names[0]), [])

    def find_floor(self, text: str) -> Floor:
        """Return the floor of this id or name ("2F", 2階, "the second floor"). Raises NotFound with the floors."""
        if ids := self.floor_ids(text):
            return self._by_id[ids[0]]
        labels = "、".join(self.label(floor_id, "ja") for floor_id in self._by_id)
        raise UnknownPlace(
            f"There is no floor {clip(text)}.",
            f"Floors: {', '.join(self._by_id)}.",
            f"「{text[:60]}」という階はありません。階：{labels}。",
        )

    def destinations(self, floor_id: str) -> list[str]:
        """Return the rooms of a floor that people go to, those with a name of their own first; all if there are none.

        A name that several rooms have is left out, since a route needs one place.
        """
        rooms = list(dict.fromkeys(_names_on(self._by_id[floor_id])))
        passed = {spot for kind in CIRCULATION for spot in self.by_kind.get(kind, ())}
        names = [
            name
            for name in rooms
            if (floor_id, name) not in passed
            and kind_of_name(name) not in CIRCULATION
            and len(self.named(name)) == 1
        ]
        return sorted(names, key=lambda name: bool(_NUMBERED.search(name))) or rooms

    def floor_ids(self, text: str) -> list[str]:
        """Return the ids of the floors that a name means."""
        return self.floors.get(_ARTICLE.sub("", fold(text)), [])

    def label(self, floor_id: str, language: str = "en") -> str:
        """Return the name of a floor in a language: its name in it, else in Japanese its name, in English its id."""
        floor = self._by_id[floor_id]
        name = (floor.names or {}).get(language) or (floor.floor_name if language == "ja" else floor_id)
        return f"{name}階" if language == "ja" and name.isdigit() else name

    def readings(self, text: str) -> list[tuple[Sequence[str], str]]:
        """Return the floors and the room's part of a text, in every way it can be read; first as a room of any floor."""
        name = _ARTICLE.sub("", fold(text))
        return [(list(self._by_id), name), *self._with_floor(name)]

    def _with_floor(self, text: str) -> Iterator[tuple[list[str], str]]:
        """Yield a floor and the room's part of a text, in every way it can be read."""
        for floor, room in _split_floor(text):
            if (ids := self.floor_ids(floor.strip())) and room.strip():
                yield ids, _ARTICLE.sub("", room.strip())

    def near(self, text: str) -> list[str]:
        """Return the names that resemble a text, the nearest first."""
        from rapidfuzz import process

        folded = {fold(name): name for floor in self.definition.floors for name in _names_on(floor)}
        matches = process.extract(fold(text), list(folded), limit=3, score_cutoff=70)
        return [folded[match] for match, _, _ in matches]

    def _listing(self) -> str:
        """Return a list of all names that says how many are left out."""
        names = list(dict.fromkeys(name for floor in self.definition.floors for name in _names_on(floor)))
        more = f" and {len(names) - _MAX_LISTED_NAMES} more" if len(names) > _MAX_LISTED_NAMES else ""
        return ", ".join(names[:_MAX_LISTED_NAMES]) + more


def middle_of(definition: MapDefinitionContent, spot: Spot) -> tuple[float, float]:
    """Return the middle of a room's bounding box in the coordinates of its floor."""
    floor = next(floor for floor in definition.floors if floor.floor_id == spot[0])
    room = next(room for room in floor.rectangles if room.name == spot[1])
    return (room.top_left.x + room.bottom_right.x) / 2, (room.top_left.y + room.bottom_right.y) / 2


def room_middle(definition: MapDefinitionContent, spot: Spot) -> tuple[float, float]:
    """Return the middle of a room's bounding box in pixels, y downwards whatever the plan's axes."""
    x, y = middle_of(definition, spot)
    system = next(floor for floor in definition.floors if floor.floor_id == spot[0]).coordinate_system
    right = system.bottom_right.x >= system.top_left.x
    down = system.bottom_right.y >= system.top_left.y
    return x if right else -x, y if down else -y


def _names_on(floor: Floor) -> Iterable[str]:
    return (room.name for room in floor.rectangles)


def _split_floor(text: str) -> Iterator[tuple[str, str]]:
    """Yield the pairs of floor and room that a text may name: "toilet (2f)", "toilet on 2f", "2f toilet", 2階のトイレ."""
    for start in (r"(.+)", r"(.+?)"):  # "Stairs (2) (1F)" ends with its floor
        if match := re.fullmatch(start + r"\s*[(,@、（]\s*(.+?)\s*[)）]?", text):
            yield match[2], match[1]
    for match in re.finditer(r" (?:on|at|in|of) ", text):
        yield text[match.end() :], text[: match.start()]
    for match in re.finditer("の", text):
        yield text[: match.start()], text[match.end() :]
    if match := _WRITTEN_FLOOR.fullmatch(text):
        yield match[1], match[2]
    parts = text.split(" ")
    for size in range(1, min(4, len(parts))):
        yield " ".join(parts[:size]), " ".join(parts[size:])
        yield " ".join(parts[-size:]), " ".join(parts[:-size])
