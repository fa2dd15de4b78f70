"""Charts and plans of a run: rows of charts as sources, and the texts on both, whose figures need evidence, too. Pure."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from smoldesk import messages as m
from smoldesk.evidence.run_values import ValueSource, data_rows

# Texts and values of one plan.
MAX_TEXTS = 100
MAX_ROWS = 5_000
# Significant digits of a value on the plan, as the page shows it.
DIGITS = 4


@dataclass(frozen=True)
class DrawnText:
    """Text in a chart or on the plan. `container` is the chart's `specId`, or `map`."""

    container: str
    text: str
    step: int


def chart_parts(
    spec: dict[str, Any], chart: m.ChartContent, step: int, within: str | None
) -> tuple[ValueSource, DrawnText]:
    """Return the rows of a chart's spec, and its title with its subtitle."""
    place = m.EvidencePlace(kind="chart", step=step, within=within, spec_id=chart.spec_id)
    rows = [row for values in _datasets(spec) for row in data_rows(values[:MAX_ROWS])]
    for row in rows:
        row.number = int(row.cells[0].path[0]) if row.cells[0].path else 0
    title: Any = spec.get("title") or ""
    lines: list[Any] = [title.get("text"), title.get("subtitle")] if isinstance(title, dict) else [title]
    text = "\n".join(_text(line) for line in lines if line)
    is_complete = chart.reduced is None and chart.shown <= MAX_ROWS
    return ValueSource(place, rows, chart.name, is_complete=is_complete), DrawnText(chart.spec_id, text, step)


def _text(line: Any) -> str:
    return " ".join(map(str, cast("list[Any]", line))) if isinstance(line, list) else str(line)


def _datasets(spec: dict[str, Any]) -> Iterator[list[Any]]:
    """Yield the rows of a spec and of its layers."""
    for name in ("layer", "hconcat", "vconcat", "concat"):
        for part in cast("list[dict[str, Any]]", spec.get(name) or []):
            yield from _datasets(part)
    named = cast("dict[str, Any]", spec.get("datasets") or {})
    inline = cast("dict[str, Any]", spec.get("data") or {}).get("values")
    for values in (*named.values(), inline):
        if isinstance(values, list):
            yield cast("list[Any]", values)


def plan_texts(content: m.MapContent, step: int) -> Iterator[DrawnText]:
    """Yield the texts on a plan, and its rooms with their values, as the page writes them."""
    unit = ""
    texts: list[str] = []
    for overlay in content.overlays:
        if isinstance(overlay, m.LegendOverlay):
            unit = overlay.unit
        elif isinstance(overlay, m.TextOverlay):
            texts.append(overlay.text)
    texts += [
        f"{room.name}: {_written(room.value)} {unit}".rstrip()
        for room in content.rectangles
        if room.value is not None
    ]
    yield from (DrawnText("map", text, step) for text in texts[:MAX_TEXTS])


def _written(value: float) -> str:
    """Return a value with DIGITS significant digits."""
    places = max(0, DIGITS - (math.floor(math.log10(abs(value))) + 1 if value else 1))
    text = f"{value:.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
