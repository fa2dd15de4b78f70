"""Reasons for declining a request, as data; `replies` has the texts."""

from dataclasses import dataclass
from typing import Literal

Reason = Literal[
    "nothing", "unknown", "beyond", "no_room", "no_place", "no_floor", "no_icon", "which_way", "which_rooms",
    "no_tables", "broken_file", "no_look", "too_much", "failed", "failed_code", "incomplete", "each_or_shared", "no_currency",
    "one_by_one", "errand_words", "later", "where_from", "no_selection", "no_tool", "no_demo_tool",
    "too_long", "unsure", "none_fits", "bad_reading", "rephrase",
]  # fmt: skip

# Reasons that answer: such a room or floor does not exist. A former drawing would look like it. What is not understood
# leaves the plan as it is.
CLEARING = ("no_room", "no_floor")


@dataclass(frozen=True)
class Refusal:
    """Reason, the words that it concerns, and the available alternatives."""

    reason: Reason
    terms: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    table: str = ""
