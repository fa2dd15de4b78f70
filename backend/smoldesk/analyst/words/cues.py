"""The words of the grammar in both languages: what to compute, how to group, compare, plot, save, draw on the map.

They are in cues.toml beside this file. Column and value words live in the glossary.
"""

import tomllib
from pathlib import Path
from typing import Any

from smoldesk.analyst.words.japanese import SKIPPED, added

_DATA: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def _more(named: dict[str, str], section: str) -> dict[str, str]:
    """Those words with the ones that japanese.toml adds to them."""
    more = {name: ", ".join(words) for name, words in added(section).items()}
    return {
        name: ", ".join(words for words in (named.get(name), more.get(name)) if words)
        for name in [*named, *(name for name in more if name not in named)]
    }


def _lines(named: dict[str, str]) -> dict[str, str]:
    return {name: words.replace("\n", " ") for name, words in named.items()}


CUES: dict[str, str] = _more(_lines(_DATA["cues"]), "cues")
"""`kind:value` to the words that say so, comma-separated."""
COLOURS: dict[str, str] = _lines(_DATA["colours"])
ICONS: dict[str, str] = _lines(_DATA["icons"])
SKIP: str = ", ".join((*_lines(_DATA["skip"]).values(), *SKIPPED))
"""Words that carry no meaning of their own, comma-separated."""
