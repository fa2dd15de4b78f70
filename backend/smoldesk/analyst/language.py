"""Languages of the analyst: choice between two texts, and the sentences of `words.toml`."""

import tomllib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

Language = Literal["en", "ja"]


def localize(language: Language, english: str, japanese: str) -> str:
    """Return the text in the language of the request."""
    return japanese if language == "ja" else english


@lru_cache(maxsize=1)
def _sentences() -> dict[str, Any]:
    groups = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))
    return {name: pair for group in groups.values() for name, pair in group.items()}


def names_of(kind: str) -> dict[str, tuple[str, str]]:
    """Return the names of a kind of things, in English and Japanese."""
    return {name: (english, japanese) for name, (english, japanese) in _sentences()[kind].items()}


def render(sentence: str, language: Language, **parts: object) -> str:
    """Return a sentence by name, with its fields filled in."""
    return template(sentence, language).format(**parts)


def template(sentence: str, language: Language) -> str:
    """Return a sentence by name, as in `words.toml`."""
    return localize(language, *_sentences()[sentence])


def quote(language: Language, words: Iterable[str]) -> list[str]:
    """Return words in the language's quotation marks."""
    return [localize(language, f"'{word}'", f"「{word}」") for word in words]


def join_names(language: Language, names: "list[str] | tuple[str, ...]") -> str:
    """Join names with the language's comma."""
    return ("、" if language == "ja" else ", ").join(names)
