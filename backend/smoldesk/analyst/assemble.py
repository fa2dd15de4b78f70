"""A reading's mentions become candidate queries: typed rules over what was said, each with the features the scorer weighs.

Every rule looks at mentions and their order only; no rule rewrites the text, and none is about a single phrase.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from smoldesk.analyst.features import AGGS, featured
from smoldesk.analyst.lexicon import lexicon
from smoldesk.analyst.mentions import Reading, Request
from smoldesk.analyst.paint import on_the_map
from smoldesk.analyst.parts import Parts, once, row_like, take_apart
from smoldesk.analyst.query import Condition, Group, Measure, Query
from smoldesk.analyst.schema import BRACKETS, Column, TableSchema
from smoldesk.analyst.units import key_of

_FILE = re.compile(r"[\w-]+\.(?:csv|xlsx|json)\b", re.IGNORECASE)
"""A file's name, as it is said."""
OF_VALUES = ("hist", "box", "violin", "scatter", "pair", "heatmap")


def assemble(request: Request, schema: TableSchema, reading: Reading) -> Iterator[Query]:
    """Candidate queries of one reading."""
    parts = take_apart(request, schema, reading)
    for query in on_the_map(parts, _fresh(parts)):
        yield featured(parts, query)


def _fresh(p: Parts) -> Iterator[Query]:
    """Every rule that fits."""
    table = p.schema.info.name
    base = Query(table, where=p.where)
    flagged = tuple(
        (one,) for one in p.conditions.flags.values() if one.op != "compared" and not p.has("op", "crosstab")
    )
    flag_names = {one[0].column for one in flagged}
    if p.has("beyond"):
        yield replace(base, kind="refusal", words=tuple(p.ops["beyond"]))
        return
    output = output_of(p)
    for query in _special(p, base, flagged):
        yield replace(query, **output) if query.kind not in ("plot values",) else query
    for query in _shares(p, base, flagged):
        yield replace(query, **output)
    # a flag that is named is a condition, or what is grouped by, or a figure
    plain = replace(base, where=(*base.where, *flagged))
    for query in _figures(p, plain, flag_names):
        yield replace(query, **output)
    if flagged:
        for query in _figures(p, base, set()):
            yield replace(query, features=(*query.features, ("flag as figure", -1.0)), **output)


def output_of(p: Parts) -> dict[str, str]:
    plots = [one for one in p.ops.get("plot", []) if one not in OF_VALUES]
    made: dict[str, str] = {}
    if plots:
        made["plot"] = next((one for one in plots if one != "auto"), "auto")
    if p.has("op", "save"):
        text = p.request.text.casefold()
        said = _FILE.search(p.request.text)
        kind = (
            "xlsx"
            if any(w in text for w in ("excel", "xlsx", "エクセル", "spreadsheet"))
            else "json"
            if "json" in text
            else "csv"
        )
        made["file"] = said[0] if said else kind
    return made


def _special(p: Parts, base: Query, flagged: tuple[tuple[Condition, ...], ...]) -> Iterator[Query]:
    """What is asked of a table or of columns as they are."""
    names = tuple(column.name for _, column in p.columns)
    values = [one for one in p.ops.get("plot", []) if one in OF_VALUES]
    where = replace(base, where=(*base.where, *flagged))
    if values:
        kind = values[0]
        chosen = once([c for _, c in p.columns] + [c for _, c in p.compared])
        numbers = [c.name for c in chosen if c.is_number]
        cuts = tuple(p.groups) or tuple(Group(c.name) for c in chosen if not c.is_number)[:1]
        yield replace(base, kind="plot values", plot=kind, columns=tuple(numbers) or names, groups=cuts)
    if p.has("op", "missing"):
        yield replace(base, kind="missing", columns=names)
        if names:
            gone = tuple((Condition(name, "missing"),) for name in names[-1:])
            yield replace(
                base,
                kind="figure",
                measures=(Measure(),),
                where=(*base.where, *gone),
                features=(("missing rows", -0.3),),
            )
    if p.has("op", "shape") or (p.has("op", "columns") and p.has("agg", "count")):
        yield replace(base, kind="shape")
    if p.has("op", "columns"):
        yield replace(base, kind="columns")
    if p.has("op", "describe"):
        yield replace(where, kind="describe", columns=names)
    if p.has("op", "correlation") and not p.has("plot", "scatter", "heatmap"):
        numbers = tuple(
            c.name for c in once([c for _, c in p.columns] + [c for _, c in p.compared]) if c.is_number
        )
        yield replace(base, kind="correlation", columns=numbers)
    if p.has("op", "outliers"):
        yield replace(
            base,
            kind="outliers",
            columns=tuple(c.name for c in p.numbers()) or tuple(c.name for c in p.schema.numbers),
        )
    for end in ("head", "tail"):
        if p.has("top") or p.has("adjective") or p.has("sort"):
            continue
        if (
            p.has("op", end)
            or (end == "head" and p.has("end", "first"))
            or (end == "tail" and p.has("end", "last"))
        ):
            n = int(p.conditions.limits[0][1]) if p.conditions.limits else 5
            yield replace(where, kind=end, top=n, columns=names, features=(("end", -0.5),))
    if p.has("op", "distinct"):
        for column in (p.categories() or p.numbers())[:1]:
            yield replace(
                where,
                kind="distinct",
                columns=(column.name,),
                features=(("distinct or count", -0.1 if p.has("agg", "count") else 0.0),),
            )
    if p.has("op", "crosstab") and len(p.groups) + len(p.categories()) >= 2:
        groups = tuple(dict.fromkeys([*p.groups, *(Group(c.name) for c in p.categories())]))[:2]
        measures = tuple(_measure(c, p) for c in p.numbers()[:1]) or (Measure(),)
        yield replace(where, kind="groups", groups=groups, measures=measures, features=(("crosstab", 1.0),))


def _shares(p: Parts, base: Query, flagged: tuple[tuple[Condition, ...], ...]) -> Iterator[Query]:
    """Parts of a whole: of rows, or of a sum."""
    if not p.has("agg", "share") and not p.has("unit", "percent"):
        return
    numbers = p.numbers()
    measure = Measure("sum", numbers[0].name) if numbers and not flagged else Measure()
    part = (*base.where, *flagged)
    if part:
        tied = _tied(p)
        hit = tuple(group for group in part if group[0].column == tied)
        if hit and len(hit) < len(part):
            rest = tuple(group for group in part if group not in hit)
            yield replace(
                base,
                kind="share",
                measures=(measure,),
                where=rest,
                part=hit,
                groups=tuple(p.groups),
                features=(("tied part", 0.5),),
            )
        dated = tuple(
            group for group in part if any("when" in one.op or one.op == "from to" for one in group)
        )
        rest = tuple(group for group in part if group not in dated)
        yield replace(
            base,
            kind="share",
            measures=(measure,),
            where=dated if rest else (),
            part=rest or dated,
            groups=tuple(p.groups),
        )
        if len(rest) > 1:
            yield replace(
                base,
                kind="share",
                measures=(measure,),
                where=(*dated, *rest[:-1]),
                part=rest[-1:],
                groups=tuple(p.groups),
                features=(("part of part", -0.4),),
            )
            yield replace(
                base,
                kind="share",
                measures=(measure,),
                where=(*dated, *rest[1:]),
                part=rest[:1],
                groups=tuple(p.groups),
                features=(("part of part", -0.5),),
            )
    elif (numbers and "rate" in numbers[0].name.casefold()) or any(c.unit == "percent" for c in numbers):
        return
    else:
        groups = tuple(p.groups) or tuple(Group(c.name) for c in p.categories()[:1])
        if groups:
            yield replace(base, kind="share", measures=(measure,), groups=groups)


def _tied(p: Parts) -> str:
    """The column of the condition that a share stands behind: 合格 of 合格率."""
    marks = p.reading.mentions
    for at, mark in enumerate(marks):
        if (
            mark.is_a("agg", "share")
            and at
            and marks[at - 1].column is not None
            and marks[at - 1].end == mark.first
        ):
            return marks[at - 1].column.name  # type: ignore[union-attr]
    return ""


def _measure(column: Column, p: Parts) -> Measure:
    """The figure that is meant of a column when none is named: a sum of what adds up, else the average."""
    return Measure("sum" if additive(column) else "mean", column.name)


def is_year(column: Column) -> bool:
    """Whether a column of numbers holds years, which nobody adds up."""
    words = set(key_of(column.name))
    return (
        column.is_number
        and bool({"year", "年", "年度"} & words or column.name.endswith(("年", "年度")))
        and "齢" not in column.name
        and not {"age", "old"} & words
    )


def additive(column: Column) -> bool:
    """Whether the figures of a column can be added up, by its name's concepts and its unit."""
    lex = lexicon()
    plain = key_of(BRACKETS.sub(" ", column.name))
    tails = {plain[at:] for at in range(len(plain))}
    words = tails | {word for tail in tails for word in lex.concept_words(tail)}
    if tails & lex.averaged or "per" in plain or column.unit in ("percent", "celsius", "year", "ppm"):
        return False
    return bool(words & lex.additive) or not words & lex.averaged


def _figures(p: Parts, base: Query, flag_names: set[str]) -> Iterator[Query]:
    """Counts, figures of columns, groups, tops, changes and lists of rows."""
    numbers = [c for c in p.numbers() if c.name not in flag_names and not (is_year(c) and not p.has("agg"))]
    categories = [c for c in p.categories() if c.name not in flag_names]
    grained = {group.column for group in p.groups if group.grain not in ("", "day")}
    groups = tuple(group for group in p.groups if group.grain != "day" or group.column not in grained)
    aggs = [one for one in dict.fromkeys(p.ops.get("agg", [])) if one in AGGS]
    counts = p.has("agg", "count") or p.has("people")
    superlative = [
        one.split(" ")[1] for one in p.ops.get("adjective", []) if one.startswith("est")
    ] + p.ops.get("top", [])
    if p.has("top") and superlative[0] != p.ops["top"][0]:
        plain = [one.split(" ")[1] for one in p.ops.get("adjective", [])]
        superlative = plain + superlative
    adjectives = [
        m.column
        for m in p.reading.mentions
        if m.kind == "adjective" and m.column is not None and str(m.value).startswith("est")
    ]
    if not numbers and not superlative and (warm := _how(p)):
        numbers = [warm]  # how warm is it: the figure itself
    sort = p.ops.get("sort", [])
    limit = next((int(value) for _, value in p.conditions.limits if value >= 1 and value == int(value)), None)
    years = [
        c for c in p.schema.columns if c.is_number and key_of(c.name) in (("year",), ("年",), ("年", "度"))
    ]
    if p.has("time") and not groups and not p.schema.dates and years:
        groups = (Group(years[0].name),)
    if p.has("time") and not groups and p.schema.dates:
        groups = (Group(p.schema.dates[0].name, p.ops.get("grain", ["month"])[0]),)  # type: ignore[arg-type]
    dated = (
        (
            Group(
                p.schema.dates[0].name,
                p.ops.get("grain", ["month" if len(p.schema.dates[0].info.span) < 2 else _step(p)])[0],  # type: ignore[arg-type]
            ),
        )
        if p.schema.dates
        else ()
    )  # type: ignore[arg-type]
    if p.has("time") and groups and dated and not any(group.grain for group in groups):
        groups = (*dated, *groups)[:2]
    if counts:
        weak = {c.name for at, c in p.columns if p.reading.mentions[at].strength <= 0.6}
        categories = [c for c in categories if c.name not in weak]
    dates = [c for c in categories if c.is_date]
    categories = [c for c in categories if not c.is_date]
    if not groups and p.has("grain") and (superlative or p.has("which") or p.has("plot")) and p.schema.dates:
        groups = (Group(p.schema.dates[0].name, p.ops["grain"][0]),)  # type: ignore[arg-type]
    measures = _measures(p, numbers, aggs, counts)
    compared = [c for _, c in p.compared]
    if not numbers and compared and aggs:
        measures = tuple(Measure(agg, compared[0].name, _quantile(p, agg)) for agg in aggs)
    facing = _facing(p)
    if facing and (measures or counts):
        yield replace(base, kind="groups", groups=(Group(facing),), measures=measures or (Measure(),))
    if p.order:
        falls = not superlative or superlative[0] in ("desc", "best")
        falls = (sort[0] == "desc") if sort else falls
        if superlative and superlative[0] == "worst":
            falls = key_of(p.order[0].name) in lexicon().bad_high
        entities = [Group(c.name) for c in categories if not row_like(p.schema, c)] or list(groups)
        if entities and not p.has("row"):
            yield replace(
                base,
                kind="groups",
                groups=tuple(entities[:1]),
                measures=tuple(Measure(agg, p.order[0].name) for agg in aggs[:1])
                or (_measure(p.order[0], p),),
                descending=falls,
                top=limit,
            )
        yield replace(
            base,
            kind="rows",
            columns=tuple(c.name for c in categories),
            measures=(Measure("max", p.order[0].name),),
            descending=falls,
            top=limit or 100_000,
        )
        return
    change = _change(p) or ("diff" if p.has("more") and "than" in p.request.text.split() else "")
    if change:
        yield from _changes(p, base, measures or (Measure(),), groups, change)
    if superlative:
        yield from _tops(p, base, groups, numbers, categories, aggs, superlative, adjectives, limit, measures)
    if groups:
        made = measures or (Measure(),)
        extra = () if measures or counts else (("default count", -0.2),)
        order = (sort[0] == "desc") if sort else None
        yield replace(
            base,
            kind="groups",
            groups=groups,
            measures=made,
            descending=order,
            top=limit if limit and not superlative else None,
            features=extra,
        )
        if categories:
            both = tuple(dict.fromkeys([*groups, *(Group(c.name) for c in categories)]))
            yield replace(
                base,
                kind="groups",
                groups=both,
                measures=made,
                features=(*extra, ("bare group", -0.1 if p.has("plot", "stacked", "heatmap") else -0.6)),
            )
        return
    if measures and (numbers or compared or counts):
        yield replace(base, kind="figure", measures=measures, features=_why(p, numbers, aggs, counts))
        if categories and not superlative:
            yield replace(
                base,
                kind="groups",
                groups=tuple(Group(c.name) for c in categories[:2]),
                measures=measures,
                features=(("bare group", -0.5),),
            )
    if categories and not numbers:
        first = categories[0]
        if p.has("op", "breakdown"):
            yield replace(
                base,
                kind="groups",
                groups=tuple(Group(c.name) for c in categories[:2]),
                measures=(Measure(),),
            )
        elif counts:
            distinct = () if p.has("op", "distinct") else (("count of column", -0.2),)
            yield replace(base, kind="figure", measures=(Measure("nunique", first.name),), features=distinct)
            yield replace(
                base,
                kind="groups",
                groups=tuple(Group(c.name) for c in categories[:2]),
                measures=(Measure(),),
                features=(("bare group", -0.4),),
            )
        elif aggs == ["mode"]:
            yield replace(
                base,
                kind="groups",
                groups=(Group(first.name),),
                measures=(Measure(),),
                descending=True,
                one=True,
            )
        else:
            yield replace(
                base,
                kind="groups",
                groups=tuple(Group(c.name) for c in categories[:2]),
                measures=(Measure(),),
                features=(("bare group", -0.3),),
            )
            yield replace(base, kind="distinct", columns=(first.name,), features=(("bare distinct", -0.4),))
    if not measures and (base.where or p.has("row") or p.has("table") or sort):
        kind = "figure" if counts else "rows"
        if not counts:
            yield replace(
                base,
                kind="rows",
                columns=tuple(c.name for c in [*categories, *numbers, *dates]),
                descending=sort[0] == "desc" if sort else None,
                features=(("rows", -0.2),),
            )
        yield replace(
            base, kind="figure", measures=(Measure(),), features=(("default count", 0.0 if counts else -0.4),)
        )
        assert kind


def _step(p: Parts) -> str:
    """The step of time that a table's days are shown by when none was said: days for up to two months, else months."""
    first, last = (one[:7] for one in (p.schema.dates[0].info.span[0], p.schema.dates[0].info.span[-1]))
    months = (
        (int(last[:4]) - int(first[:4])) * 12 + int(last[5:7]) - int(first[5:7])
        if last[5:7].isdigit() and first[5:7].isdigit()
        else 12
    )
    return "day" if months <= 1 else "month"


def _how(p: Parts) -> Column | None:
    """The column of `how warm`, `how long`: an adjective that asks for its figure."""
    for mark in p.reading.mentions:
        if (
            mark.kind == "adjective"
            and str(mark.value).startswith("plain")
            and mark.first
            and p.request.units[mark.first - 1].raw == "how"
        ):
            return mark.column
    return None


def _why(p: Parts, numbers: list[Column], aggs: list[str], counts: bool) -> tuple[tuple[str, float], ...]:
    return () if aggs or counts else (("default figure", -0.3),)


def _quantile(p: Parts, agg: str) -> float | None:
    if agg != "quantile":
        return None
    said = p.ops.get("quart")
    if said:
        return float(said[0])
    percent = next((value for _, value in p.conditions.limits if 0 < value < 100), None)
    return percent / 100 if percent else None


SIGNS = {"times": "*", "over": "/", "plus": "+", "minus": "-"}


def _measures(p: Parts, numbers: list[Column], aggs: list[str], counts: bool) -> tuple[Measure, ...]:
    sign = _sign(p)
    if sign and len(numbers) == 2:
        fn = aggs[0] if aggs else "mean" if sign == "/" else "sum"
        return (Measure(fn, numbers[0].name, None, sign, numbers[1].name),)
    if numbers and aggs:
        return tuple(Measure(agg, column.name, _quantile(p, agg)) for column in numbers for agg in aggs)
    weak = {c.name for at, c in p.columns if p.reading.mentions[at].strength <= 0.6}
    conditioned = {one.column for group in p.where for one in group}
    if numbers and counts and not aggs and (numbers[0].name in weak | conditioned or _times(p)):
        return (Measure(),)
    if numbers and counts:
        return tuple(
            Measure("sum" if additive(c) else "count", c.name if additive(c) else None) for c in numbers[:1]
        )
    if numbers:
        return tuple(_measure(column, p) for column in numbers)
    if counts:
        return (Measure(),)
    return ()


def _times(p: Parts) -> bool:
    """Whether it is asked how many times: rows are counted, whatever else is named."""
    marks = (mark for mark in p.reading.mentions if mark.is_a("agg", "count"))
    return any(
        p.request.raw(one.first, one.end).endswith(("回数", "件数", "何回", "何件", "times", "often"))
        for one in marks
    )


def _sign(p: Parts) -> str:
    """How two columns of numbers are joined, where one stands between them."""
    marks = p.reading.mentions
    for at, mark in enumerate(marks):
        if not 0 < at < len(marks) - 1 or marks[at - 1].kind != "column" or marks[at + 1].kind != "column":
            continue
        raw = p.request.raw(mark.first, mark.end).casefold()
        if mark.kind == "calc" and str(mark.value) in SIGNS:
            return SIGNS[str(mark.value)]
        if mark.kind == "and" and raw in ("x", "×"):
            return "*"
        if (
            mark.kind == "per"
            and raw == "per"
            and (beside := marks[at + 1].column) is not None
            and beside.is_number
        ):
            return ""
    return ""


def _facing(p: Parts) -> str:
    """The column of which two values are set against each other."""
    marks = p.reading.mentions
    for at, mark in enumerate(marks):
        if mark.kind == "vs":
            before = [m for m in marks[:at] if m.kind == "value"][-1:]
            after = [m for m in marks[at:] if m.kind == "value"]
            sides = [*before, *after[:1]] if before else after[:2]
            if len(sides) == 2 and sides[0].column == sides[1].column and sides[0].column is not None:
                return sides[0].column.name
    return ""


def _change(p: Parts) -> str:
    """What is asked of the steps from one moment or group to the next; empty for nothing."""
    if p.has("op", "rolling"):
        return "rolling"
    if p.has("op", "running"):
        return "running"
    said = sorted(p.ops.get("change", []), key=len)
    percent = (
        "%" in p.request.text
        or "percent" in p.request.text.casefold()
        or any(one.startswith("pct") and " " not in one for one in said)
    )
    if len(said) > 1 and "diff" in said and said[-1].startswith("pct ") and not percent:
        return said[-1].replace("pct", "diff")
    return said[-1] if said else ""


def _changes(
    p: Parts, base: Query, measures: tuple[Measure, ...], groups: tuple[Group, ...], change: str
) -> Iterator[Query]:
    """Differences of two sides, changes from one step of time to the next, running and rolling figures."""
    two = next(
        (group for group in base.where if len(group) == 2 and all(one.op in ("==", "when") for one in group)),
        None,
    )
    if two and change.startswith("diff"):
        yield replace(
            base,
            kind="difference",
            measures=measures[:1],
            where=tuple(g for g in base.where if g is not two),
            part=(two,),
        )
        return
    word = change.partition(" ")[2]
    if not groups and p.schema.dates:
        grain = word or next(iter(p.ops.get("grain", [])), "month")
        groups = (Group(p.schema.dates[0].name, grain),)  # type: ignore[arg-type]
    if groups and groups[0].grain:
        window = next((int(value) for _, value in p.conditions.limits if value >= 2), None)
        grain = (
            groups[0].grain if change != "rolling" else (next(iter(p.ops.get("grain", [])), groups[0].grain))
        )
        groups = (Group(groups[0].column, grain), *groups[1:])  # type: ignore[arg-type]
        kind = change.split(" ")[0]
        yield replace(
            base,
            kind="groups",
            groups=groups,
            measures=measures[:1],
            change=kind,
            window=window if kind == "rolling" else None,
        )


def _tops(
    p: Parts, base: Query, groups: tuple[Group, ...], numbers: list[Column], categories: list[Column], aggs: list[str],
    superlative: list[str], adjectives: list[Column], limit: int | None, measures: tuple[Measure, ...],
) -> Iterator[Query]:  # fmt: skip
    """The most, the least, the first few: of groups, or of rows."""
    descending = superlative[0] in ("desc", "best")
    number = numbers[0] if numbers else adjectives[0] if adjectives else None
    if numbers and adjectives and adjectives[0] not in numbers:
        number = adjectives[0]
    if superlative[0] in ("best", "worst") and number is not None:
        bad = key_of(number.name) in lexicon().bad_high
        descending = (superlative[0] == "best") != bad
    one = limit is None
    entities = list(groups) or [Group(c.name) for c in categories]
    if entities:
        if number is not None:
            made = (
                tuple(Measure(agg, number.name, _quantile(p, agg)) for agg in aggs)
                if aggs
                else (_measure(number, p),)
            )
            grouped = replace(
                base,
                kind="groups",
                groups=tuple(entities[:1]),
                measures=made,
                descending=descending,
                top=limit,
                one=one,
            )
            rowish = _row_like(p, entities[0].column) or _row_after(p)
            yield replace(grouped, features=(("top of groups", -1.0 if rowish and not aggs else 0.0),))
            if not aggs:
                yield replace(
                    base,
                    kind="rows",
                    columns=(entities[0].column, number.name),
                    measures=(Measure("max", number.name),),
                    descending=descending,
                    top=limit or 1,
                    one=one,
                    features=(("top of rows", 0.0 if rowish else -0.5),),
                )
        else:
            yield replace(
                base,
                kind="groups",
                groups=tuple(entities[:1]),
                measures=(Measure(),),
                descending=descending,
                top=limit,
                one=one,
                features=(
                    (
                        "top by count",
                        -2.0 if row_like(p.schema, p.schema.column(entities[0].column)) else -0.1,
                    ),
                ),
            )
    elif number is not None:
        if one and not p.has("which") and not p.has("row"):
            yield replace(
                base,
                kind="figure",
                measures=(Measure("max" if descending else "min", number.name),),
                features=(("top figure", -0.1),),
            )
        yield replace(
            base,
            kind="rows",
            columns=(number.name,),
            measures=(Measure("max", number.name),),
            descending=descending,
            top=limit or 1,
            one=one,
            features=(("top of rows", -0.15),),
        )


def _row_after(p: Parts) -> bool:
    """Whether a superlative stands before what a row is: the longest appointment."""
    marks = p.reading.mentions
    return any(
        one.kind == "adjective"
        and at + 1 < len(marks)
        and (
            marks[at + 1].kind == "row"
            or ((behind := marks[at + 1].column) is not None and row_like(p.schema, behind))
        )
        for at, one in enumerate(marks)
    )


def _row_like(p: Parts, name: str) -> bool:
    return row_like(p.schema, p.schema.column(name))
