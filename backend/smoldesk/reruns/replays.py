"""Result of a run that was played again."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from smoldesk.events import RunEvent, RunFailed, RunFinished, Shown, StepFinished, ToolFailed
from smoldesk.messages import Debug, Evidence, StepOutput
from smoldesk.reruns.recorded_turns import RecordedTurn, failed_steps
from smoldesk.tools.recorded_calls import NOT_RECORDED


@dataclass(frozen=True)
class ReplayFailed:
    """Reason of a replay without a result: a stable `code` and a text.

    `code_failed`: code failed that had not failed before. `tool_not_recorded`: a tool was called in another way.
    `recording_ended`: more replies were needed. `earlier_failed`: a run before it failed. `time_limit`; or the code of the run.
    """

    code: str
    message: str


@dataclass(frozen=True)
class Replay:
    """Events of the last run that was played; `path` returns a stored file of it, while its chat is there."""

    chat_id: str
    run_id: str
    events: Sequence[RunEvent]
    failure: ReplayFailed | None
    path: Callable[[str], Path]

    @property
    def answer(self) -> str | None:
        """Return the text of the answer; None if the run did not finish."""
        return next((event.text for event in self.events if isinstance(event, RunFinished)), None)

    @property
    def shown(self) -> list[StepOutput | Debug]:
        """Return the messages to the page: text, code, tables, charts, images, maps."""
        return [event.message for event in self.events if isinstance(event, Shown)]

    @property
    def evidence(self) -> Evidence | None:
        """Return the evidence of the answer; None without figures."""
        return next((message for message in self.shown if isinstance(message, Evidence)), None)


def failure_of(turn: RecordedTurn, events: Sequence[RunEvent], is_live: bool) -> ReplayFailed | None:
    """Return the failure of a run that was played again, or None."""
    for event in events:
        if isinstance(event, ToolFailed) and NOT_RECORDED in event.error:
            return ReplayFailed(NOT_RECORDED, event.error)
    if not is_live:
        new = sorted(set(failed_steps(events)) - set(turn.failed_steps))
        if new:
            return ReplayFailed("code_failed", _error_of(events, new[0]))
    closing = events[-1] if events else None
    if isinstance(closing, RunFailed):
        return ReplayFailed(closing.code, closing.message)
    if not isinstance(closing, RunFinished):
        return ReplayFailed("stopped", getattr(closing, "reason", "") or "The run did not end.")
    return None


def _error_of(events: Sequence[RunEvent], step: int) -> str:
    """Return the last line of a step's error."""
    for event in events:
        if isinstance(event, StepFinished) and event.step == step:
            error = event.memory.get("error")
            text = str(error.get("message", "") if isinstance(error, dict) else error)
            lines = [line for line in text.strip().splitlines() if line.strip()]
            return lines[-1].strip()[:300] if lines else "The code failed."
    return "The code failed."
