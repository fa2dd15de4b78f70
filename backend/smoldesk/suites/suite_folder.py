"""A suite as a folder or a zip file: `suite.jsonl`, files by hash, and the recordings of each test.

Nothing in a suite is trusted: names and sizes are checked before anything is written or read.
"""

import contextlib
import hashlib
import re
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Collection, Generator, Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from smoldesk.errors import BadInput, DeskError
from smoldesk.exams.questions import (
    MAX_BYTES,
    MAX_QUESTIONS,
    VERSION,
    ExamQuestion,
    QuestionSet,
    read_questions,
)
from smoldesk.folders import checked_name
from smoldesk.reruns import RecordedTurn

LINES = "suite.jsonl"
# Bytes of one file of recordings, and of all files of a suite.
MAX_RECORDING, MAX_TOTAL = 64_000_000, 4_000_000_000
MAX_ENTRIES = 3 * MAX_QUESTIONS + 1
# Entries of a zip file beyond this size must not be packed more than a hundredfold.
UNPACKED, RATIO = 10_000_000, 100
_FILE = re.compile(r"files/[0-9a-f]{16}/(?P<name>[^/\\]{1,255})")
_REPLIES = re.compile(r"replies/[A-Za-z0-9][A-Za-z0-9_.-]{0,79}\.json")
_CHUNK = 1 << 20


class Recordings(BaseModel):
    """Recorded turns of a test: those that its code depends on, then its own."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: int = VERSION
    turns: list[RecordedTurn] = Field(min_length=1, max_length=100)


class SuiteFolder:
    """Suite in a folder. Methods block."""

    def __init__(self, folder: Path, lines: str = LINES) -> None:
        self.folder = folder
        self._lines = folder / lines
        self._cached: tuple[tuple[int, int], QuestionSet] | None = None

    def questions(self) -> QuestionSet:
        """Return the tests. Raises BadInput for an invalid suite."""
        questions = read_questions(self._lines)
        for question in questions.questions:
            replies = question.recorded and question.recorded.replies
            for name in (*question.files, *([replies] if replies else [])):
                if question.version > 1 and not is_entry(name):
                    raise bad_suite(
                        f"the test {question.id!r} names {name[:80]!r}, which a suite cannot have"
                    )
        return questions

    def stored(self) -> QuestionSet:
        """Return the tests; none if there is no file of them yet."""
        if not self._lines.exists() or self._lines.stat().st_size == 0:
            return QuestionSet((), "", self.folder)
        stamp = (self._lines.stat().st_mtime_ns, self._lines.stat().st_size)
        if self._cached is None or self._cached[0] != stamp:
            self._cached = stamp, self.questions()
        return self._cached[1]

    def turns(self, question: ExamQuestion) -> list[RecordedTurn]:
        """Return the recorded turns of a test. Raises BadInput if they are missing or invalid."""
        name = question.recorded.replies if question.recorded else None
        if name is None:
            raise bad_suite(f"the test {question.id!r} has no recorded replies", "Run it live, with --model.")
        try:
            path = self.folder / name
            if path.is_symlink() or path.stat().st_size > MAX_RECORDING:
                raise bad_suite(f"{name} is a link, or has more than {MAX_RECORDING:,} bytes")
            return Recordings.model_validate_json(path.read_bytes()).turns
        except (OSError, ValidationError) as fault:
            raise bad_suite(f"{name} cannot be read ({type(fault).__name__})") from None

    def add(self, question: ExamQuestion, turns: Sequence[RecordedTurn], files: Mapping[str, Path]) -> None:
        """Store a test in place of one with its id; `files` are those that it names. Raises DeskError if there is no room."""
        remaining = [test for test in self.stored().questions if test.id != question.id]
        if len(remaining) >= MAX_QUESTIONS:
            raise BadInput(
                f"The suite has {MAX_QUESTIONS} tests, which is the limit.",
                "Export it, then delete tests.",
                code="suite_full",
            )
        for name, source in files.items():
            target = self.folder / name
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                scratch = target.with_name(f"{target.name[:200]}.new")
                shutil.copyfile(source, scratch)
                scratch.replace(target)
        if question.recorded and question.recorded.replies:
            path = self.folder / question.recorded.replies
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.write_text(Recordings(turns=list(turns)).model_dump_json(exclude_defaults=True), "utf-8")
        self.write([*remaining, question])

    def write(self, questions: Sequence[ExamQuestion]) -> None:
        """Replace the tests, and delete files that none of them names."""
        lines = [question.model_dump_json(exclude_defaults=True) for question in questions]
        data = "".join(f"{line}\n" for line in lines).encode()
        if len(data) > MAX_BYTES:
            raise BadInput(
                f"The suite would have more than {MAX_BYTES:,} bytes.", "Delete tests.", code="suite_full"
            )
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        scratch = self._lines.with_suffix(".new")
        scratch.write_bytes(data)
        scratch.replace(self._lines)
        named = {name for question in questions for name in _entries(question)}
        for path in [*self.folder.glob("files/*/*"), *self.folder.glob("replies/*.json")]:
            if path.relative_to(self.folder).as_posix() not in named:
                path.unlink(missing_ok=True)

    def export(self, target: Path, ids: Collection[str] | None = None) -> int:
        """Write tests (None: all) as a zip file; return their number."""
        chosen = [question for question in self.stored().questions if ids is None or question.id in ids]
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            lines = [question.model_dump_json(exclude_defaults=True) for question in chosen]
            archive.writestr(LINES, "".join(f"{line}\n" for line in lines))
            for name in sorted({name for question in chosen for name in _entries(question)}):
                archive.write(self.folder / name, name)
        return len(chosen)


def _entries(question: ExamQuestion) -> list[str]:
    replies = question.recorded.replies if question.recorded else None
    return [*question.files, *([replies] if replies else [])]


def is_entry(name: str) -> bool:
    """Return whether a path may be that of a file of a suite."""
    if match := _FILE.fullmatch(name):
        with contextlib.suppress(BadInput):
            return checked_name(match["name"]) == match["name"]
        return False
    return bool(_REPLIES.fullmatch(name))


@contextlib.contextmanager
def open_suite(path: Path) -> Generator[SuiteFolder]:
    """Yield the suite in a folder, a zip file or a file of questions. Raises BadInput for an invalid one."""
    if path.is_dir():
        yield SuiteFolder(path)
    elif zipfile.is_zipfile(path):
        with tempfile.TemporaryDirectory(prefix="smoldesk-suite-") as temporary:
            _unpack(path, Path(temporary))
            yield SuiteFolder(Path(temporary))
    elif path.is_file():
        yield SuiteFolder(path.parent, path.name)
    else:
        raise bad_suite(f"there is no file or folder {path.name!r}")


def _unpack(path: Path, folder: Path) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            _check_entries(archive.infolist())
            for entry in archive.infolist():
                if not entry.is_dir():
                    _unpack_entry(archive, entry, folder / entry.filename)
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError, ValueError) as fault:
        raise bad_suite(f"the zip file is damaged ({type(fault).__name__})") from None


def _check_entries(entries: Sequence[zipfile.ZipInfo]) -> None:
    if len(entries) > MAX_ENTRIES:
        raise bad_suite(f"the zip file has {len(entries):,} entries, at most {MAX_ENTRIES:,} are read")
    if sum(entry.file_size for entry in entries) > MAX_TOTAL:
        raise bad_suite(f"its files have more than {MAX_TOTAL:,} bytes")
    for entry in entries:
        is_folder = entry.is_dir() and re.fullmatch(r"(files/([0-9a-f]{16}/)?|replies/)", entry.filename)
        if not (is_folder or entry.filename == LINES or is_entry(entry.filename)):
            raise bad_suite(f"{entry.filename[:80]!r} is not a file of a suite")
        if stat.S_ISLNK(entry.external_attr >> 16):
            raise bad_suite(f"{entry.filename[:80]!r} is a link")
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise bad_suite(f"{entry.filename[:80]!r} is packed by another method than deflate")
        limit = MAX_BYTES if entry.filename == LINES else MAX_RECORDING
        if not entry.filename.startswith("files/") and entry.file_size > limit:
            raise bad_suite(f"{entry.filename[:80]!r} has more than {limit:,} bytes")
        if entry.file_size > max(UNPACKED, RATIO * entry.compress_size):
            raise bad_suite(f"{entry.filename[:80]!r} is packed more than {RATIO}-fold")


def _unpack_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    remaining = entry.file_size
    with archive.open(entry) as source, target.open("xb") as file:
        while chunk := source.read(_CHUNK):
            remaining -= len(chunk)
            if remaining < 0:
                raise bad_suite(f"{entry.filename[:80]!r} is larger than it says")
            file.write(chunk)


def sha256_of(path: Path) -> str:
    """Return the hash of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def bad_suite(reason: str, hint: str = "spec/reference/suites.md describes the format.") -> DeskError:
    """Return the error for an invalid suite."""
    return BadInput(f"The suite cannot be used: {reason}.", hint, code="bad_suite")
