"""From a terminal's bytes to text that can be read piece by piece: whole characters, whole escape sequences.

What says nothing about the text is taken out here, once, for the transcript and the screen alike: colours, titles, links,
images, payloads of DCS, APC, PM and SOS. What is left are characters, C0 controls, cursor movements and modes. Modes that
matter are remembered, and what the program asked of its terminal. Any cutting of the bytes gives the same text.
"""

import codecs
import re

# Characters of one OSC, DCS, APC, PM or SOS; one that goes on is taken for text, or its end was lost.
LONGEST_STRING = 256 * 1024
LONGEST_SEQUENCE = 256
MOST_QUERIES = 16

_C1 = re.compile(r"[\x80-\x9f]")
_STRING_OPEN = re.compile(r"\x1b[\]PX^_]")
_STRING_END = re.compile(r"[\x07\x18\x1a\x1b]")
_INERT = re.compile(
    r"\x1b(?:"
    r"\[[<=>?]?[0-9;:]*m"  # colours, also with colons; modifyOtherKeys
    r"|\[[<=>?][0-9;]*u|\[[0-9]* q"  # keyboard protocols, the cursor's shape
    r"|[()*+\-./][0-~]|[=>]|%[@G8]|#[0-9]| [F-N]"  # character sets, keypads
    r")"
)
_SILENT = re.compile(r"[\x00\x07\x0e\x0f\x7f]")
# A control right behind an ESC acts at once, and the sequence goes on behind it; another ESC begins anew (ECMA-48).
_IN_ESCAPE = re.compile(r"\x1b[\x00\x07\x0e\x0f\x7f\x1b]+")
_UNFINISHED = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|[ #%()*+\-./]?)\Z")
# A sequence that the next one cuts short (ECMA-48): what stands behind that one is no end of it.
_ABORTED = re.compile(
    r"\x1b(?:\[[0-?\x00\x07\x0e\x0f\x7f]*[ -/\x00\x07\x0e\x0f\x7f]*|[ #%()*+\-./]?[\x00\x07\x0e\x0f\x7f]*)(?=\x1b)"
)
_NEXT = re.compile(r"(?=\x1b)")
_MODE = re.compile(r"\x1b\[\?([0-9;]+)([hl])")
_QUERY = re.compile(r"\x1b\[([>=?]?)([0-9;]*)([cn])")
_ALTERNATE = {"1049", "1047", "47"}
_PASTE = "2004"


class TerminalStream:
    """Incremental; memory is bounded whatever comes.

    `alternate`: the program switched to the full-screen buffer. `paste`: it wants pasted text in brackets. `queries`:
    what it asked and nobody has answered, oldest first: "cursor", "status", "device".
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._pending = ""
        self._string = -1  # characters swallowed of an unfinished string; -1: in none
        self.alternate = False
        self.paste = False
        self.queries: list[str] = []

    def feed(self, data: bytes, final: bool = False) -> str:
        """The text of these bytes; `final` gives out what was held back at a cut."""
        text = self._decoder.decode(data, final)
        if not text.isascii():
            text = _C1.sub(lambda match: "\x1b" + chr(ord(match[0]) - 0x40), text)
        text = self._pending + text
        self._pending = ""
        if "\x1b" in text:
            text = _IN_ESCAPE.sub("\x1b", text)
        if "\x1b" in text and _ABORTED.search(text):
            *pieces, last = _NEXT.split(text)
            return "".join([*(self._read(piece, False) for piece in pieces), self._read(last, final)])
        return self._read(text, final)

    def _read(self, text: str, final: bool) -> str:
        """One piece, which either no sequence in it cuts another one short, or begins with the one that does."""
        if self._string >= 0 or not text.startswith("\x1b"):
            text = self._pending + text
        self._pending = ""
        if self._string >= 0 or _STRING_OPEN.search(text):
            text = self._without_strings(text)
        if _SILENT.search(text):
            text = _SILENT.sub("", text)
        if "\x1b" not in text:
            return text
        if not final and self._string < 0:
            at = text.rfind("\x1b")
            if len(text) - at < LONGEST_SEQUENCE and _UNFINISHED.match(text, at):
                text, self._pending = text[:at], text[at:]
        text = _INERT.sub("", text)
        if "\x1b" in text:
            text = self._noticed(text)
        return text

    def _without_strings(self, text: str) -> str:
        """Outside of OSC, DCS, APC, PM and SOS strings; an unfinished one is swallowed as it comes."""
        pieces: list[str] = []
        at = 0
        while at < len(text):
            if self._string < 0:
                opened = _STRING_OPEN.search(text, at)
                if opened is None:
                    pieces.append(text[at:])
                    break
                pieces.append(text[at : opened.start()])
                at, self._string = opened.end(), 0
            end = _STRING_END.search(text, at)
            stop = len(text) if end is None else end.start()
            self._string += stop - at
            if self._string > LONGEST_STRING:
                self._string, at = (
                    -1,
                    stop,
                )  # text again: what follows is worth more than what a string may hold
            elif end is None:
                break
            elif end[0] != "\x1b":
                self._string, at = -1, end.end()
            elif end.end() == len(text):
                self._pending = "\x1b"  # the end sign, or the next sequence: the next piece tells
                break
            else:
                at = end.end() + 1 if text[end.end()] == "\\" else end.start()
                self._string = -1
        return "".join(pieces)

    def _noticed(self, text: str) -> str:
        """Remember modes and queries; queries are no text."""
        for match in _MODE.finditer(text):
            modes, on = match[1].split(";"), match[2] == "h"
            if _PASTE in modes:
                self.paste = on
            if not _ALTERNATE.isdisjoint(modes):
                self.alternate = on
        return _QUERY.sub(self._record_query, text)

    def _record_query(self, match: re.Match[str]) -> str:
        query = {
            ("", "6", "n"): "cursor",
            ("", "5", "n"): "status",
            ("", "", "c"): "device",
            ("", "0", "c"): "device",
        }
        name = query.get((match[1], match[2], match[3]))
        if name is not None and len(self.queries) < MOST_QUERIES:
            self.queries.append(name)
        return ""


def replies(queries: list[str], row: int, column: int) -> bytes:
    """What a terminal answers; row and column of its cursor count from 1."""
    answers = {"cursor": f"\x1b[{row};{column}R", "status": "\x1b[0n", "device": "\x1b[?62;22c"}
    return "".join(answers[query] for query in queries).encode()
