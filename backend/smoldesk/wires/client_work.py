"""Client-side tool calls that a wire answers itself: the result arrived early, or the client sends none."""

from contextlib import suppress
from typing import Any

from smoldesk.errors import BadInput, Conflict, NotFound
from smoldesk.events import Ask
from smoldesk.runs import Answer, Runs

# Tools that a client runs when it sees the call. It sends no result, so the wire confirms the call.
CLIENT_RUN_TOOLS = frozenset(["change_bgm"])


async def answer_for_client(
    runs: Runs, chat_id: str, ask: Ask, outputs: dict[str, Answer], brings: frozenset[str] = frozenset()
) -> None:
    """Answer an ask with its call's result, removed from `outputs`. The client answers the tools in `brings` itself."""
    if ask.kind != "client_tool" or ask.call_id is None:
        return
    answer = outputs.pop(ask.call_id, None)
    if answer is None and ask.tool in CLIENT_RUN_TOOLS - brings:
        answer = Answer(True, client_tool_result(ask))
    if answer is None:
        return
    with suppress(Conflict, NotFound):
        try:
            await runs.answer(ask.id, answer, chat_id)
        except BadInput as fault:  # the client has moved on and cannot send another result
            await runs.answer(ask.id, Answer(False, reason=str(fault)), chat_id)


def client_tool_result(ask: Ask) -> dict[str, Any]:
    """Return the result of a tool that the client runs without reporting back."""
    return {"success": True, **ask.arguments, "message": f"The front end runs {ask.tool}."}
