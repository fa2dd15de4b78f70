"""DeskMembers: the desk's own agents in projects, each a DeskMember on one event loop in a thread of its own.

The loop is also the way from the threads of runs, where tools are called, to the conversations.
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
LOOK_AGAIN_SECONDS = 10.0
CALL_SECONDS = 30.0
CLOSE_SECONDS = 5.0
log = logging.getLogger(__name__)


class DeskMembers:
    """`open` begins to take turns, `close` ends it; what runs by then goes on, and is finished by the next server."""

    def __init__(self, talk: Conversations, chats: Chats, runs: Runs, limits: TalkLimits) -> None:
        self._talk = talk
        self._chats = chats
        self._runs = runs
        self._limits = limits
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="desk-members", daemon=True)

    def open(self) -> None:
        """Begin; calls of tools may come from here on."""
        self._thread.start()
        self._ready.wait()

    def close(self) -> None:
        """Once the conversations are closed; calling it again, or before `open`, does nothing."""
        if self._thread.is_alive():
            self._thread.join(CLOSE_SECONDS)

    def tools(self, chat_id: str) -> "Sequence[DeskTool]":
        """What an agent can say and do in the conversations of its project; nothing in any other chat.

        Called on a run's thread.
        """
        membership = self._talk.member_at(chat_id) if self._loop is not None else None
        if membership is None:
            return []
        from smoldesk.conversations.talk_tools import talk_tools

        depth, most = self.call(self._depth_in(chat_id)), self._limits.most_in_a_row
        return talk_tools(self._talk, self._talk.session_of(*membership), self.call, depth, most)

    async def _depth_in(self, chat_id: str) -> int:
        """How deep what the chat's run begins would lie: told by the run itself, whichever server began it."""
        for record in await newest_in(self._runs, chat_id, 1, "running"):
            if (turn := Turn.of(record.options)) is not None:
                return (await self._talk.conversation(turn.conversation_id)).depth + 1
        return 0

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of a coroutine, from a run's thread."""
        if self._loop is None or self._talk.closed:
            work.close()
            raise DeskError("The desk is shutting down.", code="closing")
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(CALL_SECONDS)

    def _run(self) -> None:
        asyncio.run(self._supervise())

    async def _supervise(self) -> None:
        """Keep a task for each member that is there; one that failed begins again with a later look."""
        self._loop = asyncio.get_running_loop()
        working: dict[tuple[str, str], asyncio.Task[None]] = {}
        with self._talk.waiting_for_desk_agents() as waiter:
            self._ready.set()
            while not self._talk.closed:
                try:
                    memberships = await self._talk.desk_memberships()
                except SQLAlchemyError as fault:
                    log.error("the desk's members could not be read (%s)", type(fault).__name__)
                    memberships = []
                for key in memberships:
                    if key not in working or working[key].done():
                        working[key] = asyncio.create_task(self._work(*key))
                await waiter.wait(LOOK_AGAIN_SECONDS)
        for task in working.values():
            task.cancel()
        await asyncio.gather(*working.values(), return_exceptions=True)

    async def _work(self, project_id: str, member_id: str) -> None:
        member = DeskMember(self._talk, self._chats, self._runs, project_id, member_id, self._limits)
        try:
            await member.work()
        except (DeskError, SQLAlchemyError, OSError) as fault:
            if not self._talk.closed:
                log.error("the member %s stands still (%s)", member_id, type(fault).__name__)
