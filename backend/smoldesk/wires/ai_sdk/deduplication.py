"""The same message sent twice at once, by two tabs or by a client that tries again: it is one run, not two."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

MOST_REMEMBERED = 1_000
"""Messages that are remembered; beyond, the oldest is forgotten."""

Key = tuple[str, str, str]
"""Chat, the client's id of the message, and what it says."""


class Deduplication:
    """The runs that messages of this server's clients have begun. Used on the event loop."""

    def __init__(self, is_open: Callable[[str, str], Awaitable[bool]]) -> None:
        """`is_open` says whether a run of a chat (chat's id, run's id) goes on."""
        self._is_open = is_open
        self._begun: dict[Key, asyncio.Task[str]] = {}

    async def begin_once(self, key: Key, begin: Callable[[], Coroutine[Any, Any, str]]) -> tuple[str, bool]:
        """The run of a message, and whether it is a repeat: the one it began before while that goes on, else a new one."""
        known = self._begun.get(key)
        if known is not None:
            run_id = await asyncio.shield(known)  # raises what the first attempt raised
            if await self._is_open(key[0], run_id):
                return run_id, True
            if self._begun.get(key) is not known:  # somebody else came first while we looked
                return await self.begin_once(key, begin)
        task = self._begun[key] = asyncio.create_task(begin())
        while len(self._begun) > MOST_REMEMBERED:
            del self._begun[next(iter(self._begun))]
        try:
            return await asyncio.shield(task), False
        except BaseException:
            if self._begun.get(key) is task and (task.done() and task.exception() is not None):
                del self._begun[key]
            raise
