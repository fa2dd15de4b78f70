"""The Python the analyst writes: safe literals and a cell that keeps imports on top.

Everything that comes from a request, a table or the building enters code through `literal` or
`inside`, so that no text can end a string, a code block or a line.
"""

import json
import re
import unicodedata
from dataclasses import dataclass, field

from smoldesk.analyst.building.intents import Scalar, ToolCall

_TAGS = re.compile(r"<(?=/?code)", re.IGNORECASE)
_IMPORTS = {"pd": "import pandas as pd", "np": "import numpy as np", "plt": "import matplotlib.pyplot as plt",
    "json": "import json"}  # fmt: skip


def literal(value: Scalar | None) -> str:
    """A Python literal in double quotes, on one line, that never holds a code tag."""
    if value is None or isinstance(value, bool):
        return repr(value)
    if isinstance(value, float | int):
        return repr(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(value)
    body = json.dumps(value, ensure_ascii=False)[1:-1]
    shown = (char if char.isprintable() else char.encode("unicode_escape").decode() for char in body)
    return '"' + _TAGS.sub(r"\\x3c", "".join(shown)) + '"'


def inside(text: str) -> str:
    """Text for the inside of an f-string literal."""
    return literal(text)[1:-1].replace("{", "{{").replace("}", "}}")


def call_code(call: ToolCall) -> str:
    """A call of a tool as source: on one line where it fits."""
    line = f"{call.tool}({', '.join(f'{name}={literal(value)}' for name, value in call.arguments)})"
    if len(line) <= 110:
        return line
    body = "\n".join(f"    {name}={literal(value)}," for name, value in call.arguments)
    return f"{call.tool}(\n{body}\n)"


def file_stem(name: str) -> str:
    """A file name without directory, extension or anything but letters, digits, - and _."""
    stem = re.sub(r"[^\w\-]+", "_", unicodedata.normalize("NFKC", name)).strip("_-")
    return stem[:60] or "result"


@dataclass
class Cell:
    """Lines of one code cell; `use` names what to import."""

    lines: list[str] = field(default_factory=list[str])
    imports: set[str] = field(default_factory=set[str])

    def use(self, *names: str) -> None:
        self.imports.update(names)

    def add(self, *lines: str) -> None:
        self.lines.extend(lines)

    def gap(self) -> None:
        """An empty line between two ideas."""
        if self.lines and self.lines[-1]:
            self.lines.append("")

    def answer(self, *sentences: str) -> None:
        """The closing call; several string literals stand under one another."""
        self.gap()
        one_line = f"final_answer({sentences[0]})" if len(sentences) == 1 else ""
        if one_line and len(one_line) <= 110:
            self.add(one_line)
        else:
            self.add("final_answer(", *(f"    {sentence}" for sentence in sentences), ")")

    def source(self) -> str:
        """The cell as text, imports first."""
        head = sorted(line for name, line in _IMPORTS.items() if name in self.imports)
        head += [""] if head and self.lines else []
        return "\n".join([*head, *self.lines])
