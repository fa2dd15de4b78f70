"""Reasons for lost variables: the codes by which pages know a reason, and the start of its text."""

from smoldesk.errors import Reason

LOSSES = {
    "idle": "they were not used for",
    "memory": "the machine was short of memory",
    "place": "another chat needed the place",
    "stopped": "the code was stopped and did not end by itself",
    "deadline": "the code ran too long",
    "full": "the chat's folder was full",
    "ended": "the Python process ended",
    "gone": "their Python process is gone",
    "node": "the node that had them was lost",
    "desk": "this agent's code runs at the desk alone",
    "moved": "another server went on with this chat",
    "abandoned": "a run had to be abandoned",
}


def loss(code: str, details: str = "") -> Reason:
    """Return the reason of a code, with details behind its text."""
    return Reason(LOSSES[code] + details, code)


def loss_of(reason: str) -> str:
    """Return the code of a reason by its text, all that logs of before have; other text as it is."""
    return next((key for key, prefixes in LOSSES.items() if reason.startswith(prefixes)), reason)
