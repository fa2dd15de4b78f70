"""Names of tables in SQL: those that files give, and which files a query may name. Pure, but for the names in a database."""

import re
import unicodedata
from pathlib import Path

from .shapes import Unreadable

# What lists the tables that there are, whatever their names.
_LISTS = re.compile(
    r"\b(?:show|information_schema|(?:duckdb|sqlite|pg)_\w+)\b|^\s*desc(?:ribe)?\s*;?\s*$", re.IGNORECASE
)


def identifier(name: str) -> str:
    """A file's or sheet's name as a plain word of SQL: `sales 2024` is sales_2024, `2024` is t_2024."""
    word = re.sub(r"\W+", "_", unicodedata.normalize("NFKC", name)).strip("_")[:100]
    return f"t_{word}" if not word or word[0].isdigit() else word


def free_name(name: str, used_names: list[str]) -> str:
    """The name, or name_2, ... when another has it, in whatever case."""
    folded = {name_.casefold() for name_ in used_names}
    number, candidate = 1, name
    while candidate.casefold() in folded:
        number += 1
        candidate = f"{name}_{number}"
    return candidate


def may_name(query: str, path: Path) -> bool:
    """Whether a query may be about a table of this file, or lists all tables there are.

    Tables are named by their file, and what is added to it stands behind a `_`; those of a database have its own names.
    """
    if _LISTS.search(query):
        return True
    query_words = {word.casefold() for word in re.findall(r"\w+", query)}
    names = [name.casefold() for name in _names(path)]
    return any(word == name or word.startswith(f"{name}_") for word in query_words for name in names)


def _names(path: Path) -> list[str]:
    from .reading import DATABASES
    from .sqlite_files import table_names

    if path.suffix.lower() in DATABASES:
        try:
            return [identifier(name) for name in table_names(path)]
        except (Unreadable, OSError):
            pass  # its reader has words for that
    return [identifier(path.stem)]
