"""Splitter of a streamed reply that follows a schema, `{"thought": ..., "code": ...}`, into text and code.

The decoded strings of these two keys of the outermost object are emitted; all other values are skipped. A piece may end inside
an escape: at most twelve characters are held back, so time is linear. Text that a JSON decoder would reject (a newline in a
string, `\\d`) is kept as written, and a lone surrogate becomes U+FFFD, so that the text can be stored. A reply that is not an
object comes from a server without support for schemas: prose and code between tags (`ReplySplitter`).
"""

import json
import re
from collections.abc import Sequence
from typing import Any, Literal, cast

from smoldesk.output_parser.model_text import Kind, Piece, ReplySplitter, split_model_text

KEYS: dict[str, Kind] = {"thought": "text", "code": "code"}
_OPENING = re.compile(r"(?:```(?:json)?\s*)?\{")
_OPENING_BEGUN = re.compile(r"(?:`{0,2}|```(?:j|js|jso|json)?\s*)\Z")
_PLAIN = re.compile(r'[^"\\]+')
_SIGN = re.compile(r'["{}\[\]:,]')
_ESCAPE = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(?s:(.)))"
)
# A high surrogate waits for its low half: \uD83D\uDE00 has twelve characters.
_ESCAPE_BEGUN = re.compile(
    r"\\(?:u[0-9a-fA-F]{0,3}|u[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u(?:[dD](?:[c-fC-F][0-9a-fA-F]?)?)?)?)?)?\Z"
)
_LETTERS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\", "/": "/"}
_SURROGATE = re.compile(r"[\ud800-\udfff]")
# Longer than every key of KEYS, so that a cut key matches none of them.
_LONGEST_KEY = 16


class StructuredSplitter:
    """Splitter of one reply into `(kind, text)` pieces; `flush` ends the reply."""

    def __init__(self) -> None:
        self._state: Literal["before", "outside", "string", "after", "tagged"] = "before"
        self._tags = ReplySplitter()
        self._buffer = ""
        self._depth = 0
        self._is_value = False
        self._key = ""
        # Kind of the current string; None: a string that is skipped.
        self._kind: Kind | Literal["key"] | None = None

    @property
    def is_complete(self) -> bool:
        """True after a closed object, or for tags, which need no end."""
        return self._state in ("after", "tagged")

    def feed(self, text: str) -> list[Piece]:
        """Return the next pieces of text and code."""
        return self._split(text, last=False)

    def flush(self) -> list[Piece]:
        """Return the buffered text at the end of the reply."""
        return self._split("", last=True)

    def _split(self, text: str, last: bool) -> list[Piece]:
        pieces: list[Piece] = []
        buffer, at, self._buffer = self._buffer + text, 0, ""
        if self._state == "before":
            at = self._begin(buffer, last)
        if self._state == "tagged":
            return self._tags.feed(buffer[at:]) + (self._tags.flush() if last else [])
        while at < len(buffer) and self._state in ("outside", "string"):
            if self._state == "outside":
                at = self._outside(buffer, at)
                continue
            end = self._string(buffer, at, last, pieces)
            if end == at:
                self._buffer = buffer[at:]
                break
            at = end
        return pieces

    def _begin(self, buffer: str, last: bool) -> int:
        """Return the index after the opening brace; blank space before it is dropped."""
        opening = buffer.lstrip()
        if match := _OPENING.match(opening):
            self._state, self._depth = "outside", 1
            return len(buffer) - len(opening) + match.end()
        if _OPENING_BEGUN.match(opening) and not last:
            fence = opening.rstrip()  # drop its blanks: any number may follow
            self._buffer = fence if fence == opening else f"{fence}\n"
            return len(buffer)
        self._state = "tagged"
        return len(buffer) - len(opening)

    def _outside(self, buffer: str, at: int) -> int:
        """Skip the next structural character between strings."""
        match = _SIGN.search(buffer, at)
        if match is None:
            return len(buffer)
        match match[0]:
            case '"':
                outermost = self._depth == 1
                self._kind = (KEYS.get(self._key) if self._is_value else "key") if outermost else None
                self._key = "" if self._kind == "key" else self._key
                self._state = "string"
            case "{" | "[":
                self._depth += 1
            case "}" | "]":
                self._depth -= 1
                if self._depth == 0:
                    self._state = "after"
            case sign:
                if self._depth == 1:
                    self._is_value = sign == ":"
        return match.end()

    def _string(self, buffer: str, at: int, last: bool, pieces: list[Piece]) -> int:
        """Read the next part of a string; return `at` if more input is required."""
        if plain := _PLAIN.match(buffer, at):
            self._append_text(plain[0], pieces)
            return plain.end()
        if buffer[at] == '"':
            self._state = "outside"
            return at + 1
        if not last and _ESCAPE_BEGUN.match(buffer, at):
            return at
        match = _ESCAPE.match(buffer, at)
        if match is None:  # a backslash at the end of the reply
            return len(buffer)
        high, low, code, letter = match.groups()
        if high:
            char = chr(0x10000 + ((int(high, 16) & 0x3FF) << 10) + (int(low, 16) & 0x3FF))
        else:
            char = chr(int(code, 16)) if code else _LETTERS.get(letter, match[0])
        self._append_text(char, pieces)
        return match.end()

    def _append_text(self, text: str, pieces: list[Piece]) -> None:
        if self._kind == "key":
            self._key = (self._key + text)[:_LONGEST_KEY]
        elif self._kind is not None:
            text = _SURROGATE.sub("\ufffd", text)
            if pieces and pieces[-1][0] == self._kind:
                pieces[-1] = (self._kind, pieces[-1][1] + text)
            else:
                pieces.append((self._kind, text))


def structured_reply(reply: str) -> str:
    """Rewrite a complete reply as the JSON object with thought and code that smolagents expects.

    A valid reply is returned unchanged, as is one without code. Fences around the object, text after it, strings that are
    not
    quite JSON, and tags in its place are repaired. Code in two parts runs as one, as it was shown.
    """
    thought_and_code = _object(reply)
    if thought_and_code is not None and not any(_SURROGATE.search(text) for text in thought_and_code):
        return reply
    splitter = StructuredSplitter()
    parts = splitter.feed(reply) + splitter.flush()
    code = _joined(parts, "code")
    return to_structured(_joined(parts, "text"), code) if code and splitter.is_complete else reply


def as_structured(reply: str) -> str:
    """Convert a reply of an earlier step with code between tags to JSON with thought and code."""
    parts = split_model_text([reply])
    code = _joined(parts, "code")
    return to_structured(_joined(parts, "text").strip(), code) if code and _object(reply) is None else reply


def as_tagged(reply: str) -> str:
    """Convert a reply of an earlier step from JSON to code between tags."""
    thought_and_code = _object(reply)
    return (
        reply
        if thought_and_code is None
        else f"{thought_and_code[0]}\n<code>\n{thought_and_code[1]}\n</code>"
    )


def _object(reply: str) -> tuple[str, str] | None:
    """Return thought and code of a reply that is exactly such an object, else None."""
    if not reply.lstrip().startswith("{"):  # most replies: each step checks every reply in the run's memory
        return None
    try:
        value: Any = json.loads(reply, object_pairs_hook=_unique_object)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    fields = cast("dict[str, Any]", value)
    thought, code = fields.get("thought", ""), fields.get("code")
    return (thought, code) if isinstance(thought, str) and isinstance(code, str) else None


def _unique_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object; raise ValueError on a repeated key: the decoder would keep the last one, the page showed both."""
    unique = dict(pairs)
    if len(unique) < len(pairs):
        raise ValueError("duplicate key in the reply's object")
    return unique


def _joined(parts: Sequence[tuple[str, str]], kind: Kind) -> str:
    return "".join(text for each, text in parts if each == kind)


def to_structured(thought: str, code: str) -> str:
    """Return thought and code as the JSON that the schema asks for."""
    return json.dumps({"thought": thought, "code": code}, ensure_ascii=False)
