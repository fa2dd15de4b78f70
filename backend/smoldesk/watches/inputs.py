"""Inputs of a watch: files of the chat and of shared folders, and values of a live layer, each with a version."""

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from sqlalchemy import Connection, select

from smoldesk.store.layers import layers_of, newest_frames
from smoldesk.store.tables import FileRow
from smoldesk.store.watches import StoredWatch, active_watches
from smoldesk.watches.watch import Target, Value, WatchBody

_CHUNK = 500


class RoomValues:
    """Newest values of the rooms of live layers, read once for many watches."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._layers: dict[
            tuple[str, str], tuple[str, Iterator[str], dict[str, tuple[float, float]]] | None
        ] = {}

    def value(self, chat_id: str, target: Target) -> Value | None:
        """Return the value of a room in a layer of the chat or the desk; None without one."""
        reading = self._reading(chat_id, target)
        if reading is None:
            return None
        unit, (_, number) = reading
        return Value(text=f"{number:,.10g} {unit}".strip(), number=number, digest=_digest([number]))

    def version(self, chat_id: str, target: Target) -> str:
        """Return the version of a room's value, another one for an equal value of a later time; empty without one."""
        reading = self._reading(chat_id, target)
        return _digest(reading[1]) if reading is not None else ""

    def _reading(self, chat_id: str, target: Target) -> tuple[str, tuple[float, float]] | None:
        """Return the unit of a layer, and time and number of a room."""
        key = (chat_id, target.layer)
        if key not in self._layers:
            self._layers[key] = self._layer(*key)
        layer = self._layers[key]
        if layer is None:
            return None
        unit, frames, values = layer
        while target.room not in values and (body := next(frames, None)) is not None:
            for rooms in json.loads(body).values():
                values |= {room: value for room, value in rooms.items() if room not in values}
        return (unit, values[target.room]) if target.room in values else None

    def _layer(
        self, chat_id: str, name: str
    ) -> tuple[str, Iterator[str], dict[str, tuple[float, float]]] | None:
        for layer in (*layers_of(self._connection, chat_id), *layers_of(self._connection, None)):
            if layer.name == name:
                return layer.unit, newest_frames(self._connection, layer.id), {}
        return None


# Returns numbers that change with the content of a file of a shared folder; none if it is missing.
StampOf = Callable[[str], Sequence[int]]


def changed_watches(
    connection: Connection, chat_ids: Collection[str] | None, stamp_of: StampOf
) -> list[tuple[StoredWatch, str]]:
    """Return the active watches of chats (None: of all) whose inputs differ from those of their last check, with their
    version.
    """
    watches = active_watches(connection, chat_ids)
    versions, rooms = file_versions(connection, {watch.chat_id for watch in watches}), RoomValues(connection)
    changed: list[tuple[StoredWatch, str]] = []
    for watch in watches:
        body = WatchBody.model_validate_json(watch.body)
        version = input_version(connection, watch.chat_id, body, stamp_of, versions, rooms)
        if body.on_change and version != watch.inputs:
            changed.append((watch, version))
    return changed


def input_version(
    connection: Connection,
    chat_id: str,
    body: WatchBody,
    stamp_of: StampOf,
    versions: Mapping[str, str] | None = None,
    rooms: RoomValues | None = None,
) -> str:
    """Return the version of the inputs that a watch follows; `versions` are those of the files of chats, if known."""
    if not body.on_change:
        return ""
    if body.run_id is None:
        return (rooms or RoomValues(connection)).version(chat_id, body.target)
    files = file_versions(connection, [chat_id]) if versions is None else versions
    return f"{files[chat_id]}{shared_version(body.shared, stamp_of)}"


def file_versions(connection: Connection, chat_ids: Collection[str]) -> dict[str, str]:
    """Return the version of each chat's uploaded files."""
    versions: dict[str, dict[str, str]] = {chat_id: {} for chat_id in chat_ids}
    ids = [*versions]
    for start in range(0, len(ids), _CHUNK):
        query = select(FileRow.chat_id, FileRow.name, FileRow.id).where(
            FileRow.chat_id.in_(ids[start : start + _CHUNK]), FileRow.kind == "upload"
        )
        for chat_id, name, file_id in connection.execute(query.order_by(FileRow.created_at, FileRow.id)):
            versions[chat_id][name] = file_id
    return {chat_id: _digest(files) for chat_id, files in versions.items()}


def shared_version(paths: Iterable[str], stamp_of: StampOf) -> str:
    """Return the version of files of shared folders."""
    stamps = {path: stamp_of(path) for path in paths}
    return _digest(stamps) if stamps else ""


def named_files(paths: Iterable[str], cells: Iterable[str]) -> list[str]:
    """Return the shared files that code names, by file or by the name of their table."""
    code = "\n".join(cells)
    names = set(re.findall(r"\w+", code))
    return [
        path
        for path in paths
        if Path(path).name in code or re.sub(r"\W+", "_", Path(path).stem).strip("_") in names
    ]


def room_value(connection: Connection, chat_id: str, target: Target) -> Value | None:
    """Return the present value of a room in a live layer of the chat or the desk; None without one."""
    return RoomValues(connection).value(chat_id, target)


def _digest(value: Mapping[str, object] | Sequence[object]) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:32]
