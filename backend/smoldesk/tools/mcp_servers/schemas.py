"""A server's JSON Schemas as smolagents' inputs, and its names as names of tools; what cannot be either is said. Pure."""

import json
import keyword
import re
from collections.abc import Mapping
from typing import Any, cast

TYPES = ("string", "boolean", "integer", "number", "array", "object", "any")
# Maximum characters of one tool's schema: every request to a model contains it.
LONGEST_SCHEMA = 20_000
LONGEST_DESCRIPTION = 4_000
MAX_INPUTS = 100
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
    """Return the server's description for a model and a person, marked as the server's and cut at `longest`."""
    text = (description or "").strip()
    if len(text) > longest:
        text = f"{text[:longest]}…"
    return f"(By the MCP server {server}:) {text}"


def inputs_of(schema: Any) -> dict[str, dict[str, Any]]:
    """smolagents' inputs, with what else the schema says of each for the model. Raises BadTool."""
    if not isinstance(schema, dict):
        raise BadTool("its input schema is not an object")
    root_schema = cast("dict[str, Any]", schema)
    try:
        length = len(json.dumps(root_schema))
    except (RecursionError, ValueError) as fault:
        raise BadTool("its input schema is nested too deeply") from fault
    if length > LONGEST_SCHEMA:
        raise BadTool(f"its input schema has more than {LONGEST_SCHEMA:,} characters")
    properties, required = root_schema.get("properties", {}), root_schema.get("required", [])
    if (
        root_schema.get("type", "object") != "object"
        or not isinstance(properties, dict)
        or not isinstance(required, list)
    ):
        raise BadTool("its input schema describes no object with properties")
    properties_ = cast("dict[str, Any]", properties)
    if len(properties_) > MAX_INPUTS:
        raise BadTool(f"it takes more than {MAX_INPUTS} arguments")
    missing = [name for name in cast("list[Any]", required) if name not in properties_]
    if missing:
        raise BadTool(f"it needs {str(missing[0])[:60]!r}, which its schema does not describe")
    return {name: _input(name, one, name not in required, root_schema) for name, one in properties_.items()}


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
    model_schema = {key: value for key, value in schema.items() if key in _FOR_THE_MODEL}
    made: dict[str, Any] = {
        **model_schema,
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
    """Follow a reference into the schema itself, one level; other references stay."""
    path = schema.get("$ref")
    if not isinstance(path, str) or not path.startswith("#/"):
        return schema
    target: Any = root_schema
    for part in path[2:].split("/"):
        target = cast("dict[str, Any]", target).get(part) if isinstance(target, dict) else None
    return {**cast("dict[str, Any]", target), **schema} if isinstance(target, dict) else schema


def _types(schema: Mapping[str, Any]) -> set[Any]:
    type_value = schema.get("type")
    if isinstance(type_value, list):
        return {
            type_name if isinstance(type_name, str) else "any" for type_name in cast("list[Any]", type_value)
        }
    if type_value is not None:
        return {type_value if isinstance(type_value, str) else str(type_value)}
    types: set[Any] = set()
    several = schema.get("anyOf") or schema.get("oneOf")
    for alternative in cast("list[Any]", several) if isinstance(several, list) else ():
        types |= _types(cast("dict[str, Any]", alternative)) if isinstance(alternative, dict) else {"any"}
    if not types and isinstance(schema.get("enum"), list):
        return {"string"} if all(isinstance(type_name, str) for type_name in schema["enum"]) else {"any"}
    return types or {"any"}
