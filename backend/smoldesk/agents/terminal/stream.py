"""Decodes a terminal's bytes into text with complete characters and complete escape sequences.

Sequences without meaning for the text are removed here, once, for transcript and screen: colours, titles, links, images,
payloads of DCS, APC, PM and SOS. Characters, C0 controls, cursor movements and modes remain. Important modes and the
program's queries are remembered. The result does not depend on how the bytes are cut.
"""

import codecs
import re

# Characters of one OSC, DCS, APC, PM or SOS string; a longer one has probably lost its end, and is treated as text.
LONGEST_STRING = 256 * 1024
# Characters of an unfinished sequence that is held back for the next bytes.
LONGEST_SEQUENCE = 256
# Unanswered queries that are remembered.
MAX_QUERIES = 16

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
# The character set of frames (VT100), which ncurses uses, and its signs; sequences between them stay as they are.
_CHARACTER_SET = re.compile(r"\x1b\(([0-~])")
_SIGN = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]?)?|[`-~]")
_SIGNS = dict(zip("`ajklmnopqrstuvwxy~", "◆▒┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤·", strict=True))
_SILENT = re.compile(r"[\x00\x07\x0e\x0f\x7f]")
# A control character right after an ESC is executed, and the sequence goes on; another ESC starts a new one (ECMA-48).
_IN_ESCAPE = re.compile(r"\x1b[\x00\x07\x0e\x0f\x7f\x1b]+")
_UNFINISHED = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|[ #%()*+\-./]?)\Z")
# A sequence that another ESC cuts short (ECMA-48): text after that one does not complete it.
_ABORTED = re.compile(
    r"\x1b(?:\[[0-?\x00\x07\x0e\x0f\x7f]*[ -/\x00\x07\x0e\x0f\x7f]*|[ #%()*+\-./]?[\x00\x07\x0e\x0f\x7f]*)(?=\x1b)"
)
_NEXT = re.compile(r"(?=\x1b)")
_MODE = re.compile(r"\x1b\[\?([0-9;]+)([hl])")
_QUERY = re.compile(r"\x1b\[([>=?]?)([0-9;]*)([cn])")
_ALTERNATE = {"1049", "1047", "47"}
_PASTE = "2004"
_CURSOR_KEYS = "1"


class TerminalStream:
    """Incremental decoder with bounded memory.

    `alternate`: the program uses the full-screen buffer. `paste`: it turned on bracketed paste. `cursor_keys`: it expects the
    arrow keys' application codes. `queries`: its unanswered
    queries, oldest first: "cursor", "status", "device".
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._pending = ""
        self._string = -1  # characters swallowed of an unfinished string; -1: in none
        self.alternate = False
        self.paste = False
        self.cursor_keys = False
        self.queries: list[str] = []
        self._draws_frames = False

    def feed(self, data: bytes, final: bool = False) -> str:
        """Decode bytes to text; `final` also returns what was held back at a cut."""
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
        """Decode one piece, in which no sequence cuts another one short."""
        # a piece that begins with ESC aborts the sequence that was held back, unless a string is open
        if self._string >= 0 or not text.startswith("\x1b"):
            text = self._pending + text
        self._pending = ""
        if self._string >= 0 or _STRING_OPEN.search(text):
            text = self._without_strings(text)
        if _SILENT.search(text):
            text = _SILENT.sub("", text)
        if "\x1b" not in text:
            return self._with_frames(text)
        if not final and self._string < 0:
            at = text.rfind("\x1b")
            if len(text) - at < LONGEST_SEQUENCE and _UNFINISHED.match(text, at):
                text, self._pending = text[:at], text[at:]
        text = _INERT.sub("", self._with_frames(text))
        if "\x1b" in text:
            text = self._track_modes(text)
        return text

    def _with_frames(self, text: str) -> str:
        """Replace the letters that a program draws frames with."""
        if not self._draws_frames and "\x1b(0" not in text:
            return text
        pieces = _CHARACTER_SET.split(text)
        for at, piece in enumerate(pieces):
            if at % 2:
                self._draws_frames, pieces[at] = piece == "0", ""
            elif self._draws_frames:
                pieces[at] = _SIGN.sub(lambda match: _SIGNS.get(match[0], match[0]), piece)
        return "".join(pieces)

    def _without_strings(self, text: str) -> str:
        """Remove OSC, DCS, APC, PM and SOS strings, also unfinished ones, as they come."""
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
                # treat the rest as text: losing output is worse than showing a payload
                self._string, at = -1, stop
            elif end is None:
                break
            elif end[0] != "\x1b":
                self._string, at = -1, end.end()
            elif end.end() == len(text):
                self._pending = (
                    "\x1b"  # ESC \ ends the string, any other ESC starts a sequence: wait for the next byte
                )
                break
            else:
                at = end.end() + 1 if text[end.end()] == "\\" else end.start()
                self._string = -1
        return "".join(pieces)

    def _track_modes(self, text: str) -> str:
        """Remember modes and queries; queries are removed from the text."""
        for match in _MODE.finditer(text):
            modes, on = match[1].split(";"), match[2] == "h"
            if _PASTE in modes:
                self.paste = on
            if _CURSOR_KEYS in modes:
                self.cursor_keys = on
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
        if name is not None and len(self.queries) < MAX_QUERIES:
            self.queries.append(name)
        return ""


def replies(queries: list[str], row: int, column: int) -> bytes:
    """Return a terminal's answers to queries; row and column of the cursor count from 1."""
    # DSR 6 and 5 (cursor position, status) and DA1 (a VT220 with colours), as xterm answers them.
    answers = {"cursor": f"\x1b[{row};{column}R", "status": "\x1b[0n", "device": "\x1b[?62;22c"}
    return "".join(answers[query] for query in queries).encode()
