"""Metrics of runs, by the semantic conventions for GenAI."""

from collections.abc import Callable, Mapping

from opentelemetry.metrics import CallbackOptions, Meter, Observation

SECONDS = [0.01 * 2**power for power in range(14)]
# Bounds of the histograms' buckets, from the conventions.
TOKENS = [4**power for power in range(14)]
Attributes = Mapping[str, str]


class Meters:
    """The instruments of a desk; times in seconds."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter

        def seconds(name: str) -> Callable[[float, Attributes], None]:
            return meter.create_histogram(name, "s", explicit_bucket_boundaries_advisory=SECONDS).record

        self.chat = seconds("gen_ai.client.operation.duration")
        self.first_chunk = seconds("gen_ai.client.operation.time_to_first_chunk")
        self.invoke_agent = seconds("gen_ai.invoke_agent.duration")
        self.execute_tool = seconds("gen_ai.execute_tool.duration")
        self._tokens = meter.create_histogram(
            "gen_ai.client.token.usage", "{token}", explicit_bucket_boundaries_advisory=TOKENS
        ).record

    def tokens(self, kind: str, count: int | None, attributes: Attributes) -> None:
        """Tokens of one call, `input` or `output`; None is not counted."""
        if count is not None:
            self._tokens(count, {**attributes, "gen_ai.token.type": kind})

    def watch(self, name: str, callback: Callable[[], Mapping[str, float]], is_total: bool = False) -> None:
        """Tell a figure of the desk by the values of its attribute `kind` (none for the empty one) when asked to."""

        def observe(_: CallbackOptions) -> list[Observation]:
            return [Observation(value, {"kind": kind} if kind else {}) for kind, value in callback().items()]

        make = self._meter.create_observable_counter if is_total else self._meter.create_observable_gauge
        make(name, [observe])
