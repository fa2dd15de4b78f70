"""`how many nights were booked`, `how many lamps did Bob sell`: figures that are added up because they count things."""

from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.resolve import concept_column
from smoldesk.analyst.tables.adding_up import adds_up
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.tables.column_names import units
from smoldesk.analyst.words.text import key


def counted_figure(draft: Draft) -> tuple[int, ColumnInfo] | None:
    """The column that is added up where `how many` asks for what it counts, with the position that says so; None elsewhere."""
    return _said(draft) or _pieces_sold(draft)


def _said(draft: Draft) -> tuple[int, ColumnInfo] | None:
    """`how many nights were booked`: a column that counts things."""
    for index, column in draft.free():
        if column.kind != "number" or column.is_flag:
            continue
        added = "sum" in draft.aggregates and not column.is_id  # the total number of visits
        if not added and not adds_up(column, draft.items[index].mention.text):
            continue
        beside = [near for at in (index - 1, index + 1) if (near := draft.at(at))]
        if any(near.mention.text in ("何件", "何行") for near in beside):  # of rows, whatever they hold
            draft.used.update({index} if any(one.column == column.name for one in draft.filters) else ())
            continue
        counted = [near.cue("agg") for near in beside if near.cue("agg") in ("count", "sum")]
        if "count" in counted and _is_money(draft, index, column):  # how many sales had a discount
            draft.used.add(index)
            draft.rows = True
            continue
        if counted and (not draft.order or draft.groups):
            return index, column
        if _held_things(draft, index):
            return index, column
    return None


_SOLD = (
    "sell",
    "sells",
    "sold",
    "buy",
    "buys",
    "bought",
    "order",
    "ordered",
    "purchase",
    "purchased",
    "ship",
    "shipped",
)


def _pieces_sold(draft: Draft) -> tuple[int, ColumnInfo] | None:
    """`how many lamps did Bob sell`: pieces of what a cell names, where a column holds how many each row is of."""
    for index, item in enumerate(draft.items):
        thing = draft.at(index + 1)
        if item.cue("agg") != "count" or thing is None or thing.value is None or draft.language != "en":
            continue
        sold = [
            at for at in range(index + 2, len(draft.items)) if draft.items[at].mention.text.lower() in _SOLD
        ]
        pieces = concept_column("quantity", draft.table)
        several = thing.mention.text.lower().endswith("s") and not thing.mention.text.lower().endswith("ss")
        others = [at for at, _ in draft.free() if at not in sold]
        if sold and several and pieces and pieces.kind == "number" and not draft.order and not others:
            draft.used.update(sold)
            return index, pieces
    return None


def _is_money(draft: Draft, index: int, column: ColumnInfo) -> bool:
    """Whether `sales` of `how many sales` are the deals: money is no number of things."""
    said = draft.items[index].mention.text.lower()
    money = units(column.name) & {"dollar", "euro", "pound", "yen"}
    return bool(money) and said in (
        "sales",
        "purchases",
        "payments",
        "expenses",
        "invoices",
        "donations",
        "売上",
    )


_THINGS = ("units", "pieces", "items", "copies", "things", "packs", "boxes", "individuals")


def _held_things(draft: Draft, index: int) -> bool:
    """`how many units on hand`: the things that the column behind them counts, not the rows."""
    things, asked = draft.at(index - 1), draft.at(index - 2)
    if things is None or asked is None or asked.cue("agg") != "count" or draft.order:
        return False
    return key(things.mention.text) in _THINGS and (things.rows or things.is_cue("unit"))
