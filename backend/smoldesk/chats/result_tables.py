"""The tables that runs have shown in a chat: pages of their rows in any order, what their columns hold, and files of them."""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import Future
from pathlib import Path

from sqlalchemy import Connection

from smoldesk.chats.pieces import stream_pieces
from smoldesk.errors import BadInput, NotFound
from smoldesk.messages import TableSelection
from smoldesk.stopping import StopFlag
from smoldesk.store import chats, event_log, files
from smoldesk.store.store import Store
from smoldesk.tables.open_table import Question, StoredTable
from smoldesk.tables.open_tables import OpenTables
from smoldesk.tables.table_answers import TableColumns, TableGroups, TableRows

PARQUET = ".parquet"


class ResultTables:
    """The shown tables of all chats. What is asked is read in a jailed child; `stop` ends it early."""

    def __init__(self, store: Store, tables: OpenTables) -> None:
        self._store = store
        self._tables = tables

    async def find(self, chat_id: str, table_id: str) -> tuple[Path, bool]:
        """Return the path of a table's file and whether it is Parquet (all new ones are). Raises NotFound."""

        def read_file(connection: Connection) -> files.StoredFile:
            chats.get_chat(connection, chat_id)  # of a deleted chat nothing is found
            return files.find_file(connection, chat_id, "", table_id)

        file = await self._store.aread(read_file)
        if file.kind != "table":
            raise NotFound(f"There is no table {table_id[:80]!r} in this chat.")
        path = await asyncio.to_thread(self._store.files.existing_path, table_id)
        return path, file.name.endswith(PARQUET)

    async def page(self, chat_id: str, table_id: str, view: Question, stop: StopFlag) -> "Future[TableRows]":
        """Return the rows of a view. Raises NotFound; the future ends with BadInput or TableUnread."""
        return self._tables.page(await self._stored(chat_id, table_id), view, stop)

    async def profile(self, chat_id: str, table_id: str, stop: StopFlag) -> "Future[TableColumns]":
        """Profile the columns. Raises NotFound; the future ends with BadInput or TableUnread."""
        return self._tables.profile(await self._stored(chat_id, table_id), stop)

    async def groups(
        self, chat_id: str, table_id: str, request: Question, stop: StopFlag
    ) -> "Future[TableGroups]":
        """Return groups of a view. Raises NotFound; the future ends with BadInput or TableUnread."""
        return self._tables.groups(await self._stored(chat_id, table_id), request, stop)

    async def selected(self, chat_id: str, about: TableSelection) -> TableSelection:
        """Return the selection with the names of the table and its columns.

        Raises NotFound for a table of another chat, BadInput for rows or columns out of range.
        """
        await self._stored(chat_id, about.table_id)
        table = await self._store.aread(lambda c: event_log.read_table(c, chat_id, about.table_id))
        if about.end > table.row_count or max(about.columns) >= len(table.columns):
            size = f"{table.row_count} rows and {len(table.columns)} columns"
            raise BadInput("The selection goes beyond the table.", f"It has {size}.", code="bad_selection")
        names = [table.columns[place].name for place in about.columns]
        return about.model_copy(update={"name": table.name, "names": names})

    async def export(self, chat_id: str, table_id: str, view: Question) -> AsyncIterator[bytes]:
        """Return the file of a view in pieces, the first of them ready. Raises NotFound, BadInput, TableUnread."""
        table = await self._stored(chat_id, table_id)
        return await stream_pieces(lambda stop: self._tables.export(table, view, stop))

    async def _stored(self, chat_id: str, table_id: str) -> StoredTable:
        path, is_parquet = await self.find(chat_id, table_id)
        if not is_parquet:
            raise BadInput(
                "This table is from a version that did not store tables.",
                "Show it again to sort, filter or search it.",
                code="old_table",
            )
        folder = await asyncio.to_thread(self._store.data_dir.chat_folder, chat_id)
        return StoredTable(table_id, chat_id, path, folder)
