"""Follow-ups: a request that only changes something keeps the rest of the intent before it."""

from dataclasses import replace

from backend.builtin.draft import Draft
from backend.builtin.intents import DataIntent, Intent, MapIntent, Refusal
from backend.builtin.meanings import Mention, RoomRef, cues, found
from backend.builtin.words import level

_OPENERS = ("and ", "what about", "how about", "now ", "then ", "same ", "では", "じゃあ", "今度は", "次は")


def opens(text: str) -> bool:
    """True for a request that begins, or asks, like the continuation of another one."""
    return level(text).startswith(_OPENERS) or text.endswith(("は?", "は？"))


def continues_data(draft: Draft, previous: DataIntent) -> bool:
    """True when a draft leans on the question before it instead of standing on its own."""
    if draft.names_table or draft.table.name != previous.table:
        return False
    if draft.operations:
        return False
    measured = any(column.kind == "number" for _, column in draft.free())
    figures = bool(draft.aggregates) or measured or draft.rows
    leans = opens(draft.text) or draft.says("follow")
    if figures and not leans:
        return not measured and not draft.rows and not draft.groups and not draft.filters
    if measured and draft.aggregates and not level(draft.text).startswith(_OPENERS):
        return False
    changes = draft.free() or draft.groups or draft.filters or draft.grain or draft.aggregates
    return bool(changes or draft.plot or draft.save or draft.limit or draft.order)


def merge_data(draft: Draft, new: DataIntent, previous: DataIntent) -> DataIntent | Refusal:
    """The intent before with what the draft says put in its place."""
    if draft.problem:
        return draft.problem
    numbers = tuple(
        column.name for _, column in draft.free() if column.kind == "number" and not column.is_flag
    )
    others = tuple(
        column.name for _, column in draft.free() if column.kind in ("text", "bool") or column.is_flag
    )
    draft.used.update(index for index, _ in draft.free())
    if over := draft.left_over():
        return Refusal("too_much", words=tuple(over), table=draft.table.name)
    merged = replace(previous, save=new.save, file_name=new.file_name)
    if numbers and previous.measures:
        merged = replace(merged, measures=numbers)
    elif numbers:
        merged = replace(merged, measures=numbers, aggregates=("mean",), target=None)
    if new.groups or others:
        merged = replace(merged, groups=new.groups + others, grain="", date="", over_time=False)
        merged = replace(
            merged, operation="aggregate" if merged.operation in ("head", "top") else merged.operation
        )
    if new.grain:
        dates = [column.name for column in draft.table.columns if column.kind == "date"]
        if not dates:
            return Refusal("no_date", table=draft.table.name)
        merged = replace(merged, grain=new.grain, date=dates[0], groups=new.groups)
    if new.filters:
        changed = {one.column for one in new.filters}
        kept = tuple(one for one in merged.filters if one.column not in changed)
        merged = replace(merged, filters=kept + new.filters)
    if draft.aggregates and draft.aggregates != ["share"]:
        merged = replace(merged, aggregates=tuple(draft.aggregates), target=None, unnamed=False)
    elif draft.aggregates:
        merged = replace(merged, aggregates=("share",))
    if merged.operation == "aggregate" and not merged.aggregates:
        merged = replace(merged, aggregates=("mean",) if merged.measures else ("count",))
    if new.plot:
        merged = replace(
            merged, plot=new.plot, operation="aggregate" if merged.aggregates else merged.operation
        )
    if new.order or new.limit:
        merged = replace(merged, order=new.order or merged.order, limit=new.limit or merged.limit)
    return merged


def continues_map(mentions: tuple[Mention, ...], previous: Intent | None) -> bool:
    """True for a new colour or other rooms only, right after a drawing with highlights."""
    if not isinstance(previous, MapIntent) or not previous.highlights:
        return False
    colours, rooms = cues(mentions, "colour"), found(mentions, RoomRef)
    rest = [m for m in mentions if not m.says("colour", "follow", "and") and not m.first(RoomRef)]
    return not rest and bool(colours) != bool(rooms)


def merge_map(previous: MapIntent, mentions: tuple[Mention, ...]) -> MapIntent:
    """The same drawing in another colour, or the same colour for other rooms."""
    if colours := cues(mentions, "colour"):
        return replace(previous, highlights=tuple((room, colours[0]) for room, _ in previous.highlights))
    rooms = [ref.room for ref in found(mentions, RoomRef)]
    refs = found(mentions, RoomRef)
    kept = previous.highlights if any(m.text in ("also", "too", "も", "as well") for m in mentions) else ()
    colour = previous.highlights[0][1]
    return replace(previous, floor=refs[0].floor, highlights=kept + tuple((room, colour) for room in rooms))
