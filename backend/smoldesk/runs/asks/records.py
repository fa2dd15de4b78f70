"""Asks as records: what is open anywhere, what a chat was asked, and where in its log. Reads on the store's threads."""

from collections.abc import Collection

from smoldesk.events import Ask
from smoldesk.store import ask_queries, asks, chats
from smoldesk.store.ask_queries import Asked
from smoldesk.store.asks import AskRecord
from smoldesk.store.store import Store


class AskRecords:
    """The asks of a desk's chats, open and closed."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def open_everywhere(self) -> list[AskRecord]:
        """The open asks of all chats, oldest first."""
        return await self._store.aread(asks.open_asks_everywhere)

    async def of_chat(self, chat_id: str, before: str | None = None) -> list[AskRecord]:
        """A page of a chat's asks, newest first; `before`: the id of the last one of the page before. Raises NotFound."""
        await self._store.aread(lambda connection: chats.get_chat(connection, chat_id))
        return await self._store.aread(lambda connection: asks.asks_of_chat(connection, chat_id, before))

    async def asked(self, chat_id: str, ask_ids: Collection[str] = ()) -> list[Asked]:
        """The chat's asks with these ids, and all its open ones. An ask of another chat is none of them."""
        return await self._store.aread(lambda connection: ask_queries.asked(connection, chat_id, ask_ids))

    async def chat_of(self, ask_ids: Collection[str]) -> str | None:
        """The chat that asked one of these."""
        return await self._store.aread(lambda connection: ask_queries.chat_of_ask(connection, ask_ids))

    async def still_open(self, ask_ids: Collection[str]) -> list[Ask]:
        """Those of these asks that nobody answered yet."""
        return await self._store.aread(lambda connection: ask_queries.still_open(connection, ask_ids))

    async def last_seq_of(self, chat_id: str, run_id: str, ask_ids: Collection[str]) -> int:
        """Seq of the run's last event that opened, or waited for, one of these asks; 0 when none did."""
        return await self._store.aread(
            lambda connection: ask_queries.last_said_of(connection, chat_id, run_id, ask_ids)
        )
