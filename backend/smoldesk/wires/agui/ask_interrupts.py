"""Asks as interrupts of the protocol, and what a client answers to one. Pure."""

from typing import Any

from ag_ui.core import Interrupt

from smoldesk.errors import BadInput
from smoldesk.events import Ask
from smoldesk.runs import Answer
from smoldesk.wires.agui.models import Resolution
from smoldesk.wires.answers import AnswerInput, parse_answer
from smoldesk.wires.serialization import time_text

NOT_ANSWERED = "The person did not answer"
_REASON = {"reason": {"type": "string", "description": "Why not; the agent reads it."}}


def interrupt_of(ask: Ask) -> Interrupt | None:
    """Return the interrupt of an ask; None for client work, which is a call without a result."""
    if ask.kind == "client_tool":
        return None
    is_approval = ask.kind == "approval"
    is_confirmation = is_approval or ask.input_type == "confirmation"
    prompt = ask.prompt or (f"May {ask.tool} run?" if ask.tool else "May this be done?")
    return Interrupt(
        id=ask.id,
        reason="tool_call" if is_approval else "confirmation" if is_confirmation else "input_required",
        message=prompt,
        tool_call_id=ask.call_id if is_approval else None,
        response_schema=_approving(ask) if is_confirmation else _entering(ask),
        expires_at=time_text(ask.expires_at),
        metadata={"tool": ask.tool, "arguments": ask.arguments, "code": ask.code_line} if ask.tool else None,
    )


def _approving(ask: Ask) -> dict[str, Any]:
    fields: dict[str, Any] = {"approved": {"type": "boolean"}, **_REASON}
    if ask.kind == "approval":
        fields["editedArgs"] = {
            "type": "object",
            "description": "All arguments, in place of those asked about.",
        }
    return {"type": "object", "properties": fields, "required": ["approved"]}


def _entering(ask: Ask) -> dict[str, Any]:
    value: dict[str, Any] = {"type": "string"}
    if ask.input_type == "selection":
        value["enum"] = ask.options
    if ask.input_type == "password":
        value["format"] = "password"
    if ask.default is not None:
        value["default"] = ask.default
    return {"type": "object", "properties": {"value": value}, "required": ["value"]}


def answer_of(ask: Ask, resolution: Resolution) -> Answer:
    """Return the answer to an ask. Raises BadInput with what is expected."""
    if resolution.is_cancelled:
        return Answer(False, reason=NOT_ANSWERED)
    payload = resolution.payload
    match payload:
        case {"approved": bool(approved)} | bool(approved):
            more = payload if isinstance(payload, dict) else {}
            reason, edited = more.get("reason"), more.get("editedArgs")
            if ask.kind == "approval" or ask.input_type == "confirmation":
                value = edited if approved and ask.kind == "approval" else None
                return Answer(approved, value, reason if isinstance(reason, str) and not approved else "")
        case {"value": value}:
            return parse_answer(ask, AnswerInput(value))
        case str():
            return parse_answer(ask, AnswerInput(payload))
        case _:
            pass
    raise BadInput(
        f"The payload of {ask.id} does not answer it.",
        "Expected what the interrupt's `responseSchema` says.",
        code="bad_answer",
    )


def is_the_same(ask: Ask, answer: Answer, stored: Answer) -> bool:
    """Return whether a resume repeats the stored answer of its ask; a password is not stored, so it never matches."""
    same_value = answer.value == stored.value or ask.input_type == "password"
    return answer.granted == stored.granted and (not answer.granted or same_value)
