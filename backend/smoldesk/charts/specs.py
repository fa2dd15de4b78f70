"""Server-side check of a chart's spec: complete, bounded, and without external references."""

import json
from typing import Any, cast

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


def _refused(why: str) -> BadInput:
    return BadInput(f"The chart cannot be shown: {why}.", code="bad_chart")
