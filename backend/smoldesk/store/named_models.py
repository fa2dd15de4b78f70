"""Models that people added, as rows: names, ids and addresses, and their keys sealed."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from smoldesk.errors import Conflict
from smoldesk.store.audit_rows import AuditAction
from smoldesk.store.postgres import LISTS
from smoldesk.store.tables import ModelRow
from smoldesk.store.transaction import Tx

# Maximum models of one desk.
MOST = 50


@dataclass(frozen=True)
class StoredModel:
    """One model; `sealed` is its key, readable with those of sealing.py; None without one.

    `options` is a JSON object.
    """

    name: str
    model: str
    base_url: str
    sealed: str | None
    context: int | None
    options: str | None = None


def all_models(connection: Connection) -> list[StoredModel]:
    """Return all models, oldest first."""
    columns = (ModelRow.name, ModelRow.model, ModelRow.base_url, ModelRow.sealed, ModelRow.context)
    query = select(*columns, ModelRow.options).order_by(ModelRow.created_at, ModelRow.name)
    return [StoredModel(*row) for row in connection.execute(query)]


def add_model(tx: Tx, model: StoredModel) -> None:
    """Insert a model. Raises Conflict for an existing name, and at the limit."""
    names = list(tx.execute(select(ModelRow.name)).scalars())
    if model.name in names:
        raise model_name_conflict(model.name)
    if len(names) >= MOST:
        raise Conflict(
            "The limit of models is reached.", f"At most {MOST}: remove one.", code="too_many_models"
        )
    tx.execute(insert(ModelRow), {**vars(model), "created_at": tx.now})
    tx.audit("model.added", name=model.name)
    tx.touched.add(LISTS)


def model_name_conflict(name: str) -> Conflict:
    """Return the error for a name that another model has."""
    return Conflict(f"There is a model {name!r} already.", "Choose another name.", code="name_taken")


def seal_key(tx: Tx, name: str, sealed: str) -> bool:
    """Return another key for one; False when there is none. The old one is overwritten, also in the database's own log."""
    tx.erased = True
    tx.touched.add(LISTS)
    changed = update(ModelRow).where(ModelRow.name == name).values(sealed=sealed).returning(ModelRow.name)
    return _changes(tx, changed, "model.changed", name, "its key")


def set_options(tx: Tx, name: str, options: str) -> bool:
    """Replace the options of a model; False if there is none."""
    tx.touched.add(LISTS)
    changed = update(ModelRow).where(ModelRow.name == name).values(options=options).returning(ModelRow.name)
    return _changes(tx, changed, "model.changed", name, "its options")


def remove_model(tx: Tx, name: str) -> bool:
    """Forget one; False when there was none. Its row is overwritten, also in the database's own log."""
    gone = delete(ModelRow).where(ModelRow.name == name).returning(ModelRow.name)
    tx.erased = True
    tx.touched.add(LISTS)
    return _changes(tx, gone, "model.deleted", name)


def _changes(tx: Tx, statement: Any, action: AuditAction, name: str, outcome: str = "") -> bool:
    """Run a statement that returns the row it changed; False if there was none."""
    if tx.execute(statement).first() is None:
        return False
    tx.audit(action, name=name, outcome=outcome)
    return True
