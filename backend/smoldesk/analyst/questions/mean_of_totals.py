"""`average monthly spending`, of a table of single payments: the mean of the months' totals, not of the payments."""

import re
from dataclasses import replace

from smoldesk.analyst.intents import DataIntent
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.tables.adding_up import adds_up

_ASKED = re.compile(
    r"\b(?:average|avg|mean|typical)(?: of)?(?: the| our| my)? (?:total )?(?:daily|weekly|monthly|quarterly|yearly|annual)\b"
    r"(?! (?:average|avg|mean))",
    re.IGNORECASE,
)


_TOTALS_JA = re.compile("合計の平均")


def mean_of_totals(draft: Draft, intent: DataIntent) -> DataIntent:
    """The intent with its figure added up in each step and then averaged, where it is said so; else as it is."""
    if draft.language == "ja" and _TOTALS_JA.search(draft.text) and {*intent.aggregates} == {"sum", "mean"}:
        return _of_totals(draft, intent)
    if draft.language != "en" or intent.aggregates != ("mean",) or len(intent.measures) != 1:
        return intent
    one = replace(intent, aggregates=("sum",), averaged=True, unnamed=False)
    added = adds_up(draft.table.column(intent.measures[0]))
    return one if added and averages_steps(one) and _ASKED.search(draft.text) else intent


def _of_totals(draft: Draft, intent: DataIntent) -> DataIntent:
    """日別合計の平均売上; of temperatures, 月平均 is each month's average and 1日あたり the plain one."""
    if len(intent.measures) != 1 or not intent.grain:
        return intent
    if not adds_up(draft.table.column(intent.measures[0])):
        plain = replace(intent, aggregates=("mean",))
        return replace(plain, date="", grain="") if "合計の平均の" in draft.text else plain
    one = replace(intent, aggregates=("sum",), averaged=True, unnamed=False)
    return one if averages_steps(one) else intent


def averages_steps(intent: DataIntent) -> bool:
    """Whether there are totals of steps of time, and of nothing else, to average."""
    other = intent.groups or intent.order or intent.plot or intent.change or intent.window or intent.running
    dated = bool(intent.date and intent.grain) and intent.operation == "aggregate"
    return (
        dated
        and intent.aggregates == ("sum",)
        and not (other or intent.limit or intent.save or intent.over_time)
    )
