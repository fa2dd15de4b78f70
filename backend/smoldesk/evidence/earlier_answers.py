"""Figures that earlier answers of a chat have evidence for. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from smoldesk import messages as m
from smoldesk.evidence.clauses import sentences
from smoldesk.evidence.figure_finder import find_figures
from smoldesk.evidence.matching import COMMON
from smoldesk.evidence.row_names import tokens_of
from smoldesk.evidence.text_figure import Figure

# Status of a figure that an earlier answer has evidence for.
_SUPPORTED = ("matched", "derived", "earlier")


@dataclass(frozen=True)
class EarlierAnswer:
    """Answer of an earlier run, and the evidence of its figures."""

    run_id: str
    text: str
    evidence: m.EvidenceContent


@dataclass(frozen=True)
class _Entry:
    """Figure of an earlier answer, and the words of its sentence."""

    figure: Figure
    tokens: frozenset[str]
    run_id: str


def with_earlier(
    results: Sequence[m.FigureEvidence],
    texts: Sequence[str],
    refused: set[tuple[int, int]],
    answers: Sequence[EarlierAnswer],
) -> list[m.FigureEvidence]:
    """Return the figures with those that an earlier answer supports; none of the `refused`, whose rows changed."""
    entries = [entry for answer in answers for entry in _entries(answer)]
    if not entries:
        return [*results]
    return [
        result
        if result.status not in ("possible", "unmatched") or (result.part, result.start) in refused
        else _labelled(result, texts[result.part], entries)
        for result in results
    ]


def _labelled(result: m.FigureEvidence, text: str, entries: Sequence[_Entry]) -> m.FigureEvidence:
    figure = next(find_figures(result.text), None)
    spoken = _sentence_tokens(text, result.start)
    if figure is None:
        return result
    for entry in entries:
        is_same = (entry.figure.value, entry.figure.date, entry.figure.unit) == (
            figure.value,
            figure.date,
            figure.unit,
        )
        if is_same and entry.tokens & spoken:
            place = m.EvidencePlace(kind="answer", run_id=entry.run_id)
            return result.model_copy(update={"status": "earlier", "places": [place]})
    return result


def _entries(answer: EarlierAnswer) -> Iterator[_Entry]:
    for evident in answer.evidence.figures:
        figure = next(find_figures(evident.text), None)
        if (
            evident.status in _SUPPORTED
            and figure is not None
            and answer.text[evident.start : evident.end] == evident.text
        ):
            yield _Entry(figure, _sentence_tokens(answer.text, evident.start), answer.run_id)


def _sentence_tokens(text: str, offset: int) -> frozenset[str]:
    start, end = next(((start, end) for start, end in sentences(text) if start <= offset < end), (0, 0))
    return frozenset(word for word in tokens_of(text[start:end]) if not word.isdigit()) - COMMON
