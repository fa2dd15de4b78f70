"""Log of a chat as JSON lines, with the files and prompts that it refers to. The format is in
spec/reference/export.md.

Logs may come from anywhere. Each line is bounded, checked and read on its own, so a log of any size needs the memory
of one line. Version 0 is the output of `/api/chats/{id}/events`: events only.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import BinaryIO, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from smoldesk.errors import BadInput
from smoldesk.events import AnyEvent
from smoldesk.export.pins import Pins

# Newest version, written for a chat with evidence of answers. Older versions are readable.
VERSION = 4
# Version of a chat whose report has a title or texts, or with charts with controls, or turns with versions.
CONTROLS = 3
# Version of a chat with another report or managed agents.
REPORTS = 2
# Version of all other chats, which older desks can read.
PLAIN = 1
# Maximum bytes of a file in one line, before base64.
PIECE = 192 * 1024
# A line is read into memory as a whole.
MAX_LINE = 64 * 1024 * 1024
_MARK = b'{"smoldesk_log"'
_EVENT = b'{"seq"'
# An id within JSON text: also after a Japanese character, or after an escape such as \n, which ends in a letter.
_ID = re.compile(r"(?:(?<![0-9A-Za-z_])|(?<=\\[bfnrt]))([abcfr])_[0-9a-f]{24}(?![0-9a-f])")
FILE_ID = re.compile(r"f_[0-9a-f]{24}")


class LogPart(BaseModel):
    """Base of the parts of a line: frozen, without extra fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Head(LogPart):
    """First line: the writer, the time, the chat and its last seq. `open_runs` were not over then."""

    desk: str
    exported_at: datetime
    title: str = ""
    created_at: datetime
    last_seq: int = Field(ge=0)
    open_runs: int = Field(default=0, ge=0)


class LogFile(LogPart):
    """File of the chat; its pieces follow. `is_missing` is true if its bytes were deleted."""

    id: str
    kind: Literal["upload", "produced", "figure", "table", "chart", "app", "imported_app", "floor"]
    name: str
    size: int = Field(ge=0)
    sha256: str = ""
    is_missing: bool = False


class LogBuilding(LogPart):
    """Building that the chat shows from the next event on; `images` are names of the `floor` files that follow."""

    id: str
    name: str
    definition: dict[str, JsonValue]
    images: list[str] = []


class LogPrompt(LogPart):
    """Message to or from a model as JSON text, before the first event that refers to its hash."""

    id: str
    text: str


class End(LogPart):
    """Last line: the numbers of events, files and prompt messages. A log without it was cut."""

    events: int
    files: int
    prompts: int = 0


class Line(LogPart):
    """One line, with exactly one part. An event has its `seq`, its `at` and, if it belongs to one, its run."""

    event: AnyEvent | None = None
    seq: int = 0
    run_id: str | None = None
    at: datetime | None = None
    prompt: LogPrompt | None = None
    building: LogBuilding | None = None
    report: Pins | None = None
    file: LogFile | None = None
    piece: str | None = None
    end: End | None = None


class _Version(BaseModel):
    """The part of a first line that is read before the version is known."""

    smoldesk_log: int = Field(ge=1)


class _First(_Version):
    head: Head


def renamed(text: str, name: Callable[[str, str], str]) -> str:
    """Return the text with each id in it replaced by `name(kind, id)`."""
    return _ID.sub(lambda match: name(match[1], match[0]), text)


def read_log(
    file: BinaryIO, name: Callable[[str, str], str]
) -> tuple[Head | None, Iterator[tuple[int, Line]]]:
    """Return the head of a log (None in version 0), and its lines with their numbers, with ids replaced by `name`.

    Raises BadInput, here or while iterating, with code `log_foreign`, `log_newer`, `log_cut` or `log_broken`, and the
    line.
    """
    first = _line(file, 1)
    if not first.lstrip().startswith(_MARK):
        file.seek(0)
        return None, _lines(file, 1, name, has_end=False)
    try:
        version = _Version.model_validate_json(first).smoldesk_log
        if version > VERSION:
            raise BadInput(
                f"This log is of version {version}; this desk reads versions 0 to {VERSION}.",
                "Open it with a newer smoldesk.",
                code="log_newer",
            )
        head = _First.model_validate_json(first).head
    except ValidationError as fault:
        raise (broken(1, _why(fault)) if first.endswith(b"\n") else cut(1)) from None
    return head, _lines(file, 2, name, has_end=True)


def broken(number: int, why: str) -> BadInput:
    """Return the error for an invalid line."""
    return BadInput(f"Line {number} of the log: {why}.", "The log was changed or damaged.", code="log_broken")


def cut(number: int) -> BadInput:
    """Return the error for a log that ends too early."""
    return BadInput(
        f"The log is cut: it ends in line {number}, before its last line.",
        "Get the complete log, or import the available part (--partial).",
        code="log_cut",
    )


def _lines(
    file: BinaryIO, number: int, name: Callable[[str, str], str], has_end: bool
) -> Iterator[tuple[int, Line]]:
    ended = False
    while raw := _line(file, number):
        if ended:
            raise broken(number, "it follows the end of the log")
        try:
            text = raw.decode()
            if "\\u00" in text:  # escapes could hide an id from `renamed`
                text = Line.model_validate_json(text).model_dump_json(exclude_unset=True)
            is_piece = text.startswith('{"piece"')  # base64 has no ids to replace
            line = Line.model_validate_json(text if is_piece else renamed(text, name))
            if is_piece and line.model_fields_set != {"piece"}:
                raise broken(number, "it has a piece and other fields")
        except ValidationError as fault:
            if number == 1 and not raw.startswith(_EVENT):
                raise foreign() from None
            if not raw.endswith(b"\n"):
                raise cut(number) from None
            raise broken(number, _why(fault)) from None
        except UnicodeDecodeError:
            if number > 1 and not raw.endswith(b"\n"):  # the cut may split a character
                raise cut(number) from None
            raise (foreign() if number == 1 else broken(number, "it is not text in UTF-8")) from None
        ended = line.end is not None
        yield number, line
        number += 1
    if number == 1:
        raise foreign()
    if has_end and not ended:
        raise cut(number - 1)


def foreign() -> BadInput:
    """Return the error for a file that is not a log."""
    return BadInput(
        "This is not a log of smoldesk.",
        "Expected a file that `smoldesk export --format jsonl` or Export in the page has written.",
        code="log_foreign",
    )


def _line(file: BinaryIO, number: int) -> bytes:
    line = file.readline(MAX_LINE + 1)
    if number == 1:
        line = line.removeprefix(BOM_UTF8)  # some editors add it
    if len(line) > MAX_LINE:
        raise foreign() if number == 1 else broken(number, f"it is longer than {MAX_LINE} bytes")
    return line


def _why(fault: ValidationError) -> str:
    """Describe the fault without repeating values of the log."""
    first = fault.errors(include_input=False, include_url=False)[0]
    if first["type"] == "union_tag_invalid":
        return "it has a kind of event or message that is unknown here; a newer desk may have written it"
    place = ".".join(str(part)[:40] for part in first["loc"][:4])
    return f"{place}: {first['msg'][:120]}" if place else first["msg"][:120]
