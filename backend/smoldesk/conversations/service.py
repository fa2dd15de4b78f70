"""Conversations: the service of this room, used by wires, page and command line.

Its methods run on an event loop. Members act with their session (`session` finds it by its token) and are refused with an
AgentFault; people's actions raise BadInput, NotFound and Conflict as everywhere.
"""

import asyncio
import math
import time
from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import TypeVar

from sqlalchemy import Connection

from smoldesk.chats import Audit, SharedTries
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
from smoldesk.conversations.rate_limit import QUIET_SECONDS, RateLimit
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
from smoldesk.logs import current_actor
from smoldesk.stopping import shielded
from smoldesk.store.store import Store
from smoldesk.store.transaction import Tx
from smoldesk.store.wakers import Waker

T = TypeVar("T")
Clock = Callable[[], float]
# Longest wait of next_action, in seconds.
LONGEST_WAIT = 60.0
# Seconds after which a follower of a project reads again without a wake-up: not every change in a project wakes it.
POLL_SECONDS = 10.0
# Pause of a follower of a project in seconds, so that changes in quick succession come as one.
SETTLE_SECONDS = 0.2
# Messages or conversations of one page.
PAGE = 200
SESSION_SECONDS = 12 * 3600.0


class Conversations:
    """Service of conversations. `clock` returns seconds since the epoch; `open` starts the sweeper, `close` ends it."""

    def __init__(
        self,
        store: Store,
        audit: Audit,
        times: Timeouts | None = None,
        session_seconds: float = SESSION_SECONDS,
        clock: Clock = time.time,
        attempts: RateLimit | None = None,
    ) -> None:
        self._store = store
        self._times = times or Timeouts()
        self._session_seconds = session_seconds
        self._clock = clock
        self._attempts = attempts or RateLimit(shared=SharedTries.of(store, "passkey", QUIET_SECONDS))
        self._audit = audit
        self._wakers = Notifier()
        self._changing: set[asyncio.Task[object]] = set()
        self._sweeper = Expiry(store, clock, self._times, session_seconds, self._change_now)
        store.listen(self._wakers.wake)

    def open(self) -> None:
        """Start to end expired conversations."""
        self._sweeper.start()

    def close(self) -> None:
        """End the sweeper and all waits; may be called twice."""
        self._sweeper.close()
        self._wakers.close()

    @property
    def closed(self) -> bool:
        """Whether the service is closed, and waits return at once."""
        return self._wakers.closed

    async def until_closed(self) -> None:
        """Wait for `close`; for holders of open streams."""
        with self._wakers.waiting("closing") as waiter:
            while not self._wakers.closed:
                await waiter.wait(LONGEST_WAIT)

    def sweep(self) -> int:
        """End expired conversations now, as happens every second; return their number. Not on an event loop."""
        return self._sweeper.sweep()

    def waiting_for(self, project_id: str, member_id: str) -> int:
        """Return the number of next_action calls that wait for a member."""
        return self._wakers.count(member_key(project_id, member_id))

    # --- projects and their members -------------------------------------------------------------------------------

    async def projects(self) -> list[Project]:
        """Return projects that were not removed, oldest first."""
        return await self._store.aread(project_rows.list_projects)

    async def create_project(self, name: str) -> Project:
        """Create a project. Raises BadInput for the name, Conflict when there are too many."""
        name = name_of(name, "a project")
        return await self._change(lambda change: project_rows.add_project(change.tx, name, change.now))

    async def project(self, project_id: str) -> Project:
        """Return a project. Raises NotFound, also for a removed one."""
        projects = await self._store.aread(
            lambda connection: project_rows.list_projects(connection, project_id)
        )
        if not projects:
            raise no_such_project(project_id)
        return projects[0]

    async def remove_project(self, project_id: str) -> None:
        """Remove a project: its live conversations end, logins are refused, messages stay. Raises NotFound."""
        await self._change(lambda change: talking.remove_project(change, project_id))

    async def add_member(self, project_id: str, name: str, kind: Kind) -> tuple[Member, str]:
        """Add a new member and return it with its passkey, which is shown once. Raises BadInput, NotFound, Conflict."""
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
        """Add an agent of the desk as a member, by default under its own name. Its passkey is discarded: the desk acts for it.

        Raises BadInput, NotFound, Conflict.
        """
        name = name_of(name or agent, "an agent")
        passkey_hash = await asyncio.to_thread(hashed, new_passkey())

        def job(change: Change) -> Member:
            change.keys |= {DESK_MEMBERS, project_key(project_id)}
            return project_rows.add_member(change.tx, project_id, name, "ai", passkey_hash, change.now, agent)

        return await self._change(job)

    async def join_member(self, project_id: str, member_id: str) -> Member:
        """Add a member of another project; its passkey stays. Raises NotFound, Conflict."""

        def job(change: Change) -> Member:
            change.keys.add(DESK_MEMBERS)
            return project_rows.join_member(change.tx, project_id, member_id, change.now)

        return await self._change(job)

    async def members(self, project_id: str) -> list[Member]:
        """Return members in the order in which they joined, with removed ones. Raises NotFound for the project."""
        await self.project(project_id)
        return await self._store.aread(lambda connection: project_rows.list_members(connection, project_id))

    async def remove_member(self, project_id: str, member_id: str) -> None:
        """Remove a member from a project: its conversations there end, its name and messages stay. Raises NotFound."""
        await self._change(lambda change: talking.remove_member(change, project_id, member_id))

    async def pending_purposes(
        self, project_id: str, member_id: str | None = None
    ) -> list[PendingAgentPurpose]:
        """Return requested members that have not been notified of their conversation yet."""
        return await self._store.aread(
            lambda connection: conversation_rows.pending_purposes(connection, project_id, member_id)
        )

    # --- for the desk's own agents --------------------------------------------------------------------------------

    async def desk_memberships(self) -> list[tuple[str, str]]:
        """Return (project, member) of the desk's own agents that are present."""
        return await self._store.aread(project_rows.desk_memberships)

    def member_at(self, chat_id: str) -> tuple[str, str] | None:
        """Return (project, member) of the desk's agent that works in a chat. Reads the database: not on an event loop."""
        return self._store.read(
            lambda connection: project_rows.member_at(connection, chat_id), snapshot=False
        )

    async def set_member_chat(
        self, project_id: str, member_id: str, before: str | None, chat_id: str
    ) -> bool:
        """Set the chat of a member in place of `before`; False when another change came first."""

        def job(change: Change) -> bool:
            change.keys.add(project_key(project_id))
            return project_rows.set_chat(change.tx, project_id, member_id, before, chat_id)

        return await self._change(job)

    def session_of(self, project_id: str, member_id: str) -> AgentSession:
        """Return a session of a member for which the desk acts."""
        return AgentSession(member_id=member_id, project_id=project_id, purpose="chat", expires_at=math.inf)

    async def place_of(self, session: AgentSession) -> int:
        """Return the place of a member's last received action. Raises invalid_session."""
        return await self._store.aread(lambda connection: inbox.received(connection, session))

    async def unread(self, session: AgentSession) -> list[Message]:
        """Return unread messages without marking them. Raises invalid_session."""
        return await self._store.aread(lambda connection: inbox.unread(connection, session))

    async def mark_read(self, session: AgentSession, seq: int) -> None:
        """Mark a member's messages as read up to a place."""
        await self._change(lambda change: inbox.mark_read(change, session, seq))

    def waiting_for_desk_agents(self) -> AbstractContextManager[Waker]:
        """Return a waiter that is woken when the desk's own agents join or leave projects."""
        return self._wakers.waiting(DESK_MEMBERS)

    # --- for people -----------------------------------------------------------------------------------------------

    async def conversations(
        self, project_id: str, state: State | None = None, before: str | None = None, limit: int = 50
    ) -> list[Conversation]:
        """Return a project's conversations, newest first; `before` is the last one of the page before. Raises NotFound."""
        await self.project(project_id)
        states: list[State] = [state] if state is not None else []
        return await self._store.aread(
            lambda connection: conversation_rows.newest(connection, project_id, states, before, limit)
        )

    async def conversation(self, conversation_id: str) -> Conversation:
        """Return a conversation. Raises NotFound."""
        return await self._store.aread(lambda connection: conversation_rows.get(connection, conversation_id))

    async def transcript(self, conversation_id: str, after: int = 0, limit: int = PAGE) -> list[Message]:
        """Return the messages of a conversation after a seq, in order; empty for an unknown one."""
        return await self._store.aread(
            lambda connection: inbox.read_messages(connection, conversation_id, limit, after)
        )

    async def members_by_id(self, project_id: str) -> dict[str, Member]:
        """Return present and former members of a project, by id."""
        return await self._store.aread(lambda connection: project_rows.members_by_id(connection, project_id))

    async def newest(
        self,
        project_id: str,
        states: Sequence[State] = (),
        before: str | None = None,
        limit: int = PAGE,
        also: Collection[str] = (),
    ) -> tuple[list[Conversation], dict[str, Member]]:
        """Return a project's conversations in these states (none: any), newest first, then those of `also`; and all members.

        Raises NotFound for an unknown `before`.
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
        """Return messages in order: the first ones after a seq, else the last ones (before a seq)."""
        return await self._store.aread(
            lambda connection: inbox.read_messages(connection, conversation_id, limit, after, before)
        )

    async def end_by_person(self, conversation_id: str) -> Conversation:
        """End a conversation at once and notify both sides. Raises NotFound, or Conflict when it is over."""
        return await self._change(lambda change: talking.end_by_person(change, conversation_id))

    def followers(self, id: str) -> int:
        """Return the number of followers of a conversation or a project."""
        return self._wakers.count(conversation_key(id)) + self._wakers.count(project_key(id))

    async def follow(self, conversation_id: str, after: int = 0) -> AsyncGenerator[Followed]:
        """Yield the conversation and its messages after a seq, then again after each change, until it is over.

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
                # A full page: there may be more messages, so read again before waiting.
                if len(messages) == PAGE:
                    continue
                if not conversation.is_live:
                    return
                await waiter.wait(LONGEST_WAIT)

    async def follow_project(self, project_id: str) -> AsyncGenerator[Project]:
        """Yield the project, then again after changes in it, several at once, until it is removed."""
        with self._wakers.waiting(project_key(project_id)) as waiter:
            while not self._wakers.closed:
                try:
                    yield await self.project(project_id)
                except NotFound:
                    return
                await waiter.wait(POLL_SECONDS)
                await asyncio.sleep(SETTLE_SECONDS)

    # --- for members ----------------------------------------------------------------------------------------------

    async def authenticate(self, member_id: str, passkey: str, project_id: str) -> Login:
        """Log a member in. Raises authentication_failed, the same for every cause, and too_many_attempts."""
        async with self._attempts.turn(member_id):
            passkey_hash = await self._store.aread(
                lambda connection: sessions.passkey_hash_of(connection, project_id, member_id)
            )
            # scrypt takes tens of milliseconds, which would block the event loop
            if not await asyncio.to_thread(matches, passkey, passkey_hash):
                # one error for a wrong passkey, an unknown member and project: a guesser must not learn which exist
                self._attempts.was_wrong(member_id)
                # Ids that do not exist are any text of a guesser.
                await self._audit.add_wrong(
                    "passkey.wrong", current_actor.get().address, 1, member_id if passkey_hash else ""
                )
                raise AgentFault(AUTHENTICATION_FAILED)
            await self._attempts.was_right(member_id)
        lasts = self._session_seconds
        return await self._change(
            lambda change: sessions.add(change.tx, project_id, member_id, change.now, lasts)
        )

    async def session(self, token: str) -> AgentSession:
        """Return the session of a token. Raises invalid_session."""
        return await self._store.aread(lambda connection: sessions.find(connection, token, self._clock()))

    async def start(
        self,
        session: AgentSession,
        target_id: str,
        purpose: str | None = None,
        first: str | None = None,
        depth: int = 0,
    ) -> Conversation:
        """Start a conversation, with `first` as its first message; `depth` as in the rules.

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
        """Send a message to another member. Raises AgentFault: with_self, not_in_project, empty, too_long.

        A `message_id` of the caller is sent once; raises IntegrityError for a known one.
        """
        text = talking.checked(content, talking.CONTENT_LIMIT, "content")
        return await self._change(lambda change: talking.send(change, session, target_id, text, message_id))

    async def pending(self, session: AgentSession) -> list[Message]:
        """Return unread messages and mark them as read; call until there are none. Raises invalid_session."""
        while messages := await self._store.aread(lambda connection: inbox.unread(connection, session)):
            if await self._change(partial(inbox.claim_messages, session=session, messages=messages)):
                return messages
        return []

    async def next_action(
        self, session: AgentSession, wait_seconds: float = 0, after: int | None = None
    ) -> Action:
        """Return the next action; waits up to `wait_seconds` (60 at most) for one. Raises invalid_session.

        Without `after` the action counts as received; with it, everything up to `after` does, and later actions are
        sent again. A waiting call occupies no thread.
        """
        until = time.monotonic() + (min(wait_seconds, LONGEST_WAIT) if wait_seconds > 0 else 0)
        # Registered before the first read: a message that is committed in between wakes this call.
        with self._wakers.waiting(member_key(session.project_id, session.member_id)) as waiter:
            while True:
                # Checked in each round, because a session may expire during the wait.
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
        """Note the delivery of an action, or return the present one if the inbox changed meanwhile."""

        def job(change: Change) -> Action:
            if (
                action is not None
                and action.action == "chat"
                and inbox.deliver_message(change, session, action, after)
            ):
                return action
            return inbox.deliver(change, session, after)

        return await self._change(job)

    async def transcript_for(self, session: AgentSession, conversation_id: str) -> Followed:
        """Return a conversation of the session's member with its newest messages. Raises not_a_participant."""

        def read(connection: Connection) -> Followed:
            conversation = talking.require_part(connection, session, conversation_id)
            messages = inbox.newest_messages(connection, conversation_id)
            return Followed(conversation=conversation, messages=tuple(messages))

        return await self._store.aread(read)

    # --- how things are changed -----------------------------------------------------------------------------------

    async def _change(self, job: Callable[[Change], T]) -> T:
        """Run a job in a transaction and wake the waiters for its changes after the commit."""

        async def commit_and_wake() -> T:
            result, keys = await self._store.do(lambda tx: self._done(tx, job))
            self._wakers.wake(keys)
            return result

        # a task of its own, shielded: a caller that is cancelled must not prevent the wake-up after the commit
        task = asyncio.create_task(commit_and_wake())
        self._changing.add(task)
        task.add_done_callback(self._changing.discard)
        return await shielded(task)

    def _change_now(self, job: Callable[[Change], T]) -> T:
        """Run a job as `_change` does, from a thread."""
        result, keys = self._store.submit(lambda tx: self._done(tx, job)).result()
        self._wakers.wake(keys)
        return result

    def _done(self, tx: Tx, job: Callable[[Change], T]) -> tuple[T, set[str]]:
        change = Change(tx, self._clock(), self._times)
        result = job(change)
        tx.touched |= change.keys
        return result, change.keys
