"""Names that a file in a chat's folder may have: those that people bring, and those that tools are asked for."""

import os
from pathlib import Path

from smoldesk.errors import BadInput

# Longest file name in UTF-8 bytes; file systems end at 255, and we add a suffix to temporary ones.
NAME_LIMIT = 200
_RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))}


def checked_name(name: str) -> str:
    """Return a plain file name unchanged. Raises BadInput for a path, a hidden, empty or long name, or a value that is
    not text.
    """
    if not name or name in {".", ".."} or "/" in name or "\\" in name:
        raise BadInput(
            f"{name[:80]!r} is not a file name.", "Expected a plain name without / or \\, such as sales.csv."
        )
    if name.startswith("."):
        raise BadInput(f"{name[:80]!r} is a hidden name.", "Expected a name that does not begin with a dot.")
    if any(ord(character) < 32 or ord(character) == 127 for character in name):
        raise BadInput("The file name has control characters.", "Expected a plain name such as sales.csv.")
    try:
        length = len(name.encode())
    except UnicodeEncodeError as fault:
        raise BadInput("The file name is not valid text.", "Expected a name in UTF-8.") from fault
    if length > NAME_LIMIT:
        raise BadInput(f"The file name is {length} bytes long.", f"Expected at most {NAME_LIMIT} bytes.")
    return name


def file_name(text: object, extension: str) -> str:
    """Return a plain name with this extension (".csv"), added if absent. Raises BadInput."""
    if not isinstance(text, str):
        raise BadInput(f"A file name is text, not {type(text).__name__}.")
    name = text.strip()
    stem = name[: -len(extension)] if name.lower().endswith(extension) else name
    quoted = repr(text[:60])
    if not stem:
        raise BadInput("The file name is empty.", hint='Give a plain name such as "result".')
    if any(sign in stem for sign in "/\\"):
        raise BadInput(
            f"The file name {quoted} has a path in it.", hint="Files go into the chat's folder: no slashes."
        )
    if stem.startswith("."):
        raise BadInput(
            f"The file name {quoted} begins with a dot.", hint='Give a plain name such as "result".'
        )
    if any(ord(sign) < 32 or ord(sign) == 127 or sign in '<>:"|?*' for sign in stem):
        raise BadInput(
            f"The file name {quoted} contains a character that file names cannot have.",
            hint='Not: < > : " | ? *',
        )
    if any("\ud800" <= sign <= "\udfff" for sign in stem):
        raise BadInput(f"The file name {quoted} is not valid Unicode.")
    if stem.split(".")[0].strip().lower() in _RESERVED:
        raise BadInput(f"The file name {quoted} is reserved on some systems.")
    full_name = stem + extension
    if len(full_name.encode()) > NAME_LIMIT:
        raise BadInput(
            f"The file name {quoted} is too long.", hint=f"At most {NAME_LIMIT} bytes with {extension}."
        )
    return full_name


def free_name(folder: Path, name: str) -> str:
    """`name`, or `name (2)` and so on when the folder already has it; raises BadInput like `checked_name`."""
    checked_name(name)
    stem, dot, ending = name.rpartition(".")
    if not stem:
        stem, dot, ending = name, "", ""
    for number in range(1, 10_000):
        candidate = name if number == 1 else f"{stem} ({number}){dot}{ending}"
        if not os.path.lexists(folder / candidate):
            return checked_name(candidate)
    raise BadInput(f"There are too many files called {name!r}.", "Choose another name.")
