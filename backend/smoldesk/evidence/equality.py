"""Equality of a figure and a value: by rounding, unit, scale and sign. Pure."""

import math
import re
from collections.abc import Iterator

from smoldesk.evidence.number_words import SCALES
from smoldesk.evidence.run_values import NumberCell
from smoldesk.evidence.text_figure import Figure
from smoldesk.evidence.units import SHARE

_SCALED = re.compile(r"(?i)(thousand|million|billion|[十百]?[千万億])|(?<![^\W_])(k|m|bn)(?![^\W_])")
# `funding_m` may be of millions or metres.
_MILLIONS = re.compile(r"_m$")
# Words of a gain, and lines of tables, which write the signs of their values.
_UP = re.compile(
    r"(?i)^\s*\||\b(?:rose|rise|up|increas|gain|grew|growth|more|higher|profit|surplus|above|over)|増|上昇|上がり|プラス|上回|黒字|利益は"
)


def targets(figure: Figure, cell: NumberCell, sentence: str) -> Iterator[tuple[float, float]]:
    """Yield the values that the cell must have to be the figure, each with its tolerance."""
    for value, half in _targets(figure, cell):
        yield value, half
        if cell.value < 0 < value and figure.text[:1] != "+" and not _UP.search(sentence):
            yield -value, half


def _targets(figure: Figure, cell: NumberCell) -> Iterator[tuple[float, float]]:
    (dimension, factor), (cell_unit, cell_factor) = figure.unit, cell.unit
    value, half = figure.value, figure.half
    if dimension == "percent":
        if cell_unit == "percent" or SHARE.search(cell.column) or (not cell_unit and not cell.is_integral):
            yield value, half
        if cell_unit in ("", "percent") and abs(cell.value) <= 1.5 and not cell.is_integral:
            yield value / 100, half / 100
    elif (
        not dimension
        or not cell_unit
        or (cell_unit == "length" and _MILLIONS.search(cell.column))
        or dimension == cell_unit
        or (dimension == "points" and cell_unit == "percent")
    ):
        is_scaled = figure.face != figure.value
        has_unit = bool(dimension) and cell_unit == dimension
        scale = (factor if has_unit else 1.0) / (cell_factor if has_unit or is_scaled else 1.0)
        yield value * scale, half * scale
        if dimension == "points" and abs(cell.value) <= 1.5 and not cell.is_integral:
            yield value / 100, half / 100
        if is_scaled and value and math.isclose(_scale_of(cell.column) * figure.face, value):
            yield figure.face, half * abs(figure.face / value)


def _scale_of(column: str) -> float:
    """Return the scale that a column's name says of its values: 1e6 for `funding_m`; 0 for none."""
    match = _SCALED.search(column)
    return SCALES[(match[1] or match[2]).lower()] if match else 0.0


def distance(figure: Figure, cell: NumberCell, sentence: str) -> float:
    """Return how far the cell's value is from the nearest that the figure writes; 0.0 for one that needs no rounding."""
    return min((abs(cell.value - target) for target, _ in targets(figure, cell, sentence)), default=math.inf)


def is_equal(figure: Figure, cell: NumberCell, sentence: str) -> bool:
    """Return whether the figure is the cell's value, rounded."""
    return any(
        abs(cell.value - target) <= half * 1.0001 + 1e-12 for target, half in targets(figure, cell, sentence)
    )
