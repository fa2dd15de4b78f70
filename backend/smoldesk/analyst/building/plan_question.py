"""Question about a plan as slots: places with their roles, floors, numbers, and the words that ask.

A reading takes what it uses; what nothing takes leaves the question unanswered.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from smoldesk.analyst.building.plan_scan import Span, scan
from smoldesk.analyst.building.terms import BuildingSchema, Spot
from smoldesk.analyst.units import normalized
from smoldesk.buildings.overlay_text import quoted
from smoldesk.buildings.places import PlaceIndex

# Cues that no answer depends on.
NEUTRAL = frozenset(
    (
        "where",
        "exists",
        "list",
        "rooms",
        "building",
        "about",
        "and",
        "both",
        "which_of",
        "need",
        "to",
        "that",
        "or",
    )
)
_ROLES = ("from", "via", "avoid", "except", "to")
_OF_LISTS = ("via", "avoid", "except")
_KANA = re.compile(r"[\u3040-\u30ff]")
_ARTICLE = re.compile(r"^(?:the|a|an|any|all|every|each|all the|all of the) ", re.IGNORECASE)
_FROM_THERE = re.compile(r"from (?:there|here|that room|this room)|(?:そこ|ここ)から", re.IGNORECASE)
# What stands between a name and the kind that it qualifies.
_OF = re.compile(r" ?|の|という|っていう")
# Comparisons of named places: the kind beside them says what they are.
_CHOOSING = frozenset(("larger", "smaller", "largest", "smallest", "closer", "nearest"))
# Cues of limits, as the tools write them.
_SIDES = {
    "at_least": "at least",
    "at_most": "at most",
    "over": "over",
    "larger": "over",
    "under": "under",
    "smaller": "under",
}
_TOPIC = re.compile(r"は[?？。]?$")


@dataclass
class PlanQuestion:
    """Spans of a question, and those that a reading has taken."""

    text: str
    building: BuildingSchema
    places: PlaceIndex
    spans: Sequence[Span]
    previous: Sequence[Spot] = ()
    tools: frozenset[str] = frozenset()
    consumed: set[int] = field(default_factory=set[int])

    @classmethod
    def of(
        cls, text: str, building: BuildingSchema, previous: Sequence[Spot], tools: frozenset[str]
    ) -> "PlanQuestion | None":
        """Return the slots of a text; None without a plan."""
        if building.places is None:
            return None
        plain = normalized(text)
        spans = [span for span in scan(plain, building.places) if span.kind != "ignored"]
        question = cls(plain, building, building.places, spans, previous, tools)
        descriptions = [at for at in question.at("kind") if question._describes(at)]
        for at in descriptions:
            spans = question._narrowed({*question.spots(at)}, spans)
        question.spans = [span for at, span in enumerate(spans) if at not in descriptions]
        return question

    def _narrowed(self, rooms: set[Spot], spans: Sequence[Span]) -> list[Span]:
        """Return the spans with the rooms of each name that are of a kind: classroom S31, not lounge S31."""
        return [
            replace(span, value=spots)
            if (spots := tuple(spot for spot in span.spots if spot in rooms))
            else span
            for span in spans
        ]

    def _describes(self, number: int) -> bool:
        """Return whether a kind only says what the places beside it are, so that it adds none to a list.

        The coffee place Leto, 2101と2103のトイレ, which classroom is larger, A1 or A2?
        """
        if self.spans[number].kind != "kind":
            return False
        rooms = set(self.spots(number))
        following = [at for at in range(number + 1, len(self.spans)) if not self.spans[at].is_cue("rooms")][
            :1
        ]
        if following and self.spans[following[0]].kind == "room" and rooms & set(self.spots(following[0])):
            return True
        if self.qualifier(number) is not None:
            before = set(self.spots(number - 1))
            return (
                bool(before & rooms)
                if self.spans[number - 1].kind == "room"
                else bool(before) and before < rooms
            )
        named = [at for at in self.at("room") if set(self.spots(at)) & rooms]
        is_choice = self.cues() & _CHOOSING and "than" not in self.cues()
        return bool(is_choice) and len(named) > 1 and len(named) == len(self.at("room"))

    def qualifier(self, number: int) -> int | None:
        """Return the place that qualifies a kind, directly before it: Hertz in the Hertz shop, Hertzの店; None for none."""
        if (
            number == 0
            or self.spans[number].kind != "kind"
            or self.spans[number - 1].kind not in ("room", "kind")
        ):
            return None
        between = self.text[self.spans[number - 1].end : self.spans[number].first]
        return number - 1 if _OF.fullmatch(between) else None

    @property
    def is_japanese(self) -> bool:
        return bool(_KANA.search(self.text))

    @property
    def is_topic(self) -> bool:
        """Return whether a text is a topic without a predicate: 図書室は？"""
        return bool(_TOPIC.search(self.text))

    def cues(self) -> set[str]:
        return {str(span.value) for span in self.spans if span.kind == "cue"}

    def take(self, *cues: str) -> bool:
        """Take all cues of these kinds; returns whether there is one."""
        numbers = [number for number, span in enumerate(self.spans) if span.is_cue(*cues)]
        self.consumed |= {*numbers}
        return bool(numbers)

    def number(self, *kinds: str) -> int:
        """Take and return the first number of these kinds; 0 for none."""
        for at, span in enumerate(self.spans):
            if span.kind in kinds:
                self.consumed.add(at)
                return round(float(str(span.value)))
        return 0

    def limit(self) -> str:
        """Take and return a limit: over 50; empty without one number and a word for its side."""
        numbers = self.at("number")
        sides = [side for cue, side in _SIDES.items() if cue in self.cues()]
        if not sides or len(numbers) != 1:
            return ""
        self.take(*_SIDES, "than")
        self.consumed.add(numbers[0])
        return f"{sides[0]} {float(str(self.spans[numbers[0]].value)):g}"

    def at(self, *kinds: str, role: str | None = None) -> list[int]:
        """Return the numbers of the spans of these kinds, of those with a role if it is given ("" for none)."""
        numbers = [at for at, span in enumerate(self.spans) if span.kind in kinds]
        return [at for at in numbers if role is None or self.role(at) == role]

    def neighbour(self, number: int) -> Span:
        """Return the span before a place, in Japanese the one behind it, where the word about it stands."""
        at = number + (1 if self.is_japanese else -1)
        return self.spans[at] if 0 <= at < len(self.spans) else Span(0, 0, "ignored", "", "")

    def role(self, number: int) -> str:
        """Return what the word before a place, in Japanese behind it, makes of it: from, to, via, avoid, except; else "".

        A place of a list has the role of the list.
        """
        step = 1 if self.is_japanese else -1
        at = number + step
        while 0 <= at < len(self.spans) and (
            self.spans[at].kind == "floor" or self.spans[at].is_cue("rooms")
        ):
            at += step
        if not 0 <= at < len(self.spans):
            return ""
        span = self.spans[at]
        if span.is_cue("stepless", "need", "exists", "where") and 0 <= at + step < len(self.spans):
            span = self.spans[at + step] if self.spans[at + step].is_cue("from") else span
        if span.is_cue("to") and 0 <= at + step < len(self.spans) and self.spans[at + step].is_cue("via"):
            return "via"  # 図書室に寄って
        if span.is_cue(*_ROLES):
            return str(span.value)
        if span.is_cue("and", "or") and 0 <= at + step < len(self.spans):
            if self.spans[at + step].is_cue("stepless"):  # without stairs or the lift
                return "avoid"
            role = self.role(at + step) if self.spans[at + step].kind in ("room", "kind") else ""
            return role if role in _OF_LISTS else ""
        return ""

    def floors(self) -> list[str]:
        """Take and return the floors that no place has; one that is left out stays, since no list can leave it out."""
        numbers = [at for at in self.at("floor") if at not in self.consumed and self.role(at) != "except"]
        self.consumed |= {*numbers}
        return list(dict.fromkeys(str(self.spans[at].value) for at in numbers))

    def floor_of(self, number: int) -> str:
        """Take the floor next to a place and return it in brackets; empty without one."""
        for at in (number + 1, number - 1):
            if 0 <= at < len(self.spans) and self.spans[at].kind == "floor" and at not in self.consumed:
                self.consumed.add(at)
                return f" ({self.spans[at].value})"
        return ""

    def name(self, number: int, with_floor: bool = True) -> str:
        """Take a place and return it as the tools know it."""
        self.consumed.add(number)
        span = self.spans[number]
        text = _ARTICLE.sub("", span.text.strip(" .,!?、。？"))
        floor = self.floor_of(number) if with_floor else ""
        if span.kind == "room":
            named = self.places.named(text)
            on_floor = [spot for spot in named or span.spots if f" ({spot[0]})" == floor]
            # The kind beside a name may fit its rooms on other floors only: corridor F06 on level 0.
            spots = [spot for spot in span.spots if spot in on_floor] or on_floor or span.spots
            if {*spots} != {*(on_floor if named and on_floor else named)}:
                return ", ".join(
                    quoted(f"{room} ({on})") if len(spots) > 1 else f"{room} ({on})" for on, room in spots
                )
        elif self.places.kind(text) is None:
            text = str(span.value)
        return text + floor

    def floor_room(self, number: int) -> str:
        """Take a floor and return a room to start or end at: a corridor or hall, else its first one."""
        self.consumed.add(number)
        floor_id = str(self.spans[number].value)
        passed = [
            spot for kind in ("hall", "lobby", "corridor") for spot in self.places.by_kind.get(kind, ())
        ]
        rooms = [(floor_id, room) for room in self.building.floors[floor_id]]
        floor, room = next((spot for spot in passed if spot[0] == floor_id), rooms[0])
        return f"{room} ({floor})"

    def is_kind(self, number: int) -> bool:
        return self.spans[number].kind == "kind"

    def is_exit(self, number: int) -> bool:
        return self.is_kind(number) and self.places.kind(self.spans[number].text) == "exit"

    def spots(self, number: int) -> tuple[Spot, ...]:
        """Return the rooms that a place means."""
        span = self.spans[number]
        return (
            span.spots
            if span.kind == "room"
            else tuple(self.places.by_kind.get(self.places.kind(span.text) or "", ()))
        )

    def here(self) -> str:
        """Return the room that "it" means, else the selected one; empty for none or several."""
        for spots in (self.building.selected, self.previous):
            if len(spots) == 1:
                return f"{spots[0][1]} ({spots[0][0]})"
        return ""

    def door(self, first: int, second: int) -> str:
        """Take two rooms and return the door between them."""
        return f"door between {self.name(first)} and {self.name(second)}"

    @property
    def is_from_there(self) -> bool:
        """Return whether a question starts at the place of the answer before: now from there to 2091."""
        return any(span.is_cue("that") and _FROM_THERE.fullmatch(span.text) for span in self.spans)

    @property
    def is_about_door(self) -> bool:
        """Return whether a question is about the door between two rooms."""
        return self.cues() >= {"doors", "between"}

    def unread(self) -> list[Span]:
        """Return the spans that the reading has not taken."""
        neutral = NEUTRAL if self.cues() & {"close", "closed"} else NEUTRAL | {"if"}
        return [
            span
            for at, span in enumerate(self.spans)
            if at not in self.consumed and not (span.kind == "cue" and span.value in neutral)
        ]

    def unused(self) -> tuple[str, ...]:
        """Return the words that the reading has not taken."""
        return tuple(span.text for span in self.unread())
