"""The reading that comes with a message: how it is to be read, as a person corrected it. The analyst judges what is in it."""

import json
from typing import cast

from pydantic import JsonValue

from smoldesk.errors import BadInput
from smoldesk.runs.asks.answers import is_deeper
from smoldesk.wires.bodies import DEEPEST

MOST_READING = 16_384
"""Characters of a reading, as JSON."""


def checked_reading(reading: object) -> dict[str, JsonValue] | None:
    """How a message is to be read; None where it is left to the analyst. Raises BadInput for what is no query."""
    if reading is None:
        return None
    if not isinstance(reading, dict):
        raise BadInput(
            "`reading` is no object.", "Expected the `query` of a reading message.", code="bad_reading"
        )
    known = cast("dict[str, JsonValue]", reading)
    if is_deeper(known, DEEPEST) or len(json.dumps(known)) > MOST_READING:
        raise BadInput(
            "The reading is too large.", f"At most {MOST_READING} characters of JSON.", code="too_large"
        )
    return known
