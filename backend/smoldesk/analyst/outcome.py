"""Outcome of reading a request, and the decision how many of its interpretations are shown: one, several, or none."""

from dataclasses import dataclass

from smoldesk.analyst.building.intents import BuildingQuestion, MapUpdate, Sketch
from smoldesk.analyst.catalogue import Catalogue
from smoldesk.analyst.errands.tokens import Errands
from smoldesk.analyst.language import Language
from smoldesk.analyst.offers import (
    MAX_OFFERED,
    Candidate,
    arranged,
    confidence,
    gap_behind,
    is_ambiguous,
    is_clear,
    sure_features,
)
from smoldesk.analyst.query import Query
from smoldesk.analyst.refusal import Refusal
from smoldesk.analyst.requests import Request
from smoldesk.analyst.sentence import sentence_of
from smoldesk.analyst.units import normalized

# Minimum confidence to answer the best interpretation, and to offer the first three; `tests.exams.fit` prints the
# resulting error rates.
ANSWERED, OFFERED = 0.92, 0.3
# Gap to the next interpretation below which both are shown.
TIE = 0.02
# The same for an interpretation that explains every word.
CLEAR_OFFERED = 0.1
# Maximum probability that a request has no answer, above which an interpretation that leaves words over is declined.
UNANSWERABLE = 0.13
_COMPUTED = ("figure", "groups", "share", "rows", "distinct", "difference")
# Lower thresholds: for requests by name (a chart, a map, backquotes), and for a complete table.
BY_NAME, COMPLETE_TABLE = 0.5, 0.3
NEITHER = ("None of these", "どれでもない")


@dataclass(frozen=True)
class Talk:
    """Greeting, question about the analyst itself, or question about the available tables."""

    what: str


@dataclass(frozen=True)
class Offer:
    """Interpretations that are too uncertain to act on: the person chooses by their sentences before anything is done.

    `unused_terms` are the words of the request that they leave out.
    """

    sentences: tuple[str, ...]
    unused_terms: tuple[str, ...] = ()


Intent = Offer | Query | MapUpdate | BuildingQuestion | Sketch | Errands | Talk | Refusal


@dataclass(frozen=True)
class Outcome:
    """Meaning of a request; for questions about tables, all good candidates, the best first."""

    intent: Intent
    language: Language
    candidates: tuple[Candidate, ...] = ()
    confidence: float = 1.0
    corrected: bool = False
    # Candidates to show if it is unsure which one is meant, the best first.
    uncertain: tuple[Candidate, ...] = ()
    # Words of the request that these leave out.
    unused_terms: tuple[str, ...] = ()

    @property
    def shown(self) -> tuple[Candidate, ...]:
        """Candidates whose answers are shown, the best first: one if the request is clear."""
        return self.uncertain or (self.candidates[:1] if isinstance(self.intent, Query) else ())

    @property
    def best(self) -> Candidate | None:
        """Candidate that is answered first, if any."""
        return next(iter(self.shown), None)


def none_of(outcome: Outcome) -> Refusal:
    """Return the refusal of a request none of whose shown interpretations is meant; it names the words they leave out."""
    if not (outcome.unused_terms and outcome.shown):
        return Refusal("none_fits")
    schema = outcome.shown[0].schema
    columns = tuple(column.name for column in schema.columns)
    return Refusal("unknown", outcome.unused_terms, columns, schema.info.name)


def show_best(
    request: Request, candidates: list[Candidate], language: Language, catalogue: Catalogue
) -> Outcome:
    """Return the best candidate alone if it is sure, else with its alternatives, or why all of them are declined."""
    best, gap = candidates[0], gap_behind(candidates)
    declined, sure = declined_for(best), confidence(best.query, gap)
    candidates = arranged(candidates)
    tied = (gap is not None and gap < TIE) or is_ambiguous(best)
    if declined is None and not tied and sure >= _needed(request, best.query, gap):
        return Outcome(best.query, language, tuple(candidates), sure)
    uncovered = _left_out(best)
    by_sentence: dict[str, Candidate] = {}
    for candidate in candidates[:MAX_OFFERED]:
        by_sentence.setdefault(sentence_of(candidate.query, language), candidate)
    near, sentences = tuple(by_sentence.values()), tuple(by_sentence)
    drawn = best.query.map and uncovered  # a map must not show a misunderstood request
    if not drawn and _is_likely(best, gap, declined is None):
        if not _acts(best):
            shown = tuple(candidate for candidate in near if not _acts(candidate))
            opened = next(iter(shown), best)  # it may use words that the best one leaves out
            unused = _left_out(opened)
            return Outcome(opened.query, language, tuple(candidates), sure, False, shown, unused)
        if "ask_person" in catalogue.tools:
            return Outcome(Offer(sentences, uncovered), language, tuple(candidates), sure)
    return Outcome(declined or Refusal("unsure", (), sentences), language, tuple(candidates), sure)


def _is_likely(best: Candidate, gap: float | None, clear: bool) -> bool:
    """Return whether the shown interpretations may be right; one that leaves words over must not ask for unknown things."""
    likely = confidence(best.query, gap, "offer") >= (CLEAR_OFFERED if clear else OFFERED)
    return likely and (clear or confidence(best.query, gap, "decline") < UNANSWERABLE)


def _acts(candidate: Candidate) -> bool:
    """Return whether an answer does more than show something: it saves a file or draws on the map."""
    return bool(candidate.query.file or candidate.query.map)


def _needed(request: Request, query: Query, gap: float | None) -> float:
    """Return the minimum confidence for a query.

    It is lower for requests by name: backquotes, a chart, a map, a named table, or names alone without assumptions and
    without a close alternative (spec/reference/analyst_questions.md has the figures).
    """
    features = sure_features(query, gap)
    assumed = features["close"] or any(name[0] == "?" for name in features)
    exact = features.get("exact") == 1 and not assumed
    cut = query.where or query.groups or normalized(query.table).casefold() not in request.text.casefold()
    if query.kind == "rows" and not (cut or query.columns):
        return COMPLETE_TABLE
    counted = query.kind == "figure" and query.first.column is None and not cut
    is_display = query.kind not in _COMPUTED or bool(query.map or query.plot) or "`" in request.text
    return BY_NAME if exact or is_display or counted else ANSWERED


def is_canonical_sentence(text: str, best: Candidate, language: Language) -> bool:
    """Return whether a request equals the sentence of its query, with or without the table: then it is certain."""
    texts = (text, sentence_of(best.query, language), best.query.table)
    request_text, sentence, table = (normalized(text).replace("`", "").casefold() for text in texts)
    return request_text in (sentence, f"{sentence} in {table}", f"{table}の{sentence}")


def _left_out(candidate: Candidate) -> tuple[str, ...]:
    declined = declined_for(candidate)
    return declined.terms if declined else ()


def declined_for(best: Candidate) -> Refusal | None:
    """Return why the best candidate is declined: words that it does not explain or does not use; None if it is not."""
    columns = tuple(column.name for column in best.schema.columns)
    if best.uncovered:
        return Refusal("unknown", best.uncovered, columns, best.schema.info.name)
    return None if is_clear(best) else Refusal("too_much", best.query.unused_terms)
