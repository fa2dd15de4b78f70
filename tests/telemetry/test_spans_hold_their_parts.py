"""No span of a run begins before its parent's or ends after it, whatever clock the times of its events are from."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.metrics import NoOpMeter
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from smoldesk.events import (
    ModelCalled,
    Nested,
    NestedEvent,
    RunCancelled,
    RunEvent,
    RunFinished,
    StepFinished,
    StepStarted,
    StoredEvent,
    ToolCalled,
    ToolReturned,
    unnested,
)
from smoldesk.telemetry.meters import Meters
from smoldesk.telemetry.open_span import OpenSpan
from smoldesk.telemetry.providers import SpanIds
from smoldesk.telemetry.spans import RunSpans

BEGIN = 1_000_000


def _within(event: NestedEvent) -> Nested:
    return Nested(within="r.1", agent="helper", event=event)


def _called(call_id: str, tool: str) -> ToolCalled:
    return ToolCalled(step=1, call_id=call_id, tool=tool, arguments={}, line=1)


STARTED = StepStarted(step=1)
ANSWERED = ModelCalled(step=1, model="m", then=[], duration=1e-5)
FINISHED = StepFinished(step=1, memory={"code_action": "helper()"}, duration=1e-5)
MANAGED: list[RunEvent] = [
    STARTED,
    ANSWERED,
    _called("r.1", "helper"),
    _within(STARTED),
    _within(ANSWERED),
    _within(_called("r.2", "pay")),
    _within(ToolReturned(step=1, call_id="r.2", tool="pay", result="")),
    _within(FINISHED),
    ToolReturned(step=1, call_id="r.1", tool="helper", result=""),
    FINISHED,
]


def _stored(event: RunEvent) -> StoredEvent:
    return StoredEvent(chat_id="c", seq=1, run_id="r", at=datetime.now(UTC), event=event)


@given(
    times=st.lists(st.integers(BEGIN, BEGIN + 50_000), min_size=len(MANAGED) + 1, max_size=len(MANAGED) + 1),
    cut=st.integers(0, len(MANAGED)),
)
def test_whatever_the_times_and_wherever_it_ends(times: list[int], cut: int) -> None:
    in_memory_span_exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(in_memory_span_exporter))
    tracer = provider.get_tracer("test")
    root = tracer.start_span("invoke_agent", start_time=BEGIN)
    run = RunSpans(tracer, SpanIds(), Meters(NoOpMeter("test")), None, "c", OpenSpan(root, BEGIN))
    end: RunEvent = RunFinished(text="") if cut == len(MANAGED) else RunCancelled(reason="stopped")
    for event, at in zip([*MANAGED[:cut], end], times, strict=False):
        run.note(_stored(event), at)
    assert run.is_over
    spans = {
        span.context.span_id: span for span in in_memory_span_exporter.get_finished_spans() if span.context
    }
    started = sum(isinstance(unnested(event), StepStarted | ToolCalled) for event in MANAGED[:cut])
    assert len(spans) > started, "a span for each, and the run's"
    for span in spans.values():
        above = spans.get(span.parent.span_id) if span.parent else None
        assert above is not None or span.name == "invoke_agent"
        if above is not None:
            assert _times(above)[0] <= _times(span)[0] and _times(span)[1] <= _times(above)[1], span.name


def _times(span: ReadableSpan) -> tuple[int, int]:
    return span.start_time or 0, span.end_time or 0
