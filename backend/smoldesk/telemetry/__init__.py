"""OpenTelemetry: each run as a trace, and metrics besides those of /metrics, sent where `OTEL_*` says; off by default.

- `signals`: the environment's settings. `providers`: the SDK, configured by them, and its own log (`sdk_log`).
- `telemetry`: follows committed events and folds them on a thread of its own.
- `spans`: from the events of one run to its spans (`open_span`).
- `meters`: the metrics. `content`: prompts and answers, if they may be exported.

The SDK is imported only if `open_telemetry` finds it configured.
"""

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

from smoldesk.telemetry.signals import Signals, describe_signals

if TYPE_CHECKING:
    from smoldesk.telemetry.telemetry import Telemetry

__all__ = ["Signals", "describe_signals", "open_telemetry"]

# Returns the texts of a chat's stored messages, by id.
ReadMessages = Callable[[str, Collection[str]], Mapping[str, str]]


def open_telemetry(
    environ: Mapping[str, str], read_messages: ReadMessages, hide: Callable[[str], str]
) -> "Telemetry | None":
    """Return the telemetry that the environment configures, or None. `hide` removes secrets from a text.

    Raises BadInput (telemetry_unusable) if it cannot work, for example without the extra.
    """
    signals = Signals.of(environ)
    if signals is None:
        return None
    signals.check_installed()
    from smoldesk.telemetry.content import Content
    from smoldesk.telemetry.providers import Providers
    from smoldesk.telemetry.telemetry import Telemetry

    return Telemetry(Providers(signals), Content(read_messages, hide) if signals.content else None)
