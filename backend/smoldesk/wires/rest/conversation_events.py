"""Conversations as server-sent events: what changed, as it is committed, in the shapes that plain HTTP has."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from smoldesk.conversations import Conversations, Member
from smoldesk.conversations.rules import LIVE_STATES
from smoldesk.messages import Shape
from smoldesk.wires.event_stream import event_text
from smoldesk.wires.rest.conversation_models import ConversationInfo, ProjectDetail
from smoldesk.wires.rest.encoder import conversation_info, project_detail, said_info

NEWEST = 50
"""Conversations of a project that are looked at for changes, the newest first; those that go on are looked at, too."""
RETRY_MS = 2_000


async def conversation_pieces(
    conversations: Conversations, conversation_id: str, after: int
) -> AsyncGenerator[bytes, None]:
    """What is said after a seq, each with its seq as the event's id, then the conversation as it stands; until it is over."""
    yield event_text(retry=RETRY_MS)
    async with aclosing(conversations.follow(conversation_id, after)) as followed:
        async for news in followed:
            conversation = news.conversation
            members = await conversations.members_by_id(conversation.project_id)
            told = [_event("message", said_info(message), message.seq) for message in news.messages]
            yield b"".join([*told, _event("conversation", conversation_info(conversation, members))])


async def project_pieces(conversations: Conversations, project_id: str) -> AsyncGenerator[bytes, None]:
    """The project, then what changes in it: itself, and conversations that begin or change; until it is removed."""
    yield event_text(retry=RETRY_MS)
    known: dict[str, ConversationInfo] | None = None
    seen: ProjectDetail | None = None
    async with aclosing(conversations.follow_project(project_id)) as followed:
        async for project in followed:
            live = _live(known)
            now, members = await _look(conversations, project_id, live)
            told = [
                _event("conversation", info)
                for key, info in now.items()
                if known is not None and known.get(key) != info
            ]
            detail = project_detail(project, members)
            if detail != seen:
                told.append(_event("project", detail))
            known, seen = now, detail
            if told:
                yield b"".join(told)


async def _look(
    conversations: Conversations, project_id: str, live: set[str]
) -> tuple[dict[str, ConversationInfo], list[Member]]:
    """The newest conversations, those that go on, and those that did when it was looked before; the members."""
    found, _ = await conversations.newest(project_id, limit=NEWEST)
    going, members = await conversations.newest(project_id, LIVE_STATES, limit=NEWEST, also=live)
    return {one.id: conversation_info(one, members) for one in [*found, *going]}, [*members.values()]


def _live(known: dict[str, ConversationInfo] | None) -> set[str]:
    return {key for key, info in (known or {}).items() if info.state in LIVE_STATES}


def _event(name: str, shape: Shape, seq: int | None = None) -> bytes:
    data = shape.model_dump_json(by_alias=True, exclude_none=True)
    return event_text(data, event=name, id=None if seq is None else str(seq))
