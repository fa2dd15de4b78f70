"""A follow-up that was refused is missing from the talk: `as a pie` after it must not draw what was there before it."""

import re
from dataclasses import replace

from smoldesk.analyst.intents import DataIntent, Intent, Refusal
from smoldesk.analyst.talk.follow_up import begins, points_back
from smoldesk.analyst.words.text import tidy

_NOT_HEARD = ("unknown", "no_column", "no_value", "too_much")
_NARROWS = re.compile(r"\b(?:only|just|instead)\b|だけ|のみ|に絞", re.IGNORECASE)


def builds_on_lost(said: str, refused: Intent, previous: Intent | None, intent: Intent) -> Refusal | None:
    """The refusal to give again where `intent` changes nothing but the form of what stood before the refused follow-up."""
    if not isinstance(refused, Refusal) or refused.reason not in _NOT_HEARD:
        return None
    if not isinstance(previous, DataIntent) or not isinstance(intent, DataIntent):
        return None
    if not (begins(tidy(said)) or points_back(tidy(said)) or _NARROWS.search(said)):
        return None
    plain = replace(
        intent,
        plot=previous.plot,
        save=previous.save,
        file_name=previous.file_name,
        file_kind=previous.file_kind,
        order=previous.order,
        limit=previous.limit,
        operation=previous.operation,
    )
    return refused if plain == previous else None
