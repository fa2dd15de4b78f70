"""Names of tables in SQL, and the files that a query may name. Pure, except for reading the names in a database."""

import re
import unicodedata
from pathlib import Path

from .shapes import Unreadable

# Statements and catalogs that list all tables.
_LISTS = re.compile(
    r"\b(?:show|information_schema|(?:duckdb|sqlite|pg)_\w+)\b|^\s*desc(?:ribe)?\s*;?\s*$", re.IGNORECASE
)


def identifier(name: str) -> str:
    """Return a file's or sheet's name as an SQL identifier: `sales 2024` is sales_2024, `2024` is t_2024."""
    word = re.sub(r"\W+", "_", unicodedata.normalize("NFKC", name)).strip("_")[:100]
    return f"t_{word}" if not word or word[0].isdigit() else word


def free_name(name: str, used_names: list[str]) -> str:
    """Return the name, or name_2, ... if it is used, regardless of case."""
    folded = {used_name.casefold() for used_name in used_names}
    number, candidate = 1, name
    while candidate.casefold() in folded:
        number += 1
        candidate = f"{name}_{number}"
    return candidate


def may_name(query: str, path: Path) -> bool:
    """Check whether a query may use a table of this file, or lists all tables.

    Tables are named after their file, with any addition after a `_`; those of a database have their own names.
    """
    if _LISTS.search(query):
        return True
    query_identifiers = {word.casefold() for word in re.findall(r"\w+", query)}
    names = [name.casefold() for name in _names(path)]
    return any(word == name or word.startswith(f"{name}_") for word in query_identifiers for name in names)


def _names(path: Path) -> list[str]:
    from .reading import DATABASES
    from .sqlite_files import table_names

    if path.suffix.lower() in DATABASES:
        try:
            return [identifier(name) for name in table_names(path)]
        except (Unreadable, OSError):
            pass  # its reader reports the fault
    return [identifier(path.stem)]
