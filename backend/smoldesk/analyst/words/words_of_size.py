"""Japanese words of rank that are about the size of one row (一番重い), and those that count rows or add them up (一番多い)."""

import re

_SIZED = re.compile("大き|小さ|高|安|低|重|軽|長|短|広|狭|速|遅|早|古|新し")
_COUNTED = re.compile("多|少|人気|よく")


def ranks_by_size(said: str) -> bool:
    """True for 一番大きい and 高い順に, not for 一番多い."""
    return bool(_SIZED.search(said)) and not _COUNTED.search(said)
