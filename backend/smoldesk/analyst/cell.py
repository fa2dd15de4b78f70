"""Builder of the Python cells that the analyst writes: safe literals, and imports at the top.

Text of a request, a table or the building enters code only through `literal` or `inside`, so it cannot end a string, a code
block or a line.
"""

import ast
import json
import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from smoldesk.analyst.building.intents import Scalar, ToolCall
from smoldesk.charts.inside.chart_rules import Spec

# Source of the format of a figure: integers without `.00`, 13.0006 as 13.00, small ones with three digits.
FORM = '",.0f" if {0} % 1 == 0 else ",.2f" if abs({0}) >= 1 else ".3g"'
# Code that shortens a value: four decimals, or four digits of a small one.
SHORT = 'round(value, 4) if abs(value) >= 1 else float(f"{value:.4g}")'

_TAGS = re.compile(r"<(?=/?code)", re.IGNORECASE)
_IMPORTS = {"json": "import json", "plt": "import matplotlib.pyplot as plt", "np": "import numpy as np",
    "pd": "import pandas as pd", "sns": "import seaborn as sns",
    **{name: f"import {name}" for name in ("gzip", "pyarrow", "sqlite3", "zipfile")}}  # fmt: skip


def literal(value: Scalar | Spec | Sequence[Any] | None) -> str:
    """Return a Python literal on one line, with double-quoted strings and without code tags."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(name)}: {literal(part)}" for name, part in value.items()) + "}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(literal, value))}]"
    if value is None or isinstance(value, bool):
        return repr(value)
    if isinstance(value, float | int):
        # From 1e15 on, an integer would show more digits than a float's precision.
        return repr(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(value)
    # JSON escapes are valid in Python strings. Unprintable characters (bidi controls, line separators) could disguise the
    # code on the page, and `</code>` would end the cell.
    body = json.dumps(value, ensure_ascii=False)[1:-1]
    escaped = (char if char.isprintable() else char.encode("unicode_escape").decode() for char in body)
    return '"' + _TAGS.sub(r"\\x3c", "".join(escaped)) + '"'


def inside(text: str) -> str:
    """Escape text for use inside an f-string literal."""
    return literal(text)[1:-1].replace("{", "{{").replace("}", "}}")


def chart_lines(frame: str, title: str, spec: Spec) -> list[str]:
    """Return the lines that display a chart of a frame by a Vega-Lite spec, one line for each channel."""
    titled_spec: Spec = {"title": title, **spec}
    channels = [
        f"        {literal(name)}: {literal(part)}," for name, part in titled_spec.pop("encoding").items()
    ]
    lines = [f"    {literal(name)}: {literal(part)}," for name, part in titled_spec.items()]
    return ["", f"display(chart({frame}, {{", *lines, '    "encoding": {', *channels, "    },", "}))"]


def call_code(call: ToolCall) -> str:
    """Return a tool call as source, on one line if it fits."""
    line = f"{call.tool}({', '.join(f'{name}={literal(value)}' for name, value in call.arguments)})"
    if len(line) <= 110:
        return line
    body = "\n".join(f"    {name}={literal(value)}," for name, value in call.arguments)
    return f"{call.tool}(\n{body}\n)"


def file_stem(name: str) -> str:
    """Return a safe file name without directory and suffix: letters, digits, - and _ only."""
    return re.sub(r"[^\w\-]+", "_", unicodedata.normalize("NFKC", name)).strip("_-")[:60] or "result"


class Cell:
    """Lines of one code cell."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, *lines: str) -> None:
        self.lines.extend(lines)

    def gap(self) -> None:
        """Add an empty line, unless the last line is empty."""
        self.lines += [""] if self.lines and self.lines[-1] else []

    def answer(self, *sentences: str) -> None:
        """Add the final_answer call; Python joins its adjacent string literals."""
        self.gap()
        single_line = f"final_answer({''.join(sentences)})"
        several = ["final_answer(", *(f"    {sentence}" for sentence in sentences), ")"]
        self.add(*(several if len(sentences) > 1 or len(single_line) > 110 else [single_line]))

    def source(self) -> str:
        """Return the cell as text, with the imports that it uses first."""
        names = {node.id for node in ast.walk(ast.parse("\n".join(self.lines))) if isinstance(node, ast.Name)}
        used = [line for name, line in _IMPORTS.items() if name in names]
        return "\n".join([*used, *([""] if used else []), *self.lines])
