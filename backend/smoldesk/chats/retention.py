"""Retention: chats without activity for some days are deleted, as by a person, in a task of the server."""

import asyncio
import contextlib
import logging

from sqlalchemy.exc import SQLAlchemyError

from smoldesk.chats.chats import Chats
from smoldesk.errors import DeskError

# Seconds before the first look: a clock may be wrong until a machine has started, and a person may stop the server.
FIRST_LOOK = 600.0
# Seconds between two looks for such chats.
PERIOD = 3600.0
DAY = 86_400.0
log = logging.getLogger(__name__)


class Retention:
    """Task that deletes inactive chats, each at one server only; without days it does nothing."""

    def __init__(self, chats: Chats, days: float) -> None:
        self._chats = chats
        self._days = days
        self._closing = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin; on the event loop."""
        if self._days:
            self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """End after the chat at hand: of one whose rows are removed, the files go, too."""
        self._closing.set()
        if self._task is not None:
            await self._task

    async def _run(self) -> None:
        await self._wait(FIRST_LOOK)
        while not self._closing.is_set():
            try:
                count = await self._chats.erase_inactive(self._days * DAY, self._closing.is_set)
                if count:
                    log.info("deleted %d chats without activity for %g days", count, self._days)
            except (DeskError, SQLAlchemyError, OSError) as fault:  # the next look finds the same chats
                log.error("chats without activity could not be deleted (%s)", type(fault).__name__)
            await self._wait(PERIOD)

    async def _wait(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), seconds)
