"""Conversations as server-sent events: what changed, as it is committed, in the shapes that plain HTTP has."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from sqlalchemy import Connection

from smoldesk.conversations import Conversations, Member
from smoldesk.conversations.conversation_rows import get
from smoldesk.conversations.queries import members_by_id, newest_in
from smoldesk.conversations.rules import LIVE_STATES
from smoldesk.messages import Shape
from smoldesk.store.store import Store
from smoldesk.wires.event_stream import event_text
from smoldesk.wires.rest.conversation_models import (
    ConversationInfo,
    ProjectDetail,
    conversation_info,
    project_detail,
    said_info,
)

NEWEST = 50
"""Conversations of a project that are looked at for changes, the newest first; those that go on are looked at, too."""
RETRY = event_text(retry=2000)


async def conversation_pieces(
    conversations: Conversations, store: Store, conversation_id: str, after: int
) -> AsyncGenerator[bytes, None]:
    """What is said after a seq, each with its seq as the event's id, then the conversation as it stands; until it is over."""
    yield RETRY
    async with aclosing(conversations.follow(conversation_id, after)) as followed:
        async for news in followed:
            conversation = news.conversation
            members = await store.aread(
                lambda connection, project_id=conversation.project_id: members_by_id(connection, project_id)
            )
            told = [_event("message", said_info(message), message.seq) for message in news.messages]
            yield b"".join([*told, _event("conversation", conversation_info(conversation, members))])


async def project_pieces(
    conversations: Conversations, store: Store, project_id: str
) -> AsyncGenerator[bytes, None]:
    """The project, then what changes in it: itself, and conversations that begin or change; until it is removed."""
    yield RETRY
    known: dict[str, ConversationInfo] | None = None
    seen: ProjectDetail | None = None
    async with aclosing(conversations.follow_project(project_id)) as followed:
        async for project in followed:
            live = _live(known)
            now, members = await store.aread(
                lambda connection, live=live: _look(connection, project_id, live)
            )
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


def _look(
    connection: Connection, project_id: str, live: set[str]
) -> tuple[dict[str, ConversationInfo], list[Member]]:
    """The newest conversations, those that go on, and those that did when it was looked before; the members."""
    members = members_by_id(connection, project_id)
    found = newest_in(connection, project_id, (), None, NEWEST)
    found += newest_in(connection, project_id, LIVE_STATES, None, NEWEST)
    found += [get(connection, key) for key in live - {one.id for one in found}]
    return {one.id: conversation_info(one, members) for one in found}, [*members.values()]


def _live(known: dict[str, ConversationInfo] | None) -> set[str]:
    return {key for key, info in (known or {}).items() if info.state in LIVE_STATES}


def _event(name: str, shape: Shape, seq: int | None = None) -> bytes:
    data = shape.model_dump_json(by_alias=True, exclude_none=True)
    return event_text(data, event=name, id=None if seq is None else str(seq))
