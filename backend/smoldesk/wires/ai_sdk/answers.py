"""Matching of a client's tool parts with the asks of the desk: answers, and calls without an ask. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from smoldesk.runs import Answer, AskState
from smoldesk.wires.ai_sdk.requests import ToolPart

UNKNOWN = "The desk did not ask for this call, so it was not run"
UNDECIDED = "The answer has no `approved` of true or false, so the call was not run"
FAILED = "The client's tool failed"


@dataclass
class Answers:
    """Result of matching: `replies` to open asks, and `outputs` of client tools by call for asks that are not open yet.

    `concerned` are the asks that the client waits for; `owed` those that it approved without an output. `refused` are calls
    without an ask, with the error text of each.
    """

    replies: list[tuple[str, Answer]] = field(default_factory=list[tuple[str, Answer]])
    outputs: dict[str, Answer] = field(default_factory=dict[str, Answer])
    concerned: list[AskState] = field(default_factory=list[AskState])
    owed: list[AskState] = field(default_factory=list[AskState])
    refused: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def run_id(self) -> str:
        """Run to continue: that of an open ask, else that of the last ask."""
        return next((state.run_id for state in self.concerned if state.is_open), self.concerned[-1].run_id)


def read_answers(parts: Sequence[ToolPart], rows: Iterable[AskState]) -> Answers:
    """Match parts with asks. `rows` are the chat's asks with the parts' approval ids, and all open ones."""
    states = list(rows)
    # Keyed by ask and call: an approval counts only for the call that it was requested for.
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
        # The output can arrive before the run asks for it.
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
    """Return the output or failure of a client's tool, or None without either or for a denied call."""
    if part.approved is False:
        return None
    match part.state:
        case "output-available":
            return Answer(True, part.output)
        case "output-error":
            return Answer(False, reason=part.error_text or FAILED)
        case _:
            return None
