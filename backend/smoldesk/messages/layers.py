"""Live layers of the map: which there are, which one is shown, and values as they arrive."""

from typing import Literal

from smoldesk.messages.building import RoomRef
from smoldesk.messages.map_pane import LegendOverlay, MapContent
from smoldesk.messages.shape import Shape

LayerSource = Literal["posted", "file", "mqtt"]
LayerState = Literal["live", "waiting", "connecting", "unreachable", "unreadable", "other_building"]


class LayerStatus(Shape):
    """One layer. `time` is that of its last value (seconds since the epoch), `stale` the seconds until it counts as old.

    `unknown` are some of the names without a room, `unknown_values` counts all values with such names. `problem` says why
    the state is unreachable or unreadable.
    """

    name: str
    title: str = ""
    unit: str = ""
    source: LayerSource
    state: LayerState
    time: float | None = None
    stale: int = 60
    rooms: int = 0
    unknown: list[str] = []
    unknown_values: int = 0
    problem: str = ""


class LayersContent(Shape):
    """All layers of a chat."""

    layers: list[LayerStatus]


class Layers(Shape):
    """The layers of the chat as they are now. Without a place in the log."""

    type: Literal["layers"] = "layers"
    content: LayersContent


class LayerFrame(Shape):
    """Values of one frame, which starts `at` (seconds since the epoch); `places` in `rooms`, as many as `values`."""

    at: int
    places: list[int]
    values: list[float]


class LayerValuesContent(Shape):
    """New values of the shown layer. With `reset` they are all of its history; frames before `since` are gone."""

    layer: str
    reset: bool = False
    since: int
    time: float
    rooms: list[RoomRef]
    frames: list[LayerFrame]
    legend: LegendOverlay


class LayerValues(Shape):
    """Values of the shown layer as they arrive, at most four times a second. Without a place in the log."""

    type: Literal["layer_values"] = "layer_values"
    content: LayerValuesContent


class ShownLayer(Shape):
    """The layer that the map shows from here on, or none; `picture` has its values of that moment, for replays."""

    layer: str | None = None
    picture: MapContent | None = None


class LayerShown(Shape):
    """From here on the map shows this layer, until another drawing or layer takes its place."""

    type: Literal["layer_shown"] = "layer_shown"
    content: ShownLayer
