"""Questions about the building itself: routes, the nearest of a kind, where a room is, which rooms there are.

They become the call of a tool, with names as the person wrote them: the tools know every name and say which they do not.
A request that merely uses such words of a table is none: what is asked for has to be a place.
"""

from dataclasses import dataclass

from smoldesk.analyst.building.ways_english import limits as english_limits
from smoldesk.analyst.building.ways_english import read_english
from smoldesk.analyst.building.ways_japanese import limits as japanese_limits
from smoldesk.analyst.building.ways_japanese import read_japanese
from smoldesk.analyst.intents import (
    Intent,
    Language,
    Reading,
    Refusal,
    Scalar,
    Ways,
)
from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.tables.place_words import is_nearest, is_place, spelled
from smoldesk.analyst.words.text import has_hiragana, is_japanese, tidy

_LONGEST = 400
Spot = tuple[str, str]
HERE = frozenset(("here", "ここ", "現在地", "今いる部屋", "この部屋", "this room", "my room"))


@dataclass(frozen=True)
class Asked:
    """What a request says about the building. Of a route, "" is what it leaves open."""

    kind: str
    start: str = ""
    goal: str = ""
    accessible: bool = False
    avoid: tuple[str, ...] = ()
    certain: bool = False
    """True when the sentence cannot be about anything but the building, whatever the names are."""


def read_ways(
    text: str, selected: tuple[Spot, ...], catalogue: Catalogue, previous: Intent | None = None
) -> Reading | None:
    """What is asked about the building; None when a request asks nothing of the kind, or nothing here can answer it."""
    if len(text) > _LONGEST:
        return None
    words = tidy(text).rstrip("?？!！。. ")
    language = _language(words, catalogue)
    asked = (read_japanese if language == "ja" else read_english)(words, catalogue)
    intent = (
        _intent(Asked(*asked), selected, catalogue)
        if asked
        else _continued(words, language, catalogue, previous)
    )
    if isinstance(intent, Ways) and intent.tool not in catalogue.tools:
        return None
    if isinstance(intent, Refusal) and "find_route" not in catalogue.tools:
        return None
    return Reading(intent, language) if intent else None


def _intent(asked: Asked, selected: tuple[Spot, ...], catalogue: Catalogue) -> Ways | Refusal | None:
    match asked.kind:
        case "list_rooms":
            return Ways("list_rooms", (("floor", asked.goal),))
        case "where_is":
            return (
                Ways("where_is", (("name", spelled(asked.goal)),))
                if is_place(asked.goal, catalogue)
                else None
            )
        case _:
            return _route(asked, selected, catalogue)


def _route(asked: Asked, selected: tuple[Spot, ...], catalogue: Catalogue) -> Ways | Refusal | None:
    known = is_place(asked.goal, catalogue)
    if not known and not (asked.certain and asked.start):
        return None
    start = asked.start
    if not start or start.lower() in HERE:
        if len(selected) != 1:
            return Refusal("where_from", (asked.goal,), tuple(_kept(asked)))
        start = f"{selected[0][1]} ({selected[0][0]})"
    near = is_nearest(asked.goal)
    if near and not (asked.accessible or asked.avoid):
        return Ways("nearest", (("kind", spelled(asked.goal)), ("start", spelled(start))))
    arguments: list[tuple[str, Scalar]] = [("start", spelled(start)), ("goal", spelled(asked.goal))]
    if asked.accessible:
        arguments.append(("accessible", True))
    if asked.avoid:
        arguments.append(("avoid", ", ".join(map(spelled, asked.avoid))))
    return Ways("find_route", tuple(arguments))


def _kept(asked: Asked) -> list[str]:
    """What a route must keep to, for when its start is told."""
    return [*(["accessible"] if asked.accessible else []), *asked.avoid]


def _continued(
    words: str, language: Language, catalogue: Catalogue, previous: Intent | None
) -> Ways | Refusal | None:
    """`From the Library`, after a route without a start; `the lift is closed`, `without stairs`, after a route."""
    if isinstance(previous, Refusal) and previous.reason == "where_from":
        start = words.removeprefix("from ").removeprefix("From ").removesuffix("です").removesuffix("から")
        if not is_place(start, catalogue):
            return None
        accessible = previous.choices[:1] == ("accessible",)
        avoid = previous.choices[1:] if accessible else previous.choices
        return _route(Asked("route", start, previous.words[0], accessible, avoid), (), catalogue)
    if not isinstance(previous, Ways) or previous.tool not in ("find_route", "nearest"):
        return None
    accessible, avoid, rest = (japanese_limits if language == "ja" else english_limits)(words)
    if rest.strip(" ,、").lower() not in (
        "",
        "and",
        "but",
        "now",
        "では",
        "じゃあ",
        "もし",
        "what if",
        "how about",
    ):
        return None
    if not accessible and not avoid:
        return None
    before = dict(previous.arguments)
    goal = str(before.get("goal") or before["kind"])
    already = [one for one in str(before.get("avoid", "")).split(", ") if one]
    accessible = accessible or bool(before.get("accessible"))
    return _route(Asked("route", str(before["start"]), goal, accessible, (*already, *avoid)), (), catalogue)


def _language(words: str, catalogue: Catalogue) -> Language:
    """Japanese when it has hiragana, or is written in it beside the names of rooms."""
    if has_hiragana(words):
        return "ja"
    for rooms in catalogue.rooms.values():
        for room in rooms:
            words = words.replace(room, "")
    return "ja" if is_japanese(words) else "en"
