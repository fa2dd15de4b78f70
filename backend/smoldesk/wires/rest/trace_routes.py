"""Traces over plain HTTP: the prompts, responses and memory of a step; large messages cut, and whole one by one."""

import json
from typing import Annotated, Any, cast

from fastapi import APIRouter, Path

from smoldesk.chats import PromptMessage, TracedStep, Traces
from smoldesk.wires.rest.models import refusals
from smoldesk.wires.rest.trace_models import ModelCallTrace, PromptMessageInfo, StepTrace, ToolCallInfo

SHOWN = 4000
"""Characters of a message that a step's trace has."""


def add_trace_routes(routes: APIRouter, traces: Traces) -> None:
    """Put the routes of this module on the router of /api."""

    @routes.get("/chats/{chat_id}/runs/{run_id}/steps/{step}", responses=refusals(404))
    async def trace(chat_id: str, run_id: str, step: Annotated[int, Path(ge=0, le=2**31 - 1)]) -> StepTrace:
        """Messages over 4,000 characters are cut; `/prompts/{id}` has them whole."""
        return _trace(await traces.step(chat_id, run_id, step))

    @routes.get("/chats/{chat_id}/prompts/{message_id}", responses=refusals(404))
    async def message(chat_id: str, message_id: str) -> PromptMessageInfo:
        text = await traces.message(chat_id, message_id)
        return _message(PromptMessage(message_id, text), most=None)


def _trace(step: TracedStep) -> StepTrace:
    calls = [
        ModelCallTrace(
            seq=call.seq,
            prompt=[_message(one) for one in call.prompt],
            response=_message(call.response) if call.response else None,
        )
        for call in step.calls
    ]
    return StepTrace(calls=calls, memory=step.memory)


def _message(message: PromptMessage, most: int | None = SHOWN) -> PromptMessageInfo:
    if message.text is None:
        return PromptMessageInfo(id=message.id, role="", text="", size=0, missing=True)
    data: dict[str, Any] = json.loads(message.text)
    words = _words(data["content"])
    calls = [ToolCallInfo(**call) for call in data.get("tool_calls", [])] or None
    cut = most is not None and len(words) > most
    return PromptMessageInfo(
        id=message.id, role=data["role"], text=words[:most], size=len(words), cut=cut, tool_calls=calls
    )


def _words(content: Any) -> str:
    """Text of a message's content; a part that is none is named by its type."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    parts = cast("list[dict[str, Any]]", content)
    return "\n".join(str(part["text"]) if "text" in part else f"[{part.get('type')}]" for part in parts)
