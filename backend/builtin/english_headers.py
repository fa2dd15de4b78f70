"""What an English header is called in Japanese, put together from its words: 購入日 for `purchase_date`."""

import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from pathlib import Path

from backend.builtin.japanese import words_of
from backend.builtin.words import inflections

_LONGEST, _MOST = 3, 120
_SINGLE, _WHOLE = 2.25, 2.35


@cache
def _words() -> dict[str, tuple[str, ...]]:
    data = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {word: words_of(text) for word, text in data["words"].items()}


def japanese_names(core: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Japanese names of a header's words, whole, with their strength; none where one of the words is not known."""
    if not 0 < len(core) <= _LONGEST or not all(word.isascii() for word in core):
        return
    known = [_japanese(word) for word in core]
    if not all(known):
        return
    if len(core) == 1:
        yield from ((word, _SINGLE - 0.02 * place) for place, word in enumerate(known[0]))
        return
    for count, parts in enumerate(product(*known)):
        if count >= _MOST:
            return
        yield "".join(parts), _WHOLE
        yield "の".join(("".join(parts[:-1]), parts[-1])), _WHOLE


def _japanese(word: str) -> tuple[str, ...]:
    return next((found for form in inflections(word) if (found := _words().get(form))), ())
