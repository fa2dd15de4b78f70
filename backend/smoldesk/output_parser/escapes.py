"""Terminal escape sequences, taken out of a line: colours and titles are no part of what a program says."""

import re

# each kind ends at a sign of its own or at the next ESC, so a line of openings costs its length
_ESCAPE = re.compile(
    r"\x1b(?:\[[0-?]*+[ -/]*+[@-~]?|[\]PX^_][^\x07\x1b]*+(?:\x07|\x1b\\)?|[ -/]*+[0-~]?)|\x9b[0-?]*+[ -/]*+[@-~]?"
)


def without_escapes(line: str) -> str:
    """The line as a person would read it; colours, links and titles are gone."""
    return _ESCAPE.sub("", line)
