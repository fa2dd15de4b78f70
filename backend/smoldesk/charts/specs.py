"""The spec of a chart as the server believes it: read whole, bounded, and without anything that reaches beyond itself."""

import json
from typing import Any, cast

from smoldesk.charts.inside.chart_rules import MAX_BYTES, MAX_SPEC, fault_of, without_rows
from smoldesk.errors import BadInput


def checked_spec(data: bytes) -> str:
    """A spec with its rows as JSON text, nothing but what is drawn. Raises BadInput, in words, for one that is not taken."""
    if len(data) > MAX_BYTES:
        raise _refused(f"it has {len(data):,} bytes, at most {MAX_BYTES:,} are drawn")
    try:
        spec: Any = json.loads(data)
        if not isinstance(spec, dict):
            raise _refused("its spec is no JSON object")
        fault = fault_of(cast("dict[str, Any]", spec))
        if not fault and without_rows(cast("dict[str, Any]", spec)) > MAX_SPEC:
            fault = f"its spec has more than {MAX_SPEC:,} characters without its rows"
        if fault:
            raise _refused(fault)
        return json.dumps(spec, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (ValueError, RecursionError):
        raise _refused("its spec is no JSON") from None


def _refused(why: str) -> BadInput:
    return BadInput(f"The chart cannot be shown: {why}.", code="bad_chart")
