"""HTTP routes of traces: prompts, responses and memory of a step, with long messages truncated; single messages."""

import asyncio
import json
from typing import Annotated, Any, cast

from fastapi import APIRouter, Path, Query

from smoldesk.chats import PromptMessage, TracedStep, Traces
from smoldesk.wires.rest.models import refusals
from smoldesk.wires.rest.trace_models import ModelCallTrace, PromptMessageInfo, StepTrace, ToolCallInfo

# Longest message in a step's trace, in characters.
PROMPT_CHARACTERS = 4000


def add_trace_routes(routes: APIRouter, traces: Traces) -> None:
    """Add the routes of this module to the router of /api."""

    @routes.get("/chats/{chat_id}/runs/{run_id}/steps/{step}", responses=refusals(404))
    async def trace(
        chat_id: str,
        run_id: str,
        step: Annotated[int, Path(ge=0, le=2**31 - 1)],
        within: Annotated[str | None, Query(max_length=200)] = None,
    ) -> StepTrace:
        """Return the trace of a step. Messages over 4,000 characters are truncated; `/prompts/{id}` has them complete.

        `within` is the callId of a managed agent, to select one of its steps.
        """
        traced_step = await traces.step(chat_id, run_id, step, within)
        return await asyncio.to_thread(_trace, traced_step)  # prompts may be megabytes

    @routes.get("/chats/{chat_id}/prompts/{message_id}", responses=refusals(404))
    async def message(chat_id: str, message_id: str) -> PromptMessageInfo:
        text = await traces.message(chat_id, message_id)
        return await asyncio.to_thread(message_info, PromptMessage(message_id, text), None)


def _trace(step: TracedStep) -> StepTrace:
    calls = [
        ModelCallTrace(
            seq=call.seq,
            prompt=[message_info(message) for message in call.prompt],
            response=message_info(call.response) if call.response else None,
        )
        for call in step.calls
    ]
    return StepTrace(calls=calls, memory=step.memory)


def message_info(message: PromptMessage, most: int | None = PROMPT_CHARACTERS) -> PromptMessageInfo:
    """Return a message, truncated after `most` characters unless that is None."""
    if message.text is None:
        return PromptMessageInfo(id=message.id, role="", text="", size=0, missing=True)
    data: dict[str, Any] = json.loads(message.text)
    text = _as_text(data.get("content"))
    calls = [
        ToolCallInfo(
            id=str(call.get("id") or ""), name=str(call.get("name")), arguments=call.get("arguments")
        )
        for call in data.get("tool_calls", [])
    ]
    cut = most is not None and len(text) > most
    return PromptMessageInfo(
        id=message.id,
        role=str(data.get("role", "")),
        text=text[:most],
        size=len(text),
        cut=cut,
        tool_calls=calls or None,
    )


def _as_text(content: Any) -> str:
    """Return the text of a message's content; other parts appear as their type, in brackets."""
    if content is None:
        return ""
    if isinstance(content, list):
        return "\n".join(_part(part) for part in cast("list[Any]", content))
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


def _part(part: Any) -> str:
    if not isinstance(part, dict):
        return str(part)
    fields = cast("dict[str, Any]", part)
    return str(fields["text"]) if "text" in fields else f"[{fields.get('type')}]"
