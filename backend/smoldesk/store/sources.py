"""Databases that people added, as rows: names, addresses without their passwords, and whole addresses sealed."""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from smoldesk.errors import Conflict
from smoldesk.store.postgres import LISTS
from smoldesk.store.tables import SourceRow
from smoldesk.store.transaction import Tx

# Maximum databases of one desk.
MOST = 50


@dataclass(frozen=True)
class StoredSource:
    """One database; `sealed` is readable with the keys of sealing.py."""

    name: str
    address: str
    sealed: str
    read_only_account: bool


def all_sources(connection: Connection) -> list[StoredSource]:
    """Return all sources, oldest first."""
    columns = (SourceRow.name, SourceRow.address, SourceRow.sealed, SourceRow.read_only_account)
    query = select(*columns).order_by(SourceRow.created_at, SourceRow.name)
    return [StoredSource(*row) for row in connection.execute(query)]


def add_source(tx: Tx, source: StoredSource) -> None:
    """Insert a source. Raises Conflict for an existing name, and at the limit."""
    names = [name.casefold() for name in tx.execute(select(SourceRow.name)).scalars()]
    if source.name.casefold() in names:
        raise name_conflict(source.name)
    if len(names) >= MOST:
        raise Conflict(
            "The limit of databases is reached.", f"At most {MOST}: remove one.", code="too_many_sources"
        )
    tx.execute(insert(SourceRow), {**vars(source), "created_at": tx.now})
    tx.audit("source.added", name=source.name)
    tx.touched.add(LISTS)


def name_conflict(name: str) -> Conflict:
    """Return the error for a name that another database has."""
    return Conflict(f"There is a database {name!r} already.", "Choose another name.", code="name_taken")


def remove_source(tx: Tx, name: str) -> bool:
    """Forget one; False when there was none. Its row is overwritten, also in the database's own log."""
    gone = delete(SourceRow).where(SourceRow.name == name).returning(SourceRow.name)
    tx.erased = True
    tx.touched.add(LISTS)
    if tx.execute(gone).first() is None:
        return False
    tx.audit("source.deleted", name=name)
    return True
