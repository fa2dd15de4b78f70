"""Encoding of events as four-pane messages: pure; the type checker verifies that every event is handled."""

from datetime import UTC
from typing import Literal, assert_never

from smoldesk import events as e
from smoldesk import messages as m
from smoldesk.sandbox.losses import loss_of
from smoldesk.wires.serialization import time_text


def encode_event(event: e.RunEvent | e.ChatEvent, run_id: str | None) -> m.Message | None:
    """Return the message of an event, or None if it has none."""
    run = run_id or ""
    match event:
        case e.RunQueued():
            return m.UserMessage(
                content=event.message,
                ahead=event.ahead,
                attachments=event.attachments or None,
                is_code=event.is_code or None,
                conversation=event.conversation,
                version_of=event.version_of,
            )
        case e.RunStarted():
            started = m.RunContent(
                run_id=run,
                state="running",
                notes=event.notes,
                noted=[_with_reason_code(note) for note in event.noted] or None,
                trace_id=event.trace_id,
                agent=event.agent,
            )
            return m.Run(content=started)
        case e.StepStarted():
            return _run(run, "running", step=event.step)
        case e.Delta():
            return m.Delta(
                content=event.text, kind=event.kind, step=event.step, restart=event.restart or None
            )
        case e.PromptProgress():
            return m.PromptProgress(content=m.PromptProgressContent(**event.model_dump(exclude={"type"})))
        case e.ModelCalled():
            facts = event.model_dump(exclude={"type", "keep", "then", "response", "left_out", "structured"})
            return m.ModelCall(
                content=m.ModelCallContent(
                    messages=event.keep + len(event.then),
                    left_out=event.left_out or None,
                    structured=event.structured or None,
                    **facts,
                )
            )
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
            return m.AskClosedMessage(
                content=m.AskClosedContent(**event.model_dump(exclude={"type", "said"}))
            )
        case e.RunWaiting():
            return _run(run, "waiting")
        case e.RunResumed():
            return _run(run, "running")
        case e.Shown():
            return event.message
        case e.StepFinished():
            return None
        case e.Nested():
            return _nested(event, run_id)
        case e.RunFinished():
            return _run(run, "finished", text=event.text)
        case e.RunFailed():
            return _run(run, "failed", text=event.message)
        case e.RunCancelled():
            return _run(run, "cancelled", text=event.reason)
        case e.FileAdded() | e.FileChanged():
            return m.File(content=event.file)
        case e.PolicySet():
            return m.Policy(content=m.PolicyContent(tool=event.tool, policy=event.policy))
        case e.BranchMade():
            return _branch("to", event.chat_id, event.title, event.run_id, event.client_message_id)
        case e.BranchBegun():
            return _branch("from", event.chat_id, event.title, event.run_id)
        case e.VariablesLost():
            text = f"The variables of earlier code are gone ({event.reason}). Files are kept."
            return m.Text(
                content=text,
                tone="notice",
                code="variables_lost",
                # Events of older logs have a reason but no code.
                facts={"reason": event.code or loss_of(event.reason)},
            )
        case e.ChatImported():
            at = f"{event.exported_at.astimezone(UTC):%Y-%m-%d %H:%M}" if event.exported_at else ""
            of, cut = f" of {at} UTC" if at else "", ", which was cut" if event.is_cut else ""
            text = f"Imported from a log{of}{cut}. Files are here, variables are not."
            return m.Text(
                content=text,
                tone="notice",
                code="chat_imported",
                facts={"of": at, "cut": "yes" if event.is_cut else ""},
            )
        case e.ReadingKept():
            return m.ReadingKept(content=m.ReadingKeptContent(run_id=event.run_id, index=event.index))
        case e.VersionShown():
            return m.VersionShown(content=m.VersionShownContent(run_id=event.run_id))
        case e.ChartChanged():
            return m.ChartChanged(
                content=m.ChartChangedContent(
                    spec_id=event.spec_id, chart=event.chart, code=event.code, code_seq=event.code_seq
                )
            )
        case e.ArrowsCleared():
            return m.ClearArrows()
        case e.ClosuresChanged():
            return m.ClosuresMessage(content=event.state)
        case e.LayerShown():
            return m.LayerShown(content=m.ShownLayer(layer=event.layer, picture=event.picture))
        case e.BuildingChosen():
            return None  # the connection sends the building itself
        case e.StateShared():
            return None  # state of other front ends, which the page does not use
        case e.FileRemoved() | e.RoomsSelected() | e.AgentChosen() | e.ModelChosen():
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
) -> m.Run:
    return m.Run(content=m.RunContent(run_id=run_id, state=state, text=text, step=step))


def _with_reason_code(note: m.Note) -> m.Note:
    """Return a note with its reason as a code that pages translate."""
    if note.facts.reason is None:
        return note
    return m.Note(code=note.code, facts=m.NoteFacts(reason=loss_of(note.facts.reason)))


def _nested(event: e.Nested, run_id: str | None) -> m.Nested | None:
    match encode_event(event.event, run_id):
        case None:
            return None
        case (
            m.UserMessage()
            | m.MapDefinition()
            | m.Chat()
            | m.AskMessage()
            | m.AskClosedMessage()
            | m.OpenAsks()
            | m.Notices()
            | m.Policy()
            | m.Branch()
            | m.ClosuresMessage()
            | m.LayerShown()
            | m.Layers()
            | m.LayerValues()
            | m.ReadingKept()
            | m.VersionShown()
            | m.ChartChanged()
            | m.Nested()
        ):
            raise AssertionError("events of a managed agent have no such message")
        case message:
            content = m.NestedContent(within=event.within, agent=event.agent, message=message)
            return m.Nested(content=content)


def _branch(
    direction: Literal["to", "from"], chat_id: str, title: str, run_id: str, message_id: str | None = None
) -> m.Branch:
    content = m.BranchContent(
        way=direction, chat_id=chat_id, title=title, run_id=run_id, client_message_id=message_id
    )
    return m.Branch(content=content)


def _tool(event: e.ToolCalled | e.ToolReturned | e.ToolFailed) -> m.Tool:
    facts = event.model_dump(include={"call_id", "tool", "arguments", "line", "step"})
    match event:
        case e.ToolCalled():
            content = m.ToolContent(state="called", **facts)
        case e.ToolReturned():
            content = m.ToolContent(state="returned", result=event.result, **facts)
        case e.ToolFailed():
            content = m.ToolContent(state="failed", result=event.error, code=event.code or None, **facts)
    return m.Tool(content=content)


def _ask(ask: e.Ask) -> m.AskMessage:
    # Both have another form in the message: `askId`, and the time as text.
    facts = ask.model_dump(exclude={"id", "expires_at"})
    return m.AskMessage(content=m.AskContent(ask_id=ask.id, expires_at=time_text(ask.expires_at), **facts))
