"""Evidence of one run's answer: collects what the run produced, and matches the figures of its answer when it ends."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from smoldesk import messages as m
from smoldesk.events import (
    ChatEvent,
    Nested,
    Printed,
    RunEvent,
    Shown,
    StepFinished,
    StepStarted,
    ToolReturned,
    unnested,
)
from smoldesk.evidence.earlier_answers import EarlierAnswer, with_earlier
from smoldesk.evidence.examination import AnswerCode, Examination
from smoldesk.evidence.run_sources import RunSources

MAX_FIGURES = 1_000
# Quick sign that a text may hold figures.
_MAYBE = re.compile(r"[0-9０-９一-九十百千万億]|(?i:\b(?:t[wheo]|f[ioi]|s[ie]|ei|ni|el|half|quarter))")
UNSUPPORTED = ("possible", "unmatched")
# Numbers of a title that may be settings, as `20 bins`: they count only with evidence.
_SETTING = re.compile(r"\d{1,2}\D*|(?:19|20)\d\d\D?|\D*")
# Characters of an answer in which figures are looked for.
MAX_ANSWER = 100_000
# Processor time for the figures of charts, and for those of plans.
DRAWN_SECONDS = 0.5


@dataclass
class EvidenceCollector:
    """Collector of what one run produces. Nothing is read before the run ends."""

    question: str = ""
    is_code: bool = False
    """The message is code of the person's, and its output no answer."""
    _events: list[tuple[RunEvent, str | None]] = field(default_factory=list[tuple[RunEvent, str | None]])
    _texts: list[str] = field(default_factory=list[str])
    _has_steps: bool = False
    _has_drawn: bool = False

    def note(self, events: Iterable[RunEvent | ChatEvent]) -> None:
        """Take in events, in order."""
        for stored in events:
            event, within = unnested(stored), stored.within if isinstance(stored, Nested) else None
            match event:
                case StepStarted():
                    self._has_steps = True
                case Printed() | ToolReturned() | StepFinished():
                    self._events.append((event, within))
                case Shown(message=m.Text(tone="answer", agent=None) as text) if within is None:
                    self._texts.append(text.content)
                case Shown(message=m.Table() | m.Json() | m.Chart() | m.Map()):
                    self._has_drawn |= isinstance(event.message, m.Chart | m.Map)
                    self._events.append((event, within))
                case _:
                    pass

    def evidence(
        self,
        answer: str,
        earlier: Callable[[], Sequence[EarlierAnswer]] = tuple,
        read_file: Callable[[str], bytes] = lambda _: b"{}",
    ) -> m.Evidence | None:
        """Return the evidence of the answer; None if it holds no figures, or no agent's step led to it.

        `earlier` reads the answers of the chat's earlier runs; it is called if a figure has no other evidence. `read_file`
        returns the spec of a chart.
        """
        if not self._has_steps or self.is_code:
            return None
        texts = [text[:MAX_ANSWER] for text in self._texts or [answer]]
        if not any(_MAYBE.search(text) for text in texts) and not self._has_drawn:
            return None
        produced = RunSources.of(self._events, read_file)
        examination = Examination(produced.sources, self.question, self._code())
        results: list[m.FigureEvidence] = []
        for part, text in enumerate(texts):
            results += examination.examine(text, part, MAX_FIGURES + 1 - len(results))
        # A figure of one digit stands in many answers: an earlier one is no evidence for it.
        if any(
            result.status in UNSUPPORTED and len(re.findall(r"\d", result.text)) > 1 for result in results
        ):
            results = with_earlier(results, texts, examination.refused, earlier())
        results += self._drawn_figures(produced, MAX_FIGURES + 1 - len(results))
        is_cut = examination.is_cut or len(results) > MAX_FIGURES
        return m.Evidence(content=_counted(results[:MAX_FIGURES], is_cut)) if results else None

    def _drawn_figures(self, produced: RunSources, limit: int) -> list[m.FigureEvidence]:
        """Return the figures of the last plan and of the titles of charts. A plan does not support itself."""
        results: list[m.FigureEvidence] = []
        if not produced.drawn:
            return results
        codes = self._code().steps
        for is_plan in (False, True):
            texts = [drawn for drawn in produced.drawn if (drawn.container == "map") is is_plan]
            if not texts:
                continue
            sources = produced.without_plans if is_plan else produced.sources
            examination = Examination(sources, self.question, seconds=DRAWN_SECONDS)
            for drawn in texts:
                examination.code = AnswerCode({drawn.step: codes.get(drawn.step, "")}, True)
                figures = examination.examine(drawn.text, 0, limit - len(results))
                label = drawn.text.replace("\n", " – ")[:200]
                results += [
                    figure.model_copy(update={"container": drawn.container, "label": label})
                    for figure in figures
                    if figure.status not in UNSUPPORTED or not _SETTING.fullmatch(figure.text)
                ]
        return results

    def _code(self) -> AnswerCode:
        """Return the code of the run; its last step's, if that gave the answer."""
        steps = [
            event for event, within in self._events if isinstance(event, StepFinished) and within is None
        ]
        codes = {event.step: str(event.memory.get("code_action") or "") for event in steps}
        is_final = bool(steps) and bool(steps[-1].memory.get("is_final_answer"))
        return AnswerCode(codes, is_final and "final_answer" in codes[steps[-1].step])


def _counted(figures: list[m.FigureEvidence], is_cut: bool) -> m.EvidenceContent:
    counts = {
        status: sum(figure.status == status for figure in figures)
        for status in ("earlier", "asked", "possible", "unmatched")
    }
    total = len(figures) - counts["asked"]
    return m.EvidenceContent(
        figures=figures,
        total=total,
        supported=total - counts["earlier"] - counts["possible"] - counts["unmatched"],
        earlier=counts["earlier"],
        possible=counts["possible"],
        unmatched=counts["unmatched"],
        is_cut=is_cut or None,
    )


def seal_text(content: m.EvidenceContent) -> str:
    """Return the sentence for documents, such as `12 of 12 figures from this run.`"""
    noun = "figure" if content.total == 1 else "figures"
    text = f"{content.supported} of {content.total} {noun} from this run"
    if content.earlier:
        text += f", {content.earlier} from earlier answers"
    for status, words in (
        ("possible", "in this run, perhaps not what is meant"),
        ("unmatched", "without evidence"),
    ):
        named = [figure.text for figure in content.figures if figure.status == status]
        if named:
            text += f"; {words}: {', '.join(named[:10])}{', …' if len(named) > 10 else ''}"
    return f"{text}."
