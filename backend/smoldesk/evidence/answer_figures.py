"""Evidence of one run's answer: collects what the run produced, and matches the figures of its answer when it ends."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

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
from smoldesk.evidence.run_values import (
    MAX_TEXT,
    ValueSource,
    bounded,
    data_rows,
    map_rows,
    parsed_json,
    table_source,
)
from smoldesk.evidence.text_rows import text_rows

MAX_FIGURES = 1_000
# Quick sign that a text may hold figures.
_MAYBE = re.compile(r"[0-9０-９一-九十百千万億]|(?i:\b(?:t[wheo]|f[ioi]|s[ie]|ei|ni|el|half|quarter))")
# Characters of an answer in which figures are looked for.
MAX_ANSWER = 100_000


@dataclass
class EvidenceCollector:
    """Collector of what one run produces. Nothing is read before the run ends."""

    question: str = ""
    is_code: bool = False
    """The message is code of the person's, and its output no answer."""
    _events: list[tuple[RunEvent, str | None]] = field(default_factory=list[tuple[RunEvent, str | None]])
    _texts: list[str] = field(default_factory=list[str])
    _has_steps: bool = False

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
                case Shown(message=m.Table() | m.Json() | m.Map() | m.MapFrames()):
                    self._events.append((event, within))
                case _:
                    pass

    def evidence(
        self, answer: str, earlier: Callable[[], Sequence[EarlierAnswer]] = tuple
    ) -> m.Evidence | None:
        """Return the evidence of the answer; None if it holds no figures, or no agent's step led to it.

        `earlier` reads the answers of the chat's earlier runs; it is called if a figure has no other evidence.
        """
        if not self._has_steps or self.is_code:
            return None
        texts = [text[:MAX_ANSWER] for text in self._texts or [answer]]
        if not any(_MAYBE.search(text) for text in texts):
            return None
        examination = Examination(self._sources(), self.question, self._code())
        results: list[m.FigureEvidence] = []
        for part, text in enumerate(texts):
            results += examination.examine(text, part, MAX_FIGURES + 1 - len(results))
        # A figure of one digit stands in many answers: an earlier one is no evidence for it.
        if any(
            result.status == "unmatched" and len(re.findall(r"\d", result.text)) > 1 for result in results
        ):
            results = with_earlier(results, texts, examination.refused, earlier())
        is_cut = examination.is_cut or len(results) > MAX_FIGURES
        return m.Evidence(content=_counted(results[:MAX_FIGURES], is_cut)) if results else None

    def _code(self) -> AnswerCode:
        """Return the code of the run; its last step's, if that gave the answer."""
        steps = [
            event for event, within in self._events if isinstance(event, StepFinished) and within is None
        ]
        codes = {event.step: str(event.memory.get("code_action") or "") for event in steps}
        is_final = bool(steps) and bool(steps[-1].memory.get("is_final_answer"))
        return AnswerCode(codes, is_final and "final_answer" in codes[steps[-1].step])

    def _sources(self) -> list[ValueSource]:
        sources: list[ValueSource] = []
        step, lines = 1, 0
        for event, within in self._events:
            match event:
                case Printed():
                    lines = lines if event.step == step else 0
                    step = event.step
                    place = m.EvidencePlace(kind="printed", step=event.step, within=within)
                    text = event.text[:MAX_TEXT]
                    sources.append(
                        ValueSource(place, [*text_rows(text, lines + 1)], is_complete=True, text=text)
                    )
                    lines += event.text.count("\n")
                case ToolReturned():
                    sources.append(_tool_source(event, within))
                case StepFinished():
                    sources += _value_source(event, within)
                case Shown(message=message):
                    sources += _sources_of(message, step, within)
                case _:
                    pass
        return bounded(sources)


# Start of the value of a step's last expression, in smolagents' own form of what the model reads.
_VALUE_OF = "Last output from code snippet:\n"


def _value_source(event: StepFinished, within: str | None) -> list[ValueSource]:
    """Return the value of a step's last expression, if the model went on with it."""
    _, _, text = str(event.memory.get("observations") or "")[:MAX_TEXT].rpartition(_VALUE_OF)
    code = event.memory.get("code_action")
    if not text or event.memory.get("is_final_answer") or not isinstance(code, str):
        return []
    place = m.EvidencePlace(kind="code", step=event.step, within=within, line=code.rstrip().count("\n") + 1)
    return [ValueSource(place, [*text_rows(text)], is_complete=True, text=text)]


def _tool_source(event: ToolReturned, within: str | None) -> ValueSource:
    place = m.EvidencePlace(kind="tool", step=event.step, within=within, call_id=event.call_id)
    text = event.result[:MAX_TEXT]
    value = event.value if event.value is not None else parsed_json(text)
    rows = [*data_rows(value)] if value is not None else [*text_rows(text)]
    return ValueSource(place, rows, is_complete=True, text=text)


def _sources_of(message: Any, step: int, within: str | None) -> list[ValueSource]:
    match message:
        case m.Table(content=table):
            place = m.EvidencePlace(kind="cell", step=step, within=within, table_id=table.table_id)
            return [table_source(table, place)]
        case m.Json(content=content):
            return [
                ValueSource(m.EvidencePlace(kind="data", step=step, within=within), [*data_rows(content)])
            ]
        case m.Map(content=m.MapContent() as content):
            return [
                ValueSource(
                    m.EvidencePlace(kind="room", step=step, within=within),
                    [*map_rows(content)],
                    is_complete=True,
                )
            ]
        case _:
            return []


def _counted(figures: list[m.FigureEvidence], is_cut: bool) -> m.EvidenceContent:
    counts = {
        status: sum(figure.status == status for figure in figures)
        for status in ("earlier", "asked", "unmatched")
    }
    total = len(figures) - counts["asked"]
    return m.EvidenceContent(
        figures=figures,
        total=total,
        supported=total - counts["earlier"] - counts["unmatched"],
        earlier=counts["earlier"],
        unmatched=counts["unmatched"],
        is_cut=is_cut or None,
    )


def seal_text(content: m.EvidenceContent) -> str:
    """Return the sentence for documents, such as `12 of 12 figures from this run.`"""
    noun = "figure" if content.total == 1 else "figures"
    text = f"{content.supported} of {content.total} {noun} from this run"
    if content.earlier:
        text += f", {content.earlier} from earlier answers"
    unmatched = [figure.text for figure in content.figures if figure.status == "unmatched"]
    if unmatched:
        names = ", ".join(unmatched[:10]) + (", …" if len(unmatched) > 10 else "")
        text += f"; without evidence: {names}"
    return f"{text}."
