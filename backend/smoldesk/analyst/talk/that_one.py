"""その人の部署は?, after the one with the most was asked for: more of that one row, or of that one group.

What cannot be told of the one found is declined: its name is only known when the code has run.
"""

import re
from dataclasses import replace

from smoldesk.analyst.intents import DataIntent, Intent, Refusal
from smoldesk.analyst.meanings import ColumnRef
from smoldesk.analyst.reading.asked_rows import names_each
from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.words.text import key, tidy

_ONE = re.compile(
    r"(?:では、?|じゃあ、?)?(?P<one>(?:その|この)(?:人|子|方|店|店舗|商品|会社|日|月|国|都市|物件|選手|社員|会員|生徒|お客さん|お客様))"
    r"(?:の(?P<what>[^、。?？]+?)|は)?(?:は|って)?(?:何|なに|いくら|いくつ|どこ|どれ|どのくらい|何[件人回])?(?:ですか|だった)?[?？。]*"
)
_PLACE = re.compile(
    r"(?:では、?|じゃあ、?|それでは、?)?(?:その次|次点|(?P<place>[2-9二三四五])(?:番目|位|番手))(?:に(?:多い|高い|大きい|長い)(?:の)?)?(?:は|って)?"
    r"(?:何|なに|どこ|どれ|誰|だれ|いつ)?(?:ですか|でしたか|だった|か)?[?？。]*"
)
"""二番目は?: the ranking before it, down to that place."""
_PLACES = {"二": 2, "三": 3, "四": 4, "五": 5}
_ROWS = re.compile(r"何件|件数|回数|何回")


def about_that_one(text: str, previous: Intent | None, lexicon: Lexicon) -> Intent | None:
    """The intent of such a request; None where a request is none, or nothing was ranked before."""
    if (
        (after := _PLACE.fullmatch(tidy(text)))
        and isinstance(previous, DataIntent)
        and previous.order
        and (previous.operation == "top" or (previous.operation == "aggregate" and len(previous.groups) == 1))
        and not (previous.plot or previous.save or previous.change or previous.window or previous.running)
        and len(previous.aggregates) < 2
    ):
        said_place = after["place"] or "2"
        place = _PLACES.get(said_place) or int(said_place)
        return replace(previous, limit=place, place=place)
    said = _ONE.fullmatch(tidy(text))
    if said is None or not isinstance(previous, DataIntent) or not previous.order:
        return None
    declined = Refusal("too_much", (said["one"],), table=previous.table)
    catalogue: Catalogue = lexicon.catalogue
    table = catalogue.table(previous.table)
    if _ROWS.search(text) and previous.operation == "aggregate" and len(previous.groups) == 1:
        if previous.aggregates == ("count",):
            return replace(previous, limit=1)
        return replace(previous, aggregates=(*previous.aggregates, "count"), limit=1, unnamed=False)
    refs = lexicon.terms.get(key(said["what"] or ""), ())
    names = [ref for ref in refs if isinstance(ref, ColumnRef) and ref.table == previous.table]
    if not names:
        return declined
    wanted = max(names, key=lambda ref: ref.strength).column
    if previous.operation == "top" and previous.limit == 1:
        return replace(previous, measures=tuple(dict.fromkeys((*previous.measures, wanted))))
    rows = previous.operation == "aggregate" and len(previous.groups) == 1 and len(previous.measures) == 1
    if rows and names_each(table.column(previous.groups[0]), table) and not previous.derived:
        measures = tuple(dict.fromkeys((*previous.measures, *previous.groups, wanted)))
        return replace(
            previous, operation="top", measures=measures, groups=(), aggregates=(), limit=1, unnamed=False
        )
    return declined
