"""Exams of a server: one at a time, on the bundled questions; the last result of each model is stored."""

import asyncio
import contextlib
import hashlib
import logging
import re
import time
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from smoldesk.errors import BadInput, Conflict, DeskError, NotFound
from smoldesk.exams.budgets import (
    Estimate,
    ExamLimits,
    ExamMeter,
    Price,
    check_price,
    estimate,
    joint_price,
)
from smoldesk.exams.examiner import Candidate, Examiner, Interrupted
from smoldesk.exams.questions import QuestionSet, read_questions
from smoldesk.exams.results_file import ExamHeader, QuestionResult, ResultsFile
from smoldesk.models.choices import ModelChoices

if TYPE_CHECKING:
    from smoldesk.agents import DeskAgents

log = logging.getLogger(__name__)

_ID = re.compile(r"[0-9a-f]{20}")
ExamState = Literal["running", "interrupted", "finished"]


@dataclass(frozen=True)
class ExamStatus:
    """An exam of a model. `code` and `reason` say why it was interrupted, if the server knows."""

    id: str
    header: ExamHeader
    state: ExamState
    results: tuple[QuestionResult, ...]
    code: str = ""
    reason: str = ""


class Exams:
    """Exams of one desk, in `folder`. Used on the event loop; files are read and written in threads."""

    def __init__(self, examiner: Examiner, agents: "DeskAgents", choices: ModelChoices, folder: Path) -> None:
        self._examiner, self._agents, self._choices, self._folder = examiner, agents, choices, folder
        self._task: asyncio.Task[None] | None = None
        self._running, self._is_busy = "", False
        self._ends: dict[str, tuple[str, str]] = {}

    def check_agent(self, name: str | None) -> str:
        """Return an agent's name; None: the default one. Raises NotFound, BadInput for a program in a terminal."""
        entry = self._agents.agent_list.get(name or self._agents.agent_list.default)
        if entry.kind == "terminal":
            raise BadInput(
                f"The agent {entry.name!r} is a program in a terminal, which no model of the desk drives.",
                "Choose an agent of kind code or tools.",
                code="bad_agent",
            )
        return entry.name

    async def estimate(self, model: str, agent: str | None, limits: ExamLimits) -> Estimate:
        """Return what an exam of a model may take. Raises DeskError for a model or an agent that cannot be examined."""
        self.check_agent(agent)
        price, questions = await asyncio.to_thread(self._price_and_questions, model)
        return estimate(len(questions.questions), questions.messages, price, limits)

    def meter_for(
        self, models: Sequence[str], limits: ExamLimits, accepts_unknown: bool
    ) -> tuple[ExamMeter, bool]:
        """Return a meter for models that a suite asks, and whether all are free. Blocks. Raises DeskError."""
        price = joint_price(self._choices, models)
        check_price(", ".join(models), price, accepts_unknown, "Accept the unknown price to go on.")
        return ExamMeter(price, limits), price.is_free

    async def start(
        self, model: str, agent: str | None, limits: ExamLimits, accepts_unknown: bool, resumes: bool
    ) -> ExamStatus:
        """Start an exam, or continue the model's last one. Raises Conflict while one runs, and as `estimate`."""
        if self._is_busy:
            raise Conflict(
                "An exam is running on this desk.", "Stop it, or wait for its end.", code="exam_running"
            )
        entry = self.check_agent(agent)
        self._is_busy = True
        try:
            price, questions = await asyncio.to_thread(self._price_and_questions, model)
            check_price(model, price, accepts_unknown, "Accept the unknown price to go on.")
            exam_id, file = self._file(model)
            header = ExamHeader(
                model=model,
                agent=entry,
                digest=questions.digest,
                questions=len(questions.questions),
                started_at=time.time(),
            )
            results = await asyncio.to_thread(self._prepare, file, header, resumes)
        except BaseException:
            self._is_busy = False
            raise
        candidate = Candidate(model, entry, price.is_free)
        remaining = questions.without({result.id for result in results})
        work = self._examiner.examine(remaining, candidate, ExamMeter(price, limits), file.append)
        self._running = exam_id
        self._task = asyncio.create_task(self._watch(exam_id, work))
        return await self.get(exam_id)

    async def stop(self, exam_id: str) -> ExamStatus:
        """Stop an exam and return it. Raises NotFound, Conflict if it does not run."""
        task = self._task
        if task is None or self._running != exam_id:
            await self.get(exam_id)
            raise Conflict("This exam is not running.", code="exam_not_running")
        task.cancel()
        await asyncio.wait([task])
        return await self.get(exam_id)

    async def get(self, exam_id: str) -> ExamStatus:
        """Return an exam with its results. Raises NotFound."""
        path = self._folder / f"{exam_id}.jsonl"
        if not _ID.fullmatch(exam_id) or not await asyncio.to_thread(path.is_file):
            raise NotFound(f"There is no exam {exam_id[:40]!r}.", code="unknown_exam")
        return await asyncio.to_thread(self._status, path)

    async def list_exams(self) -> list[ExamStatus]:
        """Return the last exam of each model, the newest first; unreadable files are left out."""
        return await asyncio.to_thread(self._all)

    def _all(self) -> list[ExamStatus]:
        exams: list[ExamStatus] = []
        for path in self._folder.glob("*.jsonl"):
            with contextlib.suppress(BadInput):
                exams.append(self._status(path))
        return sorted(exams, key=lambda exam: -exam.header.started_at)

    def _status(self, path: Path) -> ExamStatus:
        header, results = ResultsFile(path).read()
        is_running = self._running == path.stem
        is_finished = len(results) >= header.questions
        state: ExamState = "running" if is_running else "finished" if is_finished else "interrupted"
        code, reason = self._ends.get(path.stem, ("", ""))
        return ExamStatus(path.stem, header, state, tuple(results), code, reason)

    async def _watch(self, exam_id: str, work: Coroutine[Any, Any, None]) -> None:
        end = ("", "")
        try:
            await work
        except Interrupted as fault:
            end = (fault.code, str(fault))
        except asyncio.CancelledError:
            end = ("stopped", "The exam was stopped.")
        except DeskError as fault:
            end = (fault.code, str(fault))
        except Exception as fault:
            log.exception("an exam failed")
            end = ("desk_error", f"The exam failed ({type(fault).__name__}).")
        finally:
            self._ends[exam_id] = end
            self._running, self._task, self._is_busy = "", None, False

    def _prepare(self, file: ResultsFile, header: ExamHeader, resumes: bool) -> list[QuestionResult]:
        self._folder.mkdir(mode=0o700, exist_ok=True)
        if resumes:
            return file.resume(header)
        file.start(header)
        return []

    def _file(self, model: str) -> tuple[str, ResultsFile]:
        exam_id = hashlib.sha256(model.encode("utf-8", "replace")).hexdigest()[:20]
        return exam_id, ResultsFile(self._folder / f"{exam_id}.jsonl")

    def _price_and_questions(self, model: str) -> tuple[Price, QuestionSet]:
        self._choices.learn(model)
        return Price.of(self._choices, model), read_questions()
