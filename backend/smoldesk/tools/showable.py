"""Whether a call can be put to a person: nobody is asked about arguments that a card cannot show whole and as they are."""

import json
from collections.abc import Mapping

from pydantic import JsonValue

from smoldesk.errors import BadInput

LONGEST_ARGUMENTS = 64 * 1024
"""Most characters of a call's arguments, as JSON: they go into the log, the record, and every page that shows the ask."""
LARGEST_INTEGER = 2**53 - 1
"""Beyond it a browser shows another number than the one that runs."""


def require_showable(arguments: Mapping[str, JsonValue]) -> None:
    """Raises BadInput for arguments that are too long, or that a page would show otherwise than they are."""
    try:
        text = json.dumps(arguments, ensure_ascii=False, allow_nan=False)
        text.encode()
    except UnicodeEncodeError:
        raise _bad("hold half a character (a lone surrogate)", "Expected whole characters.") from None
    except (ValueError, TypeError, RecursionError):
        raise _bad("are no JSON", "Expected finite numbers, and no deep nesting.") from None
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
    return BadInput(f"The arguments {what}, and nobody can be asked about them.", expected)
