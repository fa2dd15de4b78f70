"""Sources of values and drawn texts of a run, from its events. Pure."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from smoldesk import messages as m
from smoldesk.events import Printed, RunEvent, Shown, StepFinished, ToolReturned
from smoldesk.evidence.drawn_figures import DrawnText, chart_parts, plan_texts
from smoldesk.evidence.run_values import (
    MAX_TEXT,
    ValueSource,
    bounded,
    data_rows,
    map_rows,
    parsed_json,
    table_source,
)
from smoldesk.evidence.text_rows import text_tables

# Charts of one run whose rows are read.
MAX_CHARTS = 20


@dataclass
class RunSources:
    """Sources of a run in their order, and the texts of its charts and its last plan."""

    sources: list[ValueSource]
    drawn: list[DrawnText]

    @property
    def without_plans(self) -> list[ValueSource]:
        """Sources without plans, and without the commands that drew them."""
        return [
            source
            for source in self.sources
            if source.place.kind != "room" and "MAP_COMMAND" not in source.text
        ]

    @classmethod
    def of(
        cls, events: Iterable[tuple[RunEvent, str | None]], read_file: Callable[[str], bytes]
    ) -> "RunSources":
        """Read the events of a run, each with the call of the managed agent that it belongs to."""
        sources: list[ValueSource] = []
        charts: dict[str, DrawnText] = {}
        plan: list[DrawnText] = []
        step, lines = 1, 0
        for event, within in _joined(events):
            match event:
                case Printed():
                    lines = lines if event.step == step else 0
                    step = event.step
                    place = m.EvidencePlace(kind="printed", step=event.step, within=within)
                    text = event.text[:MAX_TEXT]
                    sources += _text_sources(place, text, lines + 1)
                    lines += event.text.count("\n")
                case ToolReturned():
                    sources.append(_tool_source(event, within))
                case StepFinished():
                    sources += _value_source(event, within)
                case Shown(message=m.Chart(content=chart)):
                    if len(charts) < MAX_CHARTS:
                        spec = json.loads(read_file(chart.spec_id))
                        source, charts[chart.spec_id] = chart_parts(spec, chart, step, within)
                        sources.append(source)
                case Shown(message=message):
                    if isinstance(message, m.Map) and isinstance(message.content, m.MapContent):
                        plan = [*plan_texts(message.content, step)]
                    sources += _sources_of(message, step, within)
                case _:
                    pass
        return cls(bounded(sources), [*charts.values(), *plan])


def _joined(events: Iterable[tuple[RunEvent, str | None]]) -> Iterator[tuple[RunEvent, str | None]]:
    """Yield the events with what one step printed in parts as one text: a heading is often printed before its table."""
    texts: list[str] = []
    last: tuple[Printed, str | None] | None = None
    for event, within in events:
        if last is not None and (
            not isinstance(event, Printed) or (event.step, within) != (last[0].step, last[1])
        ):
            yield last[0].model_copy(update={"text": "".join(texts)}), last[1]
            last = None
        if isinstance(event, Printed):
            texts = [*texts, event.text] if last is not None else [event.text]
            last = event, within
        else:
            yield event, within
    if last is not None:
        yield last[0].model_copy(update={"text": "".join(texts)}), last[1]


# Start of the value of a step's last expression, in smolagents' own form of what the model reads.
_VALUE_OF = "Last output from code snippet:\n"


def _value_source(event: StepFinished, within: str | None) -> list[ValueSource]:
    """Return the value of a step's last expression, if the model went on with it."""
    _, _, text = str(event.memory.get("observations") or "")[:MAX_TEXT].rpartition(_VALUE_OF)
    code = event.memory.get("code_action")
    if not text or event.memory.get("is_final_answer") or not isinstance(code, str):
        return []
    place = m.EvidencePlace(kind="code", step=event.step, within=within, line=code.rstrip().count("\n") + 1)
    return _text_sources(place, text)


def _text_sources(place: m.EvidencePlace, text: str, first_line: int = 1) -> list[ValueSource]:
    """Return the printed tables of a text; the first one has the text, in which dates are looked for."""
    tables = text_tables(text, first_line)
    if "MAP_COMMAND" in text:
        tables = [[row for table in tables for row in table]]
    return [
        ValueSource(place, rows, is_complete=True, text=text if not at else "")
        for at, rows in enumerate(tables)
    ]


def _tool_source(event: ToolReturned, within: str | None) -> ValueSource:
    place = m.EvidencePlace(kind="tool", step=event.step, within=within, call_id=event.call_id)
    text = event.result[:MAX_TEXT]
    value = event.value if event.value is not None else parsed_json(text)
    rows = [*data_rows(value)] if value is not None else [row for table in text_tables(text) for row in table]
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
