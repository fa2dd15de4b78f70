"""A server's JSON Schemas as smolagents' inputs, and its names as names of tools; what cannot be either is said. Pure."""

import json
import keyword
import re
from collections.abc import Mapping
from typing import Any, cast

TYPES = ("string", "boolean", "integer", "number", "array", "object", "any")
# Characters of one tool's schema: every request to a model has them.
LONGEST_SCHEMA = 20_000
LONGEST_DESCRIPTION = 4_000
MOST_INPUTS = 100
LONGEST_NAME = 64


class BadTool(ValueError):
    """A tool that cannot be offered; why stands in its words."""


def name_of(server: str, tool: str) -> str:
    """`server_tool`, always: so it says where it is from, and what was allowed of it reaches no other server's.

    Raises BadTool.
    """
    name = re.sub(r"\W", "_", f"{server}_{tool}", flags=re.ASCII)
    if not tool.strip() or len(name) > LONGEST_NAME or not name.isidentifier() or keyword.iskeyword(name):
        raise BadTool(
            f"its name {tool[:80]!r} makes no name of a function of at most {LONGEST_NAME} characters"
        )
    return name


def described(server: str, description: str | None, longest: int = LONGEST_DESCRIPTION) -> str:
    """What a model and a person read: the server's words, as the server's; more than the `longest` are cut, and say so."""
    words = (description or "").strip()
    if len(words) > longest:
        words = f"{words[:longest]}…"
    return f"(By the MCP server {server}:) {words}"


def inputs_of(schema: Any) -> dict[str, dict[str, Any]]:
    """smolagents' inputs, with what else the schema says of each for the model. Raises BadTool."""
    if not isinstance(schema, dict):
        raise BadTool("its input schema is no object")
    whole = cast("dict[str, Any]", schema)
    try:
        length = len(json.dumps(whole))
    except (RecursionError, ValueError) as fault:
        raise BadTool("its input schema is nested too deeply") from fault
    if length > LONGEST_SCHEMA:
        raise BadTool(f"its input schema has more than {LONGEST_SCHEMA:,} characters")
    properties, required = whole.get("properties", {}), whole.get("required", [])
    if (
        whole.get("type", "object") != "object"
        or not isinstance(properties, dict)
        or not isinstance(required, list)
    ):
        raise BadTool("its input schema describes no object with properties")
    given = cast("dict[str, Any]", properties)
    if len(given) > MOST_INPUTS:
        raise BadTool(f"it takes more than {MOST_INPUTS} arguments")
    missing = [one for one in cast("list[Any]", required) if one not in given]
    if missing:
        raise BadTool(f"it needs {str(missing[0])[:60]!r}, which its schema does not describe")
    return {name: _input(name, one, name not in required, whole) for name, one in given.items()}


def _input(name: str, input_schema: Any, optional: bool, root_schema: Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(input_schema, bool):
        input_schema = {}
    if not isinstance(input_schema, dict):
        raise BadTool(f"its argument {name[:60]!r} is described by no schema")
    schema = _resolved(cast("dict[str, Any]", input_schema), root_schema)
    types = _types(schema)
    null = "null" in types
    types -= {"null"}
    kind = types.pop() if len(types) == 1 else "any"
    if kind not in TYPES:
        raise BadTool(f"its argument {name[:60]!r} is of the type {str(kind)[:40]!r}, which there is not")
    kept = {key: value for key, value in schema.items() if key in _FOR_THE_MODEL}
    made: dict[str, Any] = {
        **kept,
        "type": kind,
        "description": str(schema.get("description") or schema.get("title") or name),
    }
    if kind == "array" and "items" not in made:
        made["items"] = {}
    if optional or null:
        made["nullable"] = True
    return made


_FOR_THE_MODEL = ("enum", "items", "properties", "required", "minimum", "maximum", "default", "format")


def _resolved(schema: dict[str, Any], root_schema: Mapping[str, Any]) -> dict[str, Any]:
    """A reference into the schema itself is followed, one level; what leads elsewhere is left as it is."""
    path = schema.get("$ref")
    if not isinstance(path, str) or not path.startswith("#/"):
        return schema
    found: Any = root_schema
    for part in path[2:].split("/"):
        found = cast("dict[str, Any]", found).get(part) if isinstance(found, dict) else None
    return {**cast("dict[str, Any]", found), **schema} if isinstance(found, dict) else schema


def _types(schema: Mapping[str, Any]) -> set[Any]:
    said = schema.get("type")
    if isinstance(said, list):
        return {one if isinstance(one, str) else "any" for one in cast("list[Any]", said)}
    if said is not None:
        return {said if isinstance(said, str) else str(said)}
    found: set[Any] = set()
    several = schema.get("anyOf") or schema.get("oneOf")
    for one in cast("list[Any]", several) if isinstance(several, list) else ():
        found |= _types(cast("dict[str, Any]", one)) if isinstance(one, dict) else {"any"}
    if not found and isinstance(schema.get("enum"), list):
        return {"string"} if all(isinstance(one, str) for one in schema["enum"]) else {"any"}
    return found or {"any"}
