"""Cell values, equal numbers, opposites and yes/no columns of a draft become filters."""

import re
from typing import cast

from smoldesk.analyst.english.opposed_flags import is_opposed
from smoldesk.analyst.intents import (
    Comparison,
    Filter,
    Refusal,
    Scalar,
)
from smoldesk.analyst.meanings import ColumnRef
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.resolve import Item, concept_column
from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.column_names import concepts
from smoldesk.analyst.words.text import key


def read_equalities(draft: Draft) -> None:
    """`class 3`, `pclass = 1`: a number right after a column, and every cell value that was mentioned."""
    for index, item in enumerate(draft.items):
        sign = draft.at(index + 1)
        at = index + 2 if sign and sign.cue("cmp") == "==" else index + 1
        near = draft.at(at)
        if not item.is_column or index in draft.used or not near or near.number is None or at in draft.used:
            continue
        touching = near.mention.start == item.mention.end and not item.mention.text.isascii()
        column = _holding(item, near.number, draft.table, stated=at == index + 2 or touching)
        if column:
            draft.used.update((index, at, at - 1) if at == index + 2 else (index, at))
            numbers = [near.number, *_or_numbers(draft, item, column, at)]
            values = tuple(f"{one:g}" if column.kind == "text" else one for one in numbers)
            draft.keep(Filter(column.name, "==", values), index)
    _read_counted(draft)
    chosen: dict[tuple[str, Comparison], list[Scalar]] = {}
    places: dict[tuple[str, Comparison], list[int]] = {}
    for index, item in enumerate(draft.items):
        if item.column is None or item.value is None:
            continue
        before, after = draft.at(index - 1), draft.at(index + 1)
        earlier = draft.at(index - 2)
        linked = before is not None and before.is_cue("per", "with") and earlier is not None
        if linked and earlier and earlier.is_cue("not"):
            before = earlier
        if item.column.yes_no and after and key(after.mention.text) == "no" and draft.language == "en":
            said = f"{item.mention.text} {after.mention.text}"  # yes/no: both of them, no condition
            draft.problem = draft.problem or Refusal("too_much", (said,), table=draft.table.name)
        negated = (
            (before and before.is_cue("not", "without") and _looks_ahead(before, draft))
            or (after and after.is_cue("without") and draft.language == "ja")
            or (after and after.is_cue("not") and draft.language == "ja")
            or _denied_past_header(draft, index, item.column)
            or _listed_with_negated(draft, index)
            or _verb_negated(draft, index, item.column)
        )
        which = (item.column.name, cast(Comparison, "!=" if negated else "=="))
        values = chosen.setdefault(which, [])
        places.setdefault(which, []).append(index)
        literal = cell_value(item.column, item.value)
        if literal not in values:
            values.append(literal)
        draft.used.add(index)
        beyond = index + 2 if after and after.is_cue("not") else index + 1  # 郵送以外で返却された
        denied = (
            index - 2 if negated and draft.language == "en" and not _cuts(draft, index - 3) else index - 1
        )
        for at, near in ((index - 1, before), (denied, draft.at(denied)), (beyond, draft.at(beyond))):
            if near and near.is_column and near.column and _same_thing(near.column, item.column):
                draft.used.add(at)
    for (column, comparison), values in chosen.items():
        draft.keep(Filter(column, comparison, tuple(values)), *places[column, comparison])


def _or_numbers(draft: Draft, item: Item, column: ColumnInfo, at: int) -> list[float]:
    """The other numbers of `depth 1 or 2`, which are taken up; each must be one that the column may hold."""
    found: list[float] = []
    while draft.language == "en" and (tie := draft.at(at + 1)) and (other := draft.at(at + 2)):
        number, after = other.number, draft.at(at + 3)
        if not tie.is_cue("or") or number is None or at + 2 in draft.used or (after and after.is_cue("cmp")):
            break
        if (
            after is not None
            and (after.unit or after.is_column)
            and after.mention.start <= other.mention.end + 1
        ):
            break
        if _holding(item, number, draft.table, stated=True) != column:
            break
        draft.used.update((at + 1, at + 2))
        found.append(number)
        at += 2
    return found


def _denied_past_header(draft: Draft, index: int, column: ColumnInfo) -> bool:
    """`中央駅以外` of a cell 中央 under 駅名: the header's word stands between the cell and what denies it."""
    after, beyond = draft.at(index + 1), draft.at(index + 2)
    if draft.language != "ja" or after is None or beyond is None or not beyond.is_cue("not"):
        return False
    word = after.column is not None and after.is_column and _same_thing(after.column, column)
    touching = (
        draft.items[index].mention.end == after.mention.start and after.mention.end == beyond.mention.start
    )
    return word and touching


def _cuts(draft: Draft, at: int) -> bool:
    """`per site not Intake` still cuts by the site; `whose site is not Intake` has said all with its condition."""
    near = draft.at(at)
    return near is not None and near.is_cue("per", "and")


def _verb_negated(draft: Draft, index: int, column: ColumnInfo) -> bool:
    """`not paid in cash`: the negation stands before the verb that ties the value."""
    at = index - 1
    while (near := draft.at(at)) and (
        near.is_cue("light", "verb", "deed", "per", "with")
        or near.mention.text.lower() == "from"
        or (near.is_column and near.column and _same_thing(near.column, column))
        or _is_deed_of_column(draft, at)
    ):
        at -= 1
    negated = bool(at < index - 1 and near and near.is_cue("not") and draft.language == "en")
    if negated:
        draft.used.update(place for place in range(at + 1, index) if _is_deed_of_column(draft, place))
    return negated


def _is_deed_of_column(draft: Draft, at: int) -> bool:
    """`not reported by phone`, of a day `Date reported`: the verb ties the value, whatever column it stands in."""
    near, after = draft.at(at), draft.at(at + 1)
    if near is None or near.column is None or after is None or near.value is not None:
        return False
    tied = after.mention.text.lower() in ("by", "via", "through", "using", "over")
    return near.column.kind == "date" and key(near.mention.text).endswith("ed") and tied


def _looks_ahead(item: Item, draft: Draft) -> bool:
    """A Japanese word of negation denies what stands before it; 未 and 非 and English ones what comes after."""
    return draft.language == "en" or item.mention.text.isascii() or item.mention.text in ("未", "非")


def _read_counted(draft: Draft) -> None:
    """`3 bedrooms`, `no sick days`: a number right before a column of small counts."""
    for index, item in enumerate(draft.items):
        before, after = draft.at(index - 1), draft.at(index + 1)
        if (
            item.number is None
            or index in draft.used
            or after is None
            or not after.is_column
            or index + 1 in draft.used
        ):
            continue
        column = after.column
        if (
            column
            and column.kind == "number"
            and draft.language == "en"
            and not (before and before.is_cue("top", "sort"))
        ):
            said = f"{item.number:g}"
            if said in column.values or f"{said}.0" in column.values or item.number == 0:
                draft.keep(Filter(column.name, "==", (item.number,)), index)
                draft.used.update((index, index + 1))


def read_idioms(draft: Draft) -> None:
    """`out of stock`, 氷点下: words that compare a figure with nought."""
    for index, item in enumerate(draft.items):
        if not (idiom := item.cue("idiom")):
            continue
        concept, comparison, number = idiom.rsplit(" ", 2)
        column = concept_column(concept, draft.table)
        if column is None or column.kind != "number":
            draft.problem = Refusal("too_much", (item.mention.text,), table=draft.table.name)
            return
        if all(one.column != column.name for one in draft.filters):  # delayed by more than 10 minutes
            draft.keep(Filter(column.name, cast(Comparison, comparison), (float(number),)), index)
        draft.used.update(at for at, named in draft.free() if named == column and abs(at - index) <= 2)


def _listed_with_negated(draft: Draft, index: int) -> bool:
    """AとBを除く, `except A and B`: one negation is meant for all values of a list."""
    step = 1 if draft.language == "ja" else -1
    at = index + step
    while (join := draft.at(at)) and join.is_cue("and", "or"):
        near, beyond = draft.at(at + step), draft.at(at + 2 * step)
        if near is None or near.value is None or near.column != draft.items[index].column:
            return False
        if beyond and beyond.is_cue("not"):
            return True
        if near.column and _verb_negated(draft, at + step, near.column):  # not from A or B
            return True
        at += 2 * step
    return False


def _same_thing(one: ColumnInfo, other: ColumnInfo) -> bool:
    """True for a column and another that says the same in other words: embarked, embark_town."""
    alike = one.kind == other.kind and set(concepts(one.name)) & set(concepts(other.name))
    return one == other or bool(alike)


def _holding(item: Item, number: float, table: TableInfo, stated: bool) -> ColumnInfo | None:
    text = f"{number:g}"
    for ref in sorted(item.mention.all(ColumnRef), key=lambda ref: -ref.strength):
        if ref.table == table.name:
            column = table.column(ref.column)
            if column.kind == "text" and text in column.values:  # an age rating of 18
                return column
            if column.kind == "number" and (
                stated or text in column.values or f"{number:.1f}" in column.values
            ):
                return column
    return None


def cell_value(column: ColumnInfo, value: str) -> Scalar:
    """A cell value as the Python literal it is compared with."""
    if column.kind == "bool":
        return value.casefold() in ("true", "1", "1.0")
    if column.kind == "number" and (number := _WRITTEN.fullmatch(value.strip())):
        return float(number[1].replace(",", ""))
    return value


_WRITTEN = re.compile(r"[$£€¥]?\s?(-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?)\s?[^\d\s]{0,4}")
"""A number as a cell holds it: 20%, ¥3,740."""


def read_opposites(draft: Draft) -> None:
    for index, item in enumerate(draft.items):
        if (
            (concept := item.cue("opposite"))
            and (column := concept_column(concept, draft.table))
            and column.yes_no
        ):
            draft.keep(Filter(column.name, "==", (cell_value(column, column.yes_no[1]),)), index)


_NOUGHT = re.compile(r"[$£€¥]?\s?0+(?:[.,]0+)?\s?[%a-zA-Z$£€円]*")
_LACKS = ("がない", "のない", "がなく", "がありません")


_NONE = ("none", "nothing", "no", "nil", "n/a", "na", "-", "なし", "無し", "無")


def _says_none(column: ColumnInfo) -> str:
    """The cell value of a column that says that there is none; empty where no cell does."""
    return next((value for value in column.values if value.strip().casefold() in _NONE), "")


_HAS_BEEN = re.compile(r"\b(?:has|have|had) been (?:\w+ ){0,2}$")


def read_yes_no(draft: Draft) -> None:
    """`no helmet`, `with a helmet`, ヘルメットなし: a yes/no column beside a word that says which."""
    for index, column in draft.free():
        before, after = draft.at(index - 1), draft.at(index + 1)
        near = after if draft.language == "ja" else before
        if column.yes_no is None:
            lead = draft.items[index].mention.lead
            if _HAS_BEEN.search(lead):
                continue  # has been on the shelf the longest
            held = lead.endswith(("with ", "with a ", "with an ", "with any "))
            compared = after is not None and after.is_cue("cmp", "range") and draft.language == "en"
            lacking = near is not None and (near.is_cue("without") or near.mention.text in _LACKS)
            if column.kind == "text" and lacking and (none := _says_none(column)):  # no pests
                draft.said_no = True
                draft.keep(Filter(column.name, "==", (none,)), index)
                draft.used.update((index, index - 1))
                continue
            if column.kind in ("text", "date") and lacking:  # no campaign
                _read_having(draft, index, column, True)
                continue
            if column.kind == "date" and before is not None and before.is_cue("not"):  # not returned
                _read_having(draft, index, column, True)
                continue
            if draft.language == "ja" and column.kind in ("text", "date") and near and near.is_cue("with"):
                _read_having(draft, index, column, False)  # 備考がある
                continue
            if (
                column.kind == "number"
                and "correlation" not in draft.operations
                and not compared
                and (held or lacking or (near and near.is_cue("with")))
            ):
                _read_having(draft, index, column, lacking and not held)
            continue
        if draft.language == "en" and is_opposed(draft.items[index].mention.lead, column):
            draft.said_no = True
            draft.keep(Filter(column.name, "==", (cell_value(column, column.yes_no[1]),)), index)
            draft.used.update((index - 1, index))
            continue
        if draft.language == "en" and _is_denied_behind(draft, index):
            draft.said_no = True
            draft.keep(Filter(column.name, "==", (cell_value(column, column.yes_no[1]),)), index)
            draft.used.update((index, index + 1))
            continue
        if near and near.is_cue("without", "with", "not"):
            draft.said_no = draft.said_no or near.is_cue("without", "not")
            value = column.yes_no[1 if near.is_cue("without", "not") else 0]
            draft.keep(Filter(column.name, "==", (cell_value(column, value),)), index)
            draft.used.add(index)


_IS = re.compile(r"(?::|,)? (?:(?:is|was|=|equals|says) )?['\"]?")


def _is_denied_behind(draft: Draft, index: int) -> bool:
    """`where dog is no`, `with queen seen no`: the column's own no behind it, which no other word follows."""
    here, after, later = draft.items[index], draft.at(index + 1), draft.at(index + 2)
    if (
        after is None
        or key(after.mention.text) not in ("no", "n", "false")
        or not after.is_cue("without", "and")
    ):
        return False
    if later is not None and later.mention.start - after.mention.end == 1 and not later.is_cue("and", "per"):
        return False
    return bool(_IS.fullmatch(draft.text[here.mention.end : after.mention.start]))


_GIVEN = re.compile(
    r" (?:values?|figures?|readings?|data|entry|entries|info|information|measurements?|numbers?)\b"
    r"(?! (?:of|above|below|over|under|\d))",
    re.IGNORECASE,
)
"""Words for what a cell holds: without one the cell is blank."""


def _read_having(draft: Draft, index: int, column: ColumnInfo, without: bool) -> None:
    """`with kids` means more than none; `no rating` an empty cell, or none where the column counts from 0."""
    left_out = draft.at(index + 2)
    if without and draft.language == "ja" and left_out is not None and left_out.is_cue("not"):
        draft.used.update((index + 1, index + 2))
        draft.said_no, without = True, False  # 単価なしは除いて
    counts = any(_NOUGHT.fullmatch(value) for value in column.values)
    if without and (told := _GIVEN.match(draft.text, draft.items[index].mention.end)):
        counts = False  # no sugar value, where 0 is one
        after = draft.at(index + 1)
        if after is not None and after.mention.start < told.end() and not (after.is_column or after.value):
            draft.used.add(index + 1)
            draft.plot = "" if after.cue("plot") == "auto" else draft.plot
    if counts:
        draft.keep(Filter(column.name, "==" if without else ">", (0.0,)), index)
    else:
        draft.keep(Filter(column.name, "==" if without else "!=", (), "blank"), index)
    draft.said_no = draft.said_no or without
    draft.used.add(index)
