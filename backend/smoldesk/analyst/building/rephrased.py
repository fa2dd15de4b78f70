"""Requests about the plan of which some words are not understood: what else they ask, as a sentence to choose.

Nothing is closed or answered before the person chooses it. A sentence is offered only if it is read as the same calls.
"""

import re
from collections.abc import Mapping

from smoldesk.analyst.building.changes import CHANGE_WORDS, CHANGES, CLOSE, read_changes, sentence_of_request
from smoldesk.analyst.building.intents import BuildingQuestion, Scalar, ToolCall
from smoldesk.analyst.building.plan_calls import COMPARE, EVACUATION, REACH
from smoldesk.analyst.building.plan_check import content_words
from smoldesk.analyst.building.read import Reader
from smoldesk.analyst.building.terms import BuildingSchema
from smoldesk.analyst.language import Language, localize

MAX_SENTENCES = 6
_SENTENCE = re.compile(r"(?<=[.!?。])\s*(?=\S)")
_TRAVELS = {
    "wheelchair": (" by wheelchair", "車椅子で"),
    "cart": (" with a cart", "台車で"),
    "slow": (" slowly", "ゆっくり"),
}
_EVACUATIONS = {
    "time": ("How long does an evacuation take", "避難にかかる時間は"),
    "exits": ("Which exit is used most", "一番使われる出口はどこ"),
    "furthest": ("Which rooms are furthest from an exit", "出口から遠い部屋は"),
    "queues": ("Where are the bottlenecks of an evacuation", "避難で混雑する場所は"),
    "cut_off": ("Who cannot evacuate", "避難できない部屋は"),
}

_THE = re.compile(r"^The\b")


def rephrase(
    text: str, building: BuildingSchema, tools: frozenset[str], language: Language, read: Reader
) -> tuple[str, tuple[str, ...]] | None:
    """Return the sentence that says what is understood of a request, and the words that are not; None if nothing is."""
    changes: list[ToolCall] = []
    question: BuildingQuestion | None = None
    unread: list[str] = []
    sentences = _SENTENCE.split(sentence_of_request(text))[:MAX_SENTENCES]
    for sentence in sentences:
        changed = read_changes(sentence, building, tools)
        if changed and changed.avoided:  # no sentence says it
            return None
        changes += changed.changes if changed else ()
        remainder = (changed.question or "") if changed else sentence
        if not remainder:
            continue
        if CHANGE_WORDS.search(remainder):  # what it would change must not be lost
            return None
        reading = read(remainder)
        if (
            reading is None
            or not isinstance(reading.intent, BuildingQuestion)
            or reading.intent.tool in CHANGES
        ):
            if sentence is sentences[-1]:  # what is asked
                return None
            unread += content_words(remainder, building.places)
            continue
        changes += reading.intent.first
        question = BuildingQuestion(reading.intent.tool, reading.intent.arguments)
        unread += (*reading.uncovered, *reading.intent.unread)
    parts = [*changes, *([question] if question else [])]
    # A word alone, such as "effect", is too little to guess from.
    if not any(value for call in parts for name, value in call.arguments if name not in ("show", "profile")):
        return None
    texts = [sentence_of(call, language) for call in parts]
    if not parts or not unread or not all(texts):
        return None
    offered = localize(language, " ", "").join(texts)
    again = read(offered)
    if again is None or again.uncovered or not isinstance(again.intent, BuildingQuestion):
        return None
    same = [*map(_key, (*again.intent.first, again.intent))] == [*map(_key, parts)]
    return (offered, tuple(dict.fromkeys(unread))) if same else None


def _key(call: ToolCall) -> tuple[str, dict[str, object]]:
    """Return what two calls must have in common: their arguments, minutes by whole seconds."""
    arguments = {
        name: round(value * 60) if isinstance(value, float) else value for name, value in call.arguments
    }
    return call.tool, {name: value for name, value in arguments.items() if value not in ("", "walk")}


def sentence_of(call: ToolCall, language: Language) -> str:
    """Return the sentence that asks for a call; empty for a call that has none."""
    arguments = dict(call.arguments)
    if call.tool in CHANGES:
        return _change(call.tool, str(arguments.get("place", "")), language)
    if call.tool == EVACUATION:
        return _evacuation(arguments, language)
    if call.tool == REACH:
        return _reach(arguments, language)
    if call.tool == COMPARE:
        return ""
    return _route(call.tool, arguments, language)


def _change(tool: str, place: str, language: Language) -> str:
    if tool == CLOSE:
        return localize(language, f"Close {_THE.sub('the', place)}.", f"{place}を閉鎖して。")
    return localize(language, f"Reopen {place or 'everything'}.", f"{place or '全部'}を再開して。")


def _evacuation(arguments: Mapping[str, Scalar], language: Language) -> str:
    if arguments.keys() - {"show", "profile"} or arguments.get("show") not in _EVACUATIONS:
        return ""
    english, japanese = _EVACUATIONS[str(arguments["show"])]
    by, de = _TRAVELS.get(str(arguments.get("profile")), ("", ""))
    return localize(language, f"{english}{by.replace(' by', ' in a')}?", f"{de}{japanese}？")


def _reach(arguments: Mapping[str, Scalar], language: Language) -> str:
    if "avoid" in arguments:
        return ""
    start = str(arguments.get("start") or "")
    origin, kara = (f" from {start}", f"{start}から") if start else ("", "")
    by, de = _TRAVELS.get(str(arguments.get("profile")), ("", ""))
    if not (minutes := arguments.get("minutes")):
        return localize(
            language, f"Which rooms cannot be reached{origin}{by}?", f"{kara}{de}行けない部屋は？"
        )
    seconds = round(float(str(minutes)) * 60)
    return localize(
        language,
        f"Which rooms can I reach{origin} within {seconds} seconds{by}?",
        f"{kara}{de}{seconds}秒以内に行ける部屋は？",
    )


def _route(tool: str, arguments: Mapping[str, Scalar], language: Language) -> str:
    start, goal = str(arguments.get("start", "")), str(arguments.get("goal") or arguments.get("kind", ""))
    if "avoid" in arguments:
        return ""
    if tool == "nearest":
        return localize(
            language, f"What is the nearest {goal} from {start}?", f"{start}から一番近い{goal}は？"
        )
    if tool != "find_route" or "via" in arguments:
        return ""
    by, de = (" by wheelchair", "車椅子で") if arguments.get("accessible") else ("", "")
    return localize(
        language, f"How do I get from {start} to {goal}{by}?", f"{start}から{goal}まで{de}どう行きますか？"
    )
