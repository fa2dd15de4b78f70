"""The state that the desk shares with a front end: what the map shows, what answers brought, what front ends keep. Pure.

It is made of the chat's log, as the page's own panes are: a snapshot at the beginning of a response, then JSON Patch.
"""

import copy
from collections.abc import Iterable, Sequence
from typing import Any

from smoldesk import events as e
from smoldesk import messages as m
from smoldesk.wires.agui.client_state import LISTS, tag_of
from smoldesk.wires.agui.map_layers import MapLayers
from smoldesk.wires.serialization import file_url, table_url

# Events that change the state.
TYPES = (
    "run_started",
    "shown",
    "nested",
    "file_added",
    "file_changed",
    "file_removed",
    "arrows_cleared",
    "building_chosen",
    "rooms_selected",
    "state_shared",
)
# Maximum tables, images, charts and files of each kind in the state; the last ones stay.
MAX_STATE_ENTRIES = 100
Patch = dict[str, Any]


class SharedState:
    """Folds a chat's events, in order."""

    def __init__(self, chat_id: str, events: Iterable[e.AnyEvent] = ()) -> None:
        self._chat_id = chat_id
        self._agent = ""
        self._layers = MapLayers()
        self._map: dict[str, Any] = {"floorId": None} | self._layers.together() | _selected([])
        self._lists: dict[str, list[dict[str, Any]]] = {name: [] for name in LISTS}
        self._client_state: dict[str, Any] = {}
        for event in events:
            self.take(event)

    def snapshot(self) -> dict[str, Any]:
        """Return all of it, as it is now."""
        return copy.deepcopy({**self._client_state, "map": self._map, **self._lists})

    def take(self, event: e.AnyEvent) -> list[Patch]:
        """Return the changes by an event; empty for most, and for a front end's own part, which is sent as a snapshot."""
        match e.unnested(event):
            case e.RunStarted(agent=answering):
                self._agent = answering or ""
                return []
            case e.Shown(message=message):
                return self._message_patches(
                    message, event.agent if isinstance(event, e.Nested) else self._agent
                )
            case e.FileAdded(file=file):
                return self._add("files", self._file(file))
            case e.FileChanged(file=file):
                return [*self._without(file.file_id), *self._add("files", self._file(file))]
            case e.FileRemoved(file_id=file_id):
                return self._without(file_id)
            case e.ArrowsCleared():
                self._layers.clear()
                return self._draw(**self._layers.together())
            case e.BuildingChosen():
                self._layers = MapLayers()
                return self._draw(floorId=None, **self._layers.together(), **_selected([]))
            case e.RoomsSelected(rooms=rooms):
                return self._draw(**_selected(rooms))
            case e.StateShared(state=state):
                self._client_state = state
                return []
            case _:
                return []

    def _message_patches(self, message: m.StepOutput | m.Debug, agent: str) -> list[Patch]:
        match message:
            case m.Table(content=table):
                url = table_url(self._chat_id, table.table_id)
                facts = {"tableId": table.table_id, "name": table.name, "rowCount": table.row_count}
                return self._add("tables", facts | {"url": url})
            case m.Image(file_id=file_id):
                url = file_url(self._chat_id, message.path or file_id, file_id)
                return self._add("images", {"fileId": file_id, "format": message.format, "url": url})
            case m.Chart(content=chart):
                url = file_url(self._chat_id, f"{chart.name}.json", chart.spec_id)
                facts = {"specId": chart.spec_id, "name": chart.name, "description": chart.description}
                return self._add("charts", facts | {"url": url})
            case m.File(content=file) if file.file_id:
                return self._add("files", self._file(file))
            case _:
                self._layers.take(message, agent)
                return self._draw(floorId=self._layers.floor_id, **self._layers.together())

    def _file(self, file: m.FileContent) -> dict[str, Any]:
        facts = {"fileId": file.file_id, "name": file.name, "size": file.size}
        return facts | {"url": file_url(self._chat_id, file.name, file.file_id)}

    def _draw(self, **parts: Any) -> list[Patch]:
        changed = {name: value for name, value in parts.items() if self._map[name] != value}
        self._map |= changed
        return [{"op": "replace", "path": f"/map/{name}", "value": value} for name, value in changed.items()]

    def _add(self, name: str, facts: dict[str, Any]) -> list[Patch]:
        entries = self._lists[name]
        entries.append(facts)
        added: list[Patch] = [{"op": "add", "path": f"/{name}/-", "value": facts}]
        if len(entries) > MAX_STATE_ENTRIES:
            del entries[0]
            added.append({"op": "remove", "path": f"/{name}/0"})
        return added

    def _without(self, file_id: str) -> list[Patch]:
        for place, file in enumerate(self._lists["files"]):
            if file["fileId"] == file_id:
                del self._lists["files"][place]
                return [{"op": "remove", "path": f"/files/{place}"}]
        return []


def _selected(rooms: Sequence[m.RoomRef]) -> dict[str, Any]:
    return {"selected": [m.as_json(room) for room in rooms], "selectedTag": tag_of(rooms)}
