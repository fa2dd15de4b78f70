"""Questions of how many and what part: counted rows, counted values, and shares of a condition."""

import re
from dataclasses import replace

from smoldesk.analyst.intents import DataIntent, Filter, Refusal
from smoldesk.analyst.reading.count_words import counted_kind
from smoldesk.analyst.reading.counted_figures import counted_figure
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.one_of_any import held_at_all, take_any
from smoldesk.analyst.reading.read_values import cell_value
from smoldesk.analyst.reading.resolve import concept_column
from smoldesk.analyst.reading.told_of_rows import (
    flag_told_with,
    is_told_last,
    told_of,
    told_together,
)
from smoldesk.analyst.tables.adding_up import WORTH
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.tables.column_names import concepts
from smoldesk.analyst.tables.domains import domain_nouns
from smoldesk.analyst.words.text import key, name_words

_AMONG = ("のうち", "の中で", "のなかで", "に占める")
"""Words after the whole of which a part is asked for."""
_RATES = ("rate", "rates", "ratio", "率", "比率")
_GROUPED_COUNTS = ("人数", "件数", "回数", "乗客数")


def take(draft: Draft, wanted: list[tuple[int, ColumnInfo]]) -> tuple[str, ...]:
    """Names of these free columns, which are used from now on."""
    draft.used.update(index for index, _ in wanted)
    return tuple(dict.fromkeys(column.name for _, column in wanted))


_NO_SUM = frozenset(("age", "price", "rating", "score", "temperature", "percentage", "rate", "year"))


def part_of_a_total(draft: Draft) -> bool:
    """`what share of revenue comes from Leeds`: a part of the sum of a column, not of the rows."""
    if not {"share"} <= set(draft.aggregates) <= {"share", "sum"} or draft.change:
        return False
    numbers = [(i, c) for i, c in draft.free() if c.kind == "number" and not c.is_flag]
    if len({column.name for _, column in numbers}) != 1 or "rate" in concepts(numbers[0][1].name):
        return False
    if not draft.filters and not any(column.yes_no for _, column in draft.free()):
        return False
    asked = next(i for i, item in enumerate(draft.items) if item.cue("agg") == "share")
    word = key(draft.items[asked].mention.text)
    added = "sum" in draft.aggregates or bool(draft.items[numbers[0][0]].mention.text.lower() in WORTH)
    averaged = set(concepts(numbers[0][1].name)[:1]) & _NO_SUM and not added
    if (
        draft.language == "en"
        and numbers[0][0] > asked + 2
        and any(one.column == numbers[0][1].name for one in draft.filters)
    ):
        return False  # what % of the batches scrap more than 30 pieces
    ahead = draft.language == "ja" or asked < numbers[0][0]  # discount % is another figure
    return ahead and word not in _RATES and not averaged


def _share_of_total(draft: Draft, intent: DataIntent) -> DataIntent | None:
    """The part of a column's sum in the rows that meet a condition; None when there are no rows to tell apart."""
    numbers = [(i, c) for i, c in draft.free() if c.kind == "number" and not c.is_flag]
    flags = [(i, c) for i, c in draft.free() if c.yes_no]
    filters = intent.filters
    if flags:
        column = flags[0][1]
        draft.used.update(index for index, _ in flags)
        target = Filter(column.name, "==", (cell_value(column, column.yes_no[0] if column.yes_no else ""),))
    else:
        target = part_of(draft)
        filters = tuple(one for one in filters if one is not target)
    measures = take(draft, numbers)
    groups = intent.groups + _rest_as_groups(draft)
    return replace(
        intent, target=target, filters=filters, measures=measures, aggregates=("share",), groups=groups
    )


def share(draft: Draft, intent: DataIntent) -> DataIntent | Refusal:
    """What part of the rows meets a condition: a yes/no column, or the cell value nearest to `share`."""
    if part_of_a_total(draft) and (part := _share_of_total(draft, intent)):
        return part
    flags = [(index, column) for index, column in draft.free() if column.yes_no]
    within = max(draft.text.find(word) for word in _AMONG)
    if flags and intent.filters and any(draft.items[index].mention.start < within for index, _ in flags):
        wholes = [(index, column) for index, column in flags if draft.items[index].mention.start < within]
        draft.used.update(index for index, _ in wholes)
        yes = tuple(
            Filter(column.name, "==", (cell_value(column, column.yes_no[0] if column.yes_no else ""),))
            for _, column in wholes
        )
        draft.filters[:0] = yes
        intent = replace(intent, filters=yes + intent.filters)
        flags = [one for one in flags if one not in wholes]
    if flags and draft.language == "en" and (part := told_of(draft, [index for index, _ in flags])):
        draft.used.update(index for index, _ in flags)
        yes = tuple(
            Filter(one.name, "==", (cell_value(one, one.yes_no[0]),)) for _, one in flags if one.yes_no
        )
        rest = (*yes, *(one for one in intent.filters if one is not part))
        groups = intent.groups + _rest_as_groups(draft)
        return replace(intent, target=part, filters=rest, aggregates=("share",), groups=groups)
    if len(flags) == 1 and draft.language == "en" and (other := flag_told_with(draft, flags[0][0])):
        index, column = flags[0]
        draft.used.add(index)
        yes = Filter(column.name, "==", (cell_value(column, column.yes_no[0] if column.yes_no else ""),))
        target = Filter(column.name, "==", (), "all", (yes, other))
        groups = intent.groups + _rest_as_groups(draft)
        return replace(intent, target=target, filters=(), aggregates=("share",), groups=groups)
    if flags:
        index, column = flags[0]
        draft.used.add(index)
        target = Filter(column.name, "==", (cell_value(column, column.yes_no[0] if column.yes_no else ""),))
        groups = intent.groups + _rest_as_groups(draft)
        groups = groups or (() if intent.date else compared_groups(draft))
        return replace(intent, target=target, aggregates=("share",), groups=groups)
    numbers = [column.name for _, column in draft.free() if column.kind == "number"]
    cut = intent.groups or any(column.kind == "text" for _, column in draft.free())
    rates = [
        item.mention.text
        for item in draft.items
        if item.cue("agg") == "share" and key(item.mention.text) in _RATES
    ]
    if numbers and rates:  # a conversion rate is no part of the conversions
        return Refusal("too_much", tuple(rates), table=draft.table.name)
    if len(set(numbers)) == 1 and cut and not intent.filters:  # each group's part of the total
        measures = take(draft, [(i, c) for i, c in draft.free() if c.kind == "number"])
        return replace(
            intent, measures=measures, aggregates=("share",), groups=intent.groups + _rest_as_groups(draft)
        )
    if not numbers and not draft.says("per", "vs") and (held := held_at_all(draft)):
        draft.used.add(held[0])
        groups = intent.groups + _rest_as_groups(draft)
        return replace(
            intent, target=Filter(held[1].name, "!=", (), "blank"), aggregates=("share",), groups=groups
        )
    if numbers:
        return Refusal(
            "which_column", words=tuple(numbers), choices=_conditions(draft), table=draft.table.name
        )
    if intent.filters:
        target = part_of(draft)
        rest = tuple(one for one in intent.filters if one is not target)
        if both := told_together(draft):
            target = Filter(both[0].column, "==", (), "all", both)
            rest = tuple(one for one in intent.filters if one not in both)
        if told := _told_columns(draft):
            return Refusal("too_much", told, table=draft.table.name)
        groups = intent.groups + _rest_as_groups(draft)
        return replace(intent, target=target, filters=rest, aggregates=("share",), groups=groups)
    groups = intent.groups + _rest_as_groups(draft)
    if not groups:
        return Refusal("which_column", choices=_conditions(draft), table=draft.table.name)
    if rates and draft.language == "en":  # the delivery rate by depot is no part of the rows
        return Refusal("too_much", tuple(rates), table=draft.table.name)
    return replace(intent, groups=groups, aggregates=("share",))


def _conditions(draft: Draft) -> tuple[str, ...]:
    return tuple(column.name for column in draft.table.columns if column.values)


_SHARE_OF = re.compile(r"\b(?:of|how many) (?:all |the |our |all the )?$")


def _qualified(draft: Draft, at: int) -> bool:
    """`share of organic products by category`: the word for the rows behind its condition."""
    before, here = draft.at(at - 1), draft.items[at].mention
    flag = before is not None and before.column is not None and bool(before.column.yes_no)
    return (
        flag
        and before is not None
        and here.text.lower().endswith("s")
        and here.start - before.mention.end == 1
    )


def _rest_as_groups(draft: Draft) -> tuple[str, ...]:
    asked = next((at for at, item in enumerate(draft.items) if item.cue("agg") == "share"), -2)
    whole = [
        (at, column)
        for at, column in draft.free()
        if column.kind == "text"
        and ((at == asked + 1 and _SHARE_OF.search(draft.items[at].mention.lead)) or _qualified(draft, at))
    ]
    take(draft, whole)  # what share of products are organic: no part of each product
    return take(
        draft, [(index, column) for index, column in draft.free() if column.kind != "number" or column.values]
    )


def _told_columns(draft: Draft) -> tuple[str, ...]:
    """`what % of Okafor's samples were flagged`, of a column `QC flag` that holds no yes: nothing to cut by."""
    if draft.language != "en":
        return ()
    told = [draft.items[at].mention for at, column in draft.free() if column.kind == "text"]
    return tuple(one.text for one in told if re.search(r"\b(?:were|was|are|is|got|get|been) $", one.lead))


def part_of(draft: Draft) -> Filter:
    """The condition that is counted: `percentage of women in first class` counts women."""
    opposite = next((value for item in draft.items if (value := item.cue("opposite"))), None)
    if opposite and (column := concept_column(opposite, draft.table)):
        return next(one for one in draft.filters if one.column == column.name)
    share = next(index for index, item in enumerate(draft.items) if item.cue("agg") == "share")
    placed = [
        (index, one)
        for one in draft.filters
        for index, item in enumerate(draft.items)
        if item.column and item.column.name == one.column
    ]
    at_columns = {id(one) for _, one in placed}
    if draft.language == "en" and placed:  # late by over 20 minutes: the column itself is not said
        placed += [
            (at, one) for one, at in draft.placed if one in draft.filters and id(one) not in at_columns
        ]
    if not placed:
        return draft.filters[0]
    placed.sort(key=lambda entry: entry[0])
    if draft.language == "en" and (told := told_of(draft)):
        return told
    if draft.language == "ja":
        before = [one for index, one in placed if index < share]
        return before[-1] if before else placed[0][1]
    after = [(index, one) for index, one in placed if index > share] or placed
    told = _verb_between(draft, after[0][0], after[-1][0]) or is_told_last(draft, after[0][0], after[-1][1])
    return after[-1][1] if told else after[0][1]


def _verb_between(draft: Draft, first: int, last: int) -> bool:
    """`of passengers in first class *were* women`: the condition follows the verb."""
    text = draft.text[draft.items[first].mention.end : draft.items[last].mention.start]
    if re.match(
        r"\s*(?:\w+ ){0,2}?(?:scored|got|have|had|has|paid|took|spent|earned|gave|said|answered|chose|used|passed|works?|worked"
        r"|ran|lives?|lived|buys?|bought|plays?|played|stay(?:s|ed)?|booked|ordered|won|lost|finished|visited|attended|belongs?"
        r"|drives?|drove|costs?|weigh(?:s|ed)?|lasted|needs?|needed|involved|studied|study|prefer(?:s|red)?|owns?|ended|started"
        r"|opened|closed|fell|reached|exceeded|arrived|travelled|shipped|left|missed|happened|occurred|landed|reported)\b",
        text,
    ):
        return True
    return any(
        f" {verb} " in f" {text} "
        for verb in (
            "were",
            "was",
            "are",
            "is",
            "who",
            "that",
            "comes",
            "come",
            "came",
            "goes",
            "went",
            "did",
            "does",
        )
    )


def count(draft: Draft, intent: DataIntent) -> DataIntent | Refusal:
    """How many rows, or how many different values of the column right beside the word for counting."""
    filters = list(intent.filters)
    for index, column in draft.free():
        named = any(other.kind == "text" and not other.yes_no for _, other in draft.free())
        if column.yes_no and column.name not in intent.groups and not (draft.order and not named):
            filters.append(Filter(column.name, "==", (cell_value(column, column.yes_no[0]),)))
            draft.used.add(index)
    for index, column in draft.free():
        before = draft.at(index - 1)
        if (
            column.kind != "number"
            and not column.yes_no
            and before
            and before.is_cue("with")
            and draft.language == "en"
        ):
            filters.append(Filter(column.name, "!=", (), "blank"))  # how many nights have notes
            draft.used.add(index)
    if figure := counted_figure(draft):
        draft.used.add(figure[0])
        groups = intent.groups + _rest_as_groups(draft)
        return replace(
            intent, groups=groups, measures=(figure[1].name,), filters=tuple(filters), aggregates=("sum",)
        )
    if not (draft.says("per", "which", "time", "vs") or draft.plot or intent.date or draft.order):
        take(draft, [(i, c) for i, c in draft.free() if c.kind == "date" and _is_deed(draft, i, c)])
    if draft.language == "en" and not (draft.says("per", "which", "vs") or draft.order or draft.plot):
        take_any(draft)
    beside = _counted_column(draft)
    if beside and (_are_the_rows(draft, *beside) or _are_reported(draft, *beside)):
        draft.used.add(beside[0])
        draft.rows, beside = True, None
    if not beside and not draft.free() and (kind := counted_kind(draft)):
        beside = (-1, kind)
    if beside and not draft.order and not draft.plot:
        draft.used.add(beside[0])
        intent = replace(intent, measures=(beside[1].name,), aggregates=("nunique",))
        if intent.groups or intent.date:
            return replace(intent, filters=tuple(filters))
        return replace(intent, operation="distinct", aggregates=(), filters=tuple(filters))
    _tie(draft)
    named_texts = any(column.kind == "text" for _, column in draft.free())
    common = any(
        item.mention.text.lower().startswith("most ") and item.cue("agg") == "count" for item in draft.items
    )
    asked = draft.says("per", "which", "vs") or draft.order or draft.plot or draft.aggregates[0] != "count"
    groups = intent.groups + take(
        draft,
        [
            (i, c)
            for i, c in draft.free()
            if c.kind != "number" or (c.values and asked and not (common and named_texts))
        ],
    )
    groups = groups or (() if intent.date else compared_groups(draft))
    return replace(intent, groups=groups, filters=tuple(filters), aggregates=("count",))


_TIES = re.compile(r"\b(?:from|on|of|for|at|in|to|by|with|about)(?: the| a| an| any)? $")


def _tie(draft: Draft) -> None:
    """`how many orders from customers under 30`: beside the rows that are counted, a column right before its condition."""
    if not draft.rows or draft.order or draft.plot:
        return
    conditions = {at for one, at in draft.placed if one in draft.filters}
    for index, column in draft.free():
        before, lead = draft.at(index - 1), draft.items[index].mention.lead
        asked = before is not None and before.is_cue("per", "which", "vs", "agg", "and")
        near = {index + 1, index + 2} & conditions
        if column.kind == "text" and not asked and near and _TIES.search(lead):
            draft.used.add(index)


def _is_deed(draft: Draft, index: int, column: ColumnInfo) -> bool:
    """True for `deliver` of a column `delivery date`: a verb that ties, no group."""
    text = draft.items[index].mention.text
    near = draft.at(index - 1), draft.at(index + 1)
    denied = any(one and one.is_cue("without", "not") for one in near)
    done = draft.items[index].mention.lead.endswith((" were ", " was ", " got ", " been "))
    return (done or key(text) != key(column.name)) and "date" not in text.lower() and not denied


_VERBS = re.compile(
    r"\b(?:happened|occurred|took place|were|was|are|is|did|do|have|had|came|on|in|at|from)\b"
)


def counts_beside(draft: Draft) -> bool:
    """`average fare and number of rides per class`: rows are counted beside another figure, joined by `and`."""
    others = [one for one in draft.aggregates if one not in ("count", "share")]
    numbers = [column for _, column in draft.free() if column.kind == "number" and not column.is_flag]
    if not others or not numbers:
        return False
    for index, item in enumerate(draft.items):
        if item.cue("agg") == "count":
            before, after = draft.at(index - 1), draft.at(index + 1)
            rows_before = draft.at(index - 2) if before and before.rows else before
            joined = (before and before.is_cue("and")) or (rows_before and rows_before.is_cue("and"))
            return bool(joined or (after and after.is_cue("and"))) and not (after and after.is_column)
    return False


def _counted_column(draft: Draft) -> tuple[int, ColumnInfo] | None:
    free = {index: column for index, column in draft.free() if column.kind == "text" and not column.yes_no}
    for index, item in enumerate(draft.items):
        if item.cue("agg") == "count" and item.mention.text not in _GROUPED_COUNTS:
            at = index - 1 if draft.language == "ja" and not item.mention.text.isascii() else index + 1
            if at not in free:
                continue
            between = draft.text[item.mention.end : draft.items[at].mention.start] if at > index else ""
            if not _VERBS.search(between.lower()):
                return at, free[at]
    return None


def _are_the_rows(draft: Draft, index: int, column: ColumnInfo) -> bool:
    """`how many flights left before 8`, of a first column Flight: each row is one, though their numbers come again."""
    text = key(draft.items[index].mention.text)
    coded = bool(column.values) and all(re.search(r"\d", value) for value in column.values)
    if not coded or not text.isascii() or "distinct" in draft.operations or column != draft.table.columns[0]:
        return False
    return text.endswith("s") and text in domain_nouns(draft.table)


_REPORTED = re.compile(
    r" (?:that |which )?(?:(?:was|were|got|been|being) )?(reported|logged|raised|filed|submitted)\b"
)


def _are_reported(draft: Draft, index: int, column: ColumnInfo) -> bool:
    """`how many faults were reported`, of kinds of faults with the day Reported on: each row is one of them."""
    here = draft.items[index].mention
    said = _REPORTED.match(draft.text.lower(), here.end)
    if said is None or "distinct" in draft.operations or key(here.text) == key(column.name):
        return False
    days = (one for one in draft.table.columns if one.kind == "date")
    return key(here.text).endswith("s") and any(said[1] in name_words(day.name) for day in days)


_AS_ONE = re.compile(
    r"(?<!\bgo )(?<!\bgoes )\b(?:together|combined|jointly|between them|as one (?:figure|number|total|group)|pooled)\b",
    re.IGNORECASE,
)
"""`of Hull and York together`: one figure for all of them."""


def compared_groups(draft: Draft) -> tuple[str, ...]:
    """`average age of men and women`: several values of one column are compared, unless they are taken together."""
    if draft.says("or") or (draft.language == "en" and _AS_ONE.search(draft.text)):
        return ()
    return tuple(
        one.column for one in draft.filters if one.comparison == "==" and len(one.values) > 1 and not one.part
    )[:1]


def lists_rows(draft: Draft) -> bool:
    """`tickets handled by Maya and Tom`, 山田と林が担当した注文: the rows of both, where nothing is asked of them."""
    asked = draft.aggregates or draft.order or draft.grain or draft.over_time or draft.plot
    cut = any(
        item.is_cue("per") and not ((after := draft.at(at + 1)) and after.value is not None)
        for at, item in enumerate(draft.items)
    )  # handled by Maya cuts nothing
    return (draft.rows or draft.names_table) and not asked and not cut and not draft.says("vs")
