"""Average, total, extremes, rows by rank: a draft about figures becomes an intent."""

import re
from dataclasses import replace
from typing import cast

from smoldesk.analyst.intents import (
    Aggregate,
    DataIntent,
    Filter,
    Order,
    Refusal,
)
from smoldesk.analyst.meanings import RowNoun, TableRef
from smoldesk.analyst.questions.how_much import asked_money, given, says_given
from smoldesk.analyst.questions.ranked_figures import compared_order, ends_said, ranked_figure
from smoldesk.analyst.questions.row_with_most import row_with_most
from smoldesk.analyst.questions.spoken_sizes import spoken_size
from smoldesk.analyst.reading.asked_person import asked_person, does_again
from smoldesk.analyst.reading.asked_rows import (
    asks_for_row,
    is_charge,
    kinds_shown,
    names_each,
    size_column,
    sized_rows,
    words_shown,
)
from smoldesk.analyst.reading.columns_of_one import columns_of_one
from smoldesk.analyst.reading.counts import compared_groups, lists_rows, take
from smoldesk.analyst.reading.draft import Draft, number_columns
from smoldesk.analyst.reading.one_of_any import take_any
from smoldesk.analyst.reading.ranked_by import ranked_by, ranked_rows
from smoldesk.analyst.reading.read_speed import order_of_speed
from smoldesk.analyst.reading.read_values import cell_value
from smoldesk.analyst.reading.resolve import Item, concept_column
from smoldesk.analyst.reading.row_money import only_measure, row_money
from smoldesk.analyst.reading.told_of_one import (
    days_of_one,
    days_told,
    figure_of_one,
    order_of_one,
)
from smoldesk.analyst.reading.turned_ranks import most_often, order_of_age, turned_order
from smoldesk.analyst.tables.adding_up import adds_up
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.tables.column_names import concepts, unit_of
from smoldesk.analyst.words.glossary import COUNTED_PEOPLE
from smoldesk.analyst.words.text import key, name_words

_RANKINGS = ("ranking", "ランキング", "順位")
_MOST = ("most", "fewest", "least", "the most", "the fewest")
_RATES = ("rate", "rates", "share", "percentage", "percent", "proportion", "率", "割合")
_SIZES = ("biggest", "largest", "highest", "smallest", "lowest")
_SORTS = re.compile(
    r"^(?:please )?(?:sort|order|rank) |\b(?:sorted|ordered|ranked|in order) |\bfirst[?.! ]*$", re.IGNORECASE
)
_THEIRS = re.compile(r"\b(?:and|with|plus) (?:their|its|his|her)(?: \w+)? $")
_SPENT = re.compile(
    r"^how much (?:money |cash )?(?:did|do|does|have|has) (?:\w+ ){1,3}?(?:pay|paid|spend|spent|earn|earned|make|made"
    r"|take|taken|raise|raised|collect|collected|receive|received|get|got|bring|brought)\b",
    re.IGNORECASE,
)
"""`how much did we pay`: all of it, where no other figure is named."""
_WAS_DONE = re.compile(
    r"^(?:and )?how (?:much|many)(?: [a-z]+)? (?:was|were|is|are|got|has been|have been) ([a-z]+)\b",
    re.IGNORECASE,
)
"""`how much was wasted`, of a column Wasted: all of it, too."""
_DONE = re.compile(
    r"\b(?:km|kms|kilometres|kilometers|miles|metres|meters|hours|minutes|mins|laps|steps|pages) "
    r"(?:walked|driven|run|cycled|ridden|flown|travelled|traveled|hiked|swum|rowed|sailed|worked|played|watched|read|covered)\b",
    re.IGNORECASE,
)
"""`km walked per month`: what was done is added up."""


def ask_figures(draft: Draft, intent: DataIntent) -> DataIntent | Refusal:
    """Average, total, extremes, rows by rank; the usual figure when none was named."""
    free = draft.free()
    if one := columns_of_one(draft, intent):
        return one
    if one := row_with_most(draft, intent):
        return one
    numbering = [
        (i, c)
        for i, c in free
        if c.kind == "number" and c.is_id and (0 < len(c.values) < draft.table.rows or _asks_which(draft))
    ]
    measures = [(i, c) for i, c in free if c.kind == "number" and not c.is_flag and (i, c) not in numbering]
    if measures and (often := most_often(draft, intent, measures)):
        return often
    flags = [(i, c) for i, c in free if c.yes_no]
    texts = [(i, c) for i, c in free if (c.kind == "text" and not c.yes_no) or (i, c) in numbering]
    counted = [(i, c) for i, c in texts if (near := draft.at(i - 1)) and near.mention.text.lower() in _MOST]
    if draft.order and draft.says("which") and counted and (len(texts) > len(counted) or asked_person(draft)):
        take(draft, counted)  # who teaches the most classes: rows are counted
        texts = [one for one in texts if one not in counted]
    aggregates: tuple[Aggregate, ...] = tuple(
        one for one in draft.aggregates if one not in ("count", "share")
    )
    if aggregates and draft.language == "en":
        anyone = take_any(draft)  # what's the average time to fix a fault
        texts = [one for one in texts if one not in anyone]
    if aggregates and not draft.says("which", "vs"):
        named = [(i, c) for i, c in texts if _is_row(draft, i, c)]
        take(draft, named)  # 社員の平均年齢: of all of them
        texts = [one for one in texts if one not in named]
    compared = {at for one, at in draft.placed if one.part == "column"}  # was the final slower than the heat
    compared |= {at for _, at in draft.placed if draft.items[at].is_cue("cmp")}  # 1時間より長い配達
    spoken = [item for at, item in enumerate(draft.items) if at not in compared]
    said = [v for item in spoken if (v := item.cue("high") or item.cue("low"))]
    if not said and draft.order:
        said = [v for item in draft.items if (v := item.cue("light"))]
    if adjective := next(iter(said), None):
        column = ranked_figure(draft, adjective, bool(texts or intent.groups))
        beside = [(i, c) for i, c in measures if i > 0 and _THEIRS.search(draft.items[i].mention.lead)]
        if column and draft.order and beside and beside == measures:
            take(draft, beside)  # the 5 longest episodes and their downloads
            measures = []
        if column and not measures and not flags and not ranked_by(draft):
            measures = [(-1, column)]
            order = cast(Order, draft.order and order_of_speed(draft, column))
            order = order or ("" if draft.order else compared_order(draft, column))
            if order:
                draft.order = order
                intent = replace(intent, order=order)
    if not measures and not flags and (ranked := ranked_by(draft)):
        if found := ranked_rows(draft, intent, ranked, asked_person(draft)):
            return found
        draft.order = ranked.order
        intent = replace(intent, order=ranked.order)
        measures = [(-1, ranked.column)]
    if draft.language == "ja" and draft.order and not (measures or flags or draft.aggregates or intent.date):
        sized = spoken_size(draft)
        if isinstance(sized, Refusal):
            return sized
        measures = [(-1, sized)] if sized else []
        if sized and (order := order_of_speed(draft, sized) or order_of_age(draft, sized)):
            draft.order = cast(Order, order)
            intent = replace(intent, order=draft.order)
    biggest = any(item.is_cue("top") and item.mention.text.lower() in _SIZES for item in draft.items)
    if biggest and draft.rows and not free and not intent.groups and not draft.aggregates:
        amount = concept_column("amount", draft.table) or concept_column("sales", draft.table)
        measures = [(-1, amount)] if amount and amount.kind == "number" and not is_charge(amount) else []
    if biggest and draft.rows and not measures and not flags and not draft.aggregates and sized_rows(draft):
        size = size_column(draft)
        if size is None:
            return Refusal("which_column", choices=number_columns(draft), table=draft.table.name)
        measures = [(-1, size)]
    if turned := turned_order(draft, [column for _, column in measures]):
        draft.order = turned
        intent = replace(intent, order=turned)
    both_ends = not draft.limit and {"asc", "desc"} == ends_said(draft)
    groups = intent.groups
    superlative = next((v for item in draft.items if (v := _superlative(item))), "")
    if (draft.order or superlative) and not groups and not texts and (person := asked_person(draft)):
        if measures and draft.rows and asks_for_row(draft) and not does_again(draft, person):
            texts = [(-1, draft.table.column(person))]
            person = ""
    else:
        person = ""
    if both_ends and (intent.groups or texts or intent.date):  # which has the most and which the fewest
        draft.order, intent = "desc", replace(intent, order="desc")
    if person:
        groups = (person,)
        draft.order = cast(Order, draft.order or superlative)
        intent = replace(intent, order=draft.order)
    ranked = (draft.order or superlative) and not (groups or aggregates or intent.date or both_ends)
    days = [(i, c) for i, c in free if c.kind == "date"] if draft.language == "en" else []
    told = figure_of_one(draft, [column for _, column in measures])
    told = told or (len(measures) == 1 and days_told(draft, days))
    if (
        measures
        and not (groups or both_ends)
        and (
            one := (draft.order or superlative)
            if told
            else order_of_one(draft, aggregates, draft.order or superlative)
        )
    ):
        names = take(draft, measures)[:1] + take(draft, texts) + (take(draft, days) or days_of_one(draft))
        intent = replace(intent, filters=intent.filters + _flag_filters(draft, flags), date="", grain="")
        return replace(
            intent, operation="top", measures=names, aggregates=(), limit=1, order=cast(Order, one)
        )
    if (
        measures and ranked and draft.rows and asks_for_row(draft)
    ):  # longest film, heaviest donation: what item was it
        order = cast(Order, order_of_speed(draft) or draft.order or superlative)
        names = take(draft, measures)[:1] + take(draft, days)
        names += take(draft, texts) or kinds_shown(draft) or words_shown(draft)
        intent = replace(intent, filters=intent.filters + _flag_filters(draft, flags))
        return replace(intent, operation="top", measures=names, limit=draft.limit or 1, order=order)
    if measures or flags or draft.rows or draft.plot:
        listed = not (measures or flags) and lists_rows(draft)
        groups += take(draft, texts) + (() if groups or texts or listed else compared_groups(draft))
    if (
        flags
        and not measures
        and texts
        and not intent.groups
        and (listed := _listed_flag(draft, intent, flags, texts))
    ):
        return listed
    if flags and not measures:
        return _flag_figures(draft, replace(intent, groups=groups), flags)
    if measures:
        names = take(draft, measures)
        intent = replace(intent, filters=intent.filters + _flag_filters(draft, flags))
        ranked = ranked and not draft.limit and not (groups or aggregates or intent.date)
        if ranked and asks_for_row(draft):
            order = cast(Order, order_of_speed(draft) or draft.order or superlative)
            return replace(
                intent,
                operation="top",
                measures=names[:1] + (kinds_shown(draft) or words_shown(draft)),
                limit=1,
                order=order,
            )
        people = _people(draft)
        if draft.order and draft.limit and not groups and people:
            groups = (people,)
            aggregates = aggregates or ("sum",)
        ranking = any(item.is_cue("sort") and key(item.mention.text) in _RANKINGS for item in draft.items)
        ordered = draft.says("sort") and (
            draft.language == "ja" or _SORTS.search(draft.text)
        )  # 価格の高い順に並べて
        listed = (draft.rows or ranking or ordered) and draft.order and not draft.limit and not aggregates
        listed = listed and _is_listed(draft)
        if draft.order and (draft.limit or listed) and not groups and not intent.date:
            limit = draft.limit or draft.table.rows
            return replace(intent, operation="top", measures=names, limit=limit)
        return _measured(draft, replace(intent, groups=groups, measures=names), aggregates)
    if aggregates == ("sum",) and texts and draft.order and says_given(draft):
        return given(draft, replace(intent, groups=groups or take(draft, texts)))
    if aggregates and texts:
        wrong = tuple(column.name for _, column in texts)
        return Refusal("not_a_number", words=wrong, choices=number_columns(draft), table=draft.table.name)
    if aggregates and "いくら" in draft.text and (money := row_money(draft.table)):
        return _measured(draft, replace(intent, groups=groups, measures=(money.name,)), aggregates)
    if aggregates and (other := _other_money(draft)):
        return Refusal(
            "no_column", (other,), tuple(one.name for one in draft.table.columns), draft.table.name
        )
    if aggregates and (only := _only_measure(draft)):
        return _measured(draft, replace(intent, groups=groups, measures=(only,)), aggregates)
    if aggregates:
        return Refusal("which_column", choices=number_columns(draft), table=draft.table.name)
    return _rows_only(draft, replace(intent, groups=groups), texts)


def _asks_which(draft: Draft) -> bool:
    """`which job numbers are waiting`: the numbers themselves, which are never averaged."""
    if draft.language == "ja" and draft.order and not draft.aggregates:
        return any(one.kind == "number" and not one.is_id for _, one in draft.free())  # 一番高い生徒の番号
    if draft.aggregates or draft.order:
        return False
    others = any(one.kind == "number" and not one.is_id for _, one in draft.free())
    return draft.says("which") or not (others or draft.groups or draft.grain)  # カード払いの注文番号を教えて


def _only_measure(draft: Draft) -> str:
    """The one column that can be added up or averaged, where none is named: `average gift`, 費目別の合計."""
    only = only_measure(draft.table)
    return only.name if only else ""


def _other_money(draft: Draft) -> str:
    """`average cost per ward`, where the one measure is no money: the word, so that it is declined."""
    if draft.language != "en" or row_money(draft.table):
        return ""
    only = only_measure(draft.table)
    for at, item in enumerate(draft.items):
        before, concept = draft.at(at - 1), item.cue("light")
        if before and before.cue("agg") and concept and only and concept not in concepts(only.name):
            return item.mention.text
    return ""


def _sold(draft: Draft) -> str:
    """What `best selling` and 一番売れた add up: the number of things sold, else the amount of money."""
    said = [item.mention.text.lower() for item in draft.items if item.is_cue("verb", "light", "top")]
    if draft.aggregates or not any("売れ" in text or "sold" in text or "selling" in text for text in said):
        return ""
    found = (
        concept_column(concept, draft.table) for concept in ("quantity", "tickets sold", "sales", "amount")
    )
    return next((column.name for column in found if column and column.kind == "number"), "")


def _is_row(draft: Draft, index: int, column: ColumnInfo) -> bool:
    """Another word for the column that names each row, as 社員 for 氏名, speaks of the rows."""
    other = key(draft.items[index].mention.text) != key(column.name)
    if other and any(noun.kinds for noun in draft.items[index].mention.all(RowNoun)):
        return not draft.order
    return other and names_each(column, draft.table) and bool(column.values) and len(column.values) > 3


def _is_listed(draft: Draft) -> bool:
    """`list the people by salary, highest first`, 社員を年収の高い順に並べて: all rows in order."""
    said = draft.text.lower()
    return (
        draft.says("sort") or "順" in said or said.startswith(("list", "show all")) or said.endswith("first")
    )


def _superlative(item: Item) -> str:
    """Which way `fastest` and `oldest` look."""
    said = item.mention.text.lower().endswith("est")
    return "desc" if said and item.cue("high") else "asc" if said and item.cue("low") else ""


def _people(draft: Draft) -> str:
    """The column of the people that `3人` speaks of, where they come in several rows."""
    counted = any(
        item.number is not None and item.mention.text.endswith(("人", "名")) for item in draft.items
    )
    column = concept_column("name", draft.table) if counted else None
    if column is None or column.is_id:
        column = next((c for c in draft.table.columns if "name" in concepts(c.name) and not c.is_id), None)
    return (
        column.name if counted and column and column.values and len(column.values) < draft.table.rows else ""
    )


def _flag_filters(draft: Draft, flags: list[tuple[int, ColumnInfo]]) -> tuple[Filter, ...]:
    """`average age of survivors`: beside a measure, a yes/no column says which rows."""
    draft.used.update(index for index, _ in flags)
    return tuple(
        Filter(column.name, "==", (cell_value(column, column.yes_no[0]),))
        for _, column in flags
        if column.yes_no
    )


_LISTS = re.compile(
    r"(?:please |can you |could you )*(?:list|show|find|display|give me|which|what) ", re.IGNORECASE
)


_LISTED_JA = re.compile("一覧|リスト|名簿")


def _flag_figures(draft: Draft, intent: DataIntent, flags: list[tuple[int, ColumnInfo]]) -> DataIntent:
    index, column = flags[0]
    draft.used.add(index)
    wanted = Filter(column.name, "==", (cell_value(column, column.yes_no[0] if column.yes_no else ""),))
    people = any(item.mention.text.lower() in COUNTED_PEOPLE for item in draft.items)
    cut = intent.groups or intent.date or intent.order or intent.plot or draft.aggregates
    twice = {one.column for one in intent.filters} & {column.name for _, column in flags}
    if draft.rows and not (cut or twice) and _LISTS.match(draft.text) and not draft.says("vs", "or"):
        return replace(intent, operation="head", filters=intent.filters + _flag_filters(draft, flags))
    if draft.rows and not cut and not any(item.is_cue("vs", "and", "or") for item in draft.items):
        return replace(intent, operation="head", filters=(*intent.filters, wanted))  # which pets are insured
    if draft.language == "ja" and not cut and _LISTED_JA.search(draft.text):  # 完走した人のみの一覧
        return replace(intent, operation="head", filters=(*intent.filters, wanted))
    after = draft.at(index + 1) if index >= 0 else None
    beside = after is not None and (after.rows or bool(after.mention.all(TableRef)))
    asked = any(item.mention.text.lower() in _RATES for item in draft.items)
    if people or (draft.aggregates and draft.aggregates[0] == "sum") or (beside and not asked):
        return replace(intent, filters=(*intent.filters, wanted), aggregates=("count",))
    named = bool(draft.aggregates) or asked or bool(cut)
    return replace(intent, target=wanted, aggregates=("share",), unnamed=not named)


def _listed_flag(
    draft: Draft, intent: DataIntent, flags: list[tuple[int, ColumnInfo]], texts: list[tuple[int, ColumnInfo]]
) -> DataIntent | None:
    """`which products are organic`, `the organic products`: their names, not the part of each that is."""
    if draft.aggregates or draft.order or draft.plot or intent.date or len(texts) != 1 or len(flags) != 1:
        return None
    beside = flags[0][0] + 1 == texts[0][0] and draft.items[texts[0][0]].mention.text.lower().endswith("s")
    if draft.says("vs", "per", "and", "or") or not (draft.says("which") or beside):
        return None
    intent = replace(intent, filters=intent.filters + _flag_filters(draft, flags))
    return replace(intent, operation="distinct", measures=take(draft, texts))


def _measured(draft: Draft, intent: DataIntent, aggregates: tuple[Aggregate, ...]) -> DataIntent:
    cut = bool(intent.groups or intent.date)
    orders = ends_said(draft)
    if not aggregates and len(orders) == 2 and not draft.limit:
        return replace(intent, aggregates=("max", "min"), order="")
    if (
        not aggregates
        and draft.order
        and not draft.limit
        and (not cut or (_cuts_by_group(draft, intent.groups) and not _ranks(draft)))
    ):
        return replace(intent, aggregates=("max",) if draft.order == "desc" else ("min",), order="")
    if not aggregates and intent.plot in ("box", "violin"):
        return replace(intent, aggregates=("median",))
    unnamed = False
    aggregates = aggregates or said_in_name(draft, intent.measures)
    if not aggregates:
        unnamed = True
        words = {
            item.column.name: item.mention.text for item in draft.items if item.is_column and item.column
        }
        additive = any(
            adds_up(draft.table.column(name), words.get(name, "")) for name in intent.measures
        ) and not draft.says("high", "low")
        additive = additive or (
            draft.says("pad")
            and any(item.mention.text.lower() in ("money", "amount", "amounts") for item in draft.items)
        )
        additive = (
            additive or _most_things(draft) or bool(_SPENT.search(draft.text) or _DONE.search(draft.text))
        )
        if done := _WAS_DONE.match(draft.text):
            additive = additive or any(name_words(name) == [done[1].lower()] for name in intent.measures)
        if cut:
            aggregates = ("sum",) if additive else ("mean",)
        elif intent.plot in ("auto", "bar"):
            return replace(intent, operation="hist")
        else:
            aggregates = ("sum", "mean", "min", "max") if additive else ("mean", "median", "min", "max")
    if "count" in draft.aggregates:
        aggregates = (*aggregates, "count")
    return replace(intent, aggregates=aggregates, unnamed=unnamed)


def _most_things(draft: Draft) -> bool:
    """`the most km`, `the fewest points`: what there is most of is added up."""
    for index, item in enumerate(draft.items):
        after = draft.at(index + 1)
        if not (item.is_cue("top") and key(item.mention.text) in _MOST and after and after.is_column):
            continue
        said = key(after.mention.text)
        if after.column and after.column.kind == "number" and " " not in after.column.name.replace(" (", "("):
            return (said.endswith("s") and not said.endswith(("ss", "us", "years"))) or unit_of(
                said
            ) is not None
    return False


def said_in_name(draft: Draft, measures: tuple[str, ...]) -> tuple[Aggregate, ...]:
    """`total amount`, read as one word for a column called amount, names the figure, too."""
    totals = ("total", "合計", "総")
    for item in draft.items:
        if item.is_column and item.column and item.column.name in measures:
            said, name = item.mention.text.lower(), item.column.name.lower()
            if (said.startswith(totals) or said.endswith(("合計", "総額"))) and not any(
                word in name for word in totals
            ):
                return ("sum",)
            if said.startswith(("平均", "average ")) and "平均" not in name and "average" not in name:
                return ("mean",)
    return ()


def _cuts_by_group(draft: Draft, groups: tuple[str, ...]) -> bool:
    """`per room`; not `by portions`, which says what is ranked."""
    cuts = (draft.at(at + 1) for at, item in enumerate(draft.items) if item.is_cue("per"))
    return any(
        one is None or one.column is None or one.column.kind != "number" or one.column.name in groups
        for one in cuts
    )


def _ranks(draft: Draft) -> bool:
    """`which room is the warmest` orders groups; `the highest temperature per room` wants each room's own."""
    return draft.says("which") or any(item.is_cue("sort") for item in draft.items)


def _rows_only(draft: Draft, intent: DataIntent, texts: list[tuple[int, ColumnInfo]]) -> DataIntent | Refusal:
    money = asked_money(draft)
    if isinstance(money, Refusal):
        return money
    if money:
        return replace(
            intent, groups=intent.groups + take(draft, texts), measures=(money.name,), aggregates=("sum",)
        )
    if intent.groups or intent.date:
        return replace(intent, aggregates=("count",))
    if texts and draft.order:
        groups = take(draft, texts)
        if says_given(draft):
            return given(draft, replace(intent, groups=groups))
        if sold := _sold(draft):
            return replace(intent, groups=groups, measures=(sold,), aggregates=("sum",), unnamed=True)
        return replace(intent, groups=groups, aggregates=("count",))
    if texts:  # one text column and nothing said about it: its values
        return replace(intent, operation="distinct", measures=take(draft, texts))
    if intent.filters and all(column.kind == "date" for _, column in draft.free()):
        take(draft, draft.free())  # what was found in the cafe
    if draft.free():
        return replace(intent, operation="describe", measures=take(draft, draft.free()))
    named = draft.names_table or any(item.cue("op") == "load" for item in draft.items) or draft.says("noun")
    ranking = tuple(item.mention.text for item in draft.items if item.is_cue("top"))
    if ranking and not draft.limit and "head" not in draft.operations:
        return Refusal("too_much", ranking, table=draft.table.name)
    if intent.filters or draft.operations or named or (draft.rows and draft.limit):
        return replace(intent, operation="head")
    return Refusal("nothing", table=draft.table.name)
