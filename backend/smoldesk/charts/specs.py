"""Server-side check of a chart's spec: complete, bounded, and without external references."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, cast

from smoldesk.charts.inside.chart_changes import apply_changes
from smoldesk.charts.inside.chart_controls import Control
from smoldesk.charts.inside.chart_rules import MAX_BYTES, MAX_SPEC, fault_of, without_rows
from smoldesk.errors import BadInput


def checked_spec(data: bytes) -> str:
    """Return a spec with its rows as compact JSON. Raises BadInput with the reason for an invalid one."""
    if len(data) > MAX_BYTES:
        raise _refused(f"it has {len(data):,} bytes, more than {MAX_BYTES:,}")
    try:
        spec: Any = json.loads(data)
        if not isinstance(spec, dict):
            raise _refused("its spec is not a JSON object")
        fault = fault_of(cast("dict[str, Any]", spec))
        if not fault and without_rows(cast("dict[str, Any]", spec)) > MAX_SPEC:
            fault = f"its spec has more than {MAX_SPEC:,} characters without its rows"
        if fault:
            raise _refused(fault)
        return json.dumps(spec, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (ValueError, RecursionError):
        raise _refused("its spec is not valid JSON") from None


@dataclass(frozen=True)
class ChangedSpec:
    """Spec with a person's changes, those in effect, and the controls after them."""

    spec: str
    changes: dict[str, str]
    controls: list[Control]


def changed_spec(
    data: bytes, changes: Mapping[str, object], newest: Collection[str] | None = None
) -> ChangedSpec:
    """Return a spec with changes, both checked. Raises BadInput for an invalid one of the `newest` (None: all)."""
    original = checked_spec(data)
    try:
        spec, used, controls = apply_changes(json.loads(original), changes, newest)
    except ValueError as fault:
        raise BadInput(f"The chart cannot be changed: {fault}.", code="bad_chart_change") from None
    text = checked_spec(json.dumps(spec, ensure_ascii=False).encode()) if used else original
    return ChangedSpec(text, used, controls)


def _refused(why: str) -> BadInput:
    return BadInput(f"The chart cannot be shown: {why}.", code="bad_chart")
