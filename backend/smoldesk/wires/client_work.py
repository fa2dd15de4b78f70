"""Calls whose work the client does, answered by a wire for its client: the result came early, or none is to come."""

from contextlib import suppress
from typing import Any

from smoldesk.errors import BadInput, Conflict, NotFound
from smoldesk.events import Ask
from smoldesk.runs import Answer, Runs

# Tools that a client runs when it sees the call: nothing comes back, so the wire says that it was taken.
CLIENT_RUN_TOOLS = frozenset(["change_bgm"])


async def answer_for_client(
    runs: Runs, chat_id: str, ask: Ask, outputs: dict[str, Answer], brings: frozenset[str] = frozenset()
) -> None:
    """Answer an ask by its call's result, which is taken out of `outputs`; the client itself answers what it `brings`."""
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
        except BadInput as fault:  # nobody is there any more to send another
            await runs.answer(ask.id, Answer(False, reason=str(fault)), chat_id)


def client_tool_result(ask: Ask) -> dict[str, Any]:
    """What a tool returns that the client has run by itself."""
    return {"success": True, **ask.arguments, "message": f"The front end runs {ask.tool}."}
