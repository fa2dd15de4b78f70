"""The words of the grammar in both languages: what to compute, how to group, compare, plot, save, draw on the map.

They are in cues.toml beside this file. Column and value words live in the glossary.
"""

import tomllib
from pathlib import Path
from typing import Any

_DATA: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def _lines(named: dict[str, str]) -> dict[str, str]:
    return {name: words.replace("\n", " ") for name, words in named.items()}


CUES: dict[str, str] = _lines(_DATA["cues"])
"""`kind:value` to the words that say so, comma-separated."""
COLOURS: dict[str, str] = _lines(_DATA["colours"])
ICONS: dict[str, str] = _lines(_DATA["icons"])
SKIP: str = ", ".join(_lines(_DATA["skip"]).values())
"""Words that carry no meaning of their own, comma-separated."""
