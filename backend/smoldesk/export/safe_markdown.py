"""Markdown that runs and loads nothing and has only ordinary links, in any viewer. Pure.

Harmless text stays unchanged. Markup in it is escaped. A text with a link other than http, https or mailto, or with a
picture (whose host would see the reader), is escaped completely.
"""

import re
from collections.abc import Iterable
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

# Punctuation with a meaning in CommonMark, or in dialects with tables, math, autolinks and mentions.
_SIGNS = re.compile(r"([\\`*_{}\[\]()#+\-.!|~$:=@/])")
_SAFE = re.compile(r"(https?|mailto):", re.IGNORECASE)
_CODE = re.compile(r"(^ {0,3}(`{3,}|~{3,}).*?(?:^ {0,3}\2|\Z)|(`+)[^`].*?\3)", re.DOTALL | re.MULTILINE)
MAX_MARKDOWN = 200_000


def safe_markdown(text: str) -> str:
    """Return a model's Markdown in a harmless form."""
    if len(text) > MAX_MARKDOWN:
        return fenced(text)
    if _is_harmless(text):
        return text
    # `_CODE` has three groups: index 0 of each four is text between code, 1 the code, 2 and 3 its fences.
    escaped = "".join(
        part if number % 4 == 1 else part.replace("&", "&amp;").replace("<", "&lt;")
        for number, part in enumerate(_CODE.split(text))
        if number % 4 < 2 and part is not None
    )
    return escaped if _is_harmless(escaped) else literal(text)


def literal(text: str) -> str:
    """Escape a text so that Markdown shows it as it is."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    # Two spaces at its end keep a line apart; four at its beginning would start a code block, hence `&nbsp;`.
    lines = _SIGNS.sub(r"\\\1", escaped).split("\n")
    return "  \n".join(re.sub(r"^\s+", lambda space: "&nbsp;" * len(space[0]), line) for line in lines)


def quoted(text: str) -> str:
    """Return a text as a Markdown quotation."""
    return "\n".join(f"> {line}" for line in literal(text).split("\n"))


def fenced(text: str, language: str = "") -> str:
    """Return a text as a code block, with a fence longer than any in the text."""
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
    """Return a parser that recognizes all markup and links that any program might."""
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    # By default the parser shows `javascript:` links as text, and `_is_harmful` would miss what other programs link.
    parser.validateLink = lambda url: True  # pyright: ignore[reportAttributeAccessIssue]
    return parser
