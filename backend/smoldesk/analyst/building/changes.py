"""Requests that close or reopen something first, and then ask: `If the lift is closed, how do I get to ...?`, 閉めたら.

The change is kept with the chat, as if it were asked for alone; a question that is left out is the one before.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace

from smoldesk.analyst.building.closing import read_change, read_closing
from smoldesk.analyst.building.intents import BuildingQuestion, ToolCall
from smoldesk.analyst.building.terms import BuildingSchema

CHANGES = ("close_passage", "reopen_passage")
_IS = r"(?:is|are|gets?|was|were)(?: now| also| both| all)*"
_OFF = r"(?:closed|shut|locked|blocked|broken|unusable|out of (?:order|service|use)|not (?:working|usable|available))"
_TOO = r"(?: as well| too| also)?"
# A condition with the place that is closed, and the question if it is not left out.
_CONDITIONS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:and |so |but )?(?:what )?(?:if|when|suppose|assuming) (?P<place>.+?) {_IS} {_OFF}{_TOO}"
        r"(?:[,:]? (?:then )?(?P<question>.+))?",
        rf"(?P<question>.+?),? (?:if|when|while) (?P<place>.+?) {_IS} {_OFF}{_TOO}",
        rf"(?P<place>.+?) {_IS} {_OFF}{_TOO}[.;!] *(?P<question>.+)",
        r"(?P<place>.+?)(?:だけ|も)?"
        r"(?:(?:を|も|だけ)(?:閉め|閉じ|閉鎖し|封鎖し|通行止めにし|止め|ふさい)(?:たら|だら|ると|れば|た場合は?|たとき)"
        r"|[がも](?:使え|通れ)(?:ない(?:とき|場合|なら|と)は?|なかったら|なければ)"
        r"|が(?:閉まって|閉じて|故障して|止まって)(?:いたら|いる(?:とき|場合)は?|いて)|が故障(?:したら|です))"
        r"[、,。]? *(?P<question>.+)?",
    )
]
_SENTENCE_END = re.compile(r"(?<=[.!?。])\s*(?=\S)|(?<=[てで])[、,]\s*")
_SAME = re.compile(
    r"(?:and |so )?(?:now|again|(?:the )?same (?:trip|way|route|question|thing)(?: again)?|try again|check again)"
    r"|(?:それで|では|もう一度)?(?:同じ|確認|もう一度).*",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class ChangedRequest:
    """Changes of closures, and what is asked after them; an empty `question` asks the question before."""

    changes: tuple[ToolCall, ...]
    question: str


def read_changes(
    text: str, building: BuildingSchema, tools: frozenset[str], before: object
) -> ChangedRequest | None:
    """Return the changes that a request begins with; None if it has none, or nothing but one."""
    if not {*CHANGES} <= tools:
        return None
    sentence = unicodedata.normalize("NFKC", text).strip().replace("’", "'")
    bare = sentence.strip(" .!?。")
    for place, question in conditions_in(bare):
        if change := read_change("close_passage", place, building):
            return ChangedRequest((change,), _question(question))
    changes: list[ToolCall] = []
    parts = [part for part in _SENTENCE_END.split(sentence) if part.strip()]
    for part in parts[:-1]:
        change = read_closing(part, building, tools, before)
        if change is None or change.tool not in CHANGES:
            return None
        changes.append(change)
    return ChangedRequest(tuple(changes), _question(parts[-1])) if changes else None


def conditions_in(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield the readings of a sentence as a place that would be closed, and a question, empty if it is left out."""
    for pattern in _CONDITIONS:
        if match := pattern.fullmatch(sentence):
            yield match["place"], match["question"] or ""


def after_changes(changed: ChangedRequest, question: object) -> BuildingQuestion | None:
    """Return a question with the changes before it; None for anything but a question about the building."""
    if not isinstance(question, BuildingQuestion) or question.tool in CHANGES:
        return None
    return replace(question, first=changed.changes)


def _question(text: str) -> str:
    text = text.strip(" 、,")
    return "" if _SAME.fullmatch(text.strip(" .!?。")) else text
