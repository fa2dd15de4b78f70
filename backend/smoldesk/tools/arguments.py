"""Arguments of calls: whether they match a tool's declared inputs, and whether a card can show them completely.

Edited arguments pass the first check before a run sees them; a call that fails the second is refused without asking.
"""

import json
import math
from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue

from smoldesk.errors import BadInput
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
    """Return the problem with arguments as a sentence with what was expected, or None."""
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


def _fits(value: JsonValue, type_name: str) -> bool:
    match type_name:
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


# Maximum characters of a call's arguments as JSON: they go into the log, the record, and every page with the ask.
LONGEST_ARGUMENTS = 64 * 1024
# A browser shows larger integers inexactly.
LARGEST_INTEGER = 2**53 - 1


def require_showable(arguments: Mapping[str, JsonValue]) -> None:
    """Raise BadInput for arguments that are too long, or that a page would show changed."""
    try:
        text = json.dumps(arguments, ensure_ascii=False, allow_nan=False)
        text.encode()
    except UnicodeEncodeError:
        raise _bad("hold half a character (a lone surrogate)", "Expected whole characters.") from None
    except (ValueError, TypeError, RecursionError):
        raise _bad("are not valid JSON", "Expected finite numbers, and no deep nesting.") from None
    if len(text) > LONGEST_ARGUMENTS:
        raise _bad(f"have {len(text):,} characters", f"Expected at most {LONGEST_ARGUMENTS:,}.")
    if _has_larger_integer(dict(arguments)):
        raise _bad("hold a number that is too large to be shown", "Expected at most 2**53 - 1, or a text.")


def _has_larger_integer(value: JsonValue) -> bool:
    match value:
        case int():
            return abs(value) > LARGEST_INTEGER
        case list():
            return any(map(_has_larger_integer, value))
        case dict():
            return any(map(_has_larger_integer, value.values()))
        case _:
            return False


def _bad(what: str, expected: str) -> BadInput:
    return BadInput(f"The arguments {what}, so no approval card can show them.", expected)
