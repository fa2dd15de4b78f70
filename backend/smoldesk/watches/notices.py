"""Unread reports of watches, and those who follow them: the pages of this server."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from smoldesk.store.store import Store
from smoldesk.store.watches import StoredTurn, see_turns, unseen_turns
from smoldesk.watches.watch import Report, WatchBody

MAX_NOTICES = 50


@dataclass(frozen=True)
class Notice:
    """Report that nobody has read."""

    turn: StoredTurn
    chat_id: str
    title: str
    report: Report


@dataclass(frozen=True)
class NoticeList:
    """The newest unread reports of all watches, and the number of all."""

    notices: tuple[Notice, ...]
    count: int


class NoticeFeed:
    """Unread reports of a desk, for those who follow them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._last = NoticeList((), 0)
        self._changed = asyncio.Condition()
        self._is_closed = False
        self._followers = 0
        self.is_old = True
        """Whether reports may have changed since they were read."""

    @property
    def has_followers(self) -> bool:
        """Whether a page follows the reports."""
        return self._followers > 0

    async def see(self, watch_id: str | None = None) -> None:
        """Mark the reports of a watch as read, or all of them."""
        await self._store.do(lambda tx: see_turns(tx, watch_id))
        self.is_old = True

    async def read(self) -> NoticeList:
        """Return the unread reports."""
        found, count = await self._store.aread(lambda c: unseen_turns(c, MAX_NOTICES))
        return NoticeList(
            tuple(
                Notice(
                    turn,
                    chat_id,
                    WatchBody.model_validate_json(body).title,
                    Report.model_validate_json(turn.body),
                )
                for turn, chat_id, body in found
            ),
            count,
        )

    async def follow(self) -> AsyncGenerator[NoticeList]:
        """Yield the unread reports now and after each change, until the desk closes."""
        self._followers += 1
        try:
            await self.refresh()
            yield (sent := self._last)
            while not self._is_closed:
                async with self._changed:
                    if self._last is sent and not self._is_closed:
                        await self._changed.wait()
                sent = self._last
                yield sent
        finally:
            self._followers -= 1

    async def refresh(self) -> None:
        """Read the reports, and give them to the followers if they changed."""
        self.is_old = False
        now = await self.read()
        if now != self._last:
            async with self._changed:
                self._last = now
                self._changed.notify_all()

    async def close(self) -> None:
        """End those who follow."""
        async with self._changed:
            self._is_closed = True
            self._changed.notify_all()
