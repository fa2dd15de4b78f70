"""Tool calls as Python code: how a code agent runs the calls that its model made instead of writing code.

In code the calls pass the same gate and asks as any other, the page shows what runs, and the model's memory has the form that
it should write. Values are JSON, so their `repr` is a literal.
"""

import keyword
import math
from collections.abc import Sequence
from typing import Any, cast

from smoldesk.output_parser.text_calls import INTERPRETERS, WrittenCall

NOT_ALONE = "The answer was not taken: read the results of the other calls first, then answer."


def code_of_calls(calls: Sequence[WrittenCall]) -> str:
    """Return code that makes the calls in order and prints each result; `final_answer` counts only alone."""
    lines = [_line(call, alone=len(calls) == 1) for call in calls]
    return "\n".join(lines)


def interpreter_code(call: WrittenCall) -> str | None:
    """Return the code of a call of an interpreter; None for another tool."""
    if call.name not in INTERPRETERS:
        return None
    arguments = call.arguments
    if isinstance(arguments, str):
        return arguments
    values = [arguments[key] for key in ("code", "script", "source", "input", "query") if key in arguments]
    texts = [value for value in [*values, *arguments.values()] if isinstance(value, str)]
    return texts[0] if texts else None


def _line(call: WrittenCall, alone: bool) -> str:
    if (code := interpreter_code(call)) is not None:
        return code
    if call.name == "final_answer":
        return f"final_answer({_answer(call.arguments)})" if alone else f"print({NOT_ALONE!r})"
    if not call.name.isidentifier() or keyword.iskeyword(call.name):
        return f"raise NameError({f'There is no tool {call.name!r}.'!r})"
    return f"print({call.name}({_arguments(call.arguments)}))"


def _answer(arguments: dict[str, Any] | str) -> str:
    """Return the answer as a literal: the only argument, whatever its name, or all of them."""
    if isinstance(arguments, dict) and (len(arguments) == 1 or "answer" in arguments):
        return _literal(arguments.get("answer", next(iter(arguments.values()))))
    return _literal(arguments)


def _arguments(arguments: dict[str, Any] | str) -> str:
    if isinstance(arguments, str):
        return _literal(arguments)
    if all(name.isidentifier() and not keyword.iskeyword(name) for name in arguments):
        return ", ".join(f"{name}={_literal(value)}" for name, value in arguments.items())
    return f"**{_literal(arguments)}"


def _literal(value: Any) -> str:
    """Return a JSON value as Python; NaN and infinities, which have no literal, as None."""
    match value:
        case float():
            return repr(value) if math.isfinite(value) else "None"
        case dict():
            items = cast("dict[str, Any]", value).items()
            return "{" + ", ".join(f"{key!r}: {_literal(item)}" for key, item in items) + "}"
        case list():
            return "[" + ", ".join(map(_literal, cast("list[Any]", value))) + "]"
        case _:
            return repr(value)
