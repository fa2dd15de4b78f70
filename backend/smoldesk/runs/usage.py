"""What a run cost, counted as its events go by: for the one line the log has for it."""

from collections.abc import Iterable

from smoldesk.events import RunEvent, StepFinished


class Tally:
    """Steps and tokens of one run; tokens only where the provider counts them."""

    def __init__(self) -> None:
        self._steps = 0
        self._tokens: dict[str, int] = {}

    def note(self, events: Iterable[RunEvent]) -> None:
        """Take in events, in order."""
        for event in events:
            if isinstance(event, StepFinished):
                self._steps += 1
                for name, count in (("tokens_in", event.input_tokens), ("tokens_out", event.output_tokens)):
                    if count is not None:
                        self._tokens[name] = self._tokens.get(name, 0) + count

    def facts(self) -> dict[str, float | None]:
        """The figures by the names they have in the log."""
        return {"steps": self._steps, **self._tokens}
