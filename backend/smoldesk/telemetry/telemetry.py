"""Telemetry of a desk: follows committed events and makes spans of them on its own thread.

A failure here never affects a run: events beyond the queue's size are dropped, an unreachable collector only delays
the SDK's threads, and closing takes at most `CLOSE_SECONDS`.
"""

import contextlib
import logging
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from opentelemetry.trace import Span
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from smoldesk.events import (
    Delta,
    Printed,
    PromptProgress,
    RunEvent,
    Shown,
    StoredEvent,
    ToolProgress,
    unnested,
)
from smoldesk.telemetry.content import Content
from smoldesk.telemetry.meters import Meters
from smoldesk.telemetry.open_span import OpenSpan
from smoldesk.telemetry.providers import Providers, span_id_of
from smoldesk.telemetry.spans import RunSpans

log = logging.getLogger(__name__)

# Maximum batches of events that wait for their spans.
QUEUE = 10_000
CLOSE_SECONDS = 2.0
# Events without a span.
UNHEARD = (Delta, PromptProgress, Printed, ToolProgress, Shown)


@dataclass(frozen=True)
class _Task:
    """Something to do for one run, in its turn."""

    run_id: str
    act: Callable[[RunSpans], None]


class Telemetry:
    """The traces and figures of one desk. Safe from any thread; nothing waits, and nothing raises."""

    def __init__(self, providers: Providers, content: Content | None) -> None:
        self._providers = providers
        self._content = content
        self._meters = Meters(providers.meter)
        self._runs: dict[str, RunSpans] = {}
        self._creation_times: dict[int, tuple[RunEvent, int]] = {}
        self._queue: queue.Queue[_Task | None] = queue.Queue(QUEUE)
        self._thread = threading.Thread(target=self._loop, name="telemetry", daemon=True)
        self._thread.start()

    def begin(self, chat_id: str, run_id: str, traceparent: str | None) -> str | None:
        """Start the trace of a run, below its caller's span if given. Return its id, None for one that is not sampled.

        A second call for the same run starts it anew.
        """
        try:
            root = self._begin(chat_id, run_id, traceparent)
        except Exception as bug:  # a sampler may be of another package
            log.error("the trace of run %s did not begin (%s)", run_id, type(bug).__name__)
            return None
        context = root.get_span_context()
        return f"{context.trace_id:032x}" if context.is_valid and context.trace_flags.sampled else None

    def _begin(self, chat_id: str, run_id: str, traceparent: str | None) -> Span:
        since = time.time_ns()
        parent = TraceContextTextMapPropagator().extract({"traceparent": traceparent} if traceparent else {})
        facts = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.conversation.id": chat_id,
            "smoldesk.run.id": run_id,
        }
        tracer = self._providers.tracer
        root = tracer.start_span("invoke_agent", parent, attributes=facts, start_time=since)
        self._runs[run_id] = RunSpans(
            tracer, self._providers.ids, self._meters, self._content, chat_id, OpenSpan(root, since)
        )
        return root

    def name(self, run_id: str, who: Mapping[str, str]) -> None:
        """Tell the agent of a run, and its model (`agent`, `model`)."""
        self._put(_Task(run_id, lambda spans: spans.name(who)))

    def stamp(self, run_id: str, events: Sequence[RunEvent]) -> None:
        """Note when events were made that are committed a little later, with others."""
        if run_id not in self._runs:
            return
        if len(self._creation_times) > QUEUE:  # of commits that were refused
            self._creation_times.clear()
        now = time.time_ns()
        # the event itself is held, so that no other one has its id meanwhile
        self._creation_times.update(
            (id(event), (event, now)) for event in events if not isinstance(unnested(event), UNHEARD)
        )

    def note(self, events: Sequence[StoredEvent]) -> None:
        """Take in committed events, in order; those of runs that did not begin here are passed over."""
        for stored in events:
            _, created_at = self._creation_times.pop(id(stored.event), (None, None))
            if stored.run_id in self._runs and not isinstance(unnested(stored.event), UNHEARD):
                self._put(_Task(stored.run_id, _noting(stored, created_at)))

    def leave(self, run_id: str) -> None:
        """Mark the run's thread as finished: if no event has closed the run by now, it was closed elsewhere."""
        self._put(_Task(run_id, lambda spans: spans.end_unknown(time.time_ns())))

    def traceparent(self, call_id: str) -> str | None:
        """Return the W3C header with which other services continue the trace of a tool call.

        The call's id is `RUN.NUMBER`, with more numbers if nested.
        """
        spans = self._runs.get(call_id.partition(".")[0])
        context = spans.root.get_span_context() if spans is not None else None
        if context is None or not context.is_valid:
            return None
        sampled = "01" if context.trace_flags.sampled else "00"
        return f"00-{context.trace_id:032x}-{span_id_of(call_id):016x}-{sampled}"

    def watch(self, name: str, callback: Callable[[], Mapping[str, float]], is_total: bool = False) -> None:
        """Send a figure of the desk with the others; see Meters.watch."""
        self._meters.watch(name, callback, is_total)

    def close(self) -> None:
        """Send what is left, as far as that goes in CLOSE_SECONDS. What comes after is passed over."""
        deadline = time.monotonic() + CLOSE_SECONDS
        with contextlib.suppress(queue.Full):
            self._queue.put(None, timeout=CLOSE_SECONDS / 2)
        self._thread.join(deadline - CLOSE_SECONDS / 2 - time.monotonic())
        self._runs.clear()
        self._providers.close(deadline - time.monotonic())

    def _put(self, task: _Task) -> None:
        try:
            self._queue.put_nowait(task)
        except queue.Full:
            self._runs.pop(task.run_id, None)  # a trace with holes tells lies

    def _loop(self) -> None:
        while (task := self._queue.get()) is not None:
            spans = self._runs.get(task.run_id)
            if spans is None:
                continue
            try:
                task.act(spans)
            except Exception as bug:  # of ours or of the SDK's: it costs this trace, and nothing else
                log.error("the trace of run %s was given up (%s)", task.run_id, type(bug).__name__)
                self._runs.pop(task.run_id, None)
            if spans.is_over:
                self._runs.pop(task.run_id, None)


def _noting(stored: StoredEvent, created_at: int | None) -> Callable[[RunSpans], None]:
    return lambda spans: spans.note(stored, created_at)
