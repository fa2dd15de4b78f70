"""Chats: made, found by a client's own id, listed, changed and deleted; and their logs, a page at a time."""

import asyncio
import contextlib
import hashlib
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from pydantic import JsonValue
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from smoldesk.agents import DeskAgents
from smoldesk.errors import BadInput, DeskError, NotFound
from smoldesk.events import AnyEvent, ArrowsCleared, ReadingKept, StoredEvent
from smoldesk.logs import DESK, acting
from smoldesk.messages import TableContent
from smoldesk.store import chat_lists, chat_tags, chats, event_log, heartbeats, inactive_chats
from smoldesk.store.buildings import choose_building
from smoldesk.store.chat_choices import agent_of_chat, choose_agent, choose_model, share_state
from smoldesk.store.chat_lists import ChatPage, Place
from smoldesk.store.chat_tags import TagCount
from smoldesk.store.chats import ChatInfo
from smoldesk.store.erasures import Erasure, forget_erasure, is_erasure_open, open_erasures
from smoldesk.store.import_history import PastTurn, append_turns
from smoldesk.store.store import Store
from smoldesk.store.transaction import Tx

T = TypeVar("T")
# Seconds in which a deleted chat can be restored.
UNDO_SECONDS = 600.0
# Seconds between two tries to delete what an object store that was away still has.
AGAIN_SECONDS = 60.0
log = logging.getLogger(__name__)


class Chats:
    """The chats of a desk. Methods raise NotFound for an unknown chat."""

    def __init__(
        self, store: Store, agents: DeskAgents, forget: Callable[[str], None] = lambda _chat_id: None
    ) -> None:
        """`forget` is called with each chat that is deleted for good, before its folder is removed."""
        self._store = store
        self._agents = agents
        self._forget = forget
        self._expiring: set[asyncio.Task[None]] = set()
        self._erasing: asyncio.Task[None] | None = None

    async def create(self, title: str = "", agent: str | None = None) -> ChatInfo:
        """Create a chat. Raises NotFound for an unknown agent."""
        if agent is not None:
            self._agents.agent_list.get(agent)

        def job(tx: Tx) -> ChatInfo:
            chat = chats.new_chat(tx, title)
            return chat if agent is None else choose_agent(tx, chat.id, agent)

        return await self._store.do(job)

    async def page(
        self,
        search: str = "",
        before: Place | None = None,
        limit: int = 200,
        archived: bool = False,
        tag: str = "",
    ) -> ChatPage:
        """Return chats, pinned ones first, then by newest activity; see `list_chats`."""
        return await self._store.aread(
            lambda connection: chat_lists.list_chats(connection, search, before, limit, archived, tag)
        )

    async def get(self, chat_id: str) -> ChatInfo:
        """Return a chat. Raises NotFound."""
        return await self._store.aread(lambda connection: chats.get_chat(connection, chat_id))

    async def agent_of(self, chat_id: str) -> str | None:
        """Return the agent that the chat chose, or None for the default agent."""
        return await self._store.aread(lambda connection: agent_of_chat(connection, chat_id))

    async def change(
        self,
        chat_id: str,
        pinned: bool | None = None,
        archived: bool | None = None,
        tags: Sequence[str] | None = None,
        **changes: str | None,
    ) -> ChatInfo:
        """Set any of `title`, `building_id`, `agent`, `model`, `pinned`, `archived` and `tags`, all or nothing.

        An open run goes on with the agent and the model it has. Raises NotFound, also for an unknown building, agent or model;
        Refused for a model that may not be chosen here.
        """
        agent, model = changes.get("agent"), changes.get("model")
        if agent is not None:
            self._agents.agent_list.get(agent)
        if model is not None:
            self._agents.models.check(model)

        def job(tx: Tx) -> ChatInfo:
            chat = chats.get_chat(tx.connection, chat_id)
            if "building_id" in changes:
                chat = choose_building(tx, chat_id, changes["building_id"])
            if "agent" in changes:
                chat = choose_agent(tx, chat_id, agent)
            if "model" in changes:
                chat = choose_model(tx, chat_id, model)
            if pinned is not None:
                chat = chats.pin_chat(tx, chat_id, pinned)
            if archived is not None:
                chat = chats.set_archived(tx, chat_id, archived)
            if tags is not None:
                chat_tags.set_tags(tx, chat_id, tags)
                chat = chats.get_chat(tx.connection, chat_id)
            title = changes.get("title")
            return chat if title is None else chats.rename_chat(tx, chat_id, title)

        return await self._store.do(job)

    async def rename_tag(self, tag: str, name: str) -> TagCount:
        """Rename a tag in all chats; see `chat_tags.rename_tag`. Raises NotFound."""
        return await self._store.do(lambda tx: chat_tags.rename_tag(tx, tag, name))

    async def remove_tag(self, tag: str) -> None:
        """Remove a tag from all chats. Raises NotFound."""
        await self._store.do(lambda tx: chat_tags.remove_tag(tx, tag))

    async def delete(self, chat_id: str) -> None:
        """Remove a chat with its log, its files and its child. Raises Conflict while a run of it is open."""
        await self._erased(chat_id, await self._store.do(lambda tx: chats.delete_chat(tx, chat_id)))

    async def erase_hidden(self, chat_id: str) -> None:
        """Remove a hidden chat whose runs have ended."""
        gone = await self._store.do(lambda tx: chats.erase_chat(tx, chat_id, is_audited=False))
        await self._erased(chat_id, gone)

    async def hide(self, chat_id: str) -> None:
        """Delete a chat so that `restore` can bring it back, for UNDO_SECONDS. Raises Conflict while a run of it is open."""
        await self._store.do(lambda tx: chats.hide_chat(tx, chat_id))
        self._store.followers.close(chat_id)
        task = asyncio.create_task(self._erase_later())
        self._expiring.add(task)  # which the loop alone would not keep
        task.add_done_callback(self._expiring.discard)

    async def restore(self, chat_id: str) -> ChatInfo:
        """Bring back a chat that was put away; raises NotFound when it is gone for good."""
        return await self._store.do(lambda tx: chats.restore_chat(tx, chat_id))

    async def erase_expired(self) -> None:
        """Remove the chats that were put away too long ago: at the start of a server, and as their time comes."""
        if await self._store.aread(open_erasures):
            self._begin_erasing()  # a start does not wait for an object store
        then = time.time() - UNDO_SECONDS
        for chat_id in await self._store.aread(lambda connection: chats.put_away_before(connection, then)):
            gone = await self._store.do(lambda tx, chat_id=chat_id: chats.erase_chat(tx, chat_id))
            await self._erased(chat_id, gone)

    async def erase_inactive(self, seconds: float, is_closing: Callable[[], bool] = lambda: False) -> int:
        """Remove the chats without activity for so long that nothing needs; return how many this server removed.

        The chat at hand is completed when `is_closing`. Raises DeskError while no clock can be trusted, or the database is
        away; other faults of a chat are logged, and the others go.
        """
        if await self._store.aread(heartbeats.clock_skew) > heartbeats.MOST_SKEW:
            raise DeskError(
                "The clock differs from the database's.", "Synchronize both.", code="clock_skewed"
            )
        now = time.time()
        before = now - seconds
        count = 0
        for chat_id in await self._store.aread(
            lambda connection: inactive_chats.inactive_chats(connection, before, now)
        ):
            if is_closing():
                break
            try:
                gone = await self._store.do(
                    lambda tx, chat_id=chat_id: inactive_chats.erase_inactive(tx, chat_id, before, now)
                )
                if gone is not None:
                    count += 1
                    await self._erased(chat_id, gone)
            except (DeskError, SQLAlchemyError, OSError) as fault:
                if isinstance(fault, DeskError) and fault.code == "database_unavailable":
                    raise
                log.error("the inactive chat %s could not be deleted (%s)", chat_id, type(fault).__name__)
        return count

    async def _erase_later(self) -> None:
        await asyncio.sleep(UNDO_SECONDS + 1)
        with acting(DESK):  # it may erase what others deleted, too
            await self.erase_expired()

    async def _erased(self, chat_id: str, gone: Sequence[str]) -> None:
        """Delete what a chat has outside the database, after its rows."""
        await asyncio.to_thread(self.forget, chat_id)
        if not await self._erase_outside(Erasure(chat_id, list(gone))):
            self._begin_erasing()

    def forget(self, chat_id: str) -> None:
        """Drop what this server has of a deleted chat in memory, and its processes. Blocks."""
        self._store.followers.close(chat_id)
        self._agents.drop(chat_id, "the chat was deleted")
        self._forget(chat_id)

    def _begin_erasing(self) -> None:
        """Have one task that deletes what could not be deleted."""
        if self._erasing is None or self._erasing.done():
            self._erasing = asyncio.create_task(self._erase_again())

    async def _erase_outside(self, erasure: Erasure) -> bool:
        """Delete the files and the folder of a chat without rows; False if they could not be deleted everywhere."""

        steps: tuple[Callable[[], None], ...] = (
            lambda: self._store.partials.discard_of(erasure.chat_id),
            lambda: self._store.folders.remove(erasure.chat_id),
            lambda: self._store.files.erase(erasure.file_ids),
        )
        faults: list[DeskError | OSError] = []
        for step in steps:  # each one: what is on this disk goes at once, also while a bucket is away
            try:
                await asyncio.to_thread(step)
            except (DeskError, OSError) as fault:
                faults.append(fault)
        try:
            if not faults:
                await self._store.do(lambda tx: forget_erasure(tx, erasure.chat_id))
        except DeskError as fault:
            faults.append(fault)
        if faults:
            fault = type(faults[0]).__name__
            log.warning("data of the deleted chat %s is still there (%s)", erasure.chat_id, fault)
        return not faults

    async def _erase_again(self) -> None:
        """Try what could not be deleted until it is."""
        while True:
            await asyncio.sleep(AGAIN_SECONDS)
            with acting(DESK), contextlib.suppress(DeskError):  # the database is away, too
                erasures = await self._store.aread(open_erasures)
                if all([await self._erase_if_open(erasure) for erasure in erasures]):
                    return

    async def _erase_if_open(self, erasure: Erasure) -> bool:
        """Erase a chat unless another server has: its id may be in use again."""
        is_open = await self._store.aread(lambda connection: is_erasure_open(connection, erasure.chat_id))
        return not is_open or await self._erase_outside(erasure)

    async def clear_arrows(self, chat_id: str) -> None:
        """Take all arrows off the chat's map."""
        await self._store.do(lambda tx: tx.append(chat_id, [ArrowsCleared()]))

    async def keep_reading(self, chat_id: str, run_id: str, index: int | None) -> None:
        """Make one of the alternatives of a run its answer; None: none of them is meant.

        Raises NotFound for a run without alternatives, BadInput for an unknown one of them.
        """

        def job(tx: Tx) -> None:
            alternatives = event_log.read_alternatives(tx.connection, chat_id, run_id)
            if not alternatives:
                raise NotFound(f"There is no run {run_id[:40]!r} with several readings in this chat.")
            if index is not None and not 0 <= index < len(alternatives):
                expected = f"Expected 0 to {len(alternatives) - 1}, or null for none of them."
                raise BadInput(f"`index` is {index}.", expected, code="unknown_reading")
            reading = None if index is None else alternatives[index].reading.query
            tx.append(chat_id, [ReadingKept(run_id=run_id, index=index, reading=reading)])

        await self._store.do(job)

    # --- clients that name chats by ids of their own -------------------------------------------------------------------

    async def find(self, client_id: str, wire: str) -> str | None:
        """Return the id of the chat that a client names, or None if it has none yet."""
        return await self._store.aread(lambda connection: _find(connection, client_id, wire))

    async def begin(self, client_id: str | None, wire: str, history: Sequence[PastTurn] = ()) -> str:
        """Return the id of the chat that a client names; create the chat with `history` if it is new.

        Raises DeskError while an earlier chat of that name is being erased.
        """

        def job(tx: Tx) -> str:
            if client_id is None:
                chat = chats.new_chat(tx)
            else:
                found = _find(tx.connection, client_id, wire)
                chat = chats.begin_chat(tx, found or derived(client_id, wire))
            if chat.last_seq == 0 and history:
                append_turns(tx, chat.id, history)
            return chat.id

        return await self._store.do(job)

    # --- logs ----------------------------------------------------------------------------------------------------------

    def events(self, chat_id: str, after: int = 0) -> list[StoredEvent]:
        """Return a page of committed events after `after`, in order; empty at the end. Blocks on the database."""
        return self._store.page(chat_id, after)[0]

    async def folded(
        self, chat_id: str, types: Sequence[str], before: int, fold: Callable[[Iterable[AnyEvent]], T]
    ) -> T:
        """Return `fold` over a chat's events of some types up to `before`. Runs on a thread of the store."""
        return await self._store.aread(
            lambda connection: fold(event_log.events_up_to(connection, chat_id, types, before))
        )

    async def share_state(
        self, chat_id: str, state: dict[str, JsonValue], replace: bool
    ) -> dict[str, JsonValue]:
        """Keep what a front end shares of its own state (store/chat_choices.py). Raises NotFound."""
        return await self._store.do(lambda tx: share_state(tx, chat_id, state, replace))

    async def table(self, chat_id: str, table_id: str) -> TableContent:
        """Return a table as it was shown. Raises NotFound."""

        def read_table(connection: Connection) -> TableContent:
            chats.get_chat(connection, chat_id)  # of a deleted chat nothing is found
            return event_log.read_table(connection, chat_id, table_id)

        return await self._store.aread(read_table)


def derived(client_id: str, wire: str) -> str:
    """Return the chat id for a client's own id on a wire: 128 bits of a hash, the same on every server."""
    return f"c_{hashlib.sha256(f'{wire}:{client_id}'.encode('utf-8', 'replace')).hexdigest()[:32]}"


def _find(connection: Connection, client_id: str, wire: str) -> str | None:
    """Return the chat with a client's id; the client may also use a chat id of this desk."""
    for chat_id in (client_id, derived(client_id, wire)):
        try:
            return chats.get_chat(connection, chat_id).id
        except NotFound:
            continue
    return None
