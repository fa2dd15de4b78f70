"""Choices of a chat (selected rooms, tools allowed without approval) and of a run (its push configurations)."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from smoldesk.agents import DeskAgents
from smoldesk.buildings.closure_state import (
    checked_scenario,
    closed_after,
    closures_in,
    with_closures,
    with_renamed_scenario,
)
from smoldesk.chats.buildings import Buildings
from smoldesk.errors import BadInput, NotFound
from smoldesk.messages import Closure, ClosureState, RoomRef
from smoldesk.runs import Runs
from smoldesk.store import chats, push_configs
from smoldesk.store.chat_choices import ChatPolicy, policies_of, select_rooms, selection_of, set_policy
from smoldesk.store.closures import change_closures, closures_of
from smoldesk.store.push_configs import PushConfig
from smoldesk.store.store import Store

ScenarioAction = Literal["save", "apply", "rename", "delete"]
# Maximum rooms listed in an error.
NAMED = 40


class Selections:
    """Selected rooms of all chats of a desk."""

    def __init__(self, store: Store, buildings: Buildings) -> None:
        self._store = store
        self._buildings = buildings

    async def of(self, chat_id: str) -> list[RoomRef]:
        """Return the selected rooms; empty for a chat that does not exist."""
        return await self._store.aread(lambda connection: selection_of(connection, chat_id))

    async def set(self, chat_id: str, rooms: Sequence[RoomRef]) -> None:
        """Have these rooms selected and no others. Raises NotFound, or BadInput for a room the chat's building lacks."""
        building = (await self._buildings.view(chat_id)).building
        for room in rooms:
            if room.floor_id not in building.floor_ids():
                expected = f"Floors: {', '.join(building.floor_ids())}."
                raise BadInput(f"There is no floor {room.floor_id[:40]!r}.", expected, code="unknown_room")
            if room.floor_id not in building.floors_with(room.name):
                names = [rectangle.name for rectangle in building.floor(room.floor_id).rectangles]
                more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
                raise BadInput(
                    f"Floor {room.floor_id} has no room {room.name[:40]!r}.",
                    f"Rooms: {', '.join(names[:NAMED])}{more}.",
                    code="unknown_room",
                )
        await self._store.do(lambda tx: select_rooms(tx, chat_id, rooms))


class ClosureChanges:
    """Closed parts of the buildings of all chats, as people change them on the page."""

    def __init__(self, store: Store, buildings: Buildings) -> None:
        self._store = store
        self._buildings = buildings

    async def change(self, chat_id: str, close: Sequence[Closure], reopen: Sequence[Closure]) -> None:
        """Close some parts of the chat's building and reopen others.

        Raises NotFound, BadInput for a part that the building lacks, too many, and if no room would stay open, or
        Conflict if the chat takes another building meanwhile.
        """
        building = (await self._buildings.view(chat_id)).building

        def change(state: ClosureState) -> ClosureState:
            return with_closures(state, None, closed_after(building, state.closures, close, reopen))

        await self._store.do(lambda tx: change_closures(tx, chat_id, building.definition.building_id, change))

    async def change_scenario(
        self,
        chat_id: str,
        action: ScenarioAction,
        name: str,
        closures: Sequence[Closure] | None = None,
        to: str = "",
    ) -> ClosureState:
        """Save closures (by default the present ones) under a name, make those of a name the present ones, or rename it
        to `to`, or remove it.

        Raises NotFound, BadInput for parts that the building lacks and too many, Conflict if the chat takes another
        building, or another scenario has the new name.
        """
        building = (await self._buildings.view(chat_id)).building
        name = checked_scenario(name)
        if not name or (action == "rename" and not to.strip()):
            raise BadInput("The scenario has no name.", "Expected a name.")

        def change(state: ClosureState) -> ClosureState:
            match action:
                case "save":
                    saved = state.closures if closures is None else closed_after(building, (), closures)
                    if not saved:
                        raise BadInput("Nothing is closed.", "Close something first.", code="nothing_closed")
                    return with_closures(state, name, saved)
                case "apply":
                    return with_closures(state, None, closed_after(building, (), closures_in(state, name)))
                case "rename":
                    return with_renamed_scenario(state, name, to)
                case "delete":
                    closures_in(state, name)
                    return with_closures(state, name, ())

        return await self._store.do(
            lambda tx: change_closures(tx, chat_id, building.definition.building_id, change)
        )

    async def state_of(self, chat_id: str) -> ClosureState:
        """Return the present closures and the scenarios."""
        return await self._store.aread(lambda connection: closures_of(connection, chat_id))


class PushConfigs:
    """Push addresses of clients, stored with their run and the server that sends, so that another one can go on."""

    def __init__(self, store: Store, runs: Runs) -> None:
        self._store = store
        self._runs = runs
        self.others_may_leave = store.shared
        """Whether there can be other servers, whose notifications this one takes over."""

    async def save(self, config: PushConfig) -> None:
        """Keep a configuration in place of one with its id; this server sends. Raises NotFound without the run, Conflict
        beyond the most.
        """
        config = replace(config, sender=self._runs.server)
        await self._store.do(lambda tx: push_configs.save(tx, config))

    async def of_run(self, run_id: str) -> list[PushConfig]:
        """Return the push configurations of a run, by id."""
        return await self._store.aread(lambda connection: push_configs.of_run(connection, run_id))

    async def sent_here(self, run_id: str, config_id: str) -> PushConfig | None:
        """Return a configuration if it is there, and this server sends its events."""
        server = self._runs.server
        return await self._store.aread(
            lambda connection: push_configs.sent_by(connection, run_id, config_id, server)
        )

    async def has_left(self) -> bool:
        """Return whether events are to be sent by nobody: an earlier start of this server, or one that is gone."""
        server, silence = self._runs.server, self._runs.silence()
        return await self._store.aread(lambda connection: push_configs.has_left(connection, server, silence))

    async def take_over(self) -> list[PushConfig]:
        """Have this server send what is to be sent by nobody; return all that it is to send."""
        server, silence = self._runs.server, self._runs.silence()
        return await self._store.do(lambda tx: push_configs.take_over(tx, server, silence))

    async def remove(self, run_id: str, config_id: str) -> None:
        """Forget a configuration; there need be none."""
        await self._store.do(lambda tx: push_configs.remove(tx, run_id, config_id))

    async def record_delivery(self, config: PushConfig, seq: int, is_over: bool) -> bool:
        """Record the seq up to which a client was notified; False if this server is to send no more."""
        server = self._runs.server
        return await self._store.do(lambda tx: push_configs.record_delivery(tx, config, server, seq, is_over))


class Policies:
    """Policies of chats for tools that need approval, by tool."""

    def __init__(self, store: Store, agents: DeskAgents) -> None:
        self._store = store
        self._agents = agents

    async def of(self, chat_id: str) -> dict[str, ChatPolicy]:
        """Return the chat's policy of each tool that a person decided on. Raises NotFound."""
        await self._store.aread(lambda connection: chats.get_chat(connection, chat_id))
        return await self._store.aread(lambda connection: policies_of(connection, chat_id))

    async def set(self, chat_id: str, tool: str, policy: ChatPolicy) -> None:
        """Allow a tool in a chat without approval, or revoke that.

        Raises NotFound for an unknown chat and for a tool that needs no approval.
        """
        asking = await asyncio.to_thread(self._agents.approvals)
        if tool not in asking:
            expected = f"Tools that ask: {', '.join(asking) or 'none'}."
            raise NotFound(f"No tool {tool[:40]!r} asks for approval.", expected, code="unknown_tool")
        await self._store.do(lambda tx: set_policy(tx, chat_id, tool, policy))
