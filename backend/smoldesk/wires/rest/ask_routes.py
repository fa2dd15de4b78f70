"""Asks and policies over plain HTTP: what is open anywhere, what a chat allowed and refused, and what it always allows."""

from datetime import UTC
from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import JsonValue

from smoldesk.chats import ChatPolicy, Policies
from smoldesk.events import AskCloser, AskScope
from smoldesk.messages import AskContent, Shape
from smoldesk.runs import Answer, AskRecord, Runs
from smoldesk.wires.rest.models import AskAnswer, refusals


class AskInfo(AskContent):
    """An ask and its end; times in seconds since the epoch. `state` is open, granted or denied.

    `value` holds edited arguments or what was entered, but never a password; `by` and `scope` come with the end.
    """

    chat_id: str
    chat_title: str
    run_id: str
    state: str
    opened_at: float | None
    closed_at: float | None
    value: JsonValue = None
    reason: str = ""
    scope: AskScope | None = None
    by: AskCloser | None = None


class AskList(Shape):
    asks: list[AskInfo]


class PolicyList(Shape):
    """Tool to policy, for the tools that somebody said something about."""

    policies: dict[str, ChatPolicy]


class NewPolicy(Shape):
    policy: ChatPolicy


def add_ask_routes(routes: APIRouter, runs: Runs, policies: Policies) -> None:
    """Put the routes of this module on the router of /api."""

    @routes.get("/asks")
    async def open_ones() -> AskList:
        return AskList(asks=[ask_info(record) for record in await runs.ask_records.open_everywhere()])

    @routes.post("/asks/{ask_id}", status_code=204, responses=refusals(404, 409))
    async def answer(ask_id: str, body: AskAnswer) -> Response:
        await runs.answer(ask_id, Answer(body.granted, body.value, body.reason, body.scope))
        return Response(status_code=204)

    @routes.get("/chats/{chat_id}/asks", responses=refusals(404))
    async def asks_of(chat_id: str, before: Annotated[str | None, Query()] = None) -> AskList:
        """Every grant and denial of the chat, and what is open, newest first; `before` an `askId` gives the next page."""
        return AskList(asks=[ask_info(record) for record in await runs.ask_records.of_chat(chat_id, before)])

    @routes.get("/chats/{chat_id}/policies", responses=refusals(404))
    async def policies_of(chat_id: str) -> PolicyList:
        return PolicyList(policies=await policies.of(chat_id))

    @routes.put("/chats/{chat_id}/policies/{tool}", status_code=204, responses=refusals(404))
    async def set_policy(chat_id: str, tool: str, body: NewPolicy) -> Response:
        await policies.set(chat_id, tool, body.policy)
        return Response(status_code=204)


def ask_info(record: AskRecord) -> AskInfo:
    """An ask as /api tells it."""
    answer = record.answer
    facts = record.ask.model_dump(exclude={"id", "expires_at"})
    return AskInfo(
        ask_id=record.ask.id,
        expires_at=record.ask.expires_at.astimezone(UTC)
        .isoformat(timespec="milliseconds")
        .replace("+00:00", "Z"),
        chat_id=record.chat_id,
        chat_title=record.chat_title,
        run_id=record.run_id,
        state="open" if answer is None else "granted" if answer.granted else "denied",
        opened_at=record.opened_at,
        closed_at=record.closed_at,
        value=answer.value if answer and record.ask.input_type != "password" else None,
        reason=answer.reason if answer else "",
        scope=answer.scope if answer else None,
        by=answer.by if answer else None,
        **facts,
    )
