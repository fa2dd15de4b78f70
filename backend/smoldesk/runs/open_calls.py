"""Open calls and asks of a run, so that a closing run can end them first.

Pure: fed with events, it knows the events that must precede the closing one.
"""

from collections.abc import Iterable

from smoldesk.events import (
    AskClosed,
    AskCloser,
    AskOpened,
    ChatEvent,
    Nested,
    RunEvent,
    ToolCalled,
    ToolFailed,
    ToolReturned,
    unnested,
)


class OpenEnds:
    """Open calls and asks of one run, by the events seen so far."""

    def __init__(self) -> None:
        self._calls: dict[str, tuple[ToolCalled, Nested | None]] = {}
        self._asks: dict[str, AskOpened] = {}

    def note(self, events: Iterable[RunEvent | ChatEvent]) -> None:
        """Take in events, in order."""
        for stored in events:
            event = unnested(stored)
            if isinstance(event, ToolCalled):
                self._calls[event.call_id] = (event, stored if isinstance(stored, Nested) else None)
            elif isinstance(event, (ToolReturned, ToolFailed)):
                self._calls.pop(event.call_id, None)
            elif isinstance(event, AskOpened):
                self._asks[event.ask.id] = event
            elif isinstance(event, AskClosed):
                self._asks.pop(event.ask_id, None)

    @property
    def count(self) -> int:
        """The number of calls and asks without an end."""
        return len(self._calls) + len(self._asks)

    def asks(self) -> list[str]:
        """Return the ids of the asks whose end the log does not know."""
        return list(self._asks)

    def tool_of(self, ask_id: str) -> str | None:
        """Return the tool of an open ask."""
        opened = self._asks.get(ask_id)
        return opened.ask.tool if opened else None

    def closing(self, reason: str, by: AskCloser) -> list[RunEvent]:
        """Return the events that close what is open: asks denied, calls failed (inner ones first), both with the reason."""
        asks = [AskClosed(ask_id=ask_id, granted=False, reason=reason, by=by) for ask_id in self._asks]
        calls: list[RunEvent] = []
        inner = [call for call in reversed(self._calls.values()) if call[1] is not None]
        open_calls = [call for call in self._calls.values() if call[1] is None]
        for call, place in (*inner, *open_calls):
            failed = ToolFailed(
                step=call.step, call_id=call.call_id, tool=call.tool, error=reason, code="run_ended"
            )
            calls.append(failed if place is None else place.model_copy(update={"event": failed}))
        return [*asks, *calls]
