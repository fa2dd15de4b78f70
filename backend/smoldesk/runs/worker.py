"""Body of a run's thread: builds the agent, runs it, and closes the run with exactly one event."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from smoldesk.errors import Conflict, DeskError, Stopped, code_of
from smoldesk.events import (
    ClosingEvent,
    RunCancelled,
    RunEvent,
    RunFailed,
    RunFinished,
    Shown,
)
from smoldesk.messages import Error
from smoldesk.runs.context import ClaimedRun
from smoldesk.stopping import StopFlag
from smoldesk.store import run_rows
from smoldesk.store.fault_causes import cause_of, store_fault
from smoldesk.store.run_options import RunOptions
from smoldesk.store.run_queue import Choices, Claim
from smoldesk.tools.run_context import Agent, RunContext

if TYPE_CHECKING:
    from smoldesk.telemetry.telemetry import Telemetry

log = logging.getLogger(__name__)


class Agents(Protocol):
    """Builds what answers; DeskAgents implements it."""

    def build(self, chat_id: str, stop: StopFlag, options: RunOptions) -> Agent: ...
    def choose(self, chat_id: str, options: RunOptions, choices: Choices | None = None) -> RunOptions:
        """Return the options with the agent that answers in this chat: by what the chat chose, as claimed, or now."""
        ...

    def who(self, options: RunOptions) -> Mapping[str, str]:
        """Return the agent of the options and its model, for the log."""
        ...

    def lost(self, chat_id: str, wait: bool = True) -> str | None:
        """Return why the chat's variables are gone, or None while its child lives.

        Without `wait`, as on an event loop, raises BlockingIOError if that takes longer than a look.
        """
        ...

    def holds(self, chat_id: str) -> bool:
        """Return whether the chat has a process here, whose state another server would lack."""
        ...

    def drop(self, chat_id: str, reason: str) -> None:
        """End the chat's child process."""
        ...

    def close(self) -> None: ...


@dataclass
class Active:
    """A chat that is being worked on; `run` is set once a run is claimed."""

    chat_id: str
    run: run_rows.RunInfo | None = None
    claim: Claim | None = None
    """That of `run`, if it began with its message: its thread has not taken it over yet."""
    options: RunOptions | None = None
    """Those of `run`, with its agent named: what the chat chooses meanwhile counts from the next one on."""
    stop: StopFlag = field(default_factory=StopFlag)
    stop_requested_at: float | None = None
    again: bool = False
    early: dict[str, str] = field(default_factory=dict[str, str])
    """Stops (run id to reason) that came after the claim was committed and before `run` was set."""
    abandoned: bool = False
    """Its run is being closed without its thread, which has no say in the chat any more."""


class LazyAgent:
    """Builds the agent inside the run, so that a failure to build it closes the run like any other."""

    def __init__(
        self,
        agents: Agents,
        claim: Claim,
        active: Active,
        telemetry: "Telemetry | None" = None,
    ) -> None:
        self._agents = agents
        self._telemetry = telemetry
        self._run = claim.run
        self._choices = claim.choices
        self._active = active

    def run(self, message: str, ctx: RunContext) -> str:
        options = self._agents.choose(self._run.chat_id, RunOptions.read(self._run.options), self._choices)
        self._active.options = options
        if self._telemetry is not None:
            self._telemetry.name(self._run.id, self._agents.who(options))
        with ctx.changing_folder():
            return self._agents.build(self._run.chat_id, ctx.stop, options).run(message, ctx)


def work(agent: Agent, message: str, ctx: ClaimedRun) -> ClosingEvent | None:
    """Run the agent and close the run with exactly one event. Return it, or None if the run was closed elsewhere."""
    try:
        closing: ClosingEvent = RunFinished(text=agent.run(message, ctx))
    except Stopped as stop:
        closing = RunCancelled(reason=stop.message, code=code_of(stop.message))
    except DeskError as fault:
        closing = RunFailed(code=fault.code, message=fault.message, hint=fault.hint, facts=fault.facts)
        if ctx.stop.is_set:  # an error during a stop is a consequence of it
            closing = RunCancelled(reason=ctx.stop.reason, code=code_of(ctx.stop.reason))
    except Exception as bug:  # the one broad net: a bug in an agent ends its run, and nothing else
        # A program that may not be started is no fault of the disk.
        if cause_of(bug) and not isinstance(bug, PermissionError):
            return _close(ctx, storage_failure(ctx.run_id, bug))
        log.exception("run %s ended by a fault in the agent", ctx.run_id)
        hint = "Try again; the server's log has the details."
        closing = RunFailed(
            code="internal_error", message=f"An internal error occurred ({type(bug).__name__}).", hint=hint
        )
    return _close(ctx, closing)


def storage_failure(run_id: str, fault: Exception) -> RunFailed:
    """Return the end of a run for a fault of the database or the disk, and log it."""
    report = store_fault(fault)
    log.error(
        "run %s could not read or write its data (%s): %s", run_id, type(fault).__name__, report.message
    )
    hint = "Ask again in a moment." if report.code == "store_fault" else report.hint
    return RunFailed(code=report.code, message=report.message, hint=hint)


def _close(ctx: ClaimedRun, closing: ClosingEvent) -> ClosingEvent | None:
    try:
        ctx.close(closing, *failure_events(closing), *evidence_events(ctx, closing))
    except Conflict:
        log.info("run %s was closed from outside before it ended", ctx.run_id)
        return None
    return closing


def evidence_events(ctx: ClaimedRun, closing: ClosingEvent) -> list[RunEvent]:
    """Return the evidence of a finished run's answer. A fault in it costs the run nothing but the evidence."""
    if not isinstance(closing, RunFinished):
        return []
    try:
        evidence = ctx.evidence(closing.text)
    except Exception:
        log.exception("the figures of run %s were not examined", ctx.run_id)
        return []
    return [] if evidence is None else [Shown(message=evidence)]


def failure_events(closing: ClosingEvent) -> list[RunEvent]:
    """Return the events that show the error of a failed run before it closes."""
    if not isinstance(closing, RunFailed):
        return []
    content = f"{closing.message} {closing.hint}".strip()
    return [Shown(message=Error(content=content, code=closing.code, hint=closing.hint, facts=closing.facts))]
