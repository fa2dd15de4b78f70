"""The interface specification as data, and the same of the models: two readings that a test compares.

A table of fields stands under a heading that is nothing but a name in backticks, a message type: fields of its content are
`content.x`. Those of a shape are `Shape.x`, wherever they stand. A JSON example is a fenced block whose info string says
what it is: `json server`, `json client` or `json http`.
"""

import ast
import re
import typing
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from smoldesk import errors
from smoldesk import messages as m

PAGE = Path(__file__).parent.parent.parent / "spec" / "reference" / "interfacespec.md"
ADDED: dict[str, dict[str, "Field"]] = {}
"""What the wire adds to a message of a type; no model has it."""


CARRIES = "nested"
"""The message that carries another one, whose shapes have tables of their own."""
SHARED = "FileContent"
"""The one content that a message shares with another."""


OF_ALTERNATIVES = ("AlternativesContent", "Alternative", "SentencePiece")
"""The shapes of alternatives alone; the messages of their answers have tables of their own."""


A_MESSAGE = {"type": "a message"}


class Field(NamedTuple):
    """One row: its type in words, and when it is there ("always", "if any", "2.0")."""

    type: str
    when: str


for _kind in ("image", "table", "file"):
    ADDED[_kind] = {"url": Field("string", "2.0" if _kind == "image" else "always")}
ADDED["mcp_app"] = {"url": Field("string", "always"), "resultUrl": Field("string", "if any")}
for _kind in ("chart", "chart_changed"):
    ADDED[_kind] = {"url": Field("string", "always"), "imageUrl": Field("string", "always")}
for _kind in ("text", "code"):
    ADDED[_kind] = {"html": Field("string", "always")}


# --- what the page says ------------------------------------------------------------------------------------------


@cache
def documented(text: str) -> dict[str, dict[str, Field]]:
    """Fields by the name of what has them."""
    by_name: dict[str, dict[str, Field]] = {}
    name: str | None = None
    for line in text.splitlines():
        if line.startswith("#"):
            heading = re.fullmatch(r"#+ `(\w+)`", line)
            name = heading[1] if heading else None
            if name is not None:
                by_name.setdefault(name, {})
        elif row := re.match(r"\| `(?:(\w+)\.)?(\w+)` \| ([^|]+) \| ([^|]+) \|", line):
            owner = f"{name}.content" if row[1] == "content" else row[1] or name
            if owner is not None:
                by_name.setdefault(owner, {})[row[2]] = Field(row[3].strip(), row[4].strip())
    return by_name


def section(text: str, heading: str) -> str:
    """What stands under a heading, up to the next one of its level."""
    level = heading.split()[0]
    after = text.split(f"\n{heading}\n", 1)[1]
    return re.split(rf"\n#{{1,{len(level)}}} ", after, maxsplit=1)[0]


def first_cells(text: str) -> list[str]:
    """What stands in backticks in the first cell of each row of a table."""
    return [
        name for row in re.findall(r"^\| (`[^|]+) \|", text, re.M) for name in re.findall(r"`([^`]+)`", row)
    ]


def examples(text: str, kind: str) -> list[str]:
    return re.findall(rf"^```json {kind}\n(.*?)^```", text, re.M | re.S)


# --- what the models say -----------------------------------------------------------------------------------------


@cache
def promised() -> dict[str, dict[str, Field]]:
    """Fields by message type, by what is its content alone (`arrow.content`) and by shape, as they leave the server."""
    by_name: dict[str, dict[str, Field]] = {}
    for model in typing.get_args(typing.get_args(m.Message)[0]):
        schema = model.model_json_schema(mode="serialization")
        kind = model.model_fields["type"].default
        by_name[kind] = _fields(schema)
        shapes = {name: shape for name, shape in schema.get("$defs", {}).items() if shape.get("properties")}
        content = by_name[kind]["content"].type
        if kind == CARRIES:
            shapes = {
                content: shapes[content]
                | {"properties": shapes[content]["properties"] | {"message": A_MESSAGE}}
            }
        if kind == "alternatives":
            shapes = {name: shapes[name] for name in OF_ALTERNATIVES}
        if kind == "chart_changed":  # its chart and code are those of other messages
            shapes = {content: shapes[content]}
        if content in shapes and content != SHARED:
            del by_name[kind]["content"]
            by_name[f"{kind}.content"] = _fields(shapes.pop(content), keep_type=True)
        by_name |= {name: _fields(shape, keep_type=True) for name, shape in shapes.items()}
    for kind, added in ADDED.items():
        by_name[kind] = by_name[kind] | added
    return by_name


def _fields(schema: dict[str, Any], keep_type: bool = False) -> dict[str, Field]:
    return {
        name: Field(_words(value), "if any" if {"type": "null"} in value.get("anyOf", []) else "always")
        for name, value in schema["properties"].items()
        if keep_type or name != "type"
    }


def _words(schema: dict[str, Any]) -> str:
    """A JSON schema's type in words: "string", "list of Floor", "MapContent or PointsContent", ..."""
    options = schema.get("anyOf") or schema.get("oneOf")
    if options:
        return " or ".join(_words(option) for option in options if option != {"type": "null"})
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return {"JsonValue": "any JSON", "Empty": "`{}`"}.get(name, name)  # pyright: ignore[reportReturnType]
    if "const" in schema:
        return f'"{schema["const"]}"'
    if "enum" in schema:
        return " or ".join(f'"{value}"' for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_words(schema['items'])}"
    return schema.get("type", "any JSON")


message_adapter: TypeAdapter[Any] = TypeAdapter(m.Message)


def codes_made(file: Path) -> Iterator[str]:
    """The code of every fault of the DeskError tree that is made in a file of Python."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        fault = getattr(errors, getattr(call.func, "id", ""), None)
        if not (isinstance(fault, type) and issubclass(fault, errors.DeskError)):
            continue
        values = [keyword.value for keyword in call.keywords if keyword.arg == "code"]
        yield values[0].value if values and isinstance(values[0], ast.Constant) else fault.code  # pyright: ignore
