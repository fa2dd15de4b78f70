"""From an event to its four-pane message: pure, and complete by the type checker's word."""

from datetime import datetime
from typing import assert_never

from smoldesk import events as e
from smoldesk import messages as m


def message_of(event: e.RunEvent | e.ChatEvent, run_id: str | None) -> m.Message | None:
    """The one message an event makes; None when it makes none."""
    run = run_id or ""
    match event:
        case e.RunQueued():
            return m.UserMessage(
                content=event.message, ahead=event.ahead, attachments=event.attachments or None
            )
        case e.RunStarted():
            return _run(run, "running", notes=event.notes)
        case e.StepStarted():
            return _run(run, "running", step=event.step)
        case e.Delta():
            return m.Delta(content=event.text, kind=event.kind, step=event.step)
        case e.Printed():
            return m.Printed(content=event.text, step=event.step)
        case e.ToolCalled() | e.ToolReturned() | e.ToolFailed():
            return _tool(event)
        case e.ToolProgress():
            facts = event.model_dump(exclude={"type", "context_id"})
            return m.ToolProgress(content=m.ToolProgressContent(**facts))
        case e.AskOpened():
            return _ask(event.ask)
        case e.AskClosed():
            closed = m.AskClosedContent(
                ask_id=event.ask_id,
                granted=event.granted,
                reason=event.reason,
                scope=event.scope,
                by=event.by,
                value=event.value,
            )
            return m.AskClosedMessage(content=closed)
        case e.RunWaiting():
            return _run(run, "waiting")
        case e.RunResumed():
            return _run(run, "running")
        case e.Shown():
            return event.message
        case e.StepFinished():
            return None
        case e.RunFinished():
            return _run(run, "finished", text=event.text)
        case e.RunFailed():
            return _run(run, "failed", text=event.message)
        case e.RunCancelled():
            return _run(run, "cancelled", text=event.reason)
        case e.FileAdded():
            return m.File(content=event.file)
        case e.PolicySet():
            return m.Policy(content=m.PolicyContent(tool=event.tool, policy=event.policy))
        case e.VariablesLost():
            words = f"The variables of earlier code are gone ({event.reason}). Files are kept."
            return m.Text(content=words, tone="notice")
        case e.ArrowsCleared():
            return m.ClearArrows()
        case e.BuildingChosen():
            return None  # the connection sends the building itself
        case e.RoomsSelected() | e.AgentChosen():
            return None  # the connection sends the chat itself
        case e.LateOutput():
            return m.Text(content=event.text, tone="notice", agent=event.agent)
        case _:
            assert_never(event)


def _run(
    run_id: str,
    state: m.RunState,
    text: str | None = None,
    step: int | None = None,
    notes: list[str] | None = None,
) -> m.Run:
    return m.Run(content=m.RunContent(run_id=run_id, state=state, text=text, step=step, notes=notes or []))


def _tool(event: e.ToolCalled | e.ToolReturned | e.ToolFailed) -> m.Tool:
    match event:
        case e.ToolCalled():
            content = m.ToolContent(
                call_id=event.call_id,
                tool=event.tool,
                state="called",
                arguments=event.arguments,
                line=event.line,
                step=event.step,
            )
        case e.ToolReturned():
            content = m.ToolContent(
                call_id=event.call_id, tool=event.tool, state="returned", result=event.result, step=event.step
            )
        case e.ToolFailed():
            content = m.ToolContent(
                call_id=event.call_id, tool=event.tool, state="failed", result=event.error, step=event.step
            )
    return m.Tool(content=content)


def _ask(ask: e.Ask) -> m.AskMessage:
    facts = ask.model_dump(exclude={"id", "expires_at"})
    return m.AskMessage(content=m.AskContent(ask_id=ask.id, expires_at=iso(ask.expires_at), **facts))


def iso(at: datetime) -> str:
    """ISO 8601 in UTC with milliseconds, as browsers write it."""
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
