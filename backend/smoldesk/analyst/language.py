"""The two languages the analyst speaks: one text of two, and the sentences of `words.toml`."""

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

Language = Literal["en", "ja"]


def localize(language: Language, english: str, japanese: str) -> str:
    """The text in the language of the request."""
    return japanese if language == "ja" else english


@lru_cache(maxsize=1)
def _sentences() -> dict[str, Any]:
    groups = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))
    return {name: pair for group in groups.values() for name, pair in group.items()}


def names_of(kind: str) -> dict[str, tuple[str, str]]:
    """What the things of one kind are called, in English and in Japanese."""
    return {name: (english, japanese) for name, (english, japanese) in _sentences()[kind].items()}


def render(sentence: str, language: Language, **parts: object) -> str:
    """A sentence by its name, its parts filled in."""
    return template(sentence, language).format(**parts)


def template(sentence: str, language: Language) -> str:
    """A sentence by its name, as it stands in `words.toml`."""
    return localize(language, *_sentences()[sentence])


def join_names(language: Language, names: "list[str] | tuple[str, ...]") -> str:
    """Names one after the other."""
    return ("、" if language == "ja" else ", ").join(names)
