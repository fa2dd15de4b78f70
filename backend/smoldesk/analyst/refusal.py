"""Reasons for declining a request, as data; `replies` has the texts."""

from dataclasses import dataclass
from typing import Literal

Reason = Literal[
    "nothing", "unknown", "beyond", "no_room", "no_place", "no_floor", "no_icon", "which_way", "which_rooms",
    "no_tables", "broken_file", "no_look", "too_much", "failed", "failed_code", "incomplete", "each_or_shared", "no_currency",
    "one_by_one", "errand_words", "later", "where_from", "no_selection", "no_tool", "no_demo_tool",
    "too_long", "unsure", "none_fits", "bad_reading", "rephrase",
]  # fmt: skip

# Reasons that concern the plan: nothing stays drawn on it, since a former drawing would look like the answer.
PLAN = "plan"  # in the place of a table: what is left over of a request about rooms
OF_BUILDING = ("no_room", "no_place", "no_floor", "no_icon", "which_way", "which_rooms")


@dataclass(frozen=True)
class Refusal:
    """Reason, the words that it concerns, and the available alternatives."""

    reason: Reason
    terms: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    table: str = ""

    @property
    def is_of_plan(self) -> bool:
        """Return whether it concerns the plan, so that no former drawing may stay."""
        return self.reason in OF_BUILDING or (self.reason == "too_much" and self.table == PLAN)
