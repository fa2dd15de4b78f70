"""English meanings of Japanese words, from the file EDICT2 in the package `edictreader`.

Only the file is read: the package's own reader loads all of its dictionaries, which takes a minute. Without the file, no word
has a meaning.
"""

import mmap
import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

# The file's encoding: no byte of a Japanese character is one of ASCII, so that lines can be split undecoded.
_ENCODING = "euc_jp"
_REMARK = re.compile(rb"\([^)]*\)")
_REMARKS = re.compile(r"\([^)]*\)|\{[^}]*\}|^\s*(?:to|a|an|the)\s+|[.!?]")
# Meanings of more words describe instead of naming.
_MAX_WORDS = 3
_MAX_MEANINGS = 16


class Dictionary:
    """Index of a file in the format of EDICT2: `word;word [reading] /meaning/meaning/`."""

    def __init__(self, path: Path) -> None:
        # Imported at first use, so that the server starts without it.
        import numpy as np

        with path.open("rb") as file:
            self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        # Hashes instead of words: 6 MB instead of 60.
        hashes, places = array("q"), array("L")
        for at, word in self._words():
            hashes.append(hash(word))
            places.append(at)
        # By numpy, because `sorted` holds the GIL for half a second, which stops the event loop.
        order = np.argsort(np.frombuffer(hashes, dtype=hashes.typecode), kind="stable")
        self._hashes = np.frombuffer(hashes, dtype=hashes.typecode)[order]
        self._places = np.frombuffer(places, dtype=places.typecode)[order]

    def _words(self) -> Iterator[tuple[int, bytes]]:
        at = 0
        while line := self._bytes.readline():
            head = line.partition(b" /")[0]
            for word in _REMARK.sub(b"", head).replace(b" [", b";").rstrip(b"]").split(b";"):
                yield at, word
            at += len(line)

    def meanings(self, word: str) -> tuple[str, ...]:
        """Return the English meanings of at most three words, common entries first; empty for an unknown word."""
        sought = word.encode(_ENCODING, errors="replace")  # a word with 💺 is none
        lines: list[str] = []
        at = bisect_left(self._hashes, hash(sought))
        while at < len(self._hashes) and self._hashes[at] == hash(sought):
            start = int(self._places[at])
            end = self._bytes.find(b"\n", start)
            lines.append(self._bytes[start:end].decode(_ENCODING, errors="replace"))
            at += 1
        lines.sort(key=lambda line: "/(P)/" not in line)
        texts = (text for line in lines for text in line.split(" /", 1)[-1].split("/"))
        plain = (" ".join(_REMARKS.sub(" ", _REMARKS.sub(" ", text)).split()) for text in texts)
        named = (
            text for text in plain if text and not text.startswith("Ent") and text.count(" ") < _MAX_WORDS
        )
        return tuple(dict.fromkeys(named))[:_MAX_MEANINGS]


@lru_cache(maxsize=1)
def _dictionary() -> Dictionary | None:
    spec = find_spec("edictreader")
    paths = (
        Path(folder, "database", "edict2") for folder in (spec and spec.submodule_search_locations) or ()
    )
    return next((Dictionary(path) for path in paths if path.is_file()), None)


@lru_cache(maxsize=20_000)
def english_of(word: str) -> tuple[str, ...]:
    """Return the English meanings of a Japanese word; empty if it is unknown or no dictionary is installed."""
    dictionary = _dictionary()
    return dictionary.meanings(word) if dictionary is not None else ()
