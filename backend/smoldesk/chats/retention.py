"""Retention: chats without activity for some days are deleted, as by a person, in a task of the server."""

import asyncio
import contextlib
import logging
import time

from sqlalchemy.exc import SQLAlchemyError

from smoldesk.chats.chats import Chats
from smoldesk.errors import DeskError

# Seconds between two looks for such chats.
PERIOD = 3600.0
DAY = 86_400.0
log = logging.getLogger(__name__)


class Retention:
    """Task that deletes inactive chats, each at one server only; without days it does nothing."""

    def __init__(self, chats: Chats, days: float) -> None:
        self._chats = chats
        self._days = days
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin; on the event loop."""
        if self._days:
            self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        while True:
            try:
                count = await self._chats.erase_inactive(time.time() - self._days * DAY)
                if count:
                    log.info("deleted %d chats without activity for %g days", count, self._days)
            except (DeskError, SQLAlchemyError, OSError) as fault:  # the next look finds the same chats
                log.error("chats without activity could not be deleted (%s)", type(fault).__name__)
            await asyncio.sleep(PERIOD)
