"""Conversion of the desk's objects to the models of /api."""

import asyncio
from collections.abc import AsyncIterator

from smoldesk import chats as c
from smoldesk.agents import AgentEntry, DeskAgents
from smoldesk.chats import (
    BuildingInfo,
    Chats,
    StoredFile,
)
from smoldesk.conversations import (
    Conversation,
    Member,
    Message,
    Project,
)
from smoldesk.messages.building import Finding
from smoldesk.runs import AskRecord
from smoldesk.tables.models import FileProfile
from smoldesk.wires.rest.building_models import BuildingSummary, FindingInfo
from smoldesk.wires.rest.chat_models import ChatInfo, ChatList, ChatSummary, TagInfo
from smoldesk.wires.rest.conversation_models import (
    AgentInfo,
    ConversationInfo,
    MessageInfo,
    PartyInfo,
    ProjectDetail,
    ProjectInfo,
)
from smoldesk.wires.rest.models import (
    AgentFacts,
    AskInfo,
    ReadTable,
    StoredFileInfo,
    UploadInfo,
)
from smoldesk.wires.serialization import file_url, time_text


def chat_info(chat: c.ChatInfo) -> ChatInfo:
    """Return a chat in the form of /api."""
    return ChatInfo(
        id=chat.id,
        title=chat.title,
        created_at=chat.created_at,
        updated_at=chat.updated_at,
        last_seq=chat.last_seq,
        pinned=chat.pinned_at is not None,
        archived=chat.archived_at is not None,
        tags=list(chat.tags),
        building_id=chat.building_id,
        agent=chat.agent,
        model=chat.model,
    )


def chat_list(page: c.ChatPage) -> ChatList:
    """Return a page of chats with the position of the next one."""
    chats = [
        ChatSummary(
            **chat_info(chat.chat).model_dump(by_alias=False),
            state=chat.state,
            answered_at=chat.answered_at,
            found=chat.snippet or None,
        )
        for chat in page.chats
    ]
    # The id makes the position unique: several chats can have the same time. `!r` keeps every digit of it.
    following = None if page.next is None else f"{page.next[0]!r}_{page.next[1]}"
    tags = None if page.tags is None else [tag_info(tag) for tag in page.tags]
    return ChatList(chats=chats, next=following, tags=tags)


def tag_info(tag: c.TagCount) -> TagInfo:
    """Return a tag in the form of /api."""
    return TagInfo(name=tag.name, chats=tag.chats, archived=tag.archived)


async def log_lines(chats: Chats, chat_id: str, after: int) -> AsyncIterator[bytes]:
    """Yield the committed log as JSON lines of {seq, runId, at, event}, up to its end at the time of the last read."""
    while True:
        lines, after = await asyncio.to_thread(_page_of_log, chats, chat_id, after)
        if not lines:
            return
        yield lines


def _page_of_log(chats: Chats, chat_id: str, after: int) -> tuple[bytes, int]:
    """Return lines and the seq of the last one."""
    page = chats.events(chat_id, after)
    lines = "".join(stored.model_dump_json(exclude={"chat_id"}) + "\n" for stored in page)
    return lines.encode(), page[-1].seq if page else after


def ask_info(record: AskRecord) -> AskInfo:
    """Return an ask in the form of /api, without an entered password."""
    answer = record.answer
    facts = record.ask.model_dump(exclude={"id", "expires_at"})
    return AskInfo(
        ask_id=record.ask.id,
        expires_at=time_text(record.ask.expires_at),
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


def upload_info(file: StoredFile, profile: FileProfile | None) -> UploadInfo:
    """Return the response to an upload: the file, its tables and its problems as texts."""
    file_profile = profile or FileProfile()
    return UploadInfo(
        file_id=file.id,
        name=file.name,
        size=file.size,
        media_type=file.media_type,
        url=file_url(file.chat_id, file.name, file.id),
        tables=[
            ReadTable(name=table.name, rows=table.rows, columns=table.width, load=table.load)
            for table in file_profile.tables
        ],
        problems=file_profile.faults,
    )


def file_info(file: StoredFile) -> StoredFileInfo:
    """Return a file in the form of /api."""
    facts = file.content().model_dump(by_alias=False)
    return StoredFileInfo(url=file_url(file.chat_id, file.name, file.id), **facts)


def agent_facts(agents: DeskAgents, entry: AgentEntry) -> AgentFacts:
    """Return an agent and whether it can answer now. Blocks while it searches for the agent's program."""
    problems = agents.checks.problems(entry)
    info = agents.info(entry.name)
    return AgentFacts(
        name=entry.name,
        description=entry.description,
        kind=entry.kind,
        model=info.model or None,
        profile=entry.profile,
        tools=info.tools,
        available=not problems,
        problem=" ".join(problems) or None,
    )


def report_info(report: list[Finding]) -> list[FindingInfo]:
    """Return an import report in the form of /api."""
    return [FindingInfo.model_validate(finding, from_attributes=True) for finding in report]


def building_summary(info: BuildingInfo) -> BuildingSummary:
    """Return a building in the form of the list."""
    return BuildingSummary(
        building_id=info.id,
        name=info.name,
        floors=info.floors,
        rooms=info.rooms,
        created_at=info.created_at,
    )


def project_info(project: Project) -> ProjectInfo:
    """Return a project in the form of the list."""
    return ProjectInfo.model_validate(project.model_dump())


def project_detail(project: Project, members: list[Member]) -> ProjectDetail:
    """Return a project with its agents."""
    agents = [AgentInfo.model_validate(member.model_dump()) for member in members]
    return ProjectDetail(**project.model_dump(), members=agents)


def conversation_info(conversation: Conversation, members: dict[str, Member]) -> ConversationInfo:
    """Return a conversation in the form of /api. `members` are those of its project by id, with removed ones."""
    return ConversationInfo(
        id=conversation.id,
        project_id=conversation.project_id,
        initiator=_party(conversation.initiator_id, members),
        participant=_party(conversation.participant_id, members),
        purpose=conversation.purpose,
        state=conversation.state,
        created_at=conversation.created_at,
        ended_at=conversation.ended_at,
        ended_by=conversation.ended_by,
        reason=conversation.reason,
        message_count=conversation.messages,
    )


def message_info(message: Message) -> MessageInfo:
    """Return a message of a conversation in the form of /api."""
    return MessageInfo(
        seq=message.seq,
        message_id=message.id,
        from_agent_id=message.from_id,
        content=message.content,
        created_at=message.created_at,
    )


def _party(member_id: str, members: dict[str, Member]) -> PartyInfo:
    member = members[member_id]
    return PartyInfo(id=member.id, name=member.name, removed=member.removed_at is not None)
