"""DeskMember: one of the desk's agents in one project. It waits for its turn, runs in a chat of its own, and waits again.

A turn is one action of the member's inbox, and has one run. The run's key contains the action's place, so a restart and a
second server find the existing run. The transcript shows what a run said; if it used no tool, its answer is sent for it,
which is how the built-in analyst and terminal programs take part.
"""

import asyncio
import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass

from sqlalchemy.exc import IntegrityError

from smoldesk.chats import Chats
from smoldesk.conversations.errors import INVALID_SESSION, AgentFault
from smoldesk.conversations.models import Action, Member, Message
from smoldesk.conversations.rules import Conversation, Reason
from smoldesk.conversations.service import LONGEST_WAIT, Conversations
from smoldesk.errors import DeskError, NotFound
from smoldesk.events import ClosingEvent, RunCancelled, RunFailed, RunFinished, StoredEvent
from smoldesk.runs import IdempotencyKey, RunOptions, RunRecord, Runs
from smoldesk.runs.reaper import LOST, RESTARTED
from smoldesk.runs.runs import SHUT_DOWN
from smoldesk.store.fault_causes import StorageFault

log = logging.getLogger(__name__)
# Time for the initiator of a conversation to send its first message, before this member begins instead.
FIRST_MESSAGE_SECONDS = 3.0
# Pause between two polls for that message.
POLL_SECONDS = 0.25
# Period of the limit `runs_per_minute`.
PERIOD_SECONDS = 60.0
# Runs of one turn, when restarts keep breaking them.
MAX_TRIES = 3
# A seq after all others: the largest value of PostgreSQL's integer.
NO_SEQ = 2**31 - 1
# Reasons of an end that neither side asked for, and which stops a run.
FROM_OUTSIDE: tuple[Reason, ...] = ("person_ended", "agent_removed", "timeout", "expired")
# Runs of the chat in which the newest turn is searched: a person may have started others there.
NEWEST_RUNS = 20


@dataclass(frozen=True)
class TalkLimits:
    """Limits of the desk's own agents: runs a minute of each, messages after which a conversation is ended, and depth of
    conversations that were each started in a turn of another.
    """

    runs_per_minute: int = 20
    most_messages: int = 100
    most_in_a_row: int = 10


@dataclass(frozen=True)
class Turn:
    """One turn, as its run stores it: the conversation, the place of its action, and the place of its last message."""

    conversation_id: str
    event_id: int
    through: int

    def options(self) -> RunOptions:
        """Return the options of its run."""
        about = {"id": self.conversation_id, "event": self.event_id, "through": self.through}
        return RunOptions(metadata={"conversation": dict(about)})

    @classmethod
    def of(cls, options: RunOptions) -> "Turn | None":
        """Return the turn of a run; None for a person's run."""
        match (options.metadata or {}).get("conversation"):
            case {"id": str(conversation_id), "event": int(event_id), "through": int(through)}:
                return cls(conversation_id, event_id, through)
            case _:
                return None


class DeskMember:
    """Member of a project; `work` runs until the member is removed or the conversations are closed."""

    def __init__(
        self,
        talk: Conversations,
        chats: Chats,
        runs: Runs,
        project_id: str,
        member_id: str,
        limits: TalkLimits,
    ) -> None:
        self.session = talk.session_of(project_id, member_id)
        self._talk = talk
        self._chats = chats
        self._runs = runs
        self._limits = limits

    async def work(self) -> None:
        """Take turns. Raises errors of the database."""
        try:
            # first the turn that a restart interrupted: its messages count as read, so no action announces them again
            await self._resume(await self._chat())
            after = await self._talk.place_of(self.session)
            while not self._talk.closed:
                action = await self._talk.next_action(self.session, LONGEST_WAIT, after)
                if action.event_id is None:
                    continue
                try:
                    await self._act(action)
                except StorageFault:  # the turn is not taken: a later task begins at its event again
                    raise
                except DeskError as fault:
                    if fault.code == INVALID_SESSION:
                        raise
                    log.warning("skipped a turn of %s (%s)", self.session.member_id, fault.code)
                after = action.event_id
        except AgentFault as fault:
            if fault.code != INVALID_SESSION:  # it was removed
                raise

    async def _chat(self) -> str:
        """Return the member's chat, created if there is none (any more). Raises NotFound for an agent that no longer exists."""
        while True:
            members = await self._talk.members_by_id(self.session.project_id)
            me = members[self.session.member_id]
            if me.chat_id is not None:
                with suppress(NotFound):
                    return (await self._chats.get(me.chat_id)).id
            project = await self._talk.project(self.session.project_id)
            chat = await self._chats.create(f"{me.name} · {project.name}", me.agent)
            if await self._talk.set_member_chat(project.id, me.id, me.chat_id, chat.id):
                return chat.id
            # another server was first: use its chat
            await self._chats.delete(chat.id)

    async def _act(self, action: Action) -> None:
        """Take one turn, if the action is one. Messages outside of conversations wait for the next one."""
        if action.action == "conversation_ended" or action.conversation_id is None or action.event_id is None:
            return
        conversation = await self._talk.conversation(action.conversation_id)
        if not conversation.is_open:
            return
        if conversation.messages >= self._limits.most_messages:
            await self._talk.end(self.session, conversation.id)
            return
        chat_id = await self._chat()
        # before the messages are read: another server may take the turn during the wait
        await self._pace(chat_id)
        messages = await self._unread(action)
        if action.action == "chat" and not messages:
            return  # an earlier turn had read them
        members = await self._talk.members_by_id(self.session.project_id)
        prompt = turn_prompt(conversation, self.session.member_id, messages, members)
        turn = Turn(conversation.id, action.event_id, messages[-1].seq if messages else action.event_id)
        await self._finish(await self._begin(chat_id, prompt, turn), turn)

    async def _unread(self, action: Action) -> list[Message]:
        messages = await self._talk.unread(self.session)
        until = time.monotonic() + FIRST_MESSAGE_SECONDS
        while action.action == "conversation_request" and not messages and time.monotonic() < until:
            await asyncio.sleep(POLL_SECONDS)
            messages = await self._talk.unread(self.session)
        return messages

    async def _pace(self, chat_id: str) -> None:
        """Wait until another run is within the rate limit, counting the runs of all servers."""
        most = self._limits.runs_per_minute
        while True:
            newest = await newest_in(self._runs, chat_id, 2 * most)  # some may be a person's
            start_times = [record.created_at for record in newest if Turn.of(record.options) is not None]
            wait = start_times[most - 1] + PERIOD_SECONDS - time.time() if len(start_times) >= most else 0.0
            if wait <= 0:
                return
            await asyncio.sleep(min(wait, PERIOD_SECONDS))  # the clock may have gone back: never wait longer

    async def _begin(self, chat_id: str, message: str, turn: Turn, tried: int = 1) -> RunRecord:
        """Start the run of a turn, or return the existing one. Its messages count as read from here on."""
        who = (self.session.project_id, self.session.member_id)
        # Same key, same run: a second server and a restart get the run that the first attempt started.
        key = IdempotencyKey.of("conversations", *who, str(turn.event_id), str(tried))
        run_id, _ = await self._runs.start_once(chat_id, message, key, turn.options())
        await self._talk.mark_read(self.session, turn.through)
        return await self._runs.records.get(run_id)

    async def _resume(self, chat_id: str) -> None:
        """Finish the turn that a restart may have interrupted."""
        for record in await newest_in(self._runs, chat_id, NEWEST_RUNS):
            if (turn := Turn.of(record.options)) is not None:
                await self._talk.mark_read(self.session, turn.through)
                await self._finish(record, turn)
                return

    async def _finish(self, record: RunRecord, turn: Turn) -> None:
        """Wait for the run, repeat it if a restart broke it, and send its answer if it sent nothing itself."""
        closing = await self._closed(record, turn)
        for tried in range(2, MAX_TRIES + 1):
            if not broken_by_restart(closing) or self._talk.closed or await self._is_answered(turn):
                break
            record = await self._begin(record.chat_id, record.message, turn, tried)
            closing = await self._closed(record, turn)
        conversation = await self._talk.conversation(turn.conversation_id)
        answer = closing.text.strip() if isinstance(closing, RunFinished) else ""
        if not answer or not conversation.is_open or await self._is_answered(turn):
            return
        other = conversation.other(self.session.member_id)
        with suppress(IntegrityError):  # another server has just sent it: the id is that of the run
            await self._talk.send(self.session, other, answer, f"msg_{record.id}")

    async def _is_answered(self, turn: Turn) -> bool:
        messages = await self._talk.messages(turn.conversation_id, NEWEST_RUNS, after=turn.through)
        return any(message.from_id == self.session.member_id for message in messages)

    async def _closed(self, record: RunRecord, turn: Turn) -> ClosingEvent:
        """Return the closing event of the run; cancels the run if its conversation is ended from outside."""
        run = asyncio.create_task(self._end_of(record))
        cut = asyncio.create_task(self._until_forced_end(turn.conversation_id))
        try:
            await asyncio.wait([run, cut], return_when=asyncio.FIRST_COMPLETED)
            if not run.done():
                with suppress(DeskError):  # the run may have ended in this moment
                    await self._runs.cancel(record.id, f"The conversation is over: {cut.result()}")
            return await run
        finally:
            run.cancel()
            cut.cancel()

    async def _end_of(self, record: RunRecord) -> ClosingEvent:
        first = await self._runs.records.seq_before(record.chat_id, record.id)
        async for batch in self._runs.follow(record.chat_id, first):
            for stored in batch:
                event = (
                    stored.event if isinstance(stored, StoredEvent) and stored.run_id == record.id else None
                )
                if isinstance(event, ClosingEvent):
                    return event
        return RunCancelled(reason=SHUT_DOWN, code=SHUT_DOWN.code)

    async def _until_forced_end(self, conversation_id: str) -> Reason:
        """Wait until the conversation is ended from outside and return the reason; wait for ever if it is not."""
        async with aclosing(self._talk.follow(conversation_id, NO_SEQ)) as followed:
            async for news in followed:
                if news.conversation.reason in FROM_OUTSIDE:
                    return news.conversation.reason
        return await asyncio.get_running_loop().create_future()


async def newest_in(runs: Runs, chat_id: str, most: int, state: str | None = None) -> list[RunRecord]:
    """Return the newest runs of a chat, newest first; only those in `state` if one is given."""
    return await runs.records.newest(most, None, state, chat_id, (), _record_alone)


def _record_alone(record: RunRecord, _: int, __: Iterator[StoredEvent]) -> RunRecord:
    return record


def broken_by_restart(closing: ClosingEvent) -> bool:
    """Return whether a run ended through no fault of its own."""
    match closing:
        case RunFailed(code=code):
            return code in (RESTARTED.code, LOST.code)
        case RunCancelled(code=code, reason=reason):
            return code == SHUT_DOWN.code or reason == SHUT_DOWN  # older logs have no code
        case _:
            return False


def turn_prompt(
    conversation: Conversation, me: str, messages: Sequence[Message], members: Mapping[str, Member]
) -> str:
    """Return the message of the run: the partner, the purpose, and the messages since the last turn, oldest first."""
    other = members[conversation.other(me)]
    about = f" It is about: {conversation.purpose}" if conversation.purpose else ""
    head = f"You are {members[me].name}, in conversation {conversation.id} with {other.name} ({other.id}).{about}"
    lines = [
        f"{members[message.from_id].name}{_elsewhere(message, conversation)}: {message.content}"
        for message in messages
    ]
    if not lines:
        lines = [f"{other.name} has not said anything yet; you may begin."]
    how = (
        f'Answer by send_message("{other.id}", ...), once. '
        f'When the conversation has done what it is for, end_conversation("{conversation.id}").'
    )
    return "\n\n".join([head, "\n".join(lines), how])


def _elsewhere(message: Message, conversation: Conversation) -> str:
    if message.conversation_id == conversation.id:
        return ""
    return f" (in {message.conversation_id})" if message.conversation_id else " (outside a conversation)"
