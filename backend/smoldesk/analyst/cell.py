"""The Python the analyst writes: safe literals and a cell that keeps imports on top.

Everything that comes from a request, a table or the building enters code through `literal` or
`inside`, so that no text can end a string, a code block or a line.
"""

import ast
import json
import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from smoldesk.analyst.building.intents import Scalar, ToolCall
from smoldesk.charts.inside.chart_rules import Spec

_TAGS = re.compile(r"<(?=/?code)", re.IGNORECASE)
_IMPORTS = {"json": "import json", "plt": "import matplotlib.pyplot as plt", "np": "import numpy as np",
    "pd": "import pandas as pd", "sns": "import seaborn as sns"}  # fmt: skip


def literal(value: Scalar | Spec | Sequence[Any] | None) -> str:
    """A Python literal on one line, its texts in double quotes, that never holds a code tag."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(name)}: {literal(part)}" for name, part in value.items()) + "}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(literal, value))}]"
    if value is None or isinstance(value, bool):
        return repr(value)
    if isinstance(value, float | int):
        return repr(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(value)
    body = json.dumps(value, ensure_ascii=False)[1:-1]
    escaped = (char if char.isprintable() else char.encode("unicode_escape").decode() for char in body)
    return '"' + _TAGS.sub(r"\\x3c", "".join(escaped)) + '"'


def inside(text: str) -> str:
    """Text for the inside of an f-string literal."""
    return literal(text)[1:-1].replace("{", "{{").replace("}", "}}")


def chart_lines(frame: str, title: str, spec: Spec) -> list[str]:
    """Lines that show a chart of a frame by a spec of Vega-Lite, a line for each of its channels."""
    titled_spec: Spec = {"title": title, **spec}
    channels = [
        f"        {literal(name)}: {literal(part)}," for name, part in titled_spec.pop("encoding").items()
    ]
    lines = [f"    {literal(name)}: {literal(part)}," for name, part in titled_spec.items()]
    return ["", f"display(chart({frame}, {{", *lines, '    "encoding": {', *channels, "    },", "}))"]


def call_code(call: ToolCall) -> str:
    """A call of a tool as source: on one line where it fits."""
    line = f"{call.tool}({', '.join(f'{name}={literal(value)}' for name, value in call.arguments)})"
    if len(line) <= 110:
        return line
    body = "\n".join(f"    {name}={literal(value)}," for name, value in call.arguments)
    return f"{call.tool}(\n{body}\n)"


def file_stem(name: str) -> str:
    """A file name without directory, extension or anything but letters, digits, - and _."""
    return re.sub(r"[^\w\-]+", "_", unicodedata.normalize("NFKC", name)).strip("_-")[:60] or "result"


class Cell:
    """Lines of one code cell."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, *lines: str) -> None:
        self.lines.extend(lines)

    def gap(self) -> None:
        """An empty line between two ideas."""
        self.lines += [""] if self.lines and self.lines[-1] else []

    def answer(self, *sentences: str) -> None:
        """The closing call; several string literals stand under one another."""
        self.gap()
        single_line = f"final_answer({''.join(sentences)})"
        several = ["final_answer(", *(f"    {sentence}" for sentence in sentences), ")"]
        self.add(*(several if len(sentences) > 1 or len(single_line) > 110 else [single_line]))

    def source(self) -> str:
        """The cell as text, imports first."""
        names = {node.id for node in ast.walk(ast.parse("\n".join(self.lines))) if isinstance(node, ast.Name)}
        used = [line for name, line in _IMPORTS.items() if name in names]
        return "\n".join([*used, *([""] if used else []), *self.lines])
