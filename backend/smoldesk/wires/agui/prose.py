"""Text and reasoning of one run as messages of the protocol: begun when the first words come, never both open. Pure."""

from typing import Literal

from ag_ui.core import (
    BaseEvent,
    ReasoningEndEvent,
    ReasoningMessageContentEvent,
    ReasoningMessageEndEvent,
    ReasoningMessageStartEvent,
    ReasoningStartEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
)

Kind = Literal["text", "reasoning"]


class Prose:
    """Names its messages by the run and their number, so that every response of the run calls them alike."""

    def __init__(self) -> None:
        self._count = 0
        self._open: tuple[Kind, str] | None = None
        self._message_text = ""

    def write(self, run_id: str, kind: Kind, text: str) -> list[BaseEvent]:
        """Return the events for a piece of the model's text or reasoning."""
        goes_on = self._open is not None and self._open[0] == kind
        if not goes_on and not text.strip():
            return []  # the line between two blocks of code is no message
        events: list[BaseEvent] = []
        if not goes_on:
            events = self.end()
            self._count += 1
            name = f"{run_id}.{kind}{self._count}"
            self._open = (kind, name)
            self._message_text = "" if kind == "text" else self._message_text
            events += self.begin()
        assert self._open is not None
        if kind == "text":
            self._message_text += text
            return [*events, TextMessageContentEvent(message_id=self._open[1], delta=text)]
        return [*events, ReasoningMessageContentEvent(message_id=self._open[1], delta=text)]

    def begin(self) -> list[BaseEvent]:
        """Return the start of an open message: a response that continues in the middle of it starts it again."""
        match self._open:
            case ("text", name):
                return [TextMessageStartEvent(message_id=name, role="assistant")]
            case ("reasoning", name):
                message = ReasoningMessageStartEvent(message_id=name, role="reasoning")
                return [ReasoningStartEvent(message_id=name), message]
            case _:
                return []

    def end(self) -> list[BaseEvent]:
        """End what is open."""
        if self._open is None:
            return []
        (kind, name), self._open = self._open, None
        if kind == "text":
            return [TextMessageEndEvent(message_id=name)]
        return [ReasoningMessageEndEvent(message_id=name), ReasoningEndEvent(message_id=name)]

    def answer(self, run_id: str, text: str) -> list[BaseEvent]:
        """Return the answer of the run, unless the agent wrote it already."""
        ended = self.end()
        if not text.strip() or self._message_text.strip() == text.strip():
            return ended
        return [*ended, *self.write(run_id, "text", text), *self.end()]
