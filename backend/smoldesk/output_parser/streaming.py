"""Free text in any pieces -> artifacts: text, code, files, data, errors, in the order they stand in it.

One scanner serves a stream and a whole text. It reads whole lines, so the borders of pieces make no difference:
what a stream gives is what one piece gives, once neighbouring texts are joined (`artifacts.joined`). A text comes
out as soon as its line ends, a block when it is whole. Each character is touched a constant number of times.

Memory is bounded: a line longer than MAX_LINE is read in parts of that length, a block longer than MAX_BLOCK comes
in parts (code) or as the text it is (data that never closes), blank space beyond MAX_BLANK is cut.
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

# each kind ends at a sign of its own or at the next ESC, so a line of openings costs its length
_ESCAPE = re.compile(
    r"\x1b(?:\[[0-?]*+[ -/]*+[@-~]?|[\]PX^_][^\x07\x1b]*+(?:\x07|\x1b\\)?|[ -/]*+[0-~]?)|\x9b[0-?]*+[ -/]*+[@-~]?"
)


def without_escapes(line: str) -> str:
    """The line as a person would read it; colours, links and titles are gone."""
    return _ESCAPE.sub("", line)


# Characters of a line that are read at once.
MAX_LINE = 1_000_000
# Characters that are held until a block closes.
MAX_BLOCK = 1_000_000


class StreamingOutputParser(ArtifactWriter):
    """Feed pieces, get the artifacts they complete; `flush` ends the text, and the parser may be used again."""

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
        """The artifacts that this piece completes."""
        self._buffer.append(chunk)
        self._length += len(chunk)
        if self._wake not in chunk and self._length <= MAX_LINE:
            return []
        return self._read(chunk)

    def flush(self) -> list[Artifact]:
        """The text is over: what is still open ends here."""
        if rest := "".join(self._buffer):
            *lines, last = rest.split("\n")
            for line in lines:
                self._line(line, "\n")
            if last:  # a text that ends with a newline has no line behind it
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
        self._wake = "\n"
        self._at_line_start = True
        self._fence: Fence | None = None
        self._scan: JsonScan | None = None
        self._trace: TracebackScan | None = None

    # --- pieces to lines -----------------------------------------------------------------------------------------

    def _read(self, chunk: str) -> list[Artifact]:
        """Read the lines that are whole now. A code block is left alone until a sign of its fence comes."""
        if self._wake != "\n" and self._length <= MAX_LINE:
            self._wake = "\n"
            if "\n" not in chunk:
                return []
        *lines, rest = "".join(self._buffer).split("\n")
        for line in lines:
            self._line(line, "\n")
        if len(rest) > MAX_LINE:
            cut = (len(rest) - 1) // MAX_LINE * MAX_LINE
            self._parts(rest[:cut], "")
            rest = rest[cut:]
        self._buffer = [rest] if rest else []
        self._length = len(rest)
        self._wake = self._fence.sign if self._fence and self._fence.sign not in rest else "\n"
        return self._drain_artifacts()

    def _line(self, line: str, end: str) -> None:
        if len(line) > MAX_LINE:
            cut = (len(line) - 1) // MAX_LINE * MAX_LINE
            self._parts(line[:cut], "")
            line = line[cut:]
        fresh, self._at_line_start = self._at_line_start, end == "\n"
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
            self._again(line, end, fresh)

    def _again(self, line: str, end: str, fresh: bool) -> None:
        """A line that is no part of the block before it."""
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
            self._give_code(fence)
            self._fence = None
            return
        if self._block_size + len(line) > MAX_BLOCK and self._block:
            self._give_code(fence, incomplete=True)
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
            self._give_data(source + text[: outcome.at])
            self._inline(text, outcome.at, outcome.at)
            return
        done = self._salvage(source + text, 0, scan.inside, 0)
        if done < len(source):
            self._add_text(source[done:])
        done = max(done - len(source), 0)
        if done or text[: outcome.at].strip():
            self._inline(text, outcome.at, done)
        else:  # nothing of this line was data: it may open a fence, or be anything
            self._in_text(line, end, fresh)

    def _close(self) -> None:
        """End an open block where the text ends."""
        if self._fence:
            fence, self._fence = self._fence, None
            self._give_code(fence, incomplete=True)
        elif self._scan:
            scan, self._scan = self._scan, None
            source = self._take_buffer()
            self._add_text(source[self._salvage(source, 0, scan.inside, 0) :])
        elif self._trace:
            self._close_trace(self._trace)

    def _close_trace(self, trace: TracebackScan) -> None:
        self._trace = None
        trace.over()
        unread = trace.unread
        if trace.artifact:
            self._add_artifact(trace.artifact)
        else:
            self._inline(unread[0], 0, 0)  # a sentence that looked like the beginning of one
            unread = unread[1:]
        for line in unread:
            end = "\n" if line.endswith("\n") else ""
            self._again(line.removesuffix("\n"), end, True)

    # --- inside a line -------------------------------------------------------------------------------------------

    def _inline(self, text: str, at: int, done: int) -> None:
        """Text with its newline, read from `at`; what lies from `done` on is not said yet."""
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
            found = value_in_line(text, start)
            if found is None:
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
                found = data_of(text[start : outcome.at]), outcome.at
            data, at = found
            if not isinstance(data, NoData):
                self._add_text(text[done:start])
                self._add_artifact(JsonArtifact(data, text[start:at]))
                done = at
        self._add_text(text[done:])

    def _salvage(self, text: str, done: int, spans: list[Span], shift: int) -> int:
        """Give the data found inside something broken, with the text before each; up to where that reaches."""
        for start, end in spans:
            source = text[start + shift : end + shift]
            data = data_of(source)
            if not isinstance(data, NoData):
                self._add_text(text[done : start + shift])
                self._add_artifact(JsonArtifact(data, source))
                done = end + shift
        return done

    # --- data and code -------------------------------------------------------------------------------------------

    def _give_data(self, source: str) -> None:
        """What scanned as data: given as such, or said when it is too little."""
        data = data_of(source)
        if isinstance(data, NoData):
            self._add_text(source)
        else:
            self._add_artifact(JsonArtifact(data, source))

    def _give_code(self, fence: Fence, incomplete: bool = False) -> None:
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
    """A whole text; no two texts stand beside each other. What is switched off stays text."""
    parser = StreamingOutputParser(code_blocks=code_blocks, file_refs=file_refs, json=json, errors=errors)
    return joined([*parser.feed(text), *parser.flush()])


def _may_name_a_file(line: str) -> bool:
    lower = line.lower()
    return "created:" in lower or "wrote:" in lower
