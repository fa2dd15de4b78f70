"""Results of an exam: one line of JSON for each question, after a line that says which exam it is."""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from smoldesk.errors import BadInput, Conflict
from smoldesk.exams.expected_parts import PartResult
from smoldesk.exams.judging import Verdict

COUNTS = ("steps", "calls", "input_tokens", "output_tokens", "cached_tokens")


class ExamHeader(BaseModel):
    """First line of a results file; `digest` is that of the questions, `started_at` in seconds since the epoch."""

    model_config = ConfigDict(frozen=True)

    exam: int = 1
    model: str
    agent: str
    digest: str
    questions: int
    started_at: float


class ChangedInput(BaseModel):
    """Input of a saved answer that is another one now, by its hashes; `after` is empty if it is missing."""

    model_config = ConfigDict(frozen=True)

    name: str
    before: str
    after: str


class QuestionResult(BaseModel):
    """Result of one question. `cost` is in US dollars, None if unknown; `answer` is the start of the text.

    `parts` and `changed` are those of a saved answer.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    language: str
    tags: tuple[str, ...]
    verdict: Verdict
    reason: str
    compared: str
    answer: str
    steps: int
    calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost: float | None
    seconds: float
    name: str = ""
    parts: tuple[PartResult, ...] = ()
    changed: tuple[ChangedInput, ...] = ()
    chat: str | None = None
    """Chat of the run, if it is kept."""


@dataclass(frozen=True)
class Total:
    """Sums over some results."""

    questions: int
    right: int
    wrong: int
    failed: int
    unanswered: int
    steps: int
    calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost: float | None
    seconds: float

    @classmethod
    def of(cls, results: Sequence[QuestionResult]) -> "Total":
        """Add up results; the total cost is None if a cost is unknown."""
        verdicts = [result.verdict for result in results]
        costs = [result.cost for result in results]
        return cls(
            len(results),
            *(verdicts.count(verdict) for verdict in ("right", "wrong", "failed", "unanswered")),
            *(sum(getattr(result, name) for result in results) for name in COUNTS),
            cost=None if None in costs else sum(cost for cost in costs if cost is not None),
            seconds=round(sum(result.seconds for result in results), 2),
        )


def totals(results: Sequence[QuestionResult]) -> dict[str, Total]:
    """Return the totals of all results, of each language and of each tag."""
    groups: dict[str, list[QuestionResult]] = {"all": [*results]}
    for result in results:
        groups.setdefault(result.language, []).append(result)
    for tag in sorted({tag for result in results for tag in result.tags}):
        groups[tag] = [result for result in results if tag in result.tags]
    return {name: Total.of(group) for name, group in groups.items()}


def report(header: ExamHeader, results: Sequence[QuestionResult]) -> Mapping[str, Any]:
    """Return an exam as JSON data."""
    return {
        **header.model_dump(),
        "complete": len(results) >= header.questions,
        "totals": {name: asdict(total) for name, total in totals(results).items()},
        "results": [result.model_dump(mode="json") for result in results],
    }


class ResultsFile:
    """Results file on disk. A line that a killed process left incomplete is dropped when it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def start(self, header: ExamHeader) -> None:
        """Replace the file by an empty one of this exam."""
        scratch = self.path.with_name(f"{self.path.name}.new")
        scratch.write_text(header.model_dump_json() + "\n", encoding="utf-8")
        scratch.replace(self.path)

    def resume(self, header: ExamHeader) -> list[QuestionResult]:
        """Return the results so far, for the same exam alone. Raises BadInput, or Conflict for another exam."""
        stored, results = self.read()
        for name in ("model", "agent", "digest"):
            if getattr(stored, name) != getattr(header, name):
                raise Conflict(
                    f"{self.path.name} has results of another exam: its {name} is {getattr(stored, name)!r}, "
                    f"expected {getattr(header, name)!r}.",
                    "Start anew, or give another results file.",
                    code="other_exam",
                )
        with self.path.open("r+b") as file:
            data = file.read()
            file.truncate(data.rfind(b"\n") + 1)
        return results

    def append(self, result: QuestionResult) -> None:
        """Write one result, so that a killed process loses no earlier one."""
        with self.path.open("ab") as file:
            file.write(result.model_dump_json().encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def read(self) -> tuple[ExamHeader, list[QuestionResult]]:
        """Return the exam and its results. Raises BadInput for another kind of file."""
        try:
            lines = self.path.read_bytes().split(b"\n")[:-1]
            header = ExamHeader.model_validate(json.loads(lines[0]))
            return header, [*_results(lines[1:])]
        except (OSError, ValueError, IndexError, ValidationError) as fault:
            raise BadInput(
                f"{self.path.name} is not a results file of an exam ({type(fault).__name__}).",
                "Give another file, or start without resuming.",
                code="bad_results",
            ) from None


def _results(lines: Iterable[bytes]) -> Iterable[QuestionResult]:
    return (QuestionResult.model_validate_json(line) for line in lines if line.strip())
