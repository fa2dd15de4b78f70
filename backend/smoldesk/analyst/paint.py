"""Queries per room as map drawings: coloured by a figure, best room highlighted, or played over time."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from smoldesk.analyst.lexicon import Meaning
from smoldesk.analyst.mentions import Mention
from smoldesk.analyst.parts import Parts
from smoldesk.analyst.query import Grain, Group, Query
from smoldesk.analyst.requests import Request, phrases_in

_SPAN = re.compile(
    r"(?i)\b(?:last|past|final) (?:(?P<n>\d+|two|three|four) )?(?P<unit>day|week|month)s?\b"
    r"|(?P<week>先週)|(?:過去|直近|最近|最後)の?(?P<n2>\d+)?(?P<unit2>日|週|か月|ヶ月)間?"
)
_DAYS = {"day": 1, "week": 7, "month": 30, "日": 1, "週": 7, "か月": 30, "ヶ月": 30}
_WORDS = {"two": 2, "three": 3, "four": 4}


def on_the_map(parts: Parts, queries: Iterable[Query]) -> Iterator[Query]:
    """Yield the queries as drawings if the request mentions the map; unchanged otherwise."""
    actions = parts.ops.get("map", [])
    if not parts.schema.room_column or not set(actions) & {"highlight", "map", "play"}:
        yield from queries
        return
    yield from (drawn for query in queries if (drawn := draw_query(parts, query)) is not None)


def draw_query(parts: Parts, query: Query) -> Query | None:
    """Return a query as a drawing; None without a figure for each room."""
    room, actions, dates = parts.schema.room_column, parts.ops.get("map", []), parts.schema.dates
    if query.kind not in ("figure", "groups", "rows") or not query.measures or query.first.other:
        return None
    measure = query.first
    grained: list[Grain] = [group.grain for group in query.groups if group.grain]
    if any(group.column != room and not group.grain for group in query.groups):
        return None
    counted = measure.column or parts.has("agg", "count")
    if not counted or (query.kind == "rows" and query.descending is None):
        return None
    highest = query.kind == "figure" and query.descending is None and measure.fn in ("max", "min")
    falls = query.descending
    if query.kind == "rows" or (highest and _ranks(parts)):
        falls = query.descending if query.kind == "rows" else measure.fn == "max"
        measure = measure if parts.has("agg", measure.fn) else replace(measure, fn="mean")
    painted = replace(query, kind="groups", groups=(Group(room),), measures=(measure,), descending=falls, plot="",
        columns=(), top=None)  # fmt: skip
    if "play" in actions and dates:
        groups = (Group(dates[0].name, grained[0] if grained else _grain(parts)), Group(room))
        spans = [int(str(mention.value)) for mention in parts.reading.mentions if mention.kind == "span"]
        days, where = [*spans, 0][0], painted.where
        if days:
            where = tuple(g for g in where if not any(c.op.startswith(("when", "from")) for c in g))
        drawing = "colour and play" if "highlight" in actions else "play"
        return replace(
            painted, map=drawing, groups=groups, last=days, where=where, descending=None, one=False
        )
    if "play" in actions or grained:
        return None
    is_best = falls is not None and (query.one or _ranks(parts))
    return replace(painted, map="one" if is_best else "colour", one=False)


def _ranks(parts: Parts) -> bool:
    """Return whether one room is requested: the warmest."""
    degrees = parts.ops.get("adjective", [])
    return parts.has("top") or any(degree.startswith("est") for degree in degrees)


def _grain(parts: Parts) -> Grain:
    grain = next(iter(parts.ops.get("grain", [])), "day")
    return grain if grain in ("hour", "day", "week", "month") else "day"  # type: ignore[return-value]


def spans_in(request: Request) -> Iterator[Mention]:
    """Yield spans that count back from the last day of a playback, in days: the last 3 days, 先週."""
    played = any(meaning == Meaning("map", "play") for _, _, meaning in phrases_in(request, 9))
    for match in _SPAN.finditer(request.text) if played else ():
        number = match["n"] or match["n2"] or "1"
        count = int(number) if number.isdigit() else _WORDS[number.lower()]
        days = 7 if match["week"] else _DAYS[(match["unit"] or match["unit2"]).lower()] * count
        inside = request.inside(match.start(), match.end())
        yield Mention(inside[0], inside[-1] + 1, "span", days, None, 0.98)
