"""What may follow a look at a table: another sample, the same one with a seed, and the rows that were counted."""

import re
from dataclasses import replace

from smoldesk.analyst.intents import DataIntent, Intent

_AGAIN = re.compile(
    r"(?:(?:ok(?:ay)?|now|and|show me|give me|draw|please|try|take|pick|sample)[, ]+)*(?:another(?: (?:random )?(?:one"
    r"|sample|draw|\d+|set|few))?"
    r"|again|(?:some )?(?:different|other|new|more) (?:ones|rows)|once more|resample|reshuffle)(?: please)?"
    r"|(?:もう(?:1|一)(?:度|回)|別の(?:もの|サンプル|行)?|ほかの(?:もの|行)?|他の(?:もの|行)?|引き直し(?:て)?"
    r"|やり直し(?:て)?)(?:を|で)?(?:お願い(?:します)?|見せて|出して|選んで|ランダムに)?",
    re.IGNORECASE,
)
"""After a sample: rows that are drawn anew."""
_SEED = re.compile(
    r"(?:and |now |the same )*(?:with|using|use)?(?: a| the)? ?(?:random )?(?:seed|state)(?: of| ="
    r"|=|:)? ?(\d{1,9})|(?:乱数の)?(?:種|シード)(?:は|を|が|=)?(\d{1,9})(?:で|に(?:して)?|を使って)?",
    re.IGNORECASE,
)
_SHOW_THEM = re.compile(
    r"(?:(?:ok(?:ay)?|now|and|please|can you|could you)[, ]+)*(?:show|list|display|print|see|give)(?: me)?"
    r" (?:them|those|these|all of (?:them|those|these)|(?:those|these) rows)(?: all)?(?:,? please)?"
    r"|(?:それら|その(?:行|データ|明細)|それ|これら)?(?:を)?(?:全部|全て|すべて|全件)(?:を)?"
    r"(?:見せて|表示(?:して)?|出して|一覧(?:にして|で)?)(?:ください)?",
    re.IGNORECASE,
)


def follows_look(said: str, previous: Intent | None) -> DataIntent | None:
    """The rows that a request means by those before it; None for any other request."""
    if not isinstance(previous, DataIntent):
        return None
    if previous.operation == "sample":
        if _AGAIN.fullmatch(said):
            return replace(previous, seed=0, save=False)
        if seed := _SEED.fullmatch(said):
            return replace(previous, seed=int(seed[1] or seed[2]), save=False)
    return _those_rows(said, previous)


def _those_rows(said: str, previous: DataIntent) -> DataIntent | None:
    """`show them all` after they were counted, or some of them were shown."""
    counted = previous.operation == "aggregate" and previous.aggregates == ("count",)
    if not _SHOW_THEM.fullmatch(said) or not (
        counted or previous.operation in ("head", "tail", "sample", "rows")
    ):
        return None
    if previous.groups or previous.date or previous.order or previous.sides or not previous.filters:
        return None
    return DataIntent(
        previous.table,
        operation="rows",
        filters=previous.filters,
        joined=previous.joined,
        derived=previous.derived,
    )
