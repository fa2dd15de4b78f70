"""Rows of imported buildings, and which chat shows which.

Only the names that are shown and understood change (`buildings/renaming.py`). Rooms keep their canonical names and their
outlines, so maps of earlier answers stay right. A chat names its building without a foreign key (adding one would
rebuild the chat table under its events); instead choosing and deleting both hold the building's row, so that no chat is
left with one that is gone.
"""

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from smoldesk.errors import Conflict, NotFound
from smoldesk.events import BuildingChosen
from smoldesk.messages import MapDefinitionContent
from smoldesk.messages.building import Finding, FindingDetail, clipped, join_names
from smoldesk.messages.strict_json import without_surrogates
from smoldesk.store.chats import ChatInfo, get_chat
from smoldesk.store.statements import CompiledStatement
from smoldesk.store.tables import BuildingRow, ChatRow, EventRow, FileRow
from smoldesk.store.transaction import Tx, plain

# Buildings of one desk; a further one is refused until one is deleted.
MAX_BUILDINGS = 1_000
IS_THERE = BuildingRow.deleted_at.is_(None)
_FACTS = (BuildingRow.id, BuildingRow.name, BuildingRow.floors, BuildingRow.rooms, BuildingRow.created_at)


@dataclass(frozen=True)
class BuildingImage:
    """A floor image of a building: where its bytes are, and what they are; `size` in bytes."""

    file_id: str
    media_type: str
    size: int


@dataclass(frozen=True)
class BuildingInfo:
    """A building as lists show it; `created_at` in seconds since the epoch."""

    id: str
    name: str
    floors: int
    rooms: int
    created_at: float


def new_building(
    tx: Tx,
    name: str,
    definition: MapDefinitionContent,
    images: Mapping[str, BuildingImage],
    report: list[Finding],
) -> BuildingInfo:
    """Keep a checked building; raises Conflict when there are too many."""
    check_room(tx.connection)
    info = BuildingInfo(
        f"b_{secrets.token_hex(12)}",
        plain(name),
        len(definition.floors),
        sum(len(floor.rectangles) for floor in definition.floors),
        tx.now,
    )
    named = definition.model_copy(update={"building_id": info.id, "building_name": info.name})
    row = {
        **asdict(info),
        "definition": _text(named.model_dump(mode="json", exclude_none=True)),
        "images": _text({name: asdict(image) for name, image in images.items()}),
        "report": _text([asdict(finding) for finding in report]),
        "changed_at": None,
        "deleted_at": None,
    }
    tx.execute(insert(BuildingRow), row)
    tx.audit("building.added", info.id)
    return info


def check_room(connection: Connection) -> None:
    """Raise Conflict if there are too many buildings for another one."""
    count = connection.execute(select(func.count()).select_from(BuildingRow).where(IS_THERE)).scalar_one()
    if count >= MAX_BUILDINGS:
        raise Conflict(
            f"There are {MAX_BUILDINGS} buildings already.", "Delete one first.", code="too_many_buildings"
        )


def list_buildings(connection: Connection) -> list[BuildingInfo]:
    """Return the newest first."""
    query = select(*_FACTS).where(IS_THERE).order_by(BuildingRow.created_at.desc(), BuildingRow.id)
    return [BuildingInfo(*row) for row in connection.execute(query)]


def get_building(connection: Connection, building_id: str) -> BuildingInfo:
    """Return a building. Raises NotFound that lists the existing buildings."""
    row = connection.execute(select(*_FACTS).where(BuildingRow.id == plain(building_id), IS_THERE)).first()
    if row is None:
        raise no_such_building(connection, building_id)
    return BuildingInfo(*row)


def definition_text(connection: Connection, building_id: str) -> str:
    """Return the building as JSON, a MapDefinitionContent. Raises NotFound."""
    query = select(BuildingRow.definition).where(BuildingRow.id == plain(building_id), IS_THERE)
    text = connection.execute(query).scalar()
    if text is None:
        raise no_such_building(connection, building_id)
    return text


def report_of(connection: Connection, building_id: str) -> list[Finding]:
    """Return the findings of its import. Raises NotFound."""
    query = select(BuildingRow.report).where(BuildingRow.id == plain(building_id), IS_THERE)
    text = connection.execute(query).scalar()
    if text is None:
        raise no_such_building(connection, building_id)
    return [_finding(finding) for finding in json.loads(text)]


def _finding(line: dict[str, Any]) -> Finding:
    # Reports of older desks have a severity, a place and a message only.
    details = [FindingDetail(**detail) for detail in line.pop("details", [])]
    return Finding(**line, details=details)


def images_of(connection: Connection, building_id: str) -> dict[str, BuildingImage]:
    """Return the floor images by name. Raises NotFound."""
    query = select(BuildingRow.images).where(BuildingRow.id == plain(building_id), IS_THERE)
    text = connection.execute(query).scalar()
    if text is None:
        raise no_such_building(connection, building_id)
    return {name: BuildingImage(**image) for name, image in json.loads(text).items()}


def changed_at(connection: Connection, building_id: str) -> float:
    """Return the time of the last change of its names, or of its import. Raises NotFound."""
    query = select(BuildingRow.changed_at, BuildingRow.created_at).where(
        BuildingRow.id == plain(building_id), IS_THERE
    )
    row = connection.execute(query).first()
    if row is None:
        raise no_such_building(connection, building_id)
    return row[0] or row[1]


def change_building(
    tx: Tx, building_id: str, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> BuildingInfo:
    """Replace a building's definition by what `change` returns for it; its name is the definition's. Raises NotFound."""
    building_id = plain(building_id)
    _hold(tx, building_id, alone=True)
    changed = change(json.loads(definition_text(tx.connection, building_id)))
    values = {"definition": _text(changed), "name": plain(changed["buildingName"]), "changed_at": tx.now}
    tx.execute(update(BuildingRow).where(BuildingRow.id == building_id).values(values))
    return get_building(tx.connection, building_id)


def hide_building(tx: Tx, building_id: str) -> None:
    """Delete a building so that it can be restored. Raises NotFound, or Conflict while a chat shows it."""
    building_id = plain(building_id)
    _hold(tx, building_id, alone=True)
    # Chats that were deleted count, too: they can be restored.
    query = select(ChatRow.title, ChatRow.id).where(ChatRow.building_id == building_id)
    users = [title or chat_id for title, chat_id in tx.execute(query)]
    if users:
        raise Conflict(
            "A chat shows this building.",
            f"Give these chats another one first: {join_names(users)}.",
            code="building_used",
        )
    tx.execute(update(BuildingRow).where(BuildingRow.id == building_id).values(deleted_at=tx.now))
    tx.audit("building.deleted", building_id)


def restore_building(tx: Tx, building_id: str) -> BuildingInfo:
    """Restore a hidden building; one that was never deleted stays as it is. Raises NotFound when it is gone for good."""
    was_deleted = (BuildingRow.id == plain(building_id)) & BuildingRow.deleted_at.is_not(None)
    if tx.execute(update(BuildingRow).where(was_deleted).values(deleted_at=None)).rowcount:
        tx.audit("building.restored", building_id)
    return get_building(tx.connection, building_id)


def erase_building(tx: Tx, building_id: str) -> list[str]:
    """Delete the row of a hidden building; the ids of its files, none if it was restored meanwhile."""
    is_hidden = (BuildingRow.id == plain(building_id)) & BuildingRow.deleted_at.is_not(None)
    images = tx.execute(select(BuildingRow.images).where(is_hidden)).scalar()
    if tx.execute(delete(BuildingRow).where(is_hidden)).rowcount:
        tx.audit("building.erased", building_id)
    return [] if images is None else [image["file_id"] for image in json.loads(images).values()]


def hidden_before(connection: Connection, then: float) -> list[str]:
    """Return the buildings that were deleted before a moment, and still have their rows."""
    return list(connection.execute(select(BuildingRow.id).where(BuildingRow.deleted_at < then)).scalars())


def is_building(connection: Connection, building_id: str) -> bool:
    """Return whether there is an imported building of this id."""
    query = select(BuildingRow.id).where(BuildingRow.id == building_id, IS_THERE)
    return connection.execute(query).first() is not None


def choose_building(tx: Tx, chat_id: str, building_id: str | None) -> ChatInfo:
    """Have a chat show another building (None: the bundled one), and its followers told; raises NotFound."""
    chat = get_chat(tx.connection, chat_id)
    name = ""
    if building_id is not None:
        building_id = plain(building_id)
        _hold(tx, building_id, alone=False)
        name = get_building(tx.connection, building_id).name
    if chat.building_id == building_id:
        return chat
    tx.execute(update(ChatRow).where(ChatRow.id == chat_id).values(building_id=building_id, selection=None))
    tx.append(chat_id, [BuildingChosen(building_id=building_id, name=name)])
    return get_chat(tx.connection, chat_id)


_OF_CHAT = CompiledStatement(select(ChatRow.building_id).where(ChatRow.id == bindparam("chat")))


def building_of_chat(connection: Connection, chat_id: str) -> str | None:
    """Return the id of the building that a chat shows; None for the bundled one, and for a chat that does not exist."""
    return _OF_CHAT.value(connection, {"chat": chat_id})


def building_at(connection: Connection, chat_id: str, seq: int) -> str | None:
    """Return the building that a chat showed at a place in its log; None for the bundled one."""
    query = (
        select(EventRow.body)
        .where(EventRow.chat_id == chat_id, EventRow.type == "building_chosen", EventRow.seq <= seq)
        .order_by(EventRow.seq.desc())
        .limit(1)
    )
    body = connection.execute(query).scalar()
    return None if body is None else BuildingChosen.model_validate_json(body).building_id


def no_such_building(connection: Connection, building_id: str) -> NotFound:
    """Return the error for an unknown building."""
    names = [f"{info.id} ({info.name})" for info in list_buildings(connection)]
    return NotFound(
        f"There is no building {clipped(building_id, 40)!r}.",
        f"Buildings: null (the bundled one){', ' + join_names(names) if names else ''}.",
    )


def _hold(tx: Tx, building_id: str, alone: bool) -> None:
    """Keep the building as it is to the end of the transaction; raises NotFound."""
    query = (
        select(BuildingRow.id).where(BuildingRow.id == building_id, IS_THERE).with_for_update(read=not alone)
    )
    if tx.execute(query).first() is None:
        raise no_such_building(tx.connection, building_id)


def _text(data: object) -> str:
    return json.dumps(without_surrogates(data), ensure_ascii=True)


def all_file_ids(connection: Connection) -> set[str]:
    """Return the ids of all stored files: those of chats, and the floor images of buildings."""
    file_ids = set(connection.execute(select(FileRow.id)).scalars())
    for images in connection.execute(select(BuildingRow.images)).scalars():
        file_ids |= {image["file_id"] for image in json.loads(images).values()}
    return file_ids
