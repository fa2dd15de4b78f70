"""HTTP routes of asks and policies: open asks of all chats, the asks of a chat, and its tool policies."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from smoldesk.chats import Policies
from smoldesk.runs import Answer, Runs
from smoldesk.wires.rest.encoder import ask_info
from smoldesk.wires.rest.models import AskAnswer, AskList, NewPolicy, PolicyList, refusals


def add_ask_routes(routes: APIRouter, runs: Runs, policies: Policies) -> None:
    """Add the routes of this module to the router of /api."""

    @routes.get("/asks")
    async def open_ones() -> AskList:
        return AskList(asks=[ask_info(record) for record in await runs.ask_records.open_everywhere()])

    @routes.post("/asks/{ask_id}", status_code=204, responses=refusals(404, 409))
    async def answer(ask_id: str, body: AskAnswer) -> Response:
        await runs.answer(ask_id, Answer(body.granted, body.value, body.reason, body.scope))
        return Response(status_code=204)

    @routes.get("/chats/{chat_id}/asks", responses=refusals(404))
    async def asks_of(chat_id: str, before: Annotated[str | None, Query()] = None) -> AskList:
        """List open and closed asks of the chat, newest first; `before` an `askId` returns the next page."""
        return AskList(asks=[ask_info(record) for record in await runs.ask_records.of_chat(chat_id, before)])

    @routes.get("/chats/{chat_id}/policies", responses=refusals(404))
    async def policies_of(chat_id: str) -> PolicyList:
        return PolicyList(policies=await policies.of(chat_id))

    @routes.put("/chats/{chat_id}/policies/{tool}", status_code=204, responses=refusals(404))
    async def set_policy(chat_id: str, tool: str, body: NewPolicy) -> Response:
        await policies.set(chat_id, tool, body.policy)
        return Response(status_code=204)
