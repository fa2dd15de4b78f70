"""Whether an answer is one that its ask can take: checked before it counts, so that the ask stays open when it is not."""

import json

from pydantic import JsonValue

from smoldesk.errors import BadInput
from smoldesk.events import Ask
from smoldesk.store.asks import Answer
from smoldesk.tools.arguments import problem_with

# Maximum characters of a value as JSON.
LONGEST_VALUE = 256 * 1024
# Maximum characters of a denial's reason: the model reads it, and the log stores it.
LONGEST_REASON = 2_000
# Maximum nesting of arrays and objects: deeper values cannot be written to the log.
DEEPEST_VALUE = 100


def check_answer(ask: Ask, answer: Answer) -> None:
    """Check that an answer fits its ask. Raises BadInput (code bad_answer) with what was expected."""
    if answer.scope != "call" and (ask.kind != "approval" or ask.tool is None):
        raise _bad(
            f"This ask takes no scope {answer.scope!r}.",
            "Only the approval of a tool reaches further than a call.",
        )
    if answer.scope == "chat" and not answer.granted:
        raise _bad("A refusal for the whole chat is not possible.", "Expected scope call or step.")
    if len(answer.reason) > LONGEST_REASON:
        raise _bad("The reason is too long.", f"Expected at most {LONGEST_REASON:,} characters.")
    if not answer.granted:
        return  # the entered value is not used
    if is_deeper(answer.value, DEEPEST_VALUE):
        raise _bad("The value is nested too deeply.", f"Expected at most {DEEPEST_VALUE} levels.")
    if len(json.dumps(answer.value)) > LONGEST_VALUE:
        raise _bad("The value is too long.", f"Expected at most {LONGEST_VALUE:,} characters of JSON.")
    match ask.kind:
        case "approval":
            _check_arguments(ask, answer.value)
        case "input":
            _check_entered(ask, answer.value)
        case "client_tool":
            pass  # its tool knows what it can be


def is_deeper(value: JsonValue, most: int) -> bool:
    """Return whether more than `most` arrays and objects stand in each other. Level by level: it may be deep."""
    level = [value]
    for _ in range(most + 1):
        level = [
            inner
            for item in level
            if isinstance(item, (dict, list))
            for inner in (item.values() if isinstance(item, dict) else item)
        ]
    return bool(level)


def _check_arguments(ask: Ask, value: JsonValue) -> None:
    if value is None:
        return
    if not isinstance(value, dict):
        raise _bad(
            "The edited arguments are not an object.", f"Expected the arguments of {ask.tool} by name."
        )
    problem = problem_with(value, ask.parameters)
    if problem is not None:
        raise _bad(f"The edited arguments cannot be used. {problem}", f"The call of {ask.tool} still waits.")


def _check_entered(ask: Ask, value: JsonValue) -> None:
    match ask.input_type:
        case "confirmation":
            if value is not None and value is not True:
                raise _bad(
                    "A confirmation takes no value.", "Expected granted true or false, and nothing else."
                )
        case "selection":
            if value not in ask.options:
                raise _bad("That is not one of the options.", f"Expected one of: {', '.join(ask.options)}.")
        case "text" | "password":
            if not isinstance(value, str):
                raise _bad("The answer is not text.", "Expected a string in `value`.")


def _bad(message: str, hint: str) -> BadInput:
    return BadInput(message, hint, code="bad_answer")
