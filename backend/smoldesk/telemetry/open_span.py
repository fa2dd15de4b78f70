"""A span that has begun, and times as the SDK has them."""

from dataclasses import dataclass, field
from datetime import datetime

from opentelemetry.trace import Span, Status, StatusCode


def nanoseconds(at: datetime) -> int:
    """Return a time in nanoseconds since 1970, as the SDK takes it."""
    return int(at.timestamp() * 1_000_000) * 1000


@dataclass
class OpenSpan:
    """Open span since `since` in nanoseconds; `facts` are the attributes of its metric.

    `until` is the latest end of its children: it never ends before them.
    """

    span: Span
    since: int
    facts: dict[str, str] = field(default_factory=dict[str, str])
    parent: "OpenSpan | None" = None
    until: int = 0

    def end(self, at: int, fault: str | None = None, message: str | None = None) -> float:
        """Return its seconds."""
        if fault is not None:
            self.span.set_attribute("error.type", fault)
            self.span.set_status(Status(StatusCode.ERROR, message))
        at = max(at, self.since, self.until)
        self.span.end(at)
        if self.parent is not None:
            self.parent.until = max(self.parent.until, at)
        return (at - self.since) / 1e9
