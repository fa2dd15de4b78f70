"""Configuration of telemetry from OpenTelemetry's own environment variables; the SDK reads the others itself."""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass

from smoldesk.errors import BadInput

TRUE = frozenset({"true", "1"})
EXPORTERS = ("otlp", "console", "none")
# OTLP protocol in the settings -> module of its exporters.
PROTOCOLS = {"http/protobuf": "http", "grpc": "grpc"}
CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
CAPTURES = TRUE | {"span_only", "span_and_event"}
CODE = "telemetry_unusable"


@dataclass(frozen=True)
class Signals:
    """Exporters of each signal: `console`, or OTLP's protocol (`http`, `grpc`). With `content`, words are sent, too."""

    traces: tuple[str, ...]
    metrics: tuple[str, ...]
    content: bool

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> "Signals | None":
        """Return the configured signals, or None without any. Raises BadInput for an invalid value."""
        variables = {
            name: value.strip().lower() for name, value in environ.items() if name.startswith("OTEL_")
        }
        if variables.get("OTEL_SDK_DISABLED") in TRUE:
            return None
        signals = cls(
            _exporters(variables, "TRACES"),
            _exporters(variables, "METRICS"),
            variables.get(CAPTURE) in CAPTURES,
        )
        return signals if signals.traces or signals.metrics else None

    def check_installed(self) -> None:
        """Raise BadInput if the libraries are missing."""
        protocols = {*self.traces, *self.metrics} - {"console"}
        try:
            importlib.import_module("opentelemetry.sdk.trace.export")
            for protocol in protocols:
                importlib.import_module(f"opentelemetry.exporter.otlp.proto.{protocol}.trace_exporter")
        except ImportError as fault:
            raise BadInput(
                "The OTEL_* variables ask for telemetry, whose libraries are not installed.",
                "Install the extra telemetry (pip install -e '.[telemetry]'), or set OTEL_SDK_DISABLED=true.",
                code=CODE,
            ) from fault


def _exporters(environment: Mapping[str, str], signal: str) -> tuple[str, ...]:
    addresses = ("OTEL_EXPORTER_OTLP_ENDPOINT", f"OTEL_EXPORTER_OTLP_{signal}_ENDPOINT")
    default = "otlp" if any(environment.get(name) for name in addresses) else "none"
    names = [name.strip() for name in (environment.get(f"OTEL_{signal}_EXPORTER") or default).split(",")]
    for name in names:
        if name not in EXPORTERS:
            raise BadInput(
                f"OTEL_{signal}_EXPORTER names an exporter that this desk does not have: {name[:40]!r}.",
                f"Expected of: {', '.join(EXPORTERS)}.",
                code=CODE,
            )
    return tuple(
        _protocol(environment, signal) if name == "otlp" else name for name in names if name != "none"
    )


def _protocol(environment: Mapping[str, str], signal: str) -> str:
    general = environment.get("OTEL_EXPORTER_OTLP_PROTOCOL")
    name = environment.get(f"OTEL_EXPORTER_OTLP_{signal}_PROTOCOL") or general or "http/protobuf"
    if name not in PROTOCOLS:
        raise BadInput(
            f"The OTLP protocol {name[:40]!r} is not supported.",
            f"Expected of: {', '.join(PROTOCOLS)}.",
            code=CODE,
        )
    return PROTOCOLS[name]


def describe_signals(environ: Mapping[str, str]) -> str:
    """Describe in a few words what is exported, without addresses. Raises BadInput for an unsupported value."""
    signals = Signals.of(environ)
    if signals is None:
        return "off"
    signals.check_installed()
    sent = [
        f"{signal} by {' and '.join(by)}"
        for signal, by in (("traces", signals.traces), ("metrics", signals.metrics))
        if by
    ]
    return f"{', '.join(sent)}; prompts and answers are {'sent' if signals.content else 'not sent'}"
