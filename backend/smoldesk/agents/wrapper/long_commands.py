"""Long drawings as a model reads them: that they were drawn, not the thousands of numbers they are made of."""

import re

LONGEST = 8_000
"""Characters of a drawing that a model is told; a route stays whole."""
_LONG = re.compile(rf"(?<![A-Za-z0-9_])(MAP_(?:FRAMES_)?COMMAND: )(\{{[^\n]{{{LONGEST},}})")


def without_long_commands(text: str) -> str:
    """The text with every long `MAP_COMMAND: {json}` cut to a remark of how long it is."""
    return _LONG.sub(lambda found: f"{found[1]}{{… {len(found[2]):,} characters, drawn on the map}}", text)
