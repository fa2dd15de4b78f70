"""Markdown that runs nothing, loads nothing and leads nowhere strange, whichever program shows it. Pure.

What a model wrote is kept as it is where it is harmless. Markup in it is shown as text; a text with a link of another kind
than http, https or mailto, or with a picture (which would tell its host who reads), is shown as it was written, sign by sign.
"""

import re
from collections.abc import Iterable
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

_SIGNS = re.compile(r"([\\`*_{}\[\]()#+\-.!|~$:=@/])")
_SAFE = re.compile(r"(https?|mailto):", re.IGNORECASE)
_CODE = re.compile(r"(^ {0,3}(`{3,}|~{3,}).*?(?:^ {0,3}\2|\Z)|(`+)[^`].*?\3)", re.DOTALL | re.MULTILINE)
MAX_MARKDOWN = 200_000


def safe_markdown(text: str) -> str:
    """A model's Markdown, harmless."""
    if len(text) > MAX_MARKDOWN:
        return fenced(text)
    if _is_harmless(text):
        return text
    escaped = "".join(
        part if number % 4 == 1 else part.replace("&", "&amp;").replace("<", "&lt;")
        for number, part in enumerate(_CODE.split(text))
        if number % 4 < 2 and part is not None
    )
    return escaped if _is_harmless(escaped) else literal(text)


def literal(text: str) -> str:
    """A text that is no Markdown, so that it reads as it was written."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    lines = _SIGNS.sub(r"\\\1", escaped).split("\n")
    return "  \n".join(re.sub(r"^\s+", lambda space: "&nbsp;" * len(space[0]), line) for line in lines)


def quoted(text: str) -> str:
    """A text as a quotation."""
    return "\n".join(f"> {line}" for line in literal(text).split("\n"))


def fenced(text: str, language: str = "") -> str:
    """A text as a block of code, which nothing in it ends."""
    longest = max((len(ticks) for ticks in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _is_harmless(text: str) -> bool:
    return not any(_is_harmful(token) for token in _flat(_parser().parse(text)))


def _is_harmful(token: Token) -> bool:
    if token.type in ("html_block", "html_inline", "image"):
        return True
    return token.type == "link_open" and not _SAFE.match(str(token.attrs.get("href", "")))


def _flat(tokens: Iterable[Token]) -> Iterable[Token]:
    for token in tokens:
        yield token
        yield from _flat(token.children or ())


@cache
def _parser() -> MarkdownIt:
    """A parser that takes for markup and links all that any program might."""
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    parser.validateLink = lambda url: True  # pyright: ignore[reportAttributeAccessIssue]
    return parser
