"""A client's tool parts held against what the desk asked: which of them are answers, and which are stray. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from smoldesk.runs import Answer, AskState
from smoldesk.wires.ai_sdk.requests import ToolPart

UNKNOWN = "The desk did not ask for this call, so it was not run"
UNDECIDED = "The answer says neither yes nor no, so the call was not run"
FAILED = "The client's tool failed"


@dataclass
class Answers:
    """`replies`: answers to open asks. `outputs`: what the client's tools gave, by call, for asks that are still to come.

    `concerned`: the asks the client waits for. `owed`: those whose output the client has not sent with its approval.
    `refused`: calls nobody asked for, with the words that end them.
    """

    replies: list[tuple[str, Answer]] = field(default_factory=list[tuple[str, Answer]])
    outputs: dict[str, Answer] = field(default_factory=dict[str, Answer])
    concerned: list[AskState] = field(default_factory=list[AskState])
    owed: list[AskState] = field(default_factory=list[AskState])
    refused: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def run_id(self) -> str:
        """The run to go on with: one that was open when we looked, else the last that was."""
        return next((state.run_id for state in self.concerned if state.is_open), self.concerned[-1].run_id)


def read_answers(parts: Sequence[ToolPart], rows: Iterable[AskState]) -> Answers:
    """`rows`: the chat's asks with the parts' approval ids, and all its open ones."""
    states = list(rows)
    approvals = {(state.ask.id, state.ask.call_id): state for state in states if state.ask.kind == "approval"}
    works = {
        state.ask.call_id: state for state in states if state.ask.kind == "client_tool" and state.is_open
    }
    answers = Answers()
    for part in parts:
        approval = approvals.get((part.approval_id or "", part.call_id))
        _read(part, approval, works.get(part.call_id), answers)
    return answers


def _read(part: ToolPart, approval: AskState | None, work: AskState | None, answers: Answers) -> None:
    responded = part.state == "approval-responded"
    output = _output(part)
    if approval is None and work is None:
        if responded:
            answers.refused[part.call_id] = UNKNOWN
        return
    if approval is not None:
        if part.approved is None and responded:
            answers.refused[part.call_id] = UNDECIDED
            return
        if approval.is_open and part.approved is not None:
            answers.replies.append((approval.ask.id, Answer(part.approved, reason=part.reason)))
        # an output may be here before its run has come to ask for it
        if responded or approval.is_open or (output is not None and approval.run_goes_on):
            answers.concerned.append(approval)
    if work is not None:
        answers.concerned.append(work)
        if output is not None:
            answers.replies.append((work.ask.id, output))
        elif responded:
            answers.owed.append(work)
    elif output is not None and part.approved:
        answers.outputs[part.call_id] = output


def _output(part: ToolPart) -> Answer | None:
    """What the client's tool gave, or how it failed; nothing for a call that was denied."""
    if part.approved is False:
        return None
    match part.state:
        case "output-available":
            return Answer(True, part.output)
        case "output-error":
            return Answer(False, reason=part.error_text or FAILED)
        case _:
            return None
