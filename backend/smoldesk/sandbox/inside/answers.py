"""Parts of an answer: tables, figures, charts, data and texts, in order; classified where the value is, in the child.

Tables, figures and charts are shown as `display` shows them; whatever raises while it is classified becomes a text.
"""

import re
from collections.abc import Mapping
from typing import Any, cast

from .encoding import Json
from .other_tables import in_pandas, is_a
from .outputs import Outputs, cut
from .plain_values import LISTS, PlainData, RichValue, key_text, named_fields, plain_text

MAX_PARTS = 50
# Levels of a mixture: a table in a list in a dict has three.
MAX_LEVELS = 6
MAX_CAPTION = 200
MAX_OBJECT_TEXT = 2_000

Part = dict[str, Json]


class AnswerParts:
    """Classifies one answer; `parts` are its records as the host reads them."""

    def __init__(self, outputs: Outputs) -> None:
        self._outputs = outputs
        self._above: list[int] = []
        self.parts: list[Part] = []

    def add(self, value: Any, caption: str = "") -> None:
        """Add a value, or its elements if it is a mixture."""
        try:
            self._classify(value, caption)
        except Exception:  # the value's class is the cell's own: any of its methods may raise anything
            self._text("plain", caption, _describe(value))

    def _classify(self, value: Any, caption: str) -> None:
        value = in_pandas(self._outputs.figure_of(value) or _as_table(value))
        if isinstance(value, str):
            self._text("markdown", caption, str.__str__(value))
            return
        items = self._outputs.place(value, caption)
        if items is not None:
            if (
                not items
            ):  # it could not be drawn, or the cell shows too much: a note in its output says which
                self._text("plain", caption, type(value).__name__)
            # an item of an earlier part, such as the figure of axes, has no second one
            earlier = [part["item"] for part in self.parts]
            for item in items:
                if item not in earlier:
                    self._append("item", caption, item=item)
            return
        if (text := plain_text(value)) is not None:
            self._text("plain", caption, text)
            return
        try:
            data = PlainData().of(value)
            self._append("data", caption, text=str(len(value)), value=data)
        except RichValue:
            self._mixture(value, caption)

    def _mixture(self, value: Any, caption: str) -> None:
        pairs = entries(value)
        if pairs is None or len(self._above) >= MAX_LEVELS or id(value) in self._above:
            self._text("plain", caption, _describe(value) if pairs is None else "…")
            return
        self._above.append(id(value))
        for number, (key, element) in enumerate(pairs):
            if len(self.parts) >= MAX_PARTS:
                if self.parts[-1]["kind"] != "more":
                    self._append("more", caption, text=f"{len(pairs) - number}")
                break
            self.add(element, " / ".join(filter(None, [caption, key]))[:MAX_CAPTION])
        self._above.pop()

    def _text(self, kind: str, caption: str, text: str) -> None:
        self._append(kind, caption, text=cut(text))

    def _append(self, kind: str, caption: str, text: str = "", item: int = 0, value: Json = None) -> None:
        number = item if kind == "item" else -1
        self.parts.append(
            {"kind": kind, "caption": caption, "text": text, "item": number, "value": value},
        )


def entries(value: Any) -> list[tuple[str, Any]] | None:
    """Return the elements of a container with their captions, "" in lists; None for any other value."""
    if isinstance(value, Mapping):
        mapping = cast("Mapping[Any, Any]", value)
        return [(key_text(key), mapping[key]) for key in mapping]
    if (named := named_fields(value)) is not None:
        return [*named.items()]
    is_array = is_a(value, "numpy", "ndarray")
    elements: Any = value.flat if is_array else value
    return [("", element) for element in elements] if is_array or isinstance(value, LISTS) else None


def _as_table(value: Any) -> Any:
    """Return the table of an index, a column without labels, or a styled table; other values unchanged."""
    if is_a(value, "pandas.io.formats.style", "Styler"):
        return value.data
    if is_a(value, "pandas", "Index"):
        return value.to_frame(index=False)
    if is_a(value, "pandas.api.extensions", "ExtensionArray"):
        import pandas as pd

        return pd.Series(value)
    return value


def _describe(value: Any) -> str:
    """Return the class of an object and its text, if it has one besides its address."""
    name = type(value).__name__[:MAX_CAPTION]
    if isinstance(value, bytes | bytearray):
        return f"{name}, length {len(value)}"
    try:
        text = str(value)[:MAX_OBJECT_TEXT].strip()
        own_name = value.__name__ if re.match(r"<.*>\Z", text, re.DOTALL) else ""
    except Exception:  # its own methods may raise anything
        return name
    if isinstance(own_name, str) and own_name:
        return f"{name} {own_name[:MAX_CAPTION]}"
    return text if text.startswith(name) else f"{name}: {text}".removesuffix(": ")
