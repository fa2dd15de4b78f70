"""Whether arguments are what a tool's inputs declare: what edited arguments are held to before a run sees them."""

import math
from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue

from smoldesk.events import Parameter


def parameters_of(inputs: Mapping[str, Mapping[str, Any]]) -> dict[str, Parameter]:
    """smolagents' `inputs` as an ask carries them."""
    return {
        name: Parameter(
            type=str(schema.get("type", "any")),
            description=str(schema.get("description", "")),
            required=not schema.get("nullable"),
        )
        for name, schema in inputs.items()
    }


def problem_with(arguments: Mapping[str, JsonValue], parameters: Mapping[str, Parameter]) -> str | None:
    """What is wrong with arguments, in a sentence that says what was expected; None when nothing is."""
    for name in arguments:
        if name not in parameters:
            return f"There is no argument {name[:40]!r}; expected {', '.join(parameters) or 'none'}."
    for name, parameter in parameters.items():
        value = arguments.get(name)
        if value is None:
            if parameter.required:
                return f"`{name}` is missing; expected {_noun(parameter.type)}."
        elif not _fits(value, parameter.type):
            return f"`{name}` is {_noun(_type_of(value))}; expected {_noun(parameter.type)}."
    return None


def _fits(value: JsonValue, wanted: str) -> bool:
    match wanted:
        case "string" | "image" | "audio":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return _is_integer(value)
        case "number":
            return _is_integer(value) or (isinstance(value, float) and math.isfinite(value))
        case "array":
            return isinstance(value, list)
        case "object":
            return isinstance(value, dict)
        case _:
            return True


def _is_integer(value: JsonValue) -> bool:
    """Also one that no float can hold."""
    return isinstance(value, int) and not isinstance(value, bool)


def _type_of(value: JsonValue) -> str:
    match value:
        case bool():
            return "boolean"
        case str():
            return "string"
        case int() | float():
            return "number"
        case list():
            return "array"
        case dict():
            return "object"
        case _:
            return "null"


def _noun(name: str) -> str:
    return {"integer": "a whole number", "array": "a list", "object": "an object", "null": "empty"}.get(
        name, f"a {name}"
    )
