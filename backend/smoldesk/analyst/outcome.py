"""Outcome of reading a request, and the decision how many of its interpretations are shown: one, several, or none."""

from dataclasses import dataclass

from smoldesk.analyst.building.intents import BuildingQuestion, MapUpdate, Sketch
from smoldesk.analyst.catalogue import Catalogue
from smoldesk.analyst.certainty import is_likely, is_sure
from smoldesk.analyst.errands.tokens import Errands
from smoldesk.analyst.language import Language
from smoldesk.analyst.offers import (
    MAX_OFFERED,
    Candidate,
    arranged,
    is_clear,
)
from smoldesk.analyst.query import Query
from smoldesk.analyst.refusal import Refusal
from smoldesk.analyst.requests import Request
from smoldesk.analyst.sentence import sentence_of
from smoldesk.analyst.units import normalized

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
    best, declined = candidates[0], declined_for(candidates[0])
    sure, likely = is_sure(request, candidates), is_likely(candidates)
    candidates = arranged(candidates)
    if sure:
        return Outcome(best.query, language, tuple(candidates))
    uncovered = _left_out(best)
    by_sentence: dict[str, Candidate] = {}
    for candidate in candidates[:MAX_OFFERED]:
        by_sentence.setdefault(sentence_of(candidate.query, language), candidate)
    near, sentences = tuple(by_sentence.values()), tuple(by_sentence)
    drawn = best.query.map and uncovered  # a map must not show a misunderstood request
    if not drawn and likely:
        if not _acts(best):
            shown = tuple(candidate for candidate in near if not _acts(candidate))
            opened = next(iter(shown), best)  # it may use words that the best one leaves out
            return Outcome(opened.query, language, tuple(candidates), False, shown, _left_out(opened))
        if "ask_person" in catalogue.tools:
            return Outcome(Offer(sentences, uncovered), language, tuple(candidates))
    return Outcome(declined or Refusal("unsure", (), sentences), language, tuple(candidates))


def _acts(candidate: Candidate) -> bool:
    """Return whether an answer does more than show something: it saves a file or draws on the map."""
    return bool(candidate.query.file or candidate.query.map)


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
