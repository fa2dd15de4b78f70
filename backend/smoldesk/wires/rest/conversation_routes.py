"""Conversations between agents over plain HTTP, for people: list, read, follow and end them. Nobody can say anything here."""

from typing import Annotated

from fastapi import APIRouter, Header, Query, Response

from smoldesk.conversations import Conversations, State
from smoldesk.conversations.rules import LIVE_STATES
from smoldesk.wires.event_stream import event_stream
from smoldesk.wires.rest.conversation_events import conversation_pieces, project_pieces
from smoldesk.wires.rest.conversation_models import ConversationInfo, ConversationPage, TranscriptInfo, Wanted
from smoldesk.wires.rest.encoder import conversation_info, said_info
from smoldesk.wires.rest.models import refusals

MAX_SEQ = 2**53
LISTED = 50
"""Conversations of a page of the list."""
SAID = 100
"""Messages of a page of a transcript."""
EVENTS = {200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}}
Seq = Annotated[int | None, Query(ge=0, le=MAX_SEQ)]


def add_conversation_routes(
    routes: APIRouter, conversations: Conversations, keep_alive_seconds: float
) -> None:
    """Put the routes of this module on the router of /api."""

    @routes.get("/projects/{project_id}/conversations", responses=refusals(404))
    async def index(
        project_id: str, state: Wanted | None = None, before: Annotated[str | None, Query()] = None
    ) -> ConversationPage:
        """Newest first; `before` the id of the last of a page gives the next."""
        await conversations.project(project_id)
        found, members = await conversations.newest(project_id, states_of(state), before, LISTED + 1)
        told = [conversation_info(one, members) for one in found[:LISTED]]
        return ConversationPage(conversations=told, more=len(found) > LISTED)

    @routes.get("/conversations/{conversation_id}", responses=refusals(404))
    async def show(conversation_id: str, after: Seq = None, before: Seq = None) -> TranscriptInfo:
        """With its last messages, or the last before a seq, or the first after one, or the first between two."""
        return await transcript(conversations, conversation_id, after, before)

    @routes.post("/conversations/{conversation_id}/end", responses=refusals(404, 409))
    async def end(conversation_id: str) -> ConversationInfo:
        """End it as a person; both agents are told so. 409 when it is over."""
        ended = await conversations.end_by_person(conversation_id)
        return conversation_info(ended, await conversations.members_by_id(ended.project_id))

    @routes.get(
        "/conversations/{conversation_id}/events",
        response_class=Response,
        responses=refusals(404) | EVENTS | {204: {"description": "It is over, and all of it was told"}},
    )
    async def follow(
        conversation_id: str,
        after: Annotated[int, Query(ge=0, le=MAX_SEQ)] = 0,
        last_event_id: Annotated[int | None, Header(ge=0, le=MAX_SEQ)] = None,
    ) -> Response:
        """`conversation` with its state whenever that changed, `message` for each; ends with the conversation."""
        place = after if last_event_id is None else last_event_id
        conversation = await conversations.conversation(conversation_id)
        comes_again = last_event_id is not None and not conversation.is_live
        if comes_again and not await conversations.said(conversation_id, 1, place):
            return Response(status_code=204)  # what tells an EventSource not to come again
        return event_stream(conversation_pieces(conversations, conversation_id, place), keep_alive_seconds)

    @routes.get("/projects/{project_id}/events", response_class=Response, responses=refusals(404) | EVENTS)
    async def follow_project(project_id: str) -> Response:
        """`project` when its agents or counts changed, `conversation` for each that began or changed."""
        await conversations.project(project_id)
        return event_stream(project_pieces(conversations, project_id), keep_alive_seconds)


def states_of(wanted: Wanted | None) -> tuple[State, ...]:
    """Those that a list is asked for; none stands for all."""
    if wanted is None:
        return ()
    return LIVE_STATES if wanted == "live" else (wanted,)


async def transcript(
    conversations: Conversations, conversation_id: str, after: int | None, before: int | None
) -> TranscriptInfo:
    """A page of messages, and whether there are more on its either side. Raises NotFound."""
    conversation = await conversations.conversation(conversation_id)
    found = await conversations.said(conversation_id, SAID + 1, after, before)
    full = len(found) > SAID
    page = found[:SAID] if after is not None else found[-SAID:]
    outside_before = after is not None and bool(
        await conversations.said(conversation_id, 1, before=after + 1)
    )
    outside_after = before is not None and bool(
        await conversations.said(conversation_id, 1, after=before - 1)
    )
    return TranscriptInfo(
        conversation=conversation_info(
            conversation, await conversations.members_by_id(conversation.project_id)
        ),
        messages=[said_info(message) for message in page],
        earlier=outside_before or (full and after is None),
        later=outside_after or (full and after is not None),
    )
