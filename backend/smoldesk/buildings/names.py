"""Comparison of names: case, spaces and full-width letters do not matter. Pure."""

import unicodedata


def fold(text: str) -> str:
    """Return the common form of a name's spellings: NFKC, no case, single spaces, none at the ends."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
