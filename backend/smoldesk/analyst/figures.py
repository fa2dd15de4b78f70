"""Rules for figures: counts, figures of columns, groups, extremes, changes over time, lists of rows."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import cast

from smoldesk.analyst.features import ROW_WORDS
from smoldesk.analyst.lexicon import lexicon
from smoldesk.analyst.measures import (
    MONEY,
    aggregates,
    default_measure,
    is_year,
    likely_numbers,
    measured,
    measures_of,
    most,
    role_of,
    small_is_best,
)
from smoldesk.analyst.parts import Parts, row_like, unique
from smoldesk.analyst.query import Condition, Grain, Group, Measure, OtherColumn, Query
from smoldesk.analyst.schema import Column
from smoldesk.analyst.units import key_of

Groups = tuple[Group, ...]
# Words that ask which of two sides has more.
_SIDES = ("which", "どっち", "どちら", "比べ", "compare")
# Figures that are computed of likely columns if none is named.
_PLAIN = {"mean", "sum", "median", "min", "max"}


@dataclass
class _Figures:
    """Figures, groups and order that one interpretation names."""

    p: Parts
    base: Query
    numbers: list[Column]
    categories: list[Column]
    dates: list[Column]
    groups: Groups
    aggs: list[str]
    superlative: list[str]
    adjectives: list[Column]
    counts: bool
    sort: list[str]
    limit: int | None
    measures: tuple[Measure, ...] = ()

    def grouped(self, groups: Groups, measures: tuple[Measure, ...], *features: tuple[str, float]) -> Query:
        """Return a query by groups."""
        return replace(self.base, kind="groups", groups=groups, measures=measures, features=features)

    def by_columns(self, most: int = 2) -> Groups:
        """Return the categories as groups."""
        return tuple(Group(column.name) for column in self.categories[:most])

    def rows(self, names: tuple[str, ...], column: Column, falls: bool) -> Query:
        """Return the first rows by a column, with the columns `names`."""
        query = replace(self.base, kind="rows", columns=(*names, column.name))
        query = replace(query, measures=(Measure("max", column.name),))
        return replace(self.ranked(query, falls), top=self.limit or 1)

    def ranked(self, query: Query, falls: bool) -> Query:
        """Return the first rows or groups of a query, one of them if no number is named."""
        return replace(query, descending=falls, top=self.limit, one=self.limit is None)


def figures(p: Parts, base: Query, flag_names: set[str]) -> Iterator[Query]:
    """Yield the possible queries of figures; `flag_names` are columns used as conditions."""
    f = _gathered(p, base, flag_names)
    compared = [c for _, c in p.compared if c.is_number or c.info.is_flag]
    if not f.numbers and compared and f.aggs:
        f.measures = measured(p, compared[:1])
    yield from _durations(f)
    yield from _over_periods(f)
    yield from _faced(f)
    if p.order:
        yield from _in_order(f)
        return
    if change := _change(p) or _asked_difference(p):
        yield from _changes(f, change)
    if f.superlative:
        yield from _tops(f)
        if not (f.numbers or f.adjectives or p.reading.uncovered):
            yield from _assumed_tops(f)
    if f.groups:
        yield from _by_groups(f)
        return
    if f.measures and (f.numbers or compared or f.counts):
        features = () if f.aggs or f.counts else (("default figure", -0.3),)
        yield replace(base, measures=f.measures, features=features)
        if f.categories and not f.superlative:
            yield f.grouped(f.by_columns(), f.measures, ("bare group", -0.5))
    if f.categories and not f.numbers:
        yield from _of_categories(f)
    if f.aggs and not (f.measures or f.superlative or p.reading.uncovered) and set(f.aggs) <= _PLAIN:
        for n, number in enumerate(likely_numbers(p)):
            assumed = ("assumed figure", -1.2 - 0.1 * n)
            yield replace(base, measures=measured(p, [number]), features=(assumed,))
    if not f.measures and (base.where or p.has("row") or p.has("table") or f.sort):
        yield from _of_rows(f)


def _durations(f: _Figures) -> Iterator[Query]:
    """Yield the days from one date of a row to a later one: 受注から完了まで平均何日, how long until it is paid."""
    p, dates = f.p, f.p.schema.dates
    days = p.has("grain", "day") or "how long" in p.request.text.casefold()
    if len(dates) < 2 or not days or not (f.aggs or f.counts):
        return
    named = [c for _, c in (*p.columns, *p.compared) if c.is_date]
    named += [p.schema.column(c.column) for g in p.where for c in g if p.schema.column(c.column).is_date]
    pairs = [pair for pair in combinations(dates, 2) if set(named) <= set(pair)]
    where = tuple(g for g in f.base.where if not any(isinstance(v, OtherColumn) for v in g[0].values))
    for n, (first, last) in enumerate(pairs[:3]):
        fn = f.aggs[0] if f.aggs else "mean"
        headers = {key for column in (first, last) for key in key_of(column.name)}
        known = 0.3 * len({*named}) - 0.5 - 0.1 * n + 0.2 * bool(headers & {u.key for u in p.request.units})
        yield replace(
            f.base, measures=(Measure(fn, last.name, None, "-", first.name),), where=where, groups=f.groups,
            kind="groups" if f.groups else "figure", features=(("days between", known),),
        )  # fmt: skip


_NOT_ADDED = ("mean", "median", "min", "max", "std")


def _faced(f: _Figures) -> Iterator[Query]:
    """Yield the figures of each side separately: 保険と自費それぞれ, A vs B."""
    p = f.p
    apart = {"それぞれ", "each", "別々"} & {*p.texts("per")}
    # The average of organic and conventional fruit is one of each.
    if not (p.has("vs") or apart or _asks_which_side(p) or not {*f.aggs}.isdisjoint(_NOT_ADDED)):
        return
    sides = [g[0].column for g in f.base.where if len(g) > 1 and all(condition.op == "==" for condition in g)]
    measures = f.measures or measured(p, p.described[:1])  # cats older than dogs
    if sides and f.aggs and not measures:  # are invoices to York bigger on average
        measures = measured(p, likely_numbers(p)[:1])
    if sides and (measures or f.counts):
        groups = tuple(dict.fromkeys((*f.groups, Group(sides[0]))))
        yield f.grouped(groups, measures or (Measure(),), ("faced", 0.2))


def _over_periods(f: _Figures) -> Iterator[Query]:
    """Yield the figures of all years beside each other for a course over time: 人口の推移."""
    periods = [column for column in f.p.schema.numbers if column.info.role == "period"]
    has_times = f.p.schema.dates or _by_times(f.p)
    if f.p.has("time") and len(periods) > 1 and not (has_times or f.groups or f.numbers):
        fn = f.aggs[0] if f.aggs else default_measure(periods[0]).fn
        yield replace(f.base, measures=tuple(Measure(fn, column.name) for column in periods), plot="line")


def _asks_which_side(p: Parts) -> bool:
    """Return whether the request asks which of two sides has more: 男子と女子でどちらが高い, cats pricier than dogs."""
    text = p.request.text.casefold()
    if "than" in text.split():
        return p.has("more") or p.has("adjective") or p.has("cmp")
    return any(word in text for word in _SIDES)


def _asked_difference(p: Parts) -> str:
    """Return whether the request asks how much more one side has than another, as a change."""
    compares = p.has("more") or any(adjective.startswith("er") for adjective in p.ops.get("adjective", []))
    asks = "than" in p.request.text.split() and "how m" in p.request.text.casefold()
    is_limit = any(mark.kind == "number" for mark in p.reading.mentions)  # how many were warmer than 30
    return "diff" if compares and asks and not is_limit else ""


def _of_rows(f: _Figures) -> Iterator[Query]:
    """Yield the rows themselves, and their number."""
    named = tuple(c.name for c in [*f.categories, *f.numbers, *f.dates])
    falls = f.sort[0] == "desc" if f.sort else None
    if not f.counts:
        yield replace(f.base, kind="rows", columns=named, descending=falls, features=(("rows", -0.2),))
    yield replace(f.base, measures=(Measure(),), features=(("default count", 0.0 if f.counts else -0.4),))


def _gathered(p: Parts, base: Query, flag_names: set[str]) -> _Figures:
    numbers = [c for c in p.numbers() if c.name not in flag_names and (p.has("agg") or not is_year(c))]
    # A year that is named is a label, unless its figure is asked for.
    years = [c for c in p.numbers() if is_year(c) and not p.has("agg") and c.name not in flag_names]
    categories = [c for c in p.categories() if c.name not in flag_names] or years
    counts = p.has("agg", "count") or p.has("people")
    degrees = p.ops.get("adjective", [])
    superlative = [degree.split(" ")[1] for degree in degrees if degree.startswith("est")]
    superlative += p.ops.get("top", [])
    aggs = aggregates(p)
    ends = not superlative and aggs in (["max"], ["min"])
    if ends and (asks_who(p) or any(row_like(p.schema, c) or c.info.role == "time" for c in categories)):
        # the number of the bill whose sum was the largest, the year whose population was
        superlative = ["desc" if aggs == ["max"] else "asc"]
    if counts:
        categories = [c for c in categories if c.name not in p.half_named]
    return _Figures(
        p, base, numbers,
        categories=[c for c in categories if not c.is_date],
        dates=[c for c in categories if c.is_date],
        groups=_groups(p, bool(superlative)),
        aggs=aggs, superlative=superlative, adjectives=p.described, counts=counts,
        sort=p.ops.get("sort", []),
        limit=p.limit,
        measures=measures_of(p, numbers, counts),
    )  # fmt: skip


def _groups(p: Parts, superlative: bool) -> Groups:
    """Return the groups: columns, and time steps that are named or implied by `over time`."""
    grained = {group.column for group in p.groups if group.grain not in ("", "day")}
    groups = tuple(group for group in p.groups if group.grain != "day" or group.column not in grained)
    dates, grains = p.schema.dates, p.ops.get("grain", [])
    if not dates:
        return _by_times(p) if p.has("time") and not groups else groups
    if p.has("time") and not any(group.grain for group in groups):
        return (Group(dates[0].name, _grain([*grains, "month"])), *groups)[:2]
    if not groups and grains and (superlative or p.has("which") or p.has("plot")):
        return (Group(dates[0].name, _grain(grains)),)
    return groups


def _by_times(p: Parts) -> Groups:
    """Return the groups by a column of times without dates: years, 2020年."""
    return tuple(Group(column.name) for column in p.schema.columns if role_of(p.schema, column) == "time")[:1]


def _grain(grains: list[str]) -> Grain:
    return cast(Grain, grains[0])


def _by_groups(f: _Figures) -> Iterator[Query]:
    measures = f.measures or (Measure(),)
    extra = () if f.measures or f.counts else (("default count", -0.2),)
    if extra and f.p.has("time") and (only := _only_figure(f.p)):
        measures, extra = only, ()
    order = (f.sort[0] == "desc") if f.sort else None
    is_first = f.sort or f.p.has("end") or f.p.has("row")
    top = f.limit if f.limit and not f.superlative and is_first else None
    yield replace(f.grouped(f.groups, measures, *extra), descending=order, top=top)
    if f.categories:
        all_groups = tuple(dict.fromkeys([*f.groups, *f.by_columns(9)]))
        alone = f.counts and any(row_like(f.p.schema, column) for column in f.categories)
        bare = ("bare group", -0.1 if f.p.has("plot", "stacked", "heatmap") else -1.6 if alone else -0.6)
        yield f.grouped(all_groups, measures, *extra, bare)


def _only_figure(p: Parts) -> tuple[Measure, ...]:
    """Return the figure of a table that has one column of figures; empty for others."""
    figures = [column for column in p.schema.numbers if role_of(p.schema, column) == "measure"]
    return (default_measure(figures[0]),) if len(figures) == 1 else ()


def _of_categories(f: _Figures) -> Iterator[Query]:
    """Yield queries of category columns alone: counts of each, number of distinct ones, or the values."""
    first, rows = f.categories[0], (Measure(),)
    if f.p.has("op", "breakdown"):
        yield f.grouped(f.by_columns(), rows)
    elif f.counts:
        counts_rows = any(text.endswith(ROW_WORDS) for text in f.p.texts("agg"))  # 何件, 何回
        counted = ("count of column", -0.9 if counts_rows else -0.2)
        distinct = () if f.p.has("op", "distinct") else (counted,)
        yield replace(f.base, measures=(Measure("nunique", first.name),), features=distinct)
        alone = any(row_like(f.p.schema, column) for column in f.categories)
        yield f.grouped(f.by_columns(), rows, ("bare group", -1.4 if alone else -0.4))
    elif f.aggs == ["mode"]:
        yield replace(f.grouped((Group(first.name),), rows), descending=True, one=True)
    else:
        yield f.grouped(f.by_columns(), rows, ("bare group", -0.3))
        yield replace(f.base, kind="distinct", columns=(first.name,), features=(("bare distinct", -0.4),))


def _in_order(f: _Figures) -> Iterator[Query]:
    """Yield rows or groups sorted by a number column."""
    p, column = f.p, f.p.order[0]
    falls = (f.sort[0] == "desc") if f.sort else not f.superlative or f.superlative[0] in ("desc", "best")
    if f.superlative and f.superlative[0] == "worst":
        falls = small_is_best(column)
    entities = tuple(Group(c.name) for c in f.categories if not row_like(p.schema, c)) or f.groups
    if entities and not p.has("row"):
        yield replace(f.grouped(entities[:1], measured(p, [column])[:1]), descending=falls, top=f.limit)
    names = tuple(c.name for c in f.categories)
    highest, top = (Measure("max", column.name),), f.limit or 100_000
    yield replace(f.base, kind="rows", columns=names, measures=highest, descending=falls, top=top)


def _change(p: Parts) -> str:
    """Return the requested change between time steps or groups; empty without one."""
    for op in ("rolling", "running"):
        if p.has("op", op):
            return op
    changes = sorted(p.ops.get("change", []), key=len)
    text = p.request.text.casefold()
    plain = any(change.startswith("pct") and " " not in change for change in changes)
    percent = "%" in text or "percent" in text or plain
    if len(changes) > 1 and "diff" in changes and changes[-1].startswith("pct ") and not percent:
        return changes[-1].replace("pct", "diff")
    return changes[-1] if changes else ""


# Operators of spans of time, and those of their ends.
_SPANS = {"between": "==", "from to": "when"}


def _changes(f: _Figures, change: str) -> Iterator[Query]:
    """Yield differences of two sides or columns, changes between time steps, running and rolling figures."""
    p, base = f.p, f.base
    measures = f.measures or measured(p, p.described[:1]) or _only_figure(p) or (Measure(),)
    kind, _, word = change.partition(" ")
    pairs = [g for g in base.where if len(g) == 2 and {side.op for side in g} <= {"==", "when"}]
    times = {column.name for column in p.schema.columns if role_of(p.schema, column) == "time"}
    spans = [g for g in base.where if g[0].op in _SPANS and g[0].column in times and len(g) == 1]
    if (pairs or spans) and kind == "diff" and (pairs or not (word or f.groups)):
        used = (pairs or spans)[0]
        remaining = tuple(group for group in base.where if group is not used)
        if not pairs:
            op = _SPANS[used[0].op]
            used = tuple(Condition(used[0].column, op, (end,)) for end in used[0].values[::-1])
        sides = replace(base, kind="difference", measures=measures[:1], where=remaining, part=(used,))
        yield replace(sides, groups=f.groups[:1] if f.groups and not f.groups[0].grain else ())
        return
    columns = unique([c for _, c in (*p.columns, *p.compared) if c.is_number])
    if len(columns) == 2 and kind == "diff" and not f.groups:
        fn = next((measure.fn for measure in measures if measure.column), "sum")
        yield replace(base, measures=(Measure(fn, columns[0].name, None, "-", columns[1].name),))
        return
    groups, grains = f.groups, p.ops.get("grain", [])
    guessed = () if groups or grains or word or p.has("time") else (("assumed steps", -0.5),)
    if not groups and p.schema.dates:
        groups = (Group(p.schema.dates[0].name, _grain([word] if word else [*grains, "month"])),)
    if not groups and kind == "diff":
        groups, guessed = _by_times(p), ()
    if groups and (groups[0].grain or not p.schema.dates):
        window = next((int(value) for _, value in p.conditions.limits if value >= 2), None)
        if kind == "rolling" and grains:
            groups = (Group(groups[0].column, _grain(grains)), *groups[1:])
        stepped = replace(f.grouped(groups, measures[:1], *guessed), change=kind)
        yield replace(stepped, window=window if kind == "rolling" else None)


# Suffixes of headers whose cells are people.
_PERSONS = ("er", "or", "ist", "ian", " by", "name", "者", "員", "人", "師", "名", "担当", "さん")


def asks_who(p: Parts) -> bool:
    """Return whether the request asks for a person."""
    return not {"who", "誰", "だれ"}.isdisjoint(p.texts("which"))


def asks_people(p: Parts) -> bool:
    """Return whether the request asks for people: who, top 3 people, 多い順に3人."""
    return asks_who(p) or not lexicon().lists["persons"].isdisjoint(p.texts("row", "unit", "pad"))


def people(p: Parts) -> list[Column]:
    """Return up to two columns that name people: text columns in which a name occurs in several rows."""
    named = [c for c in p.schema.columns if c.info.kind == "text" and not (c.info.yes_no or c.is_id)]
    nouns = lexicon().row_nouns
    persons = [c for c in named if key_of(c.name) in nouns or c.name.casefold().endswith(_PERSONS)]
    several = persons or (named if asks_who(p) else [])
    repeated = (person for person in several if len(person.info.values) != 1 and not p.is_unique(person.name))
    return list(repeated)[:2]


# Endings of the headers of what rows are about.
NAME_ENDINGS = ("name", "title", "item", "名")


def _counts_most(p: Parts) -> bool:
    """Return whether a superlative asks for the largest number of rows: the most popular name, 一番借りられた本."""
    return most(p) or not lexicon().lists["counted"].isdisjoint(p.texts("top"))


def _assumed_tops(f: _Figures) -> Iterator[Query]:
    """Yield the first rows by each likely column, or groups by their rows, for a superlative without a figure."""
    p = f.p
    falls = f.superlative[0] in ("desc", "best")
    counts = _counts_most(p)
    adjectives = (lexicon().adjectives.get(key_of(text), ([], False))[0] for text in p.texts("top"))
    asks_price = any(("price",) in concepts for concepts in adjectives)
    words = {word for column in p.schema.numbers for word in key_of(column.name)}
    if (
        asks_price
        and not any(c.unit in MONEY for c in p.schema.numbers)
        and words.isdisjoint(lexicon().lists["prices"])
    ):
        return  # nothing here is cheap or expensive
    names = tuple(column.name for column in f.categories)
    cut = f.groups or any(not p.is_unique(name) for name in names)
    for n, number in enumerate(() if cut and counts else likely_numbers(p)):
        assumed = ("assumed rank", -0.9 - 0.1 * n - 0.5 * counts)
        yield replace(f.rows(names, number, falls), features=(assumed,))
    is_own = not p.schema.info.place
    # With us the longest: since the first day.
    for date in p.schema.dates[:1] if is_own and not (cut or counts) else ():
        yield replace(f.rows(names, date, not falls), features=(("assumed rank", -0.95),))
    if f.groups or names or not (counts and is_own):
        return
    cuts = [c for c in p.schema.columns if c.is_category and not (c.info.yes_no or c.is_date)]
    repeated = [c for c in cuts if not p.is_unique(c.name) and len(c.info.values) != 1]
    for n, column in enumerate(
        sorted(repeated, key=lambda c: not c.name.casefold().endswith(NAME_ENDINGS))[:2]
    ):
        by_rows = f.grouped((Group(column.name),), (Measure(),), ("assumed group", -0.9 - 0.1 * n))
        yield f.ranked(by_rows, falls)


def _tops(f: _Figures) -> Iterator[Query]:
    """Yield the highest, the lowest, or the first few: of groups, or of rows."""
    p, direction = f.p, f.superlative[0]
    only = (p.schema.column(measure.column or "") for measure in _only_figure(p) if f.aggs)
    number = next(iter((*f.numbers, *f.adjectives, *only)), None)
    falls = direction in ("desc", "best")
    if direction in ("best", "worst") and number is not None:
        falls = (direction == "best") != small_is_best(number)
    only_first = f.limit is None
    entities = f.groups or f.by_columns(9)
    rows: Query | None = None
    if number is not None:
        rows = f.rows(tuple(group.column for group in entities[:1]), number, falls)
    guessed = any(mark.is_guess and mark.column == number for mark in p.reading.mentions) and not most(p)
    rows_of_persons = False
    if asks_people(p) and all(p.schema.column(group.column).is_id for group in entities):
        for column in people(p):
            rows_of_persons = True
            measures = measured(p, [number]) if number is not None else (Measure(),)
            likely = -0.8 if guessed else -1.6 if number is None and p.ranks_unknown and not most(p) else -0.1
            by_person = f.grouped((Group(column.name),), measures, ("who", likely))
            yield f.ranked(by_person, falls)
    if not entities:
        if rows is None or number is None:
            return
        if only_first and not p.has("which") and not p.has("row"):
            highest = (Measure("max" if falls else "min", number.name),)
            yield replace(f.base, measures=highest, features=(("top figure", -0.2),))
        yield replace(rows, features=(("top of rows", -0.6 if rows_of_persons else -0.15),))
        return
    rowish = row_like(p.schema, p.schema.column(entities[0].column))
    if number is None or rows is None:
        # -2: counting the rows of a column with one row per value always gives 1.
        by_count = ("top by count", -0.1 if not rowish else -2.0 if p.is_unique(entities[0].column) else -0.6)
        if p.ranks_unknown and not most(p):  # the strongest quake, 一番速かった: not the most frequent one
            by_count = ("top by count", -1.6)
        yield f.ranked(f.grouped(entities[:1], (Measure(),), by_count), falls)
        return
    named = p.schema.column(entities[0].column)
    rowish = rowish or p.has("row") or (asks_who(p) and not f.groups and named not in people(p))
    of_groups = ("top of groups", -1.0 if (rowish or guessed) and not f.aggs else 0.0)
    single = only_first and not f.aggs and not p.has("which")
    # The day with the most sales, 在庫数を多い順に, votes per party, biggest first.
    summed = most(p) or "順" in p.request.text or p.has("op", "head")
    if f.groups and single and number in f.numbers and not summed:  # the best time per stroke
        extreme = (Measure("max" if falls else "min", number.name),)
        yield replace(f.grouped(f.groups, extreme, ("extreme", 0.1)), descending=falls)
    yield f.ranked(f.grouped(entities[:1], measured(p, [number]), of_groups), falls)
    if not f.aggs:
        yield replace(rows, features=(("top of rows", 0.0 if rowish else -0.5),))
