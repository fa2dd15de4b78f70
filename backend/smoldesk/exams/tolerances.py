"""Equality of values of JSON with a tolerance, and the results of comparing parts."""

import json
from dataclasses import dataclass
from typing import Any, cast

from pydantic import JsonValue

from smoldesk.exams.expected_parts import PartResult

LONGEST = 300
RELATIVE = 1e-9


@dataclass(frozen=True)
class Tolerance:
    """Allowed difference of two numbers, in percent of the expected one; `rounds`: one may be the other, rounded."""

    percent: float = 0.0
    rounds: bool = False

    def allows(self, expected: float, got: float, half: float = 0.0) -> bool:
        """Return whether two numbers count as equal; `half` is half a unit of the last place of the coarser one."""
        allowed = max(abs(expected) * max(self.percent / 100, RELATIVE), half if self.rounds else 0.0)
        return abs(expected - got) <= allowed * (1 + RELATIVE)

    def same(self, expected: Any, got: Any) -> bool:
        """Return whether two values of JSON are equal, with this tolerance of their numbers."""
        match expected, got:
            case (bool(), _) | (_, bool()):
                return expected is got
            case (int() | float(), int() | float()):
                return self.allows(float(expected), float(got))
            case (list(), list()):
                first, second = cast("list[Any]", expected), cast("list[Any]", got)
                return len(first) == len(second) and all(map(self.same, first, second))
            case (dict(), dict()):
                before, after = cast("dict[str, Any]", expected), cast("dict[str, Any]", got)
                return before.keys() == after.keys() and all(
                    self.same(before[key], after[key]) for key in before
                )
            case _:
                return expected == got


def cell_text(value: JsonValue) -> str:
    """Return a value as a result shows it."""
    return value[:LONGEST] if isinstance(value, str) else json.dumps(value, ensure_ascii=False)[:LONGEST]


def part_result(kind: Any, name: str, expected: str, got: str, holds: bool) -> PartResult:
    """Return the result of one part."""
    return PartResult(kind=kind, name=name[:LONGEST], expected=expected, got=got, holds=holds)
