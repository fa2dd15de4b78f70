"""Recorded results of tools, looked up by the values of the arguments: for notebooks, and for runs that are played again."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

# Code of a call that the recording does not have.
NOT_RECORDED = "tool_not_recorded"


@dataclass
class RecordedCalls:
    """Results by tool and key of the arguments, those of equal calls in order."""

    calls: dict[str, dict[str, list[Any]]] = field(default_factory=dict[str, dict[str, list[Any]]])

    def add(self, tool: str, arguments: Mapping[str, Any], result: Any) -> None:
        """Record a call; None is a call without a usable result."""
        # By values only: code may pass an argument by position or by name.
        key = _text(sorted(arguments.values(), key=_text))
        results = self.calls.setdefault(tool, {})
        if result is not None:
            results.setdefault(key, []).append(result)

    def take(self, tool: str, arguments: Mapping[str, Any]) -> Any:
        """Return the result of the next equal call, the last one again after that; None if there is none."""
        results = self.calls.get(tool, {}).get(_text(sorted(arguments.values(), key=_text)))
        if not results:
            return None
        return results.pop(0) if len(results) > 1 else results[0]


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
