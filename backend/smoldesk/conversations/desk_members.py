"""DeskMembers: the desk's own agents in projects, each a DeskMember, on one event loop in a thread of its own.

Threads of runs, where tools are called, reach the conversations through this loop.
"""

import asyncio
import logging
import threading
from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from smoldesk.chats import Chats
from smoldesk.conversations.desk_member import DeskMember, TalkLimits, Turn, newest_in
from smoldesk.conversations.service import Conversations
from smoldesk.errors import DeskError
from smoldesk.runs import Runs

if TYPE_CHECKING:
    from smoldesk.tools.policy import DeskTool

T = TypeVar("T")
# Pause after which memberships are read again without a wake-up; members that failed start again then.
POLL_SECONDS = 10.0
# Longest time that a tool waits for the conversations.
CALL_SECONDS = 30.0
# Longest time that `close` waits for the thread, a daemon.
CLOSE_SECONDS = 5.0
log = logging.getLogger(__name__)


class DeskMembers:
    """The desk's agents in all projects. Runs that are active at `close` go on, and the next server finishes their turns."""

    def __init__(self, talk: Conversations, chats: Chats, runs: Runs, limits: TalkLimits) -> None:
        self._talk = talk
        self._chats = chats
        self._runs = runs
        self._limits = limits
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="desk-members", daemon=True)

    def open(self) -> None:
        """Start to take turns; tools may be called from here on."""
        self._thread.start()
        self._ready.wait()

    def close(self) -> None:
        """Wait for the thread, after the conversations are closed; may be called twice, or before `open`."""
        if self._thread.is_alive():
            self._thread.join(CLOSE_SECONDS)

    def tools(self, chat_id: str) -> "Sequence[DeskTool]":
        """Return the tools for conversations in a member's chat; none in other chats. Called on a run's thread."""
        membership = self._talk.member_at(chat_id) if self._loop is not None else None
        if membership is None:
            return []
        from smoldesk.conversations.talk_tools import talk_tools

        depth, most = self.call(self._depth_in(chat_id)), self._limits.most_in_a_row
        return talk_tools(self._talk, self._talk.session_of(*membership), self.call, depth, most)

    async def _depth_in(self, chat_id: str) -> int:
        """Return the depth of a conversation that the chat's run would start; read from the run, as servers differ."""
        for record in await newest_in(self._runs, chat_id, 1, "running"):
            if (turn := Turn.of(record.options)) is not None:
                return (await self._talk.conversation(turn.conversation_id)).depth + 1
        return 0

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine on the loop and return its result; for threads of runs."""
        if self._loop is None or self._talk.closed:
            work.close()  # without this Python warns of a coroutine that was never awaited
            raise DeskError("The desk is shutting down.", code="closing")
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(CALL_SECONDS)

    def _run(self) -> None:
        asyncio.run(self._supervise())

    async def _supervise(self) -> None:
        """Keep a task for each member; one that failed starts again in a later round."""
        self._loop = asyncio.get_running_loop()
        working: dict[tuple[str, str], asyncio.Task[None]] = {}
        with self._talk.waiting_for_desk_agents() as waiter:
            self._ready.set()
            while not self._talk.closed:
                try:
                    memberships = await self._talk.desk_memberships()
                except (DeskError, SQLAlchemyError) as fault:
                    log.error("the desk's members could not be read (%s)", type(fault).__name__)
                    memberships = []
                for key in memberships:
                    if key not in working or working[key].done():
                        working[key] = asyncio.create_task(self._work(*key))
                await waiter.wait(POLL_SECONDS)
        for task in working.values():
            task.cancel()
        await asyncio.gather(*working.values(), return_exceptions=True)

    async def _work(self, project_id: str, member_id: str) -> None:
        member = DeskMember(self._talk, self._chats, self._runs, project_id, member_id, self._limits)
        try:
            await member.work()
        except (DeskError, SQLAlchemyError, OSError) as fault:
            if not self._talk.closed:
                log.error("the member %s stopped (%s)", member_id, type(fault).__name__)
