"""Parser of free text, fed in pieces, into artifacts (text, code, files, data, errors) in the order of the text.

One scanner serves streams and complete texts. It reads complete lines, so the result does not depend on the pieces once
neighbouring texts are merged (`artifacts.joined`). Text is emitted at the end of its line, a block when it is complete.
Each character costs constant time.

Memory is bounded: a line longer than MAX_LINE is read in parts of that length; a block longer than MAX_BLOCK is emitted in
parts
(code) or as text (unclosed data); blank space beyond MAX_BLANK is dropped.
"""

import re

from smoldesk.output_parser.artifacts import (
    Artifact,
    ArtifactWriter,
    CodeArtifact,
    FileArtifact,
    JsonArtifact,
    joined,
)
from smoldesk.output_parser.blocks import MARK, Fence, TracebackScan, begins_traceback, file_ref, opening
from smoldesk.output_parser.data import (
    OPENING,
    NoData,
    any_data_of,
    data_of,
    value_in_line,
)
from smoldesk.output_parser.json_tokens import JsonScan, Span

# ECMA-48 sequences: CSI, strings (OSC, DCS...), then the others. Each ends at its own final character or at the next
# ESC, so a line of openings costs its length.
_ESCAPE = re.compile(
    r"\x1b(?:\[[0-?]*+[ -/]*+[@-~]?|[\]PX^_][^\x07\x1b]*+(?:\x07|\x1b\\)?|[ -/]*+[0-~]?)|\x9b[0-?]*+[ -/]*+[@-~]?"
)


def without_escapes(line: str) -> str:
    """Strip terminal escape sequences: colours, links and titles."""
    return _ESCAPE.sub("", line)


# Maximum characters of a line that are read at once.
MAX_LINE = 1_000_000
# Maximum characters buffered until a block closes.
MAX_BLOCK = 1_000_000


class StreamingOutputParser(ArtifactWriter):
    """Incremental parser of a text; `flush` ends the text and resets the parser."""

    def __init__(
        self, *, code_blocks: bool = True, file_refs: bool = True, json: bool = True, errors: bool = True
    ) -> None:
        self._code_blocks = code_blocks
        self._file_refs = file_refs
        self._json = json
        self._errors = errors
        marks = ([rf"(?P<file>{MARK})"] if file_refs else []) + ([OPENING] if json else [])
        self._marks = re.compile("|".join(marks) or r"(?!)")
        self._begin()

    def feed(self, chunk: str) -> list[Artifact]:
        """Return the artifacts that `chunk` completes."""
        self._buffer.append(chunk)
        self._length += len(chunk)
        if self._wake not in chunk and self._length <= MAX_LINE:
            return []
        return self._read(chunk)

    def flush(self) -> list[Artifact]:
        """End the text, and every block that is still open."""
        if pending := "".join(self._buffer):
            *lines, last = pending.split("\n")
            for line in lines:
                self._line(line, "\n")
            if last:  # a final newline does not start another line
                self._line(last, "")
        while self._fence or self._scan or self._trace:
            self._close()
        artifacts = self._drain_artifacts()
        self._begin()
        return artifacts

    def _begin(self) -> None:
        super()._begin()
        self._buffer: list[str] = []
        self._length = 0
        # Chunks without this character are only buffered: the newline, or the character of an open fence.
        self._wake = "\n"
        self._at_line_start = True
        self._fence: Fence | None = None
        self._scan: JsonScan | None = None
        self._trace: TracebackScan | None = None

    # --- pieces to lines -----------------------------------------------------------------------------------------

    def _read(self, chunk: str) -> list[Artifact]:
        """Read the complete lines. A code block stays buffered until the character of its fence arrives."""
        if self._wake != "\n" and self._length <= MAX_LINE:
            self._wake = "\n"
            if "\n" not in chunk:
                return []
        *lines, partial = "".join(self._buffer).split("\n")
        for line in lines:
            self._line(line, "\n")
        if len(partial) > MAX_LINE:
            # Leaves 1 to MAX_LINE characters, since the end of the line has not arrived.
            cut = (len(partial) - 1) // MAX_LINE * MAX_LINE
            self._parts(partial[:cut], "")
            partial = partial[cut:]
        self._buffer = [partial] if partial else []
        self._length = len(partial)
        self._wake = self._fence.sign if self._fence and self._fence.sign not in partial else "\n"
        return self._drain_artifacts()

    def _line(self, line: str, end: str) -> None:
        if len(line) > MAX_LINE:
            cut = (len(line) - 1) // MAX_LINE * MAX_LINE
            self._parts(line[:cut], "")
            line = line[cut:]
        fresh, self._at_line_start = self._at_line_start, end == "\n"
        # Only before a newline: inside a long line that is read in parts, it is content.
        if line[-1:] == "\r" and end:
            line = line[:-1]
        if "\x1b" in line:
            line = without_escapes(line)
        if self._fence or self._scan or self._trace:
            self._in_block(line, end, fresh)
        else:
            self._in_text(line, end, fresh)

    def _parts(self, line: str, end: str) -> None:
        for at in range(0, len(line), MAX_LINE):
            self._line(line[at : at + MAX_LINE], end)

    # --- lines to blocks -----------------------------------------------------------------------------------------

    def _in_block(self, line: str, end: str, fresh: bool) -> None:
        if self._fence:
            self._in_fence(self._fence, line, end, fresh)
        elif self._scan:
            self._in_data(self._scan, line, end, fresh)
        elif self._trace and not (self._trace.size < MAX_BLOCK and self._trace.feed(line, end)):
            self._close_trace(self._trace)
            self._process_line(line, end, fresh)

    def _process_line(self, line: str, end: str, fresh: bool) -> None:
        """Read a line that ended the block before it."""
        if self._fence or self._scan or self._trace:
            self._in_block(line, end, fresh)
        else:
            self._in_text(line, end, fresh)

    def _in_text(self, line: str, end: str, fresh: bool) -> None:
        if fresh and ("```" in line or "~~~" in line) and self._code_blocks:
            self._fence = opening(line)
            if self._fence:
                return
        if ":" in line and fresh and self._errors and begins_traceback(line):
            self._trace = TracebackScan()
            self._trace.feed(line, end)
        elif "{" in line or "[" in line or (":" in line and _may_name_a_file(line)):
            self._inline(line + end, 0, 0)
        else:
            self._add_text(line + end)

    def _in_fence(self, fence: Fence, line: str, end: str, fresh: bool) -> None:
        if fresh and fence.sign in line and fence.closed_by(line):
            self._emit_code(fence)
            self._fence = None
            return
        if self._block_size + len(line) > MAX_BLOCK and self._block:
            self._emit_code(fence, incomplete=True)
        self._buffer_text((fence.unindented(line) if fresh else line) + end)

    def _in_data(self, scan: JsonScan, line: str, end: str, fresh: bool) -> None:
        text = line + end
        outcome = scan.feed(text)
        if outcome.state == "open" and self._block_size + len(text) <= MAX_BLOCK:
            self._buffer_text(text)
            return
        source = self._take_buffer()
        self._scan = None
        if outcome.state == "ended":
            self._emit_data(source + text[: outcome.at])
            self._inline(text, outcome.at, outcome.at)
            return
        done = self._salvage(source + text, 0, scan.inside, 0)
        if done < len(source):
            self._add_text(source[done:])
        done = max(done - len(source), 0)
        if done or text[: outcome.at].strip():
            self._inline(text, outcome.at, done)
        else:  # the line held no data: it may open a fence or a traceback
            self._in_text(line, end, fresh)

    def _close(self) -> None:
        """End an open block at the end of the text."""
        if self._fence:
            fence, self._fence = self._fence, None
            self._emit_code(fence, incomplete=True)
        elif self._scan:
            scan, self._scan = self._scan, None
            source = self._take_buffer()
            self._add_text(source[self._salvage(source, 0, scan.inside, 0) :])
        elif self._trace:
            self._close_trace(self._trace)

    def _close_trace(self, trace: TracebackScan) -> None:
        self._trace = None
        trace.finish()
        unread = trace.unread
        if trace.artifact:
            self._add_artifact(trace.artifact)
        else:
            self._inline(unread[0], 0, 0)  # a sentence that looked like a header
            unread = unread[1:]
        for line in unread:
            end = "\n" if line.endswith("\n") else ""
            self._process_line(line.removesuffix("\n"), end, True)

    # --- inside a line -------------------------------------------------------------------------------------------

    def _inline(self, text: str, at: int, done: int) -> None:
        """Read a line with its newline from `at`; the text from `done` on is not emitted yet."""
        while (mark := self._marks.search(text, at)) is not None:
            start = mark.start()
            if self._file_refs and mark["file"]:
                ref = file_ref(text, mark.end(), bracketed=text[start] == "[")
                at = ref.end if ref else mark.end()
                if ref:
                    self._add_text(text[done:start])
                    self._add_artifact(FileArtifact(ref.path))
                    done = at
                continue
            result = value_in_line(text, start)
            if result is None:
                scan = JsonScan()
                outcome = scan.feed(text, start)
                if outcome.state == "open":
                    self._add_text(text[done:start])
                    self._scan = scan
                    self._buffer_text(text[start:])
                    return
                if outcome.state == "broken":
                    done = self._salvage(text, done, scan.inside, start)
                    at = outcome.at
                    continue
                result = data_of(text[start : outcome.at]), outcome.at
            data, at = result
            if not isinstance(data, NoData):
                self._add_text(text[done:start])
                self._add_artifact(JsonArtifact(data, text[start:at]))
                done = at
        self._add_text(text[done:])

    def _salvage(self, text: str, done: int, spans: list[Span], shift: int) -> int:
        """Emit the data inside a broken value, with the text before each; return the index after the last."""
        for start, end in spans:
            source = text[start + shift : end + shift]
            data = data_of(source)
            if not isinstance(data, NoData):
                self._add_text(text[done : start + shift])
                self._add_artifact(JsonArtifact(data, source))
                done = end + shift
        return done

    # --- data and code -------------------------------------------------------------------------------------------

    def _emit_data(self, source: str) -> None:
        """Emit a complete value as data, or as text if it is too short."""
        data = data_of(source)
        if isinstance(data, NoData):
            self._add_text(source)
        else:
            self._add_artifact(JsonArtifact(data, source))

    def _emit_code(self, fence: Fence, incomplete: bool = False) -> None:
        content = self._take_buffer().removesuffix("\n")
        if self._json and fence.language.lower() == "json":
            data = any_data_of(content)
            if not isinstance(data, NoData):
                self._add_artifact(JsonArtifact(data, content))
                return
        self._add_artifact(CodeArtifact(content, fence.language, incomplete))


def parse_text(
    text: str, *, code_blocks: bool = True, file_refs: bool = True, json: bool = True, errors: bool = True
) -> list[Artifact]:
    """Parse a complete text and merge neighbouring texts. Disabled kinds stay text."""
    parser = StreamingOutputParser(code_blocks=code_blocks, file_refs=file_refs, json=json, errors=errors)
    return joined([*parser.feed(text), *parser.flush()])


def _may_name_a_file(line: str) -> bool:
    lower = line.lower()
    return "created:" in lower or "wrote:" in lower
