"""DeskServers: the MCP servers of a desk as people see them: listed live, added with the right to, switched, let in.

Values of variables and headers are in the sealed row and in the memory of the server, nowhere else: no answer, fault or log
line has them. What waits for a server runs in a thread of its own.
"""

import asyncio
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from smoldesk.connections.authorizations import Authorizations
from smoldesk.connections.synced_rows import Later, SyncedRows
from smoldesk.errors import BadInput, Conflict, Refused
from smoldesk.logs import Actor, acting, current_actor
from smoldesk.stopping import StopFlag, start_thread
from smoldesk.store import mcp_servers as rows
from smoldesk.store.mcp_servers import StoredServer
from smoldesk.store.sealing import CannotUnseal, Seal
from smoldesk.store.store import Store
from smoldesk.tools.mcp_servers import McpServers
from smoldesk.tools.mcp_servers.connection import ServerConnection, State
from smoldesk.tools.mcp_servers.entries import ServerEntry, entry_data, read_entry
from smoldesk.tools.mcp_servers.failures import McpFailed
from smoldesk.tools.mcp_servers.server_calls import NullAsker
from smoldesk.tools.mcp_servers.servers import OfferedTool

log = logging.getLogger(__name__)

OPEN_SECONDS = 20.0
LONGEST_PROMPT = 100_000
LONGEST_NAME, LONGEST_ADDRESS, LONGEST_WORDS = 200, 2_000, 1_000
MAX_ARGUMENTS = 50
OTHER_KEY = "Its variables were kept with another key: remove it, and add it again."


@dataclass(frozen=True)
class ServerItem:
    """A resource (or a template of its address) or a prompt, with the names of its arguments, as the server describes it."""

    name: str
    address: str = ""
    description: str = ""
    arguments: list[str] = field(default_factory=list[str])


@dataclass(frozen=True)
class ServerStatus:
    """One server as it is now. `place` is its command line or address; `variables` are names only."""

    name: str
    description: str
    place: str
    is_program: bool
    state: State
    problem: str
    information: str
    isolated: bool
    network: bool
    variables: list[str]
    removable: bool
    tools: list[OfferedTool]
    resources: list[ServerItem]
    prompts: list[ServerItem]


class DeskServers:
    """`from_page`: the operator lets people add servers (SMOLDESK_MCP_SERVERS). Implements authorization.TokenStore."""

    def __init__(
        self, store: Store, servers: McpServers, seal: Seal, from_page: bool, local_tool_names: Any
    ) -> None:
        """`local_tool_names` gives the names of the desk's own tools, which a server's never take."""
        self.from_page = from_page
        self.servers = servers
        self._store = store
        self._seal = seal
        self._local_tool_names = local_tool_names
        self._operators = {server.entry.name for server in servers.all()}
        self.authorizations = Authorizations(store, seal, servers)
        self._rows = SyncedRows(store, rows.all_servers, self._apply)
        servers.token_store = self
        servers.check = self._rows.check

    def open(self) -> None:
        """Have those that were added before listed; begins none. Reads the store, so not on the event loop."""
        self._rows.open()
        self._store.listen_lists(lambda: start_thread(self.authorizations.take_answers))

    def _apply(self, old: StoredServer | None, new: StoredServer | None) -> Later:
        """List, change or remove a server, as its row is now; return what ends it, if that is needed."""
        name = new.name if new is not None else old.name if old is not None else ""
        connection = self.servers.get(name) if name in self._names() else None
        if connection is not None and name in self._operators:
            return self._change(connection, old or StoredServer(name), new or StoredServer(name))
        if new is None or not new.said:
            return self.servers.remove(name) if connection is not None else None
        entry, problem = self._entry(new)
        # The same one also if it was sealed anew, with another key.
        if connection is not None and old is not None and entry == connection.entry:
            return self._change(connection, old, new) if not problem else None
        if connection is not None:
            connection.forbid()
        if entry is not None:
            self._list(entry, new.enabled, problem)
        return connection.close if connection is not None else None

    def _change(self, connection: ServerConnection, old: StoredServer, new: StoredServer) -> Later:
        """Apply that a server is on or off, and that its tokens are others."""
        if not new.enabled:
            connection.forbid()
            return connection.close if old.enabled else None
        # Another server of the desk has tokens now: with them, the next use can start it here.
        has_tokens = old.tokens != new.tokens and connection.state == "authorize"
        return partial(connection.close, "idle") if has_tokens or not old.enabled else None

    def _names(self) -> set[str]:
        return {server.entry.name for server in self.servers.all()}

    def _entry(self, stored: StoredServer) -> tuple[ServerEntry | None, str]:
        """Return the entry of a server that a person added, None for one of a newer desk, and why it cannot be started."""
        entry, _ = read_entry(stored.name, json.loads(stored.said), of_file=False)
        if entry is None:
            return None, ""
        try:
            entry = replace(entry, **json.loads(self._seal.unseal(stored.sealed)))
        except CannotUnseal:
            return entry, OTHER_KEY
        runs = bool(entry.url) or self.servers.isolated
        return entry, "" if runs else "There is no isolation here, so it is not started."

    def _list(self, entry: ServerEntry, enabled: bool, problem: str) -> None:
        try:
            self.servers.add(entry, enabled and not problem).problem = problem
        except BadInput as fault:  # its folders are data of this server, not of the one where it was added
            log.warning("the MCP server %s is not listed here: %s", entry.name, fault.message)

    # --- for wires ----------------------------------------------------------------------------------------------------

    async def list_servers(self) -> list[ServerStatus]:
        """Return the state of all servers, the operator's first; servers that were never used are started."""
        return await _apart(self._server_statuses)

    def _server_statuses(self) -> list[ServerStatus]:
        self.servers.check()
        self.servers.begin(failed=False)
        offered = self.servers.offered(self._local_tool_names())
        return [
            self._server_info(server, offered.get(server.entry.name, [])) for server in self.servers.all()
        ]

    def _server_info(self, server: ServerConnection, tools: list[OfferedTool]) -> ServerStatus:
        entry, listed = server.entry, server.features
        resources = [_item(item, str(item.uri)) for item in listed.resources]
        resources += [_item(item, item.uri_template) for item in listed.templates]
        prompts = [
            replace(
                _item(item, ""),
                arguments=[argument.name for argument in (item.arguments or ())[:MAX_ARGUMENTS]],
            )
            for item in listed.prompts
        ]
        return ServerStatus(
            name=entry.name,
            description=entry.description,
            place=entry.place,
            is_program=bool(entry.command),
            state="authorize"
            if server.state == "starting" and server.authorization and server.authorization.page
            else server.state,
            problem=server.problem,
            information=server.information,
            isolated=bool(entry.url) or self.servers.isolated,
            network=bool(entry.url) or entry.network,
            variables=[*entry.env, *entry.headers],
            removable=entry.name not in self._operators,
            tools=tools,
            resources=resources,
            prompts=prompts,
        )

    async def add(self, name: str, values: Mapping[str, Any]) -> ServerStatus:
        """Keep, list and begin one; it need not run for that. Raises Refused, BadInput, Conflict in words."""
        self._check_right()
        entry, mistakes = read_entry(name, values, of_file=False)
        if entry is None:
            words = " ".join(f"{key}: {said}" if key else said for key, said in mistakes)
            raise BadInput(f"This is not a valid MCP server: {words}", code="bad_mcp_server")
        if entry.command and not self.servers.isolated:
            raise Refused(
                "A program would run on this machine without isolation.",
                "Only the operator can add such servers, in agents.toml.",
                code="not_isolated",
            )
        if name in self._names():
            raise Conflict(
                f"There is an MCP server {name!r} already.", "Choose another name.", code="name_taken"
            )
        secrets = json.dumps({"env": dict(entry.env), "headers": dict(entry.headers)})
        stored = StoredServer(
            name, json.dumps(entry_data(entry)), await asyncio.to_thread(self._seal.seal, secrets)
        )
        await self._store.do(lambda tx: rows.add_server(tx, stored))
        return await _apart(lambda: self._start_server(entry))

    def _start_server(self, entry: ServerEntry) -> ServerStatus:
        self._rows.refresh()
        connection = self.servers.get(entry.name)
        connection.begin()
        connection.wait(connection.start_seconds)
        return self._server_info(
            connection, self.servers.offered(self._local_tool_names()).get(entry.name, [])
        )

    async def remove(self, name: str) -> None:
        """Forget a server that a person added, and its tokens. Raises Refused, NotFound."""
        self._check_right()
        await self._connection(name)
        if name in self._operators:
            raise Refused(
                f"The MCP server {name!r} is managed by the operator.", "It is defined in agents.toml."
            )
        await self._store.do(lambda tx: rows.remove_server(tx, name))
        await _apart(self._rows.refresh)

    async def switch(self, name: str, enabled: bool) -> None:
        """Have a server on or off, also after the next start. Raises Refused, NotFound."""
        self._check_right()
        await self._connection(name)
        await self._store.do(lambda tx: rows.enable_server(tx, name, enabled))
        await _apart(self._rows.refresh)
        if enabled:
            self.servers.get(name).begin()

    async def restart(self, name: str) -> None:
        """End it and begin it anew, however often it died. Raises Refused, NotFound, Conflict for one that is off."""
        self._check_right()
        connection = await self._connection(name)
        if connection.state == "off":
            raise Conflict(f"The MCP server {name!r} is off.", "Turn it on.", code="mcp_server_off")
        await _apart(connection.restart)

    async def authorize(self, name: str, base: str) -> str:
        """Begin to have the desk let in: the page elsewhere that a person is to open. `base` is the desk's own address.

        Raises Refused, NotFound, McpFailed when the server names no page.
        """
        self._check_right()
        connection = await self._connection(name)
        actor = current_actor.get()

        def opened() -> str:
            connection.restart(base)
            authorization = connection.authorization
            for _ in range(round(OPEN_SECONDS / 0.05)):
                if authorization is not None and authorization.opened.wait(0.05):
                    authorization.opened_by = actor
                    self.authorizations.expect(name, authorization.state or "")
                    return authorization.page
                authorization = connection.authorization
                if connection.state != "starting":
                    break
            raise McpFailed(
                f"The MCP server {name!r} provided no page to open: {connection.problem or connection.state}."
            )

        return await _apart(opened)

    async def prompt(self, name: str, prompt: str, arguments: Mapping[str, str]) -> str:
        """Return the text of a server's prompt. Raises NotFound, McpFailed."""
        connection = await self._connection(name)

        async def work(client: Any, _progress: Any) -> Any:
            return await client.get_prompt(prompt, dict(arguments))

        def read() -> str:
            result = connection.call(work, "", NullAsker(), StopFlag())
            texts = [message.content.text for message in result.messages if message.content.type == "text"]
            return "\n\n".join(texts)[:LONGEST_PROMPT]

        return await _apart(read)

    async def _connection(self, name: str) -> ServerConnection:
        """Return a server that exists now, also in the database. Raises NotFound."""
        await asyncio.to_thread(self.servers.check)
        return self.servers.get(name)

    def _check_right(self) -> None:
        if not self.from_page:
            raise Refused(
                "Only the operator of this desk can add MCP servers.",
                "Ask the operator to add it to agents.toml.",
            )

    # --- for authorization ---------------------------------------------------------------------------------------------

    def tokens(self, server: str) -> str | None:
        sealed = self._store.read(lambda connection: rows.tokens_of(connection, server))
        try:
            return self._seal.unseal(sealed) if sealed else None
        except CannotUnseal:
            return None

    def keep_tokens(self, server: str, tokens: str, authorized_by: Actor | None = None) -> None:
        sealed, is_authorized = self._seal.seal(tokens), authorized_by is not None
        with acting(authorized_by or current_actor.get()):
            self._store.change(lambda tx: rows.keep_tokens(tx, server, sealed, is_authorized))


def _item(item: Any, address: str) -> ServerItem:
    """As much of it as a person reads: a server may write without end."""
    return ServerItem(
        item.name[:LONGEST_NAME], address[:LONGEST_ADDRESS], (item.description or "")[:LONGEST_WORDS]
    )


async def _apart(work: Any) -> Any:
    return await asyncio.wrap_future(start_thread(work))
