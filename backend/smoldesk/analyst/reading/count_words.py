"""何台, 何枚, 何食: a Japanese counter asks for rows, or for the total of the column that holds numbers of such things."""

import re
from dataclasses import replace

from smoldesk.analyst.intents import Refusal
from smoldesk.analyst.meanings import Cue
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.resolve import concept_column, unit_column
from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.column_names import graded_concepts
from smoldesk.analyst.words.glossary import ADDITIVE
from smoldesk.analyst.words.japanese import COUNTED, COUNTERS, KINDS
from smoldesk.analyst.words.text import bracketed, key, name_words

_ASKED = re.compile(rf"何({'|'.join(COUNTERS)}|[\u4e00-\u9fff]|度)(?:くらい|ほど|分)?")
_PLAIN = frozenset(("件", "回", "つ", "行", "種類", "位", "度", "社", "名"))
"""Counters of rows, or of nothing in particular: no column is looked for."""
_FIGURES = frozenset(("sum", "mean", "median", "min", "max", "std", "quantile", "range"))


def read_counters(draft: Draft) -> Refusal | None:
    """合計は何台 asks for the total alone; 何枚 for that of the quantity, where the table holds one.

    A refusal where several columns hold such numbers, or none is in the unit that is asked for.
    """
    for index, item in enumerate(draft.items):
        if item.mention.text.startswith("何") and item.is_cue("unit"):
            said = [cue.value for cue in item.mention.all(Cue) if cue.kind == "unit"]
            unit = next(
                (one for one in said if unit_column(one, draft.table)), said[0]
            )  # キロ of a length or a weight
            if problem := _read_unit(draft, index, unit):
                return problem
            continue
        if item.cue("agg") == "count" and _repeats(draft, index):
            _drop_count(draft)
            continue
        if item.cue("agg") == "count" and (problem := _read_total(draft, index)):
            return problem
        asked = _ASKED.fullmatch(item.mention.text)
        if item.cue("agg") != "count" or asked is None:
            continue
        if "missing" in draft.operations:  # 空欄は何個: of the cells, whatever a column counts
            continue
        measured = [column for _, column in draft.free() if _is_figure(column)]
        counter = asked[1]
        if measured and (_FIGURES & set(draft.aggregates) or draft.change):
            _drop_count(draft)
        elif measured and any(_carries(column, counter) for column in measured) and not draft.order:
            _drop_count(draft, "sum")
        elif not measured and (column := _meant(draft, counter)):
            draft.items[index] = replace(item, column=column)
            _drop_count(draft, "sum")
        elif not measured and not draft.order and len(several := _carrying(draft.table, counter)) > 1:
            names = tuple(column.name for column in several)
            if not any(one.column in names for one in draft.filters):
                return Refusal("which_column", (item.mention.text,), names, draft.table.name)
    return None


_KIND = re.compile(rf"何({'|'.join(sorted(KINDS, key=len, reverse=True))})")


def counted_kind(draft: Draft) -> ColumnInfo | None:
    """何か国, 何店舗: the column whose different values are asked for, where they come in several rows."""
    for item in draft.items:
        asked = _KIND.fullmatch(item.mention.text) if item.cue("agg") == "count" else None
        column = concept_column(KINDS[asked[1]], draft.table) if asked else None
        if column is None or column.kind != "text" or column.yes_no:
            continue
        named = any(one.column == column.name and one.comparison == "==" for one in draft.filters)
        if not named and column.name not in draft.groups and len(column.values) < draft.table.rows:
            return column
    return _persons(draft)


_PERSONS = (
    "客",
    "お客",
    "お客さん",
    "お客様",
    "顧客",
    "会員",
    "選手",
    "利用者",
    "患者",
    "生徒",
    "社員",
    "申請者",
)


def _persons(draft: Draft) -> ColumnInfo | None:
    """客は全部で何人: the people of a column in which they come again; their rows are more than they are."""
    counted = any(
        item.mention.text in ("何人", "何名") and item.cue("agg") == "count" for item in draft.items
    )
    if not counted or draft.filters or draft.groups:
        return None
    if named := _called_so(draft):
        return named
    if not any(item.rows and item.mention.text in _PERSONS for item in draft.items):
        return None
    found = (concept_column(concept, draft.table) for concept in ("customer", "name", "player", "patient"))
    column = next((one for one in found if one is not None), None)
    again = column is not None and column.kind == "text" and column.values
    return column if column and again and len(column.values) < draft.table.rows else None


def _called_so(draft: Draft) -> ColumnInfo | None:
    """園児は何人, of a column 園児名 in which each comes again."""
    said = {item.mention.text for item in draft.items if item.rows and len(item.mention.text) > 1}
    for column in draft.table.columns:
        name = "".join(name_words(column.name)).removesuffix("名").removesuffix("の").removesuffix("氏")
        if column.kind == "text" and name in said and 0 < len(column.values) < draft.table.rows:
            return column
    return None


def _read_unit(draft: Draft, index: int, unit: str) -> Refusal | None:
    """トマトは何kg: the total of the one column in that unit, where no figure is named."""
    named = draft.order or draft.change or draft.groups or draft.grain or draft.operations
    named = named or bool(set(draft.aggregates) - {"sum", "mean"})
    if named or draft.plot or any(_is_figure(column) for _, column in draft.free()):
        return None
    column = unit_column(unit, draft.table)
    if draft.aggregates and column is not None and _is_figure(column):  # 合計で何分
        draft.items[index] = replace(draft.items[index], column=column)
        return None
    if draft.aggregates:
        return None
    if (
        column is None
        or not _is_figure(column)
        or not set(graded_concepts(column.name)) & (ADDITIVE | {"weight"})
    ):
        return Refusal("too_much", (draft.items[index].mention.text,), table=draft.table.name)
    draft.items[index] = replace(draft.items[index], column=column)
    draft.aggregates.append("sum")
    return None


_THINGS = re.compile(r"(?![件人回行名件社])([\u4e00-\u9fff])数")


def _read_total(draft: Draft, index: int) -> Refusal | None:
    """印刷枚数の合計: the column that holds how many things, never the number of rows; a refusal where none does."""
    named, after = _THINGS.fullmatch(draft.items[index].mention.text), draft.at(index + 1)
    added = after is not None and after.cue("agg") == "sum"
    if named is None or not added or any(_is_figure(column) for _, column in draft.free()):
        return None
    column = held(draft.table, named[1])
    if column is None or not _is_figure(column):
        numbers = tuple(one.name for one in draft.table.columns if _is_figure(one))
        return Refusal("which_column", (draft.items[index].mention.text,), numbers, draft.table.name)
    draft.items[index] = replace(draft.items[index], column=column)
    _drop_count(draft, "sum")
    return None


def _repeats(draft: Draft, index: int) -> bool:
    """定期利用台数の合計, 平均台数: the number of things is the column of them that was named, beside a figure of it."""
    named = re.fullmatch(r"(.+)数", draft.items[index].mention.text)
    if named is None or not _FIGURES & set(draft.aggregates):
        return False
    return any(_is_figure(column) and _carries(column, named[1]) for _, column in draft.free())


def _drop_count(draft: Draft, figure: str = "") -> None:
    draft.aggregates = [one for one in draft.aggregates if one != "count"]
    if figure == "sum" and not _FIGURES & set(draft.aggregates):
        draft.aggregates.append("sum")


def _is_figure(column: ColumnInfo) -> bool:
    return column.kind == "number" and not column.is_flag and not column.is_id


def counted_column(text: str, table: TableInfo) -> ColumnInfo | None:
    """The column that 80点 or 50台 is about, by the counter after the number."""
    said = re.fullmatch(r"[\d.,万千]+(\D+)", text)
    if said is None:
        return None
    found = [column for column in table.columns if _is_figure(column) and _carries(column, said[1])]
    return found[0] if len(found) == 1 else held(table, said[1])


def _carries(column: ColumnInfo, counter: str) -> bool:
    """True for 提供食数 or 利用(台) and the counter 食 or 台."""
    name = "".join(name_words(column.name))
    ends = (
        (f"{counter}数", "得点") if counter == "点" else (f"{counter}数", counter)
    )  # 発注点 holds no things
    return counter in bracketed(column.name) or name.endswith(ends)


def held(table: TableInfo, counter: str) -> ColumnInfo | None:
    """The one column that holds numbers of such things, by its unit, its name or its concept."""
    numbers = [column for column in table.columns if _is_figure(column)]
    carrying = _carrying(table, counter)
    if carrying:
        return carrying[0] if len(carrying) == 1 else None
    concept = COUNTED.get(key(counter), "")
    found = [column for column in numbers if graded_concepts(column.name).get(concept, 0.0) >= 0.75]
    if not found and counter == "枚":  # sheets that were printed
        found = [column for column in numbers if graded_concepts(column.name).get("pages", 0.0) >= 0.9]
        return found[0] if len(found) == 1 else None
    return found[0] if len(found) == 1 and concept in ADDITIVE else None


def _carrying(table: TableInfo, counter: str) -> list[ColumnInfo]:
    """The columns that hold numbers of such things by their unit or name; people who stand in rows are counted there."""
    if counter in _PLAIN or (counter == "人" and _of_persons(table)):
        return []
    return [column for column in table.columns if _is_figure(column) and _carries(column, counter)]


def _of_persons(table: TableInfo) -> bool:
    about = (graded_concepts(column.name) for column in table.columns)
    return any(grades.get(concept, 0.0) > 0.6 for grades in about for concept in ("age", "sex", "name"))


def _meant(draft: Draft, counter: str) -> ColumnInfo | None:
    """The column whose total is asked for; None where rows are counted, ranked or picked by that very column."""
    if counter in _PLAIN or draft.order or draft.change:
        return None
    column = held(draft.table, counter)
    return column if column and not _compared(draft, column) else None


def _compared(draft: Draft, column: ColumnInfo) -> bool:
    """True when rows are picked by that very column: 30個以上は何個 counts rows."""
    return any(one.column == column.name for one in draft.filters)
