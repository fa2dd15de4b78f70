"""`average pay by shoe size` is declined; `then by department` groups what could be understood of it by another column."""

import re
from collections.abc import Callable

from smoldesk.analyst.intents import (
    DataIntent,
    Intent,
    Reading,
    Refusal,
)
from smoldesk.analyst.talk.follow_up import opens
from smoldesk.analyst.words.text import tidy

_COUNTS = re.compile(r"how many|number|count|件|数|何|いくつ", re.IGNORECASE)
_ONLY_GROUP = re.compile(
    r"\s*(?:and |then |now |ok,? )*(?:by|per) [^?]+\??\s*"
    r"|[^、。?？]+?(?:別|ごと|毎|単位)に?(?:だと|は|では|でも|なら|も|見ると|で見ると|して|お願い|分けて|分けると)*[。?？]*",
    re.IGNORECASE,
)


def regrouped(
    said: str, refused: Intent, request: str, read: Callable[[str, Intent | None], Reading]
) -> Reading | None:
    """What a follow-up asks for that only names another group, after a question refused for the group alone; None else."""
    if not (isinstance(refused, Refusal) and refused.reason in ("unknown", "no_column") and _leans(request)):
        return None
    rest = _without_group(tidy(said), refused.words)
    whole = read(rest, None).intent if rest else None
    if not isinstance(whole, DataIntent) or whole.groups or whole.date:
        return None
    reading = read(request, whole)
    found = reading.intent
    if isinstance(found, DataIntent) and (found.groups or found.date) and found.measures == whole.measures:
        return reading
    return None


def counts_nothing_asked(request: str, intent: Intent) -> bool:
    """Whether rows would be counted by a group that only takes the place of one nobody understood: 店舗別では？"""
    if not (isinstance(intent, DataIntent) and intent.aggregates == ("count",) and intent.groups):
        return False
    return _leans(request) and not _COUNTS.search(request)


def _leans(request: str) -> bool:
    return opens(tidy(request)) or bool(_ONLY_GROUP.fullmatch(tidy(request)))


def _without_group(said: str, words: tuple[str, ...]) -> str:
    """The request without the group of these words; empty where they are anything else in it."""
    if not words:
        return ""
    name = r"[ ]*".join(re.escape(word) for word in words)
    for form in (
        rf"\s*\b(?:by|per|for each)\s+(?:the )?{name}\b",
        rf"{name}(?:別|ごと|毎|単位)(?:に|の|で)?",
    ):
        rest, found = re.subn(form, " ", said, count=1, flags=re.IGNORECASE)
        if found and not any(word.lower() in rest.lower() for word in words):
            return rest.strip()
    return ""
