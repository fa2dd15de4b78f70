"""The SDK as `OTEL_*` wants it: where spans and figures go. Its providers are the desk's own, not the process's."""

import hashlib
import importlib
import threading
import time
from typing import Any

from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import (
    ConsoleMetricExporter,
    MetricExporter,
    PeriodicExportingMetricReader,
)
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter, SpanExporter
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator

from smoldesk import __version__
from smoldesk.telemetry.sdk_log import SdkLog
from smoldesk.telemetry.signals import Signals

SCOPE = "smoldesk"


def span_id_of(call_id: str) -> int:
    """Return the span id of a tool call, derived from the call's id, so that it is known before the span exists."""
    return int.from_bytes(hashlib.blake2b(call_id.encode(), digest_size=8).digest(), "big")


class SpanIds(RandomIdGenerator):
    """Random ids, but for a span that has one already: the `next` of this thread."""

    def __init__(self) -> None:
        self._preset = threading.local()

    def next(self, span_id: int) -> None:
        """Give the span that this thread starts next this id."""
        self._preset.id = span_id

    def generate_span_id(self) -> int:
        preset_id: int | None = getattr(self._preset, "id", None)
        self._preset.id = None
        return preset_id or super().generate_span_id()


class Providers:
    """The tracer and the meter of a desk."""

    def __init__(self, signals: Signals) -> None:
        SdkLog().take_over()
        resource = _resource()
        self.ids = SpanIds()
        self._traces = TracerProvider(resource=resource, id_generator=self.ids, shutdown_on_exit=False)
        for name in signals.traces:
            self._traces.add_span_processor(BatchSpanProcessor(_span_exporter(name)))
        readers = [PeriodicExportingMetricReader(_metric_exporter(name)) for name in signals.metrics]
        self._metrics = MeterProvider(readers, resource, shutdown_on_exit=False)
        self.tracer = self._traces.get_tracer(SCOPE, __version__)
        self.meter = self._metrics.get_meter(SCOPE, __version__)

    def close(self, seconds: float) -> None:
        """Send what is left; a collector that does not take it in time is left alone, with its thread."""
        deadline = time.monotonic() + seconds
        ending = [
            threading.Thread(target=provider.shutdown, name="telemetry-end", daemon=True)
            for provider in (self._traces, self._metrics)
        ]
        for thread in ending:
            thread.start()
        for thread in ending:
            thread.join(max(0.0, deadline - time.monotonic()))


def _resource() -> Resource:
    resource = Resource.create({SERVICE_VERSION: __version__})
    named = str(resource.attributes.get(SERVICE_NAME, ""))
    return (
        resource
        if not named.startswith("unknown_service")
        else resource.merge(Resource({SERVICE_NAME: SCOPE}))
    )


def _span_exporter(name: str) -> SpanExporter:
    if name == "console":
        return ConsoleSpanExporter()
    module: Any = importlib.import_module(f"opentelemetry.exporter.otlp.proto.{name}.trace_exporter")
    return module.OTLPSpanExporter()


def _metric_exporter(name: str) -> MetricExporter:
    if name == "console":
        return ConsoleMetricExporter()
    module: Any = importlib.import_module(f"opentelemetry.exporter.otlp.proto.{name}.metric_exporter")
    return module.OTLPMetricExporter()
