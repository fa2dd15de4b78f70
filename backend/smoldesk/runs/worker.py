"""What a run's thread does: run the agent to its end, and close the run with exactly one event."""

import logging

from sqlalchemy.exc import SQLAlchemyError

from smoldesk.errors import Conflict, DeskError, Stopped
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
from smoldesk.tools.run_context import Agent

log = logging.getLogger(__name__)


def work(agent: Agent, message: str, ctx: ClaimedRun) -> ClosingEvent | None:
    """Run the agent; whatever happens, exactly one event closes the run. Returns it; None when others closed it."""
    try:
        closing: ClosingEvent = RunFinished(text=agent.run(message, ctx))
    except Stopped as stop:
        closing = RunCancelled(reason=stop.message)
    except DeskError as fault:
        closing = RunFailed(code=fault.code, message=fault.message, hint=fault.hint)
        if ctx.stop.is_set:  # whatever broke while stopping broke because of it
            closing = RunCancelled(reason=ctx.stop.reason)
    except SQLAlchemyError as fault:
        log.error("run %s lost the database: %s", ctx.run_id, type(fault).__name__)
        closing = RunFailed(
            code="store_fault",
            message="The desk could not read or write its data.",
            hint="Ask again in a moment.",
        )
    except Exception as bug:  # the one broad net: a bug in an agent ends its run, and nothing else
        log.exception("run %s ended by a fault in the agent", ctx.run_id)
        hint = "Try again; the server's log has the details."
        closing = RunFailed(
            code="internal_error", message=f"Something went wrong inside ({type(bug).__name__}).", hint=hint
        )
    try:
        ctx.close(closing, *said_before(closing))
    except Conflict:
        log.info("run %s was closed from outside before it ended", ctx.run_id)
        return None
    return closing


def said_before(closing: ClosingEvent) -> list[RunEvent]:
    """A failed run shows its error before it closes."""
    if not isinstance(closing, RunFailed):
        return []
    content = f"{closing.message} {closing.hint}".strip()
    return [Shown(message=Error(content=content, code=closing.code, hint=closing.hint))]
