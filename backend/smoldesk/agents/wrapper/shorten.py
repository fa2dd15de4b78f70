"""Data for the debug pane, which repeats what other messages say in full: long texts and lists are cut, and say so."""

from pydantic import JsonValue

TEXT = 20_000
"""Characters of one text."""
ITEMS = 200
"""Entries of one list."""
ROWS = 5
"""Entries of a list of lists, which is a table's rows."""


def shortened(data: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """The same data, cut; what was left out is named in its place."""
    return {key: _cut(value) for key, value in data.items()}


def _cut(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return value if len(value) <= TEXT else f"{value[:TEXT]}… ({len(value):,} characters)"
    if isinstance(value, dict):
        return shortened(value)
    if isinstance(value, list):
        most = ROWS if value and isinstance(value[0], list) else ITEMS
        kept = [_cut(item) for item in value[:most]]
        return kept if len(value) <= most else [*kept, f"… ({len(value):,} in all)"]
    return value
