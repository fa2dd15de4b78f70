"""Words of a question about a plan that its call leaves out: which ones change nothing about the answer.

A call that only reads is the answer, if nothing left over is a number, a relation, or a word where a place may stand; the
answer names what it leaves out. Beside rooms of a kind each word of the clause may choose among them.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from smoldesk.analyst.building.changes import CHANGES
from smoldesk.analyst.building.intents import BuildingQuestion
from smoldesk.analyst.building.plan_question import PlanQuestion
from smoldesk.analyst.building.plan_scan import Span
from smoldesk.analyst.lexicon import phrases
from smoldesk.analyst.requests import phrases_in, request_of
from smoldesk.analyst.units import japanese_tokens

_READING = ("find_route", "reachable_from", "nearest", "where_is", "list_rooms", "evacuation")
# What asks for facts of a place: rename the kitchen to canteen asks for none.
_OF_FACTS = {"where", "size", "beside", "which_of"}
_ASKING = _OF_FACTS | {"list", "go", "far", "nearest", "reach", "evacuate", "minutes", "seconds", "from", "to", "count", "than",
    "largest", "smallest", "cut_off"}  # fmt: skip
# Cues that may stay unused beside a complete call, the last ones beside a way.
_IDLE = ("still", "go", "people")
_WAYS = ("find_route", "reachable_from")
# What a drawing puts on the map: draw an arrow from the workshop to storage.
_DRAWN = ("arrow", "icon", "text")
_PLACES = ("room", "kind", "floor", "no room", "no floor")
_BEFORE_PLACE = re.compile(
    r"\b(?:at|in|inside|to|into|onto|from|of|off|by|near|via|past|through)(?: (?:the|an?|my|our|his|her|any))? $",
    re.IGNORECASE,
)
_OF_VERB = re.compile(
    r"\s*(?:the|an?|my|our|his|her|some|me|us|it|them)\b", re.IGNORECASE
)  # to schlep a piano
_JOINING = re.compile(r"\s*(?:,|、|・|->|/|&|\b(?:and|or|nor|to)\b)?\s*(?:(?:the|an?)\s+)?", re.IGNORECASE)
_AFTER_PLACE = re.compile(r"(?:に|へ|から|まで|で(?!す)|経由|の(?:$|[はがも]))")
_CLAUSES = re.compile(r"[,.!?;、。！？](?!\d)\s*|ので|けど|\b(?:because|so|but)\b", re.IGNORECASE)


@lru_cache(maxsize=1)
def _lists() -> Mapping[str, frozenset[str]]:
    """Return the words that change what is asked, and those that only say when, from `plan_words.toml`."""
    data = tomllib.loads(Path(__file__).with_name("plan_words.toml").read_text(encoding="utf-8"))
    return {name: frozenset(phrases(line)) for name, line in data["left_out"].items()}


def passable(question: PlanQuestion, answer: object) -> tuple[str, ...] | None:
    """Return the words that an answer may leave out, to be named with it; None if one of them may matter."""
    if not isinstance(answer, BuildingQuestion) or answer.tool not in _READING:
        return None
    asking = _OF_FACTS if answer.tool == "where_is" else _ASKING
    if any(call.tool in CHANGES for call in answer.first) or not question.cues() & asking:
        return None
    if not question.at(*_PLACES) and not question.here():
        return None  # how many cafes: a word may be what is counted
    phrases_of_map = phrases_in(request_of(question.text), 6)
    if any(meaning.kind == "map" and meaning.value in _DRAWN for _, _, meaning in phrases_of_map):
        return None
    idle = _IDLE if answer.tool in _WAYS else _IDLE[:1]
    remaining = [span for span in question.unread() if not span.is_cue(*idle)]
    if not all(_is_passable(question, span, answer) for span in remaining):
        return None
    return tuple(dict.fromkeys(span.text for span in remaining))


def _is_passable(question: PlanQuestion, span: Span, answer: BuildingQuestion) -> bool:
    word = span.text.casefold()
    if span.kind != "unknown" or any(map(str.isdigit, word)) or word in _lists()["relations"]:
        return False
    if word in _lists()["times"]:
        return True
    if _is_name(question.text, span) or _may_be_place(question, span):
        return False
    return not _may_choose(question, answer) or _is_aside(question, span)


def _is_name(text: str, span: Span) -> bool:
    """Return whether a word is capitalised within a sentence, or too short to be one."""
    is_first = span.first == 0 or re.search(r"[.!?] $", text[: span.first])
    return span.text.isascii() and (len(span.text) < 3 or (span.text[0].isupper() and not is_first))


def _may_be_place(question: PlanQuestion, span: Span) -> bool:
    """Return whether a word stands where a place stands, or beside one, so that it may be a part of its name."""
    first, end = span.first, span.end
    for other in question.unread():  # swimming pool
        if other.kind == "unknown" and other.end <= first and not question.text[other.end : first].strip():
            first = other.first
    before, behind = question.text[:first], question.text[end:]
    tokens = [token for token in japanese_tokens(question.text) if span.first <= token[0] < end]
    if tokens:
        is_place = tokens[-1][2] == "名詞" and _AFTER_PLACE.match(behind)
    else:
        is_place = _BEFORE_PLACE.search(before) and not _OF_VERB.match(behind)
    return bool(is_place) or any(_joins(question.text, first, end, other) for other in question.spans)


def _joins(text: str, first: int, end: int, other: Span) -> bool:
    """Return whether nothing but a joining word stands between a word and a place, or の: 奥の会議室."""
    if other.kind not in _PLACES and not other.is_cue("rooms", "doors", "via", "avoid", "except"):
        return False
    gap = text[end : other.first] if other.first >= end else text[other.end : first]
    return (
        gap in ("の", "を")
        if other.first >= end and gap in ("の", "を", "な")
        else bool(_JOINING.fullmatch(gap))
    )


def _may_choose(question: PlanQuestion, answer: BuildingQuestion) -> bool:
    """Return whether an answer is about rooms of a kind, among which a word may choose: toilets with showers."""
    kinds = [at for at in question.at("kind") if len(question.spots(at)) > 1]
    return answer.tool == "list_rooms" or bool(kinds)


def _is_aside(question: PlanQuestion, span: Span) -> bool:
    """Return whether a word stands in a clause without a place, or before what is asked: I forget where the toilets are."""
    text = question.text
    start = max((cut.end() for cut in _CLAUSES.finditer(text) if cut.end() <= span.first), default=0)
    end = next((cut.start() for cut in _CLAUSES.finditer(text) if cut.start() >= span.end), len(text))
    inside = [other for other in question.spans if start <= other.first < end]
    places = [
        other
        for other in inside
        if other.kind in (*_PLACES, "number", "amount") or other.is_cue("rooms", "that")
    ]
    asked = [other.first for other in inside if other.is_cue("where", "size", "go", "far", "list", "count")]
    return not places or (bool(asked) and span.end <= min((*asked, *(place.first for place in places))))
