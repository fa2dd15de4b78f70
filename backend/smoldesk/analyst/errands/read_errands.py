"""Errands of a request: payments, the person's location, the BGM, the weather, a question to another agent.

All of a request is understood, or none of it is done.

A request that merely speaks of money or weather in a table is none: it goes on to the readers of data and maps.
"""

from smoldesk.analyst.errands.errand_words import deed
from smoldesk.analyst.errands.errands_english import clauses, read_clause
from smoldesk.analyst.errands.errands_japanese import read_japanese
from smoldesk.analyst.errands.payments_english import Outcome
from smoldesk.analyst.errands.read_asking import read_asking
from smoldesk.analyst.intents import (
    Errand,
    Errands,
    Language,
    Payment,
    Reading,
    Refusal,
)
from smoldesk.analyst.meanings import ColumnRef, TableRef
from smoldesk.analyst.request.mentions import read_mentions
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.words.text import is_japanese, tidy

_OF_DATA = (
    "agg", "per", "cmp", "range", "op", "plot", "grain", "time", "top", "sort", "noun", "high", "low",
)  # fmt: skip
_LONGEST_REQUEST = 4000


def read_errands(request: str, lexicon: Lexicon) -> Reading | None:
    """What to do for the person, or what of it is unclear; None when a request asks for no errand."""
    if asking := read_asking(request):
        return Reading(Errands((asking,)), "ja" if is_japanese(request) else "en")
    text = tidy(request[:_LONGEST_REQUEST])

    def is_data(words: str) -> bool:
        mentions = read_mentions(words, lexicon).mentions
        return any(
            mention.says(*_OF_DATA) or mention.all(ColumnRef) or mention.all(TableRef) for mention in mentions
        )

    if is_japanese(text):
        errands, problem, rest = read_japanese(text, is_data)
        if found := _sum_up(errands, [problem] if problem else [], [rest] if rest else [], "ja"):
            return found
    errands, problems, unread = list[Errand](), list[Refusal](), list[str]()
    outcome: Outcome = None
    for clause in clauses(text):
        paid = isinstance(outcome, Refusal) or (outcome is not None and isinstance(outcome[-1], Payment))
        outcome = read_clause(clause, paid, is_data)
        if outcome is None:
            unread.append(clause)
        elif isinstance(outcome, Refusal):
            problems.append(outcome)
        else:
            errands += outcome
    return _sum_up(errands, problems, unread, "en")


def _sum_up(
    errands: list[Errand], problems: list[Refusal], unread: list[str], language: Language
) -> Reading | None:
    if not errands and (unread or not problems):
        return None
    if problems:
        return Reading(problems[0], language)
    if unread:
        understood = tuple(deed(one, language) for one in errands)
        return Reading(Refusal("one_by_one", tuple(unread), understood), language)
    return Reading(Errands(tuple(errands)), language)
