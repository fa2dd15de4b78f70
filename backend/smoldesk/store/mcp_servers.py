"""MCP servers as rows: those that people added, and stored data of the operator's (tokens, whether they are enabled)."""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select, update

from smoldesk.errors import Conflict
from smoldesk.store.postgres import LISTS
from smoldesk.store.statements import CompiledStatement
from smoldesk.store.tables import McpServerRow
from smoldesk.store.transaction import Tx

# Maximum servers of one desk.
MOST = 50
_ALL = CompiledStatement(
    select(
        McpServerRow.name, McpServerRow.said, McpServerRow.sealed, McpServerRow.tokens, McpServerRow.enabled
    ).order_by(McpServerRow.created_at, McpServerRow.name)
)


@dataclass(frozen=True)
class StoredServer:
    """One server: `said` is its entry as JSON (empty for one of the operator's), `sealed` its secrets, `tokens` of OAuth."""

    name: str
    said: str = ""
    sealed: str = ""
    tokens: str = ""
    enabled: bool = True


def all_servers(connection: Connection) -> list[StoredServer]:
    """Return all servers, oldest first."""
    rows = _ALL.rows(connection, {})
    return [StoredServer(*row[:4], enabled=bool(row[4])) for row in rows]


def tokens_of(connection: Connection, name: str) -> str:
    """Sealed; empty where there are none."""
    return connection.scalar(select(McpServerRow.tokens).where(McpServerRow.name == name)) or ""


def add_server(tx: Tx, server: StoredServer) -> None:
    """Insert a server, replacing an operator's setting of that name. Raises Conflict for an existing name, and at the
    limit.
    """
    definitions = {row.name: row.said for row in tx.execute(select(McpServerRow.name, McpServerRow.said))}
    if definitions.get(server.name):
        raise Conflict(
            f"There is an MCP server {server.name!r} already.",
            "Choose another name.",
            code="name_taken",
        )
    if sum(map(bool, definitions.values())) >= MOST:
        raise Conflict(
            "The limit of MCP servers is reached.",
            f"At most {MOST}: remove one.",
            code="too_many_mcp_servers",
        )
    _delete(tx, server.name)
    tx.execute(insert(McpServerRow), {**vars(server), "created_at": tx.now})
    tx.audit("mcp_server.added", name=server.name)
    tx.touched.add(LISTS)


def enable_server(tx: Tx, name: str, enabled: bool) -> None:
    """Switch a server on or off, also one of the operator's."""
    _change(tx, name, enabled=enabled)
    tx.audit("mcp_server.changed", name=name, outcome="on" if enabled else "off")


def keep_tokens(tx: Tx, name: str, tokens: str, authorized: bool) -> None:
    """Store the sealed tokens of a server, also of one of the operator's; `authorized`: a person just agreed."""
    if authorized:
        tx.audit("mcp_server.authorized", name=name)
    _change(tx, name, tokens=tokens)


def _change(tx: Tx, name: str, **values: str | bool) -> None:
    tx.touched.add(LISTS)
    done = tx.execute(
        update(McpServerRow).where(McpServerRow.name == name).values(**values).returning(McpServerRow.name)
    )
    if done.first() is None:
        tx.execute(insert(McpServerRow), {**vars(StoredServer(name)), **values, "created_at": tx.now})


def remove_server(tx: Tx, name: str) -> bool:
    """Forget one; False when there was none. Its row is overwritten, also in the database's own log."""
    if not _delete(tx, name):
        return False
    tx.audit("mcp_server.deleted", name=name)
    return True


def _delete(tx: Tx, name: str) -> bool:
    gone = tx.execute(
        delete(McpServerRow).where(McpServerRow.name == name).returning(McpServerRow.name)
    ).first()
    tx.erased = tx.erased or gone is not None
    tx.touched.add(LISTS)
    return gone is not None
