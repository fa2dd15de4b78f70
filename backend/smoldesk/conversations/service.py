"""Conversations: the one service of this room. Wires, the page and the command line come here; the rest is its parts.

Its methods are called on an event loop. What members do is asked with their session (`session` finds it by its token), and
is refused with an AgentFault; what people do raises BadInput, NotFound and Conflict as everywhere.
"""

import asyncio
import math
import time
from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import TypeVar

from sqlalchemy import Connection

from smoldesk.conversations import (
    conversation_rows,
    inbox,
    project_rows,
    sessions,
)
from smoldesk.conversations import (
    messages as talking,
)
from smoldesk.conversations.errors import (
    AUTHENTICATION_FAILED,
    INVALID_SESSION,
    AgentFault,
    name_of,
    no_such_project,
)
from smoldesk.conversations.expiry import Expiry
from smoldesk.conversations.models import (
    Action,
    AgentSession,
    Followed,
    Kind,
    Login,
    Member,
    Message,
    PendingAgentPurpose,
    Project,
)
from smoldesk.conversations.notifier import Notifier
from smoldesk.conversations.rate_limit import RateLimit
from smoldesk.conversations.rules import Conversation, State, Timeouts
from smoldesk.conversations.sessions import hashed, matches, new_passkey
from smoldesk.conversations.unit_of_work import (
    DESK_MEMBERS,
    Change,
    conversation_key,
    member_key,
    project_key,
)
from smoldesk.errors import BadInput, NotFound
from smoldesk.stopping import shielded
from smoldesk.store.store import Store
from smoldesk.store.transaction import Tx
from smoldesk.store.wakers import Waker

T = TypeVar("T")
Clock = Callable[[], float]
# Seconds that next_action waits at most.
LONGEST_WAIT = 60.0
# Seconds after which a follower of a project looks even if nobody woke it: not everything in a project wakes.
LOOK_AGAIN = 10.0
# Seconds that a follower of a project lets things gather.
BREATH = 0.2
PAGE = 200
SESSION_SECONDS = 12 * 3600.0


class Conversations:
    """`clock` tells the time in seconds since the epoch. `open` starts the sweeper, `close` ends it and lets waiters go."""

    def __init__(
        self,
        store: Store,
        times: Timeouts | None = None,
        session_seconds: float = SESSION_SECONDS,
        clock: Clock = time.time,
        attempts: RateLimit | None = None,
    ) -> None:
        self._store = store
        self._times = times or Timeouts()
        self._session_seconds = session_seconds
        self._clock = clock
        self._attempts = attempts or RateLimit()
        self._wakers = Notifier()
        self._changing: set[asyncio.Task[object]] = set()
        self._sweeper = Expiry(store, clock, self._times, session_seconds, self._change_now)
        store.listen(self._wakers.wake)

    def open(self) -> None:
        """Begin to end what runs out."""
        self._sweeper.start()

    def close(self) -> None:
        """Let go of everybody who waits; calling it again does nothing."""
        self._sweeper.close()
        self._wakers.close()

    @property
    def closed(self) -> bool:
        """Whether nobody is to wait here any more."""
        return self._wakers.closed

    async def until_closed(self) -> None:
        """Wait for `close`: for those who hold streams open."""
        with self._wakers.waiting("closing") as waiter:
            while not self._wakers.closed:
                await waiter.wait(LONGEST_WAIT)

    def sweep(self) -> int:
        """End what ran out until now, as is done every second; how many. Not on an event loop."""
        return self._sweeper.sweep()

    def waiting_for(self, project_id: str, member_id: str) -> int:
        """How many calls of next_action wait for this member just now."""
        return self._wakers.count(member_key(project_id, member_id))

    # --- projects and their members -------------------------------------------------------------------------------

    async def projects(self) -> list[Project]:
        """All that were not removed, oldest first."""
        return await self._store.aread(project_rows.list_projects)

    async def create_project(self, name: str) -> Project:
        """Raises BadInput for the name, Conflict when there are too many."""
        name = name_of(name, "a project")
        return await self._change(lambda change: project_rows.add_project(change.tx, name, change.now))

    async def project(self, project_id: str) -> Project:
        """Raises NotFound, also for one that was removed."""
        projects = await self._store.aread(
            lambda connection: project_rows.list_projects(connection, project_id)
        )
        if not projects:
            raise no_such_project(project_id)
        return projects[0]

    async def remove_project(self, project_id: str) -> None:
        """Close a project: what is live in it ends, nobody gets in any more, what was said is kept. Raises NotFound."""
        await self._change(lambda change: talking.remove_project(change, project_id))

    async def add_member(self, project_id: str, name: str, kind: Kind) -> tuple[Member, str]:
        """A new member and its passkey, which is told here and never again. Raises BadInput, NotFound, Conflict."""
        if kind not in ("ai", "human"):
            raise BadInput(f"There is no kind {kind!r}.", 'Expected "ai" or "human".', code="bad_kind")
        name, passkey = name_of(name, "an agent"), new_passkey()
        passkey_hash = await asyncio.to_thread(hashed, passkey)
        member = await self._change(
            lambda change: project_rows.add_member(
                change.tx, project_id, name, kind, passkey_hash, change.now
            )
        )
        return member, passkey

    async def add_desk_agent(self, project_id: str, agent: str, name: str = "") -> Member:
        """An agent of the desk as a new member, by default under its own name. Nobody gets a passkey: the desk speaks for it.

        Raises BadInput, NotFound, Conflict.
        """
        name = name_of(name or agent, "an agent")
        passkey_hash = await asyncio.to_thread(hashed, new_passkey())

        def job(change: Change) -> Member:
            change.keys |= {DESK_MEMBERS, project_key(project_id)}
            return project_rows.add_member(change.tx, project_id, name, "ai", passkey_hash, change.now, agent)

        return await self._change(job)

    async def join_member(self, project_id: str, member_id: str) -> Member:
        """Take a member of another project into this one too; its passkey stays. Raises NotFound, Conflict."""

        def job(change: Change) -> Member:
            change.keys.add(DESK_MEMBERS)
            return project_rows.join_member(change.tx, project_id, member_id, change.now)

        return await self._change(job)

    async def members(self, project_id: str) -> list[Member]:
        """In the order in which they joined, with those that were removed. Raises NotFound for the project."""
        await self.project(project_id)
        return await self._store.aread(lambda connection: project_rows.list_members(connection, project_id))

    async def remove_member(self, project_id: str, member_id: str) -> None:
        """Take a member out of a project: its conversations there end, its name and words stay. Raises NotFound."""
        await self._change(lambda change: talking.remove_member(change, project_id, member_id))

    async def pending_purposes(
        self, project_id: str, member_id: str | None = None
    ) -> list[PendingAgentPurpose]:
        """Who is wanted in a project: members that were not told yet of a conversation."""
        return await self._store.aread(
            lambda connection: conversation_rows.pending_purposes(connection, project_id, member_id)
        )

    # --- for the desk's own agents --------------------------------------------------------------------------------

    async def desk_memberships(self) -> list[tuple[str, str]]:
        """(project, member) of the desk's own agents that are members now."""
        return await self._store.aread(project_rows.desk_memberships)

    def member_at(self, chat_id: str) -> tuple[str, str] | None:
        """(project, member) of the desk's agent that works in a chat. Waits for the database: not on an event loop."""
        return self._store.read(lambda connection: project_rows.member_at(connection, chat_id))

    async def give_chat(self, project_id: str, member_id: str, before: str | None, chat_id: str) -> bool:
        """The chat in which a member works, in place of `before`; False when somebody was first."""

        def job(change: Change) -> bool:
            change.keys.add(project_key(project_id))
            return project_rows.give_chat(change.tx, project_id, member_id, before, chat_id)

        return await self._change(job)

    def session_of(self, project_id: str, member_id: str) -> AgentSession:
        """A session of a member that the desk itself speaks for."""
        return AgentSession(member_id=member_id, project_id=project_id, purpose="chat", expires_at=math.inf)

    async def place_of(self, session: AgentSession) -> int:
        """How far a member was told of actions. Raises invalid_session."""
        return await self._store.aread(lambda connection: inbox.received(connection, session))

    async def unread(self, session: AgentSession) -> list[Message]:
        """Messages that were not given yet, which stay so. Raises invalid_session."""
        return await self._store.aread(lambda connection: inbox.unread(connection, session))

    async def mark_read(self, session: AgentSession, seq: int) -> None:
        """The member has had its messages up to a place."""
        await self._change(lambda change: inbox.mark_read(change, session, seq))

    def waiting_for_desk_agents(self) -> AbstractContextManager[Waker]:
        """Woken when the desk's own agents came into projects, or left some."""
        return self._wakers.waiting(DESK_MEMBERS)

    # --- for people -----------------------------------------------------------------------------------------------

    async def conversations(
        self, project_id: str, state: State | None = None, before: str | None = None, limit: int = 50
    ) -> list[Conversation]:
        """Those of a project, newest first; `before` names the last one of an earlier page. Raises NotFound."""
        await self.project(project_id)
        states: list[State] = [state] if state is not None else []
        return await self._store.aread(
            lambda connection: conversation_rows.newest(connection, project_id, states, before, limit)
        )

    async def conversation(self, conversation_id: str) -> Conversation:
        """Raises NotFound."""
        return await self._store.aread(lambda connection: conversation_rows.get(connection, conversation_id))

    async def transcript(self, conversation_id: str, after: int = 0, limit: int = PAGE) -> list[Message]:
        """What was said in it after a seq, in order. Empty for one that does not exist."""
        return await self._store.aread(
            lambda connection: inbox.read_messages(connection, conversation_id, limit, after)
        )

    async def members_by_id(self, project_id: str) -> dict[str, Member]:
        """Everybody who is or was in a project."""
        return await self._store.aread(lambda connection: project_rows.members_by_id(connection, project_id))

    async def newest(
        self,
        project_id: str,
        states: Sequence[State] = (),
        before: str | None = None,
        limit: int = PAGE,
        also: Collection[str] = (),
    ) -> tuple[list[Conversation], dict[str, Member]]:
        """Those of a project in one of these states (none: in any), newest first, then those of the ids `also`; and all

        members. Raises NotFound for `before`.
        """

        def read(connection: Connection) -> tuple[list[Conversation], dict[str, Member]]:
            conversations = conversation_rows.newest(connection, project_id, states, before, limit)
            page_ids = {conversation.id for conversation in conversations}
            conversations += [conversation_rows.get(connection, key) for key in also if key not in page_ids]
            return conversations, project_rows.members_by_id(connection, project_id)

        return await self._store.aread(read)

    async def messages(
        self, conversation_id: str, limit: int, after: int | None = None, before: int | None = None
    ) -> list[Message]:
        """What was said, in order: the first messages after a seq, else the last ones (before a seq)."""
        return await self._store.aread(
            lambda connection: inbox.read_messages(connection, conversation_id, limit, after, before)
        )

    async def end_by_person(self, conversation_id: str) -> Conversation:
        """End it at once; both sides are told. Raises NotFound, or Conflict when it is over."""
        return await self._change(lambda change: talking.end_by_person(change, conversation_id))

    def followers(self, id: str) -> int:
        """How many follow a conversation or a project."""
        return self._wakers.count(conversation_key(id)) + self._wakers.count(project_key(id))

    async def follow(self, conversation_id: str, after: int = 0) -> AsyncGenerator[Followed]:
        """The conversation and what was said in it after a seq, then again whenever something happened, until it is over.

        Raises NotFound.
        """
        previous: Conversation | None = None

        def read(connection: Connection) -> tuple[Conversation, list[Message]]:
            conversation = conversation_rows.get(connection, conversation_id)
            return conversation, inbox.read_messages(connection, conversation_id, PAGE, after)

        with self._wakers.waiting(conversation_key(conversation_id)) as waiter:
            while not self._wakers.closed:
                conversation, messages = await self._store.aread(read)
                if messages or conversation != previous:
                    yield Followed(conversation=conversation, messages=tuple(messages))
                previous, after = conversation, messages[-1].seq if messages else after
                if len(messages) == PAGE:
                    continue
                if not conversation.is_live:
                    return
                await waiter.wait(LONGEST_WAIT)

    async def follow_project(self, project_id: str) -> AsyncGenerator[Project]:
        """The project, then again whenever something happened in it, several things at once; until it is removed."""
        with self._wakers.waiting(project_key(project_id)) as waiter:
            while not self._wakers.closed:
                try:
                    yield await self.project(project_id)
                except NotFound:
                    return
                await waiter.wait(LOOK_AGAIN)
                await asyncio.sleep(BREATH)

    # --- for members ----------------------------------------------------------------------------------------------

    async def authenticate(self, member_id: str, passkey: str, project_id: str) -> Login:
        """Log a member in. Raises authentication_failed, alike for whatever is wrong, and too_many_attempts."""
        async with self._attempts.turn(member_id):
            passkey_hash = await self._store.aread(
                lambda connection: sessions.passkey_hash_of(connection, project_id, member_id)
            )
            if not await asyncio.to_thread(matches, passkey, passkey_hash):
                self._attempts.was_wrong(member_id)
                raise AgentFault(AUTHENTICATION_FAILED)
            self._attempts.was_right(member_id)
        lasts = self._session_seconds
        return await self._change(
            lambda change: sessions.add(change.tx, project_id, member_id, change.now, lasts)
        )

    async def session(self, token: str) -> AgentSession:
        """Raises invalid_session."""
        return await self._store.aread(lambda connection: sessions.find(connection, token, self._clock()))

    async def start(
        self,
        session: AgentSession,
        target_id: str,
        purpose: str | None = None,
        first: str | None = None,
        depth: int = 0,
    ) -> Conversation:
        """Begin a conversation, with `first` said in it at once; `depth` as the rules have it.

        Raises AgentFault: with_self, with_human, not_in_project, already_active, too_long.
        """
        about = talking.checked(purpose, talking.PURPOSE_LIMIT, "purpose") if purpose else None
        content = talking.checked(first, talking.CONTENT_LIMIT, "content") if first else None
        return await self._change(
            lambda change: talking.start(change, session, target_id, about, content, depth)
        )

    async def end(self, session: AgentSession, conversation_id: str | None = None) -> Conversation:
        """End a conversation, by default the only one. Raises AgentFault: no_active, several, not_a_participant."""
        result = await self._change(lambda change: talking.end(change, session, conversation_id))
        if isinstance(result, AgentFault):
            raise result
        return result

    async def send(
        self, session: AgentSession, target_id: str, content: str, message_id: str | None = None
    ) -> Message:
        """Say something to another member. Raises AgentFault: with_self, not_in_project, empty, too_long.

        A `message_id` of the caller's own is said once; raises IntegrityError for one that was.
        """
        text = talking.checked(content, talking.CONTENT_LIMIT, "content")
        return await self._change(lambda change: talking.send(change, session, target_id, text, message_id))

    async def pending(self, session: AgentSession) -> list[Message]:
        """Messages that were not given yet, each once; ask until there are none. Raises invalid_session."""
        while messages := await self._store.aread(lambda connection: inbox.unread(connection, session)):
            if await self._change(partial(inbox.take, session=session, messages=messages)):
                return messages
        return []

    async def next_action(
        self, session: AgentSession, wait_seconds: float = 0, after: int | None = None
    ) -> Action:
        """What to do next; waits up to `wait_seconds` (60 at most) while there is nothing. Raises invalid_session.

        Without `after` what is given counts as received; with it, what came until there does, and later things are given
        again. Who waits holds no thread.
        """
        until = time.monotonic() + (min(wait_seconds, LONGEST_WAIT) if wait_seconds > 0 else 0)
        with self._wakers.waiting(member_key(session.project_id, session.member_id)) as waiter:
            while True:
                if self._clock() >= session.expires_at:
                    raise AgentFault(INVALID_SESSION)
                action = await self._store.aread(
                    lambda connection: inbox.next_action(connection, session, after, self._clock())
                )
                if action is None or action.action != "wait":
                    action = await self._deliver(session, action, after)
                remaining_seconds = until - time.monotonic()
                if action.action != "wait" or remaining_seconds <= 0 or self._wakers.closed:
                    return action
                await waiter.wait(remaining_seconds)

    async def _deliver(self, session: AgentSession, action: Action | None, after: int | None) -> Action:
        """What `look` found, noted as given; or what there is now, when that changed meanwhile."""

        def job(change: Change) -> Action:
            if (
                action is not None
                and action.action == "chat"
                and inbox.give_chat(change, session, action, after)
            ):
                return action
            return inbox.give(change, session, after)

        return await self._change(job)

    async def transcript_for(self, session: AgentSession, conversation_id: str) -> Followed:
        """A conversation of the session's member with its newest messages. Raises not_a_participant."""

        def read(connection: Connection) -> Followed:
            conversation = talking.require_part(connection, session, conversation_id)
            messages = inbox.newest_messages(connection, conversation_id)
            return Followed(conversation=conversation, messages=tuple(messages))

        return await self._store.aread(read)

    # --- how things are changed -----------------------------------------------------------------------------------

    async def _change(self, job: Callable[[Change], T]) -> T:
        """Do a job; waiters for what it changed are woken after its commit, also when its caller left meanwhile."""

        async def through() -> T:
            result, keys = await self._store.do(lambda tx: self._done(tx, job))
            self._wakers.wake(keys)
            return result

        task = asyncio.create_task(through())
        self._changing.add(task)
        task.add_done_callback(self._changing.discard)
        return await shielded(task)

    def _change_now(self, job: Callable[[Change], T]) -> T:
        """The same from a thread."""
        result, keys = self._store.submit(lambda tx: self._done(tx, job)).result()
        self._wakers.wake(keys)
        return result

    def _done(self, tx: Tx, job: Callable[[Change], T]) -> tuple[T, set[str]]:
        change = Change(tx, self._clock(), self._times)
        result = job(change)
        tx.touched |= change.keys
        return result, change.keys
