"""When two spellings are the same name: case, spaces and full-width letters do not matter. Pure."""

import unicodedata


def fold(text: str) -> str:
    """What two spellings of one name have in common: NFKC, no case, single spaces, none at the ends."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
