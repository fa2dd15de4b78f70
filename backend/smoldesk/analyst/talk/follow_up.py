"""Follow-ups: a request that only changes something keeps the rest of the intent before it.

Whether it leans on that intent is decided here; data questions are merged in `merge_data`, drawings here.
"""

import re
from dataclasses import replace

from smoldesk.analyst.intents import DataIntent, Intent, MapIntent
from smoldesk.analyst.meanings import (
    Mention,
    RoomRef,
    cues,
    found,
)
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.words.glossary import words_of
from smoldesk.analyst.words.text import level

_OPENERS = words_of(
    """and, what about, how about, what of, now, then, same, ok, okay, but, also, of those, of these, of them, for the same,
では, じゃあ, それでは, じゃ, 今度は, 次は, 次に, 続いて, 続けて, さらに, それを, これを, それで, その,
それの, そのうち, このうち, 同じ,
それなら, そしたら, あと, ついでに, 代わりに, なら"""
)


_LEAVES_OUT = re.compile(r"(?:without|excluding|except|leaving out|not counting|ignoring) ", re.IGNORECASE)
_POINTS_BACK = re.compile(
    r"(?:(?:can|could) you )?(?:please )?(?:show|plot|draw|make|display|chart|graph|visuali[sz]e|turn|put|sort|do)"
    r"(?: me)? (?:it|that|this|them|those|these)\b|(?:as|into) an? \w+(?: \w+)?$",
    re.IGNORECASE,
)


def points_back(text: str) -> bool:
    """True for a request about the answer before it and nothing else: `show it as a heatmap`, `as a pie`."""
    return bool(_POINTS_BACK.match(text.strip().rstrip("?.! ")))


_ALSO = re.compile(
    r"(?<=[^\s、。でに])も(?:お願い(?:します|できますか)?|教えて|見せて|出して|知りたい|見たい|ください|下さい|欲しい|ほしい)*(?:です)?[。?？!！]*$"
)
"""平均も: a figure that is asked for as the one before it was."""


def opens(text: str) -> bool:
    """True for a request that begins, or asks, like the continuation of another one."""
    return begins(text) or text.endswith(("は?", "は？"))


def continues_data(draft: Draft, previous: DataIntent) -> bool:
    """True when a draft leans on the question before it instead of standing on its own.

    `back` words (of those, instead, そのうち) and openers always lean; `only` and だけ lean where nothing to compute is named.
    """
    picked = bool(draft.filters) or any(column.yes_no for _, column in draft.free())
    narrows = picked and draft.says("follow") and not draft.aggregates  # only active members
    if (draft.names_table and not narrows) or draft.table.name != previous.table:
        return False
    if any(one != "head" or not (draft.limit or draft.order) for one in draft.operations):
        return False  # the first five, highest first
    measured = any(column.kind == "number" and not column.is_flag for _, column in draft.free())
    cut = bool(draft.groups or draft.filters or draft.grain)
    counted = bool(draft.groups) and any(column.yes_no for _, column in draft.free())  # survivors by sex
    asks = bool(draft.aggregates) or measured or counted or draft.says("people")
    if begins(draft.text) or draft.says("back"):
        return _changes(draft) or draft.rows
    if draft.language == "ja" and _ALSO.search(draft.text) and not cut and not draft.says("which"):
        return bool(measured or draft.aggregates)  # 合計金額もお願い
    if (
        draft.text.endswith(("は?", "は？"))
        and not (measured and cut)
        and not (measured and draft.aggregates)
    ):
        return _changes(draft)
    if not asks and not draft.rows:
        return _changes(draft)
    if measured and not draft.aggregates and not draft.rows and not cut and draft.says("follow"):
        return True  # 湿度も
    if not asks and draft.filters and _LEAVES_OUT.match(draft.text) and not draft.says("which", "per"):
        return True  # leave out the refunded trips
    if not asks:
        return (cut or any(column.yes_no for _, column in draft.free())) and draft.says("follow")
    return not (measured or counted or draft.rows or cut or _order_of_rows(draft))


def begins(text: str) -> bool:
    """True when a request begins as one that goes on: `and`, `what about`, では."""
    said = level(text).lstrip()
    return any(
        said.startswith(opener) and (not opener.isascii() or not said[len(opener) :][:1].isalnum())
        for opener in _OPENERS
    )


def _changes(draft: Draft) -> bool:
    """True when there is anything to put in place of what was."""
    parts = draft.free() or draft.groups or draft.filters or draft.grain or draft.aggregates
    said = draft.plot or draft.save or draft.limit or draft.order or draft.change or draft.over_time
    return bool(parts or said or draft.says("unit", "cmp") or draft.has_bare_number())


def _order_of_rows(draft: Draft) -> bool:
    """`the largest total`: ranks with a figure ask for something new."""
    return bool(draft.order) and not draft.says("sort")


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
