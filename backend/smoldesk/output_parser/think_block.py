"""Takes the reasoning out of a reply that begins with `<think> ... </think>`, as some models write it.

Only a block at the very beginning counts: the same tags further on are text like any other. Linear in the reply,
however it is cut into pieces. Pure.
"""

from typing import Literal

Part = tuple[Literal["reasoning", "text"], str]

OPENING = "<think>"
CLOSING = "</think>"


class ThinkSplitter:
    """Feed pieces of a reply, get `(kind, text)` pieces; `flush` ends the reply. One splitter per reply.

    White space before the block, at its begin and after it belongs to neither. A block that is never closed is all
    reasoning.
    """

    def __init__(self) -> None:
        self._state: Literal["before", "inside", "after"] = "before"
        self._blanks: list[str] = []
        self._held = ""
        self._at_begin = False

    def feed(self, text: str) -> list[Part]:
        """The next piece as parts: words, or thinking."""
        match self._state:
            case "before":
                return self._before(text)
            case "inside":
                return self._inside(text)
            case "after":
                return self._part("text", text)

    def flush(self) -> list[Part]:
        """What was held back, at the end of the reply."""
        held, self._held = self._held, ""
        match self._state:
            case "before":
                return self._plain(held)
            case "inside":
                return self._part("reasoning", held)
            case "after":
                return []

    def _before(self, text: str) -> list[Part]:
        if not self._held:
            rest = text.lstrip()
            self._blanks.append(text[: len(text) - len(rest)])
            text = rest
        begun = self._held + text
        if begun.startswith(OPENING):
            self._state, self._held, self._at_begin = "inside", "", True
            return self._inside(begun[len(OPENING) :])
        if OPENING.startswith(begun):
            self._held = begun
            return []
        self._held = ""
        return self._plain(begun)

    def _plain(self, text: str) -> list[Part]:
        """There is no block: all that was held back is text."""
        self._state, self._at_begin = "after", False
        return self._part("text", "".join(self._blanks) + text)

    def _inside(self, text: str) -> list[Part]:
        text = self._held + text
        at = text.find(CLOSING)
        if at >= 0:
            thought = self._part("reasoning", text[:at])
            self._state, self._held, self._at_begin = "after", "", True
            return thought + self._part("text", text[at + len(CLOSING) :])
        end = len(text) - _begun(text)
        self._held = text[end:]
        return self._part("reasoning", text[:end])

    def _part(self, kind: Literal["reasoning", "text"], text: str) -> list[Part]:
        if self._at_begin:
            text = text.lstrip()
        if not text:
            return []
        self._at_begin = False
        return [(kind, text)]


def _begun(text: str) -> int:
    """How many characters at the end of `text` may begin the closing tag."""
    longest = min(len(text), len(CLOSING) - 1)
    return next((n for n in range(longest, 0, -1) if text.endswith(CLOSING[:n])), 0)
