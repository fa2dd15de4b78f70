"""Words of a question about a plan that its call leaves out: which ones change nothing about the answer.

A call whose slots a question fills is its answer, if what is left over names no place, number or relation. The words that
block are few; a noun where a place may stand blocks, too.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from smoldesk.analyst.building.changes import CHANGES
from smoldesk.analyst.building.intents import BuildingQuestion
from smoldesk.analyst.building.plan_question import NEUTRAL, PlanQuestion
from smoldesk.analyst.building.plan_scan import Span
from smoldesk.analyst.lexicon import phrases
from smoldesk.analyst.units import japanese_tokens

_WAYS = ("find_route", "reachable_from")
_ANSWERS = (*_WAYS, "nearest", "where_is", "evacuation")
# What asks for an answer: a place beside unknown words alone asks nothing.
_ASKING = ("where", "list", "which_of", "go", "far", "nearest", "size", "reach", "evacuate", "minutes", "seconds", "from", "to",
    "count", "beside", "than")  # fmt: skip
# What asks for facts of a place: rename the kitchen to canteen asks for none.
_OF_FACTS = ("where", "size", "beside", "which_of")
# Cues that may stay unused beside a complete call.
_IDLE = ("still",)
_IDLE_BESIDE_WAYS = ("go", "people", "still")
_PLACES = ("room", "kind", "floor", "no room", "no floor")
_WORD = re.compile(r"[a-z']+$")
# Words before a verb, and before a noun for a thing.
_BEFORE_VERB = re.compile(
    r"(?:^|[,.!?;:] ?|\b(?:i|we|you|they|he|she|who|please|kindly|will|can|could|would|should|may|might|must|do|does|did|don't"
    r"|somebody|someone|everyone|everybody|anyone|it"
    r"|(?:need|want|have|has|like|going|trying|got|how|order|able|plan|supposed|easiest|fastest|quickest|best way) to"
    r"|and then|so|just|quickly) )$",
    re.IGNORECASE,
)
_BEFORE_THING = re.compile(
    r"\b(?:(?:would|does|do|did|can|could|will|should|take|bring|get|help|guide)(?: (?:a|my|our|his|her))+ )$"
    r"|\b(?:with|for|carry(?:ing)?|bring(?:ing)?|push(?:ing)?|mov(?:e|ing)|have|has|had|got|because of|attend(?:ing)?)"
    r"(?: (?:a|an|the|my|our|some|heavy|big|large|small))* $",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r" (?:a|an|the|my|our|some) $", re.IGNORECASE)
_REQUESTED = re.compile(
    r"[ぁ-ん]*?[てで](?:ください|下さい|くれ.*|もら.*|ほしい.*|欲しい.*|いただ.*|みて.*|ね|よ)?[。！!?？]*$"
)
_BEFORE_OTHER = re.compile(r"[ぁ-ん]*?(?:て|で|ので|から|が|けど|ため)?[、,]|[ぁ-ん]*(?:ので|けど)")
_OBJECT = re.compile(r"[をがは]")
# Ends of a clause; one that names no place only says why somebody asks.
_CLAUSES = re.compile(r"[,.!?;、。！？](?!\d)\s*|ので|けど|\b(?:because|so)\b", re.IGNORECASE)
_BESIDE_NOUN = re.compile(
    r"\b(?:the|an?|this|that|to|in|at|on|from|of|into|and|or|which|what) $", re.IGNORECASE
)


@lru_cache(maxsize=1)
def _lists() -> Mapping[str, frozenset[str]]:
    """Return the words that change what is asked, and those that only say when, from `plan_words.toml`."""
    data = tomllib.loads(Path(__file__).with_name("plan_words.toml").read_text(encoding="utf-8"))
    return {name: frozenset(phrases(line)) for name, line in data["left_out"].items()}


def passable(question: PlanQuestion, answer: object) -> tuple[str, ...] | None:
    """Return the words that an answer may leave out, to be named with it; None if one of them may matter."""
    if not isinstance(answer, BuildingQuestion) or answer.tool not in _ANSWERS:
        return None
    asking = _OF_FACTS if answer.tool == "where_is" else _ASKING
    if any(call.tool in CHANGES for call in answer.first) or not question.cues() & {*asking}:
        return None
    unread = question.unread()
    has_stop = any(name == "via" for name, _ in answer.arguments)
    of_tool = _IDLE_BESIDE_WAYS if answer.tool in _WAYS else _IDLE
    idle = [span for span in unread if span.is_cue(*of_tool) or (has_stop and _is_first(question, span))]
    remaining = [span for span in unread if span not in idle]
    if not all(_is_passable(question, span, answer.tool) for span in remaining):
        return None
    return tuple(dict.fromkeys(span.text for span in remaining))


def _is_passable(question: PlanQuestion, span: Span, tool: str) -> bool:
    if (
        span.kind != "unknown"
        or any(map(str.isdigit, span.text))
        or span.text.casefold() in _lists()["relations"]
    ):
        return False
    if _is_aside(question, span) or _introduces(question, span, tool):
        return True
    if _touches(question, span):
        return span.text.casefold() in _lists()["times"]
    if span.text.casefold() in _lists()["times"]:
        return True
    tokens = [token for token in japanese_tokens(question.text) if span.first <= token[0] < span.end]
    return _is_of_japanese(question, span, tokens, tool) if tokens else _is_of_english(question, span, tool)


def _is_first(question: PlanQuestion, span: Span) -> bool:
    """Return whether a word only says that a stop comes before the goal: I have to stop at the workshop first."""
    return (
        span.kind == "ordinal" and span.text.casefold() == "first" and _ends_clause(question.text[span.end :])
    )


def _is_aside(question: PlanQuestion, span: Span) -> bool:
    """Return whether the clause of a word names no place, number or relation: My back hurts, how do I get ...?"""
    text = question.text
    first = max((cut.end() for cut in _CLAUSES.finditer(text) if cut.end() <= span.first), default=0)
    end = next((cut.start() for cut in _CLAUSES.finditer(text) if cut.start() >= span.end), len(text))
    inside = [other for other in question.spans if first <= other.first < end]
    is_whole = len(inside) == len(question.spans)
    return not is_whole and all(
        (
            other.kind == "unknown"
            and other.text.casefold() not in _lists()["relations"]
            and not other.text.istitle()
        )
        or other.is_cue(*_IDLE_BESIDE_WAYS, *NEUTRAL - {"or", "both", "list", "where"})
        for other in inside
    )


def _introduces(question: PlanQuestion, span: Span, tool: str) -> bool:
    """Return whether an English verb stands before what is asked: I always forget where the storage is."""
    asking = [other.first for other in question.spans if other.is_cue("where", "size", "go", "far")]
    places = [other.first for other in question.spans if other.kind in _PLACES]
    is_before = bool(asking) and span.first < min([min(asking), *places])
    is_noun = span.first == 0 or _BESIDE_NOUN.search(question.text[: span.first]) is not None
    return tool != "nearest" and span.text.isascii() and is_before and not is_noun and not span.text.istitle()


def _ends_clause(text: str) -> bool:
    return re.match(r"\s*(?:$|[,.!?;]|then\b|and\b)", text, re.IGNORECASE) is not None


def _touches(question: PlanQuestion, span: Span) -> bool:
    """Return whether a word stands directly beside a place, so that it may be a part of its name or narrow it."""
    for other in question.spans:
        if other.kind not in _PLACES and not other.is_cue("rooms", "doors"):
            continue
        gap = (
            question.text[span.end : other.first]
            if other.first >= span.end
            else question.text[other.end : span.first]
        )
        if not gap.strip() and not (other.first >= span.end and _starts(question, span)):
            return True
    return False


def _starts(question: PlanQuestion, span: Span) -> bool:
    """Return whether an English sentence begins with a word, as a command does."""
    return span.first == 0 and span.text.isascii() and " " in question.text


def _is_of_english(question: PlanQuestion, span: Span, tool: str) -> bool:
    """Return whether a word is a verb, an adverb, or, beside a way, a thing."""
    before, word = question.text[: span.first], span.text
    if (
        not word.isascii()
        or len(word) < 3
        or (word[0].isupper() and span.first and not re.search(r"[.!?] $", before))
    ):
        return False
    if word.casefold().endswith("ly") and _ends_clause(question.text[span.end :]):
        return True
    if tool == "nearest" or (tool == "where_is" and span.first):
        return False
    if (
        re.match(r"\s*(?:,|and\b|or\b|to\b|->)", question.text[span.end :], re.IGNORECASE)
        and not before.strip()
    ):
        return False  # sauna to kitchen
    if _BEFORE_VERB.search(before) or (tool in _WAYS and _BEFORE_THING.search(before)):
        return True
    governed = _ARTICLE.sub("", before)  # I need to schlep a piano
    verb = next(
        (other for other in question.spans if other.kind == "unknown" and other.end == len(governed)), None
    )
    return verb is not None and tool in _WAYS and bool(_BEFORE_VERB.search(before[: verb.first]))


def _is_of_japanese(
    question: PlanQuestion, span: Span, tokens: Sequence[tuple[int, int, str, str]], tool: str
) -> bool:
    """Return whether a word is an adverb, a verb that requests or stands apart, or, beside a way, a thing."""
    behind, part = question.text[span.end :], tokens[-1][2]
    if all(token[2] == "副詞" for token in tokens):
        return True
    if part == "動詞":
        return bool(_REQUESTED.match(behind) or (tool in _WAYS and _BEFORE_OTHER.match(behind)))
    following = next((other for other in question.spans if other.first >= span.end), None)
    is_marked = following is not None and following.is_cue("via", "avoid", "close", "closed", "except", "go")
    return part == "名詞" and tool in _WAYS and bool(_OBJECT.match(behind)) and not is_marked
