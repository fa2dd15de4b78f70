"""The two languages of requests and answers."""

from typing import Literal

Language = Literal["en", "ja"]


def say(language: Language, english: str, japanese: str) -> str:
    """The words in the language of the answer."""
    return japanese if language == "ja" else english
