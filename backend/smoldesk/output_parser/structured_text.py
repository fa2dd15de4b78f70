"""A model's reply by a schema, `{"thought": ..., "code": ...}`, as it streams in: its words and its code, without the JSON.

Only the strings of these two keys of the outermost object are given out, escapes undone; all else of it is passed over. An
escape may be cut anywhere: it is held back, twelve characters at most, so time is linear. What the decoder of JSON would
refuse (a newline in a string, `\\d`) is taken as it stands, and half a surrogate pair is U+FFFD: text can always be stored.
A reply that is no object is one of a server that does not know schemas: prose and code between tags (`CodeTagSplitter`).
"""

import json
import re
from typing import Any, Literal, cast

from smoldesk.output_parser.model_text import CodeTagSplitter, Kind, split_model_text

KEYS: dict[str, Kind] = {"thought": "text", "code": "code"}
_OPENING = re.compile(r"(?:```(?:json)?\s*)?\{")
_OPENING_BEGUN = re.compile(r"(?:`{0,2}|```(?:j|js|jso|json)?\s*)\Z")
_PLAIN = re.compile(r'[^"\\]+')
_SIGN = re.compile(r'["{}\[\]:,]')
_ESCAPE = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(?s:(.)))"
)
_ESCAPE_BEGUN = re.compile(
    r"\\(?:u[0-9a-fA-F]{0,3}|u[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u(?:[dD](?:[c-fC-F][0-9a-fA-F]?)?)?)?)?)?\Z"
)
_LETTERS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\", "/": "/"}
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_LONGEST_KEY = 16


class StructuredSplitter:
    """Feed pieces of a reply, get `(kind, text)` pieces; `flush` ends the reply. One splitter per reply."""

    def __init__(self) -> None:
        self._state: Literal["before", "outside", "string", "after", "tagged"] = "before"
        self._tags = CodeTagSplitter()
        self._buffer = ""
        self._depth = 0
        self._is_value = False
        self._key = ""
        self._kind: Kind | Literal["key"] | None = None
        """What the string under way is; None: nothing that is given out."""

    @property
    def is_complete(self) -> bool:
        """Whether the reply came to its end: an object that was closed, or tags, which need no end."""
        return self._state in ("after", "tagged")

    def feed(self, text: str) -> list[tuple[Kind, str]]:
        """The next piece as parts: words, or code."""
        return self._split(text, last=False)

    def flush(self) -> list[tuple[Kind, str]]:
        """What was held back, at the end of the reply."""
        return self._split("", last=True)

    def _split(self, text: str, last: bool) -> list[tuple[Kind, str]]:
        pieces: list[tuple[Kind, str]] = []
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
        """Where the object's inside begins; blanks before it belong to nothing."""
        opening = buffer.lstrip()
        if found := _OPENING.match(opening):
            self._state, self._depth = "outside", 1
            return len(buffer) - len(opening) + found.end()
        if _OPENING_BEGUN.match(opening) and not last:
            fence = opening.rstrip()  # its blanks are not kept, however many come
            self._buffer = fence if fence == opening else f"{fence}\n"
            return len(buffer)
        self._state = "tagged"
        return len(buffer) - len(opening)

    def _outside(self, buffer: str, at: int) -> int:
        """Step over the next sign between strings."""
        found = _SIGN.search(buffer, at)
        if found is None:
            return len(buffer)
        match found[0]:
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
        return found.end()

    def _string(self, buffer: str, at: int, last: bool, pieces: list[tuple[Kind, str]]) -> int:
        """Step over the next part of a string; as far as before when more of it must come first."""
        if plain := _PLAIN.match(buffer, at):
            self._append_text(plain[0], pieces)
            return plain.end()
        if buffer[at] == '"':
            self._state = "outside"
            return at + 1
        if not last and _ESCAPE_BEGUN.match(buffer, at):
            return at
        found = _ESCAPE.match(buffer, at)
        if found is None:  # a backslash, and nothing after it
            return len(buffer)
        high, low, code, letter = found.groups()
        if high:
            char = chr(0x10000 + ((int(high, 16) & 0x3FF) << 10) + (int(low, 16) & 0x3FF))
        else:
            char = chr(int(code, 16)) if code else _LETTERS.get(letter, found[0])
        self._append_text(char, pieces)
        return found.end()

    def _append_text(self, text: str, pieces: list[tuple[Kind, str]]) -> None:
        if self._kind == "key":
            self._key = (self._key + text)[:_LONGEST_KEY]
        elif self._kind is not None:
            text = _SURROGATE.sub("\ufffd", text)
            if pieces and pieces[-1][0] == self._kind:
                pieces[-1] = (self._kind, pieces[-1][1] + text)
            else:
                pieces.append((self._kind, text))


def structured_reply(reply: str) -> str:
    """A whole reply as smolagents reads it, a JSON object with thought and code; as it is when there is no code in it.

    What comes so already stays to the letter. A fence around it, words behind it, strings that are not quite JSON, and tags
    in its place are put right. Code that came in two parts is run as one, as it was shown.
    """
    found = _object(reply)
    if found is not None and not any(_SURROGATE.search(text) for text in found):
        return reply
    splitter = StructuredSplitter()
    parts = splitter.feed(reply) + splitter.flush()
    code = _joined(parts, "code")
    return _written(_joined(parts, "text"), code) if code and splitter.is_complete else reply


def as_structured(reply: str) -> str:
    """A reply of an earlier step, with thought and code in JSON where they stood between tags."""
    parts = split_model_text([reply])
    code = _joined(parts, "code")
    return _written(_joined(parts, "text").strip(), code) if code and _object(reply) is None else reply


def as_tagged(reply: str) -> str:
    """A reply of an earlier step, with its code between tags where it stood in JSON."""
    found = _object(reply)
    return reply if found is None else f"{found[0]}\n<code>\n{found[1]}\n</code>"


def _object(reply: str) -> tuple[str, str] | None:
    """Thought and code of a reply that is just that."""
    if not reply.lstrip().startswith("{"):  # most replies; a run looks at all of those in its memory
        return None
    try:
        value: Any = json.loads(reply, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    told = cast("dict[str, Any]", value)
    thought, code = told.get("thought", ""), told.get("code")
    return (thought, code) if isinstance(thought, str) and isinstance(code, str) else None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object. Raises ValueError where a key comes twice: JSON's decoder keeps the last one, and people saw both."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def _joined(parts: list[tuple[Kind, str]], kind: Kind) -> str:
    return "".join(text for each, text in parts if each == kind)


def _written(thought: str, code: str) -> str:
    return json.dumps({"thought": thought, "code": code}, ensure_ascii=False)
