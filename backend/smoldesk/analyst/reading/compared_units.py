"""An amount with a unit, and the column it is compared with: `over 90 minutes` of Hours to Resolve, 500g以上 of 重さ(kg).

The amount is converted to the column's own unit, and the answer tells it. A unit that measures another thing than the column
picks the one column that it does measure, or is declined: nothing is longer than 5 kg.
"""

import re

from smoldesk.analyst.intents import Refusal
from smoldesk.analyst.meanings import ColumnRef, Unit
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.resolve import Item, concept_column
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.tables.column_names import concepts, graded_concepts, unit_of
from smoldesk.analyst.tables.measured_in import columns_measuring, unit_of_column
from smoldesk.analyst.words.glossary import ADJECTIVES
from smoldesk.analyst.words.measures import MONEY, converted, kinds_of
from smoldesk.analyst.words.text import key, name_words, stem

_TEMPERATURES = frozenset(("celsius", "fahrenheit"))
_AGES = ("歳", "才", "years old", "year old")
_DEGREES = ("degree", "degrees", "度", "°")
_SAID_OF: dict[str, frozenset[str]] = {
    "duration": frozenset(("time", "length")),
    "age": frozenset(("time",)),
    "delay": frozenset(("time",)),
    "weight": frozenset(("mass",)),
    "height": frozenset(("length",)),
    "depth": frozenset(("length",)),
    "width": frozenset(("length",)),
    "thickness": frozenset(("length",)),
    "distance": frozenset(("length", "time")),
    "temperature": _TEMPERATURES,
    "price": MONEY,
}
"""What the amount behind such an adjective may measure: longer than 10 km and than 2 hours, never than 5 kg."""
_FAST = ("faster", "quicker", "slower", "速", "早", "遅")
_SPEED = frozenset(("time", "speed"))


def units_said(draft: Draft, positions: list[int], unit: str) -> tuple[str, ...]:
    """The units that an amount may be in: pounds are money or a weight, degrees are those of the column."""
    after = draft.at(positions[-1] + 1)
    if not unit and after is not None and after.is_column:
        first = unit_of(key(after.mention.text).split(" ")[0])  # over 90 minutes to resolve
        return (first,) if first and " " in after.mention.text else ()
    if not unit:
        return ()
    mention = draft.items[positions[-1]].mention
    if key(mention.text) in _AGES:
        return ()
    units = [unit, *(one.name for one in mention.all(Unit))]
    if key(mention.text) in _DEGREES:
        units += sorted(_TEMPERATURES)
    if key(mention.text) in ("pound", "pounds"):
        units.append("pound mass")
    return tuple(dict.fromkeys(units))


def measured_column(
    draft: Draft,
    column: ColumnInfo | None,
    units: tuple[str, ...],
    phrase: str,
    ends: tuple[int, int],
    light: str = "",
) -> ColumnInfo | None:
    """The column that the amount can be compared with; None, with the draft's problem set, where there is none.

    `phrase` is the comparison, `ends` the places of its first and last word, and `light` what a verb before it is about
    (took: duration).
    """
    first, last = ends
    kinds = frozenset(kind for unit in units for kind in kinds_of(unit))
    if not kinds:
        return column
    said = _said_of(phrase)
    if said and not said & kinds:
        return _decline(draft, units, first)
    if phrase.lower() == "after" and "time" in kinds:  # strength after 28 days is no strength of 28
        aged = column if column and kinds_of(unit_of_column(column)) & kinds else None
        aged = aged or _only(draft, columns_measuring(kinds, draft.table), kinds)
        return aged or _decline(draft, units, first)
    for at in (last + 1, last + 2):
        after = draft.at(at)
        if after is not None and (behind := _named_behind(after, draft, kinds)):
            draft.used.update(range(last + 1, at + 1))
            return behind
        if after is None or not after.is_cue("range"):  # more than 1 km from the bus
            break
    before = draft.at(first - 1)
    if before is not None and (own_name := _named_before(before, draft, kinds)):
        draft.used.add(first - 1)
        return own_name
    if called := _called_by_verb(draft, kinds, first):
        return called
    if column is not None:
        own = kinds_of(unit_of_column(column))
        named = any(item.is_column and item.column == column for item in draft.items)
        if own & kinds or _may_measure(column, kinds):
            return _best_known(draft, column, kinds) if own and not named and light == "duration" else column
    others = columns_measuring(kinds, draft.table)
    if column is not None and before is not None and before.is_column and before.column == column:
        return _decline(draft, units, first)
    only = _only(draft, others, kinds)
    if only is None or not (said or light == "duration" or _is_near(units, only) or "かか" in draft.text):
        return _decline(draft, units, first)
    return only


def in_unit_of(value: float, units: tuple[str, ...], column: ColumnInfo) -> tuple[float, str]:
    """The amount in the column's unit, and that unit where it is another than the one that was said."""
    own = unit_of_column(column)
    if "percent" in units and not own and _holds_fractions(column):
        return float(f"{value / 100:.12g}"), "of 1"
    if not own or own in units:
        return value, ""
    for unit in units:
        if (amount := converted(value, unit, own)) is not None:
            return amount, own
    return value, ""


def _named_before(item: Item, draft: Draft, kinds: frozenset[str]) -> ColumnInfo | None:
    """`consults longer than an hour`, of Consult mins: the figure that is called by the word right before."""
    refs = [
        ref for ref in item.mention.all(ColumnRef) if ref.table == draft.table.name and ref.strength >= 2.5
    ]
    named = [item.column] if item.is_column and item.column else []
    named += [draft.table.column(ref.column) for ref in refs if item.rows]
    return next((one for one in named if kinds_of(unit_of_column(one)) & kinds), None)


_HOLDS = {
    "price": MONEY, "cost": MONEY, "fare": MONEY, "rent": MONEY, "salary": MONEY, "income": MONEY, "profit": MONEY,
    "weight": frozenset(("mass",)), "age": frozenset(("time",)), "temperature": _TEMPERATURES,
    "rating": frozenset[str](), "score": frozenset[str](), "satisfaction": frozenset[str](),
}  # fmt: skip
"""What a column of no unit holds, by what it is about first of all."""


def _may_measure(column: ColumnInfo, kinds: frozenset[str]) -> bool:
    """Whether a column whose name says no unit may hold such figures; nights are taken for days."""
    own = unit_of_column(column)
    if own:
        return own == "night"
    held = next((_HOLDS[one] for one in concepts(column.name)[:1] if one in _HOLDS), kinds)
    return bool(held & kinds)


_OF_IT = (" of ", " of the ", " from ", " from the ", " to ", " to the ", " in ")


def _named_behind(item: Item, draft: Draft, kinds: frozenset[str]) -> ColumnInfo | None:
    """`over 1000 GB of disk`, `more than 1 km from the bus`: the figure that is named right behind."""
    named = item.column if item.is_column and item.mention.lead.endswith(_OF_IT) else None
    return named if named and kinds_of(unit_of_column(named)) & kinds else None


_VERB = re.compile(r"\b([a-z]{3,}ed|sent|made|done|paid) (?:in )?$", re.IGNORECASE)


def _called_by_verb(draft: Draft, kinds: frozenset[str], first: int) -> ColumnInfo | None:
    """`shipped in under a week`, of Shipping days beside a Handling time (hrs): the one that is called by the verb."""
    found = columns_measuring(kinds, draft.table)
    verb = _VERB.search(draft.text[: draft.items[first].mention.start])
    if len(found) < 2 or draft.language != "en" or verb is None:
        return None
    done = stem(verb[1].lower())
    named = [one for one in found if done in {stem(word) for word in name_words(one.name)}]
    return named[0] if len(named) == 1 else None


_FAR = 1000.0


def _is_near(units: tuple[str, ...], column: ColumnInfo) -> bool:
    """Whether the amount is of the size that the column is measured in: nobody means minutes by a week."""
    one = next((amount for unit in units if (amount := converted(1.0, unit, unit_of_column(column)))), 1.0)
    return 1 / _FAR <= one <= _FAR


def _best_known(draft: Draft, column: ColumnInfo, kinds: frozenset[str]) -> ColumnInfo:
    """`took over 90 minutes`, of Hours to Resolve beside a First reply (min): how long it took, whatever the unit."""
    return _only(draft, columns_measuring(kinds, draft.table), kinds) or column


def _only(draft: Draft, columns: list[ColumnInfo], kinds: frozenset[str]) -> ColumnInfo | None:
    """The one of these columns; of several times the one that says how long it took."""
    if len(columns) == 1:
        return columns[0]
    if "time" in kinds and columns:
        best = concept_column("duration", draft.table)
        surely = (
            best is not None and best in columns and graded_concepts(best.name).get("duration", 0.0) >= 0.7
        )
        return best if surely else None
    return None


def _said_of(phrase: str) -> frozenset[str]:
    words = key(phrase).split()
    if any(phrase.startswith(one) if one.isascii() else one in phrase for one in _FAST):
        return _SPEED
    for concept, kinds in _SAID_OF.items():
        said = ADJECTIVES.get(concept, ())
        if set(words) & set(said) or any(not one.isascii() and one in phrase for one in said):
            return kinds
    return frozenset()


def _decline(draft: Draft, units: tuple[str, ...], first: int) -> None:
    said = [item.mention.text for item in draft.items[first:] if item.number is not None or item.unit][:2]
    draft.problem = draft.problem or Refusal(
        "too_much", (" ".join(said) or units[0],), table=draft.table.name
    )


def _holds_fractions(column: ColumnInfo) -> bool:
    """Whether all that is known of a column are parts of 1: 0.15, never 15."""
    try:
        numbers = [float(value) for value in column.values]
    except ValueError:
        return False
    return bool(numbers) and all(0 <= one <= 1 for one in numbers) and any(one % 1 for one in numbers)
