"""Drawings of agents on the map, each agent's in a layer of its own, as on the page. Pure."""

from collections.abc import Iterable
from typing import Any

from smoldesk import messages as m

# Maximum arrows of one layer; the last ones stay.
MAX_ARROWS = 100
PARTS = ("rooms", "overlays", "arrows")


class MapLayers:
    """Takes what agents draw, in order. The layer that was drawn last lies on top."""

    def __init__(self) -> None:
        self.floor_id: str | None = None
        self._layers: dict[str, dict[str, Any]] = {}

    def take(self, message: m.StepOutput | m.Debug, agent: str) -> None:
        """Draw what an agent shows; what clears, clears its own layer."""
        own = self._layers.get(agent) or {"rooms": [], "overlays": [], "arrows": []}
        match message:
            case m.Map(content=m.MapContent() as drawn):
                content = m.as_json(drawn)
                changed: dict[str, Any] = {name: content.get(name, []) for name in ("rectangles", "overlays")}
                changed["rooms"] = changed.pop("rectangles")
                self.floor_id = drawn.floor_id
            case m.MapFrames(content=played):
                changed = {"rooms": [], "overlays": []}
                self.floor_id = played.floor_id
            case m.HighlightRoom(content=named):
                room_names = {room["name"] for room in own["rooms"]}
                new = [{"name": name} for name in named.rooms if name not in room_names]
                changed = {"rooms": [*own["rooms"], *new]}
            case m.Arrow(content=arrow):
                changed = {"arrows": [*own["arrows"], m.as_json(arrow)][-MAX_ARROWS:]}
            case m.ClearArrows():
                changed = {"arrows": []}
            case m.ClearMap():
                changed = {name: [] for name in PARTS}
            case _:
                return
        self._layers.pop(agent, None)
        layer = {"agent": agent, "number": own.get("number") or self._free_number(), **own, **changed}
        if any(layer[name] for name in PARTS):
            self._layers[agent] = layer

    def clear(self) -> None:
        """Take everything off, of all agents."""
        self._layers.clear()

    def together(self) -> dict[str, Any]:
        """Return the picture of all layers: for equal items the top one's. With several layers also `layers`."""
        layers = [*self._layers.values()]
        rooms, overlays, arrows = ([item for layer in layers for item in layer[name]] for name in PARTS)
        if len(layers) < 2:
            return {"rooms": rooms, "overlays": overlays, "arrows": arrows, "layers": []}
        rooms = _last_of_each(rooms, ("floorId", "name"))
        arrows = _last_of_each(arrows, ("room", "direction"))
        return {"rooms": rooms, "overlays": overlays, "arrows": arrows, "layers": layers}

    def _free_number(self) -> int:
        used_numbers = {layer["number"] for layer in self._layers.values()}
        return next(number for number in range(1, len(used_numbers) + 2) if number not in used_numbers)


def _last_of_each(things: Iterable[dict[str, Any]], names: tuple[str, ...]) -> list[dict[str, Any]]:
    return [*{tuple(thing.get(name) for name in names): thing for thing in things}.values()]
