"""HTTP routes of conversations between agents: projects and members, conversations, and both as event streams.

They are open to all users of the page, for reading and administration only: agents send their messages through /mcp.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated

from fastapi import APIRouter, Header, Query, Response

from smoldesk.agents import AgentList
from smoldesk.conversations import Conversations, Member, State
from smoldesk.conversations.rules import LIVE_STATES
from smoldesk.errors import BadInput
from smoldesk.messages import Shape
from smoldesk.wires.event_stream import event_stream, event_text
from smoldesk.wires.rest.conversation_models import (
    AgentInfo,
    AgentRequest,
    ConversationInfo,
    ConversationPage,
    NewAgent,
    ProjectDetail,
    ProjectInfo,
    ProjectList,
    ProjectRequest,
    StateFilter,
    TranscriptInfo,
)
from smoldesk.wires.rest.encoder import conversation_info, message_info, project_detail, project_info
from smoldesk.wires.rest.models import refusals


def add_project_routes(routes: APIRouter, conversations: Conversations, agent_list: AgentList) -> None:
    """Add the routes of projects to the router of /api; `agent_list` has the desk's own agents."""

    @routes.get("/projects")
    async def projects() -> ProjectList:
        """List projects that were not removed, oldest first."""
        return ProjectList(projects=[project_info(project) for project in await conversations.projects()])

    @routes.post("/projects", status_code=201, responses=refusals(409))
    async def create(body: ProjectRequest) -> ProjectInfo:
        return project_info(await conversations.create_project(body.name))

    @routes.get("/projects/{project_id}", response_model_exclude_none=True, responses=refusals(404))
    async def show(project_id: str) -> ProjectDetail:
        project = await conversations.project(project_id)
        return project_detail(project, await conversations.members(project_id))

    @routes.delete("/projects/{project_id}", status_code=204, responses=refusals(404))
    async def remove(project_id: str) -> Response:
        """End the project's live conversations and close it to new sessions. Its messages are kept."""
        await conversations.remove_project(project_id)
        return Response(status_code=204)

    @routes.post(
        "/projects/{project_id}/agents",
        status_code=201,
        response_model_exclude_none=True,
        responses=refusals(404, 409),
    )
    async def add_agent(project_id: str, body: AgentRequest, response: Response) -> NewAgent:
        """Add a member. Only this response has the passkey; an `agent` of this desk needs none, since the desk starts it."""
        if body.agent is not None:
            agent = agent_list.get(body.agent).name
            if body.kind not in (None, "ai"):
                raise BadInput(
                    "An agent of the desk is not a person.", 'Expected kind "ai".', code="bad_kind"
                )
            return NewAgent(id=(await conversations.add_desk_agent(project_id, agent, body.name or "")).id)
        member, passkey = await conversations.add_member(project_id, body.name or "", body.kind or "ai")
        response.headers["Cache-Control"] = "no-store"
        return NewAgent(id=member.id, passkey=passkey)

    @routes.put(
        "/projects/{project_id}/agents/{agent_id}",
        response_model_exclude_none=True,
        responses=refusals(404, 409),
    )
    async def join(project_id: str, agent_id: str) -> AgentInfo:
        """Add an agent of another project to this one too; its passkey stays the same."""
        member = await conversations.join_member(project_id, agent_id)
        return AgentInfo.model_validate(member.model_dump())

    @routes.delete("/projects/{project_id}/agents/{agent_id}", status_code=204, responses=refusals(404))
    async def remove_agent(project_id: str, agent_id: str) -> Response:
        """Remove a member and end its conversations in the project. Its name and messages are kept."""
        await conversations.remove_member(project_id, agent_id)
        return Response(status_code=204)


# Largest integer that JavaScript represents exactly.
MAX_SEQ = 2**53
# Conversations per page of the list.
CONVERSATIONS_PER_PAGE = 50
# Messages per page of a transcript.
MESSAGES_PER_PAGE = 100
EVENTS = {200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}}
Seq = Annotated[int | None, Query(ge=0, le=MAX_SEQ)]


def add_conversation_routes(
    routes: APIRouter, conversations: Conversations, keep_alive_seconds: float
) -> None:
    """Add the routes of this module to the router of /api."""

    @routes.get("/projects/{project_id}/conversations", responses=refusals(404))
    async def index(
        project_id: str, state: StateFilter | None = None, before: Annotated[str | None, Query()] = None
    ) -> ConversationPage:
        """List conversations, newest first; `before` the last id of a page returns the next page."""
        await conversations.project(project_id)
        rows, members = await conversations.newest(
            project_id, states_of(state), before, CONVERSATIONS_PER_PAGE + 1
        )
        infos = [conversation_info(row, members) for row in rows[:CONVERSATIONS_PER_PAGE]]
        return ConversationPage(conversations=infos, more=len(rows) > CONVERSATIONS_PER_PAGE)

    @routes.get("/conversations/{conversation_id}", responses=refusals(404))
    async def show(conversation_id: str, after: Seq = None, before: Seq = None) -> TranscriptInfo:
        """Return a conversation with messages: its last, the last `before` a seq, the first `after` one, or those between."""
        return await transcript(conversations, conversation_id, after, before)

    @routes.post("/conversations/{conversation_id}/end", responses=refusals(404, 409))
    async def end(conversation_id: str) -> ConversationInfo:
        """End a conversation as a person; both agents are notified. 409 if it is over already."""
        ended = await conversations.end_by_person(conversation_id)
        return conversation_info(ended, await conversations.members_by_id(ended.project_id))

    @routes.get(
        "/conversations/{conversation_id}/events",
        response_class=Response,
        responses=refusals(404)
        | EVENTS
        | {204: {"description": "The conversation is over and was sent completely"}},
    )
    async def follow(
        conversation_id: str,
        after: Annotated[int, Query(ge=0, le=MAX_SEQ)] = 0,
        last_event_id: Annotated[int | None, Header(ge=0, le=MAX_SEQ)] = None,
    ) -> Response:
        """Stream events: `conversation` when its state changes, `message` for each message. Ends with the conversation."""
        place = after if last_event_id is None else last_event_id
        conversation = await conversations.conversation(conversation_id)
        # An EventSource reconnects with Last-Event-ID after the stream of an ended conversation closes.
        comes_again = last_event_id is not None and not conversation.is_live
        if comes_again and not await conversations.messages(conversation_id, 1, place):
            return Response(status_code=204)  # HTML standard: 204 stops an EventSource from reconnecting
        return event_stream(conversation_pieces(conversations, conversation_id, place), keep_alive_seconds)

    @routes.get("/projects/{project_id}/events", response_class=Response, responses=refusals(404) | EVENTS)
    async def follow_project(project_id: str) -> Response:
        """Stream events: `project` when its agents or counts change, `conversation` for each new or changed one."""
        await conversations.project(project_id)
        return event_stream(project_pieces(conversations, project_id), keep_alive_seconds)


def states_of(state: StateFilter | None) -> tuple[State, ...]:
    """Return the states of a filter; an empty tuple stands for all."""
    if state is None:
        return ()
    return LIVE_STATES if state == "live" else (state,)


async def transcript(
    conversations: Conversations, conversation_id: str, after: int | None, before: int | None
) -> TranscriptInfo:
    """Return a page of messages and whether there are more on either side. Raises NotFound."""
    conversation = await conversations.conversation(conversation_id)
    messages = await conversations.messages(conversation_id, MESSAGES_PER_PAGE + 1, after, before)
    full = len(messages) > MESSAGES_PER_PAGE
    page = messages[:MESSAGES_PER_PAGE] if after is not None else messages[-MESSAGES_PER_PAGE:]
    outside_before = after is not None and bool(
        await conversations.messages(conversation_id, 1, before=after + 1)
    )
    outside_after = before is not None and bool(
        await conversations.messages(conversation_id, 1, after=before - 1)
    )
    return TranscriptInfo(
        conversation=conversation_info(
            conversation, await conversations.members_by_id(conversation.project_id)
        ),
        messages=[message_info(message) for message in page],
        earlier=outside_before or (full and after is None),
        later=outside_after or (full and after is not None),
    )


# Newest conversations of a project that are checked for changes, besides the live ones.
WATCHED_CONVERSATIONS = 50
# Milliseconds after which an EventSource reconnects.
RETRY_MS = 2_000


async def conversation_pieces(
    conversations: Conversations, conversation_id: str, after: int
) -> AsyncGenerator[bytes, None]:
    """Yield messages after a seq, with the seq as event id, then the conversation's state, until it is over."""
    yield event_text(retry=RETRY_MS)
    async with aclosing(conversations.follow(conversation_id, after)) as followed:
        async for news in followed:
            conversation = news.conversation
            members = await conversations.members_by_id(conversation.project_id)
            # The first round sends the project alone, and records the conversations to compare with.
            events = [_event("message", message_info(message), message.seq) for message in news.messages]
            yield b"".join([*events, _event("conversation", conversation_info(conversation, members))])


async def project_pieces(conversations: Conversations, project_id: str) -> AsyncGenerator[bytes, None]:
    """Yield the project, then its changes and new or changed conversations, until it is removed."""
    yield event_text(retry=RETRY_MS)
    sent_conversations: dict[str, ConversationInfo] | None = None
    sent_detail: ProjectDetail | None = None
    async with aclosing(conversations.follow_project(project_id)) as followed:
        async for project in followed:
            live = _live(sent_conversations)
            now, members = await _read_overview(conversations, project_id, live)
            events = [
                _event("conversation", info)
                for key, info in now.items()
                if sent_conversations is not None and sent_conversations.get(key) != info
            ]
            detail = project_detail(project, members)
            if detail != sent_detail:
                events.append(_event("project", detail))
            sent_conversations, sent_detail = now, detail
            if events:
                yield b"".join(events)


async def _read_overview(
    conversations: Conversations, project_id: str, live: set[str]
) -> tuple[dict[str, ConversationInfo], list[Member]]:
    """Return the newest conversations, the live ones and those in `live`, which may have just ended; and the members."""
    newest, _ = await conversations.newest(project_id, limit=WATCHED_CONVERSATIONS)
    going, members = await conversations.newest(
        project_id, LIVE_STATES, limit=WATCHED_CONVERSATIONS, also=live
    )
    return {
        conversation.id: conversation_info(conversation, members) for conversation in [*newest, *going]
    }, [*members.values()]


def _live(conversations: dict[str, ConversationInfo] | None) -> set[str]:
    return {key for key, info in (conversations or {}).items() if info.state in LIVE_STATES}


def _event(name: str, shape: Shape, seq: int | None = None) -> bytes:
    data = shape.model_dump_json(by_alias=True, exclude_none=True)
    return event_text(data, event=name, id=None if seq is None else str(seq))
