"""Tool that shows a live layer of the chat on the map: show_layer."""

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

from smoldesk.errors import DeskError
from smoldesk.messages import MapContent
from smoldesk.tools.policy import DeskTool

# Maximum layers named in the description.
MAX_LISTED = 20


class LayerStore(Protocol):
    """Live layers of a chat, as its tools show them."""

    def names(self) -> Sequence[str]: ...

    def show(self, name: str | None) -> MapContent | None:
        """Show a layer, or none; return its values now. Raises NotFound, Conflict."""
        ...


class ShowLayer(DeskTool):
    """`show_layer`: colours the rooms by values that keep arriving."""

    name = "show_layer"
    output_type = "string"
    inputs: ClassVar[dict[str, dict[str, Any]]] = {"name": {"type": "string", "description": ""}}

    def __init__(self, layers: LayerStore | None, names: Sequence[str]) -> None:
        self._layers = layers
        more = f" Layers: {', '.join(names[:MAX_LISTED])}." if len(names) > 1 else ""
        example = names[0] if names else "temperature"
        self.description = f'Shows live values of rooms on the map.{more}\nExample: show_layer("{example}")'
        super().__init__()

    def forward(self, name: str) -> str:
        """Return what is shown, or "Error: ..."."""
        if self._layers is None:
            return "Error: There are no live layers here."
        try:
            picture = self._layers.show(str(name))
        except DeskError as fault:
            return f"Error: {fault}"
        if picture is None:
            return f"The map shows {name}, which has no values yet."
        values = [room.value for room in picture.rectangles if room.value is not None]
        return f"The map shows {name}: {len(values)} rooms, {min(values):g} to {max(values):g}, last at {picture.timestamp}."
