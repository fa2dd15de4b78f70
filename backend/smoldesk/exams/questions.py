"""Questions of an exam with their checked answers, read from JSONL (spec/reference/exams.md has the format)."""

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, FiniteFloat, JsonValue, StringConstraints, ValidationError, model_validator

from smoldesk.errors import BadInput
from smoldesk.exams.expected_parts import (
    Closed,
    Drawings,
    Figures,
    Line,
    Short,
    Tables,
)
from smoldesk.messages import Direction
from smoldesk.messages.strict_json import read_strict_json

BUNDLED = Path(__file__).parent / "questions.jsonl"
MAX_BYTES, MAX_QUESTIONS, MAX_FAULTS = 64_000_000, 2_000, 20
# Newest version of the format: 1 has questions, 2 saved answers, too.
VERSION = 2

Long = Annotated[str, StringConstraints(min_length=1, max_length=20_000)]
# One thing under its names: "Southampton", or ["Southampton", "S"].
Names = Short | Annotated[list[Short], Field(min_length=1, max_length=20)]
Items = Annotated[list[Names], Field(min_length=1, max_length=100)]


class ExpectedArrow(Closed):
    """An arrow that must stand in a room."""

    room: Short
    direction: Direction


class ExpectedRoute(Closed):
    """A route that must be drawn; its start and goal by the names of their rooms. `accessible`: without stairs."""

    start: Short
    goal: Short
    accessible: bool | None = None


class ExpectedMap(Closed):
    """Drawings that the map must show. `rooms` are the highlighted ones, no more and no fewer."""

    floor: Short | None = None
    rooms: Annotated[list[Short], Field(min_length=1)] | None = None
    arrow: ExpectedArrow | None = None
    route: ExpectedRoute | None = None


class Expected(Closed):
    """Checked answer. Each field that is set must hold; `tolerance` and `unit` belong to `number`.

    `others` are the wrong candidates of `text`, `set` and `list`. With `declines` the question has no answer: the reply
    must say so and use one of these words. `answer`, `figures`, `tables` and `drawings` are those of a saved answer, whose
    numbers may differ by `tolerance_percent`.
    """

    number: FiniteFloat | None = None
    tolerance: Annotated[FiniteFloat, Field(ge=0)] = 0.0
    unit: Short | None = None
    date: Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}$")] | None = None
    text: Names | None = None
    set: Items | None = None
    list: Items | None = None
    others: Annotated[tuple[Names, ...], Field(max_length=100, strict=False)] = ()
    yes: bool | None = None
    map: ExpectedMap | None = None
    declines: Names | None = None
    answer: Annotated[str, StringConstraints(max_length=100_000)] | None = None
    figures: Figures | None = None
    tables: Tables | None = None
    drawings: Drawings | None = None
    tolerance_percent: Annotated[FiniteFloat, Field(ge=0, le=100)] = 0.0

    @model_validator(mode="after")
    def _has_one(self) -> Self:
        if not self.forms:
            raise ValueError(f"expected one of: {', '.join(FORMS)}")
        if self.declines is not None and len(self.forms) > 1:
            raise ValueError("declines cannot be combined with an answer")
        return self

    @property
    def forms(self) -> tuple[str, ...]:
        """The forms of answer that are set."""
        return tuple(form for form in FORMS if getattr(self, form) is not None)


SAVED_FORMS = ("answer", "figures", "tables", "drawings")
FORMS = ("number", "date", "text", "set", "list", "yes", "map", "declines", *SAVED_FORMS)


class Recorded(Closed):
    """Origin of a saved answer: its agent and model, hashes of its inputs, and the file with recordings of its runs.

    `building` is the id of an imported one on the desk that saved it; `chat` and `run` are those of the answer there.
    `read_as` are options of files that a person set.
    """

    agent: Short
    model: Short
    replies: Short | None = None
    inputs: dict[Line, Line] = Field(default={}, max_length=100)
    read_as: dict[Line, dict[str, JsonValue]] = Field(default={}, max_length=20)
    building: Short | None = None
    chat: Short | None = None
    run: Short | None = None
    saved_at: FiniteFloat = 0.0


class ExamQuestion(Closed):
    """A question with its answer. `files` are uploaded, and the messages of `setup` sent, before it.

    `version` is that of the format; `name` and `recorded` are those of a saved answer.
    """

    id: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}$")]
    language: Literal["en", "ja"]
    question: Long
    expect: Expected
    files: Annotated[tuple[Short, ...], Field(max_length=20, strict=False)] = ()
    setup: Annotated[tuple[Long, ...], Field(max_length=20, strict=False)] = ()
    tags: Annotated[tuple[Short, ...], Field(max_length=20, strict=False)] = ()
    version: Annotated[int, Field(ge=1, le=VERSION)] = 1
    name: Short | None = None
    recorded: Recorded | None = None


@dataclass(frozen=True)
class QuestionSet:
    """Questions with a hash of their file; `folder` is where relative paths of their files start."""

    questions: tuple[ExamQuestion, ...]
    digest: str
    folder: Path

    @property
    def messages(self) -> int:
        """Number of messages that are sent, earlier ones included."""
        return sum(1 + len(question.setup) for question in self.questions)

    def without(self, ids: Collection[str]) -> "QuestionSet":
        """Return the other questions, as those that remain of an interrupted exam."""
        remaining = tuple(question for question in self.questions if question.id not in ids)
        return replace(self, questions=remaining)


def read_questions(path: Path = BUNDLED) -> QuestionSet:
    """Read a file of questions. Raises BadInput with each bad line: its number, the field, and what was expected."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise _bad(path, [f"the file has more than {MAX_BYTES // 1_000_000} MB"])
        data = path.read_bytes()
    except OSError as fault:
        raise _bad(path, [f"it cannot be read ({fault.strerror})"]) from fault
    questions: list[ExamQuestion] = []
    faults: list[str] = []
    numbers: dict[str, int] = {}
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        parsed = _parse(line)
        if isinstance(parsed, ExamQuestion):
            first = numbers.setdefault(parsed.id, number)
            if first != number:
                parsed = [f"id: expected an unused one, {parsed.id!r} is that of line {first}"]
            else:
                parsed = [*_missing_files(parsed, path.parent)] or parsed
        if isinstance(parsed, ExamQuestion):
            questions.append(parsed)
        else:
            faults += [f"line {number}: {fault}" for fault in parsed]
        if len(faults) >= MAX_FAULTS or len(questions) > MAX_QUESTIONS:
            break
    if len(questions) > MAX_QUESTIONS:
        faults.append(f"more than {MAX_QUESTIONS} questions")
    if faults or not questions:
        raise _bad(path, faults or ["it has no question"])
    return QuestionSet(tuple(questions), hashlib.sha256(data).hexdigest()[:16], path.parent)


def _parse(line: bytes) -> ExamQuestion | list[str]:
    try:
        value = read_strict_json(line.decode("utf-8"))
    except UnicodeDecodeError as fault:
        return [f"expected UTF-8, byte {fault.start + 1} is not"]
    except (ValueError, RecursionError) as fault:
        reason = getattr(fault, "msg", "") or "nested too deep, or not a JSON number"
        return [f"expected one JSON object ({reason})"]
    if isinstance(value, dict) and (version := value.get("version")) and version != VERSION and version != 1:  # pyright: ignore
        raise BadInput(
            f"The questions have version {str(version)[:20]!r} of the format; expected at most {VERSION}.",  # pyright: ignore
            "Update smoldesk, or export them from an older desk.",
            code="suite_version",
        )
    if not isinstance(value, dict):
        return [f"expected one JSON object, got {type(value).__name__}"]  # pyright: ignore[reportUnknownArgumentType]
    try:
        return ExamQuestion.model_validate(value)
    except ValidationError as fault:
        return [
            f"{'.'.join(map(str, error['loc'])) or 'the object'}: {error['msg']}"
            for error in fault.errors(include_input=False, include_url=False)
        ]


def _missing_files(question: ExamQuestion, folder: Path) -> Iterable[str]:
    for number, name in enumerate(question.files):
        if not (folder / name).is_file():
            yield f"files.{number}: expected a file beside the questions, there is no {name!r}"


def _bad(path: Path, faults: list[str]) -> BadInput:
    return BadInput(
        f"The questions in {path.name} cannot be used: {'; '.join(faults[:MAX_FAULTS])}.",
        "spec/reference/exams.md describes the format.",
        code="bad_questions",
    )
