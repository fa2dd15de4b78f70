"""Plain lists of English words that several readers look up, told in english_lists.toml."""

import tomllib
from pathlib import Path

_DATA: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

THINGS = frozenset(_DATA["things"].split())
"""Words for things of any kind: portions, units."""
DONE = frozenset(_DATA["done"].split())
"""Participles that head a column of how many: Sold, Wasted."""
MULTIPLIERS = frozenset(_DATA["multipliers"].split())
"""What a price is multiplied by, or reduced by."""
HEADS = frozenset(_DATA["heads"].split())
"""The last word of a name of a figure."""
