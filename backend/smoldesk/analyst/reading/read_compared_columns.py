"""Two columns of one row compared: `where actual exceeded budget`, `delivered after the due date`, `more wins than losses`."""

import re
from typing import cast

from smoldesk.analyst.intents import Comparison, Filter
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.partner_columns import partner
from smoldesk.analyst.reading.read_speed import is_time, sign_of_speed
from smoldesk.analyst.tables.catalogue import ColumnInfo

INVERSE = {">": "<=", ">=": "<", "<": ">=", "<=": ">", "==": "!="}
_THAN = re.compile(r"than(?: (?:in|on|for|the|their|its|his|her))*")


def read_compared_columns(draft: Draft) -> None:
    """Adds a filter for each comparison that stands between two columns of numbers, or two of dates."""
    for index, item in enumerate(draft.items):
        sign = item.cue("cmp")
        if sign is None or index in draft.used:
            continue
        left, right = _column(draft, index, -1), _column(draft, index, 1)
        if draft.language == "ja" and not item.mention.text.isascii():  # 実績が予算を上回る
            left, right = _japanese(draft, index)
        if left and right and _alike(left[1], right[1]):
            _keep(draft, cast(Comparison, sign), index, left, right)
        elif right and (measure := partner(draft, right[1])):
            _keep(draft, cast(Comparison, sign), index, (index, measure), right)
    for index in range(len(draft.items)):
        if (way := sign_of_speed(draft, index)) is not None:
            left, right = _column(draft, index, -1), _column(draft, index, 1)
            if left and right and _alike(left[1], right[1]) and is_time(left[1]):
                _keep(draft, way, index, left, right)
    for index, item in enumerate(draft.items):
        if (sign := item.cue("more")) is not None:
            _more_than(draft, index, cast(Comparison, sign))


def _keep(
    draft: Draft,
    sign: Comparison,
    index: int,
    left: tuple[int, ColumnInfo],
    right: tuple[int, ColumnInfo],
) -> None:
    for at in (left[0] - 1, index - 1):
        near = draft.at(at)
        if near and near.is_cue("not", "without") and at not in draft.used and draft.language == "en":
            sign = cast(Comparison, INVERSE.get(sign, sign))
            draft.said_no = True
            draft.used.add(at)
            break
    draft.keep(Filter(left[1].name, sign, (right[1].name,), "column"), index)
    draft.used.update((left[0], index, right[0]))


def _column(draft: Draft, index: int, step: int) -> tuple[int, ColumnInfo] | None:
    """The column on one side of a comparison, over words that only tie it."""
    at = index + step
    while (near := draft.at(at)) and near.is_cue("light", "verb", "deed", "pad", "not"):
        at += step
    if near is None or not near.is_column or near.column is None or at in draft.used:
        return None
    return at, near.column


def _japanese(
    draft: Draft, index: int
) -> tuple[tuple[int, ColumnInfo] | None, tuple[int, ColumnInfo] | None]:
    right = _column(draft, index, -1)
    return (_column(draft, right[0], -1) if right else None), right


def _alike(left: ColumnInfo, right: ColumnInfo) -> bool:
    return left != right and left.kind == right.kind and left.kind in ("number", "date")


def _more_than(draft: Draft, index: int, sign: Comparison) -> None:
    """`more wins than losses`, `better in maths than in english`."""
    here, after = draft.at(index + 1), draft.at(index + 2)
    if not here or not after or not here.is_column or not after.is_column:
        return
    between = draft.text[here.mention.end : after.mention.start].strip().lower()
    if (
        not _THAN.fullmatch(between)
        or {index + 1, index + 2} & draft.used
        or not here.column
        or not after.column
    ):
        return
    if _alike(here.column, after.column):
        draft.keep(Filter(here.column.name, sign, (after.column.name,), "column"), index)
        draft.used.update((index, index + 1, index + 2))
