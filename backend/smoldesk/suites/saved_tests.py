"""Suite of a desk: answers saved as tests, changed and deleted, exported, and run, one job at a time."""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from smoldesk.errors import Conflict, DeskError, NotFound
from smoldesk.exams import Exams, Interrupted, QuestionResult
from smoldesk.exams.budgets import ExamLimits
from smoldesk.exams.questions import ExamQuestion
from smoldesk.reruns import RecordedTurn
from smoldesk.suites.capture import Capture
from smoldesk.suites.suite_folder import SuiteFolder
from smoldesk.suites.suite_runs import LiveTest, SuiteRunner

log = logging.getLogger(__name__)
JobState = Literal["running", "interrupted", "finished"]


@dataclass
class SuiteJob:
    """Run of tests; `code` and `reason` say why it ended early."""

    id: str
    total: int
    model: str = ""
    agent: str = ""
    is_live: bool = False
    files: Sequence[str] = ()
    """Names of files that replace those of the tests."""
    state: JobState = "running"
    results: list[QuestionResult] = field(default_factory=list[QuestionResult])
    code: str = ""
    reason: str = ""


@dataclass(frozen=True)
class LiveOptions:
    """Model and agent to ask (None: those of each test), within limits."""

    model: str | None
    agent: str | None
    limits: ExamLimits
    accepts_unknown: bool = False


class SavedTests:
    """Tests of one desk, in a folder of its data directory. Used on the event loop."""

    def __init__(self, capture: Capture, runner: SuiteRunner, exams: Exams, folder: Path) -> None:
        self._capture, self._runner, self._exams = capture, runner, exams
        self._suite = SuiteFolder(folder)
        self._lock, self._starting = asyncio.Lock(), asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._last: dict[str, QuestionResult] = {}
        self.job: SuiteJob | None = None
        """The newest job since the start of the server."""

    async def save(self, chat_id: str, run_id: str, name: str | None = None) -> ExamQuestion:
        """Save the answer of a run as a test; saved again it replaces the test. Raises NotFound, Conflict, BadInput."""
        test = await self._capture.capture(chat_id, run_id, name)
        async with self._lock:
            await asyncio.to_thread(self._suite.add, test.question, test.turns, test.files)
        self._last.pop(test.question.id, None)
        return test.question

    async def list_tests(self, file: str | None = None) -> list[tuple[ExamQuestion, QuestionResult | None]]:
        """Return the tests, newest first, or those that use a file of this name, each with its last result."""
        async with self._lock:
            questions = (await asyncio.to_thread(self._suite.stored)).questions
        chosen = [
            question for question in reversed(questions) if file is None or file in file_names(question)
        ]
        return [(question, self._last.get(question.id)) for question in chosen]

    async def change(self, test_id: str, name: str | None, tolerance_percent: float | None) -> ExamQuestion:
        """Rename a test, or change its tolerance. Raises NotFound."""

        def changed(question: ExamQuestion) -> ExamQuestion:
            expect = question.expect
            if tolerance_percent is not None:
                expect = expect.model_copy(update={"tolerance_percent": tolerance_percent})
            return question.model_copy(update={"name": name or question.name, "expect": expect})

        question = await self._replace(test_id, changed)
        assert question is not None
        return question

    async def recorded(self, test_id: str) -> tuple[ExamQuestion, RecordedTurn]:
        """Return a test and its recorded turn. Raises NotFound, BadInput."""
        async with self._lock:
            questions = (await asyncio.to_thread(self._suite.stored)).questions
            question = next((question for question in questions if question.id == test_id), None)
            if question is None:
                raise _unknown(test_id)
            return question, (await asyncio.to_thread(self._suite.turns, question))[-1]

    async def remove(self, test_id: str) -> None:
        """Delete a test. Raises NotFound."""
        await self._replace(test_id, lambda _: None)

    async def _replace(
        self, test_id: str, change: Callable[[ExamQuestion], ExamQuestion | None]
    ) -> ExamQuestion | None:
        async with self._lock:
            questions = [*(await asyncio.to_thread(self._suite.stored)).questions]
            at = next((at for at, question in enumerate(questions) if question.id == test_id), None)
            if at is None:
                raise _unknown(test_id)
            changed = change(questions[at])
            questions[at : at + 1] = [changed] if changed else []
            await asyncio.to_thread(self._suite.write, questions)
        self._last.pop(test_id, None)
        return changed

    async def export(self, target: Path) -> int:
        """Write the suite as a zip file; return the number of its tests."""
        async with self._lock:
            return await asyncio.to_thread(self._suite.export, target)

    async def start(
        self,
        ids: Sequence[str] | None = None,
        live: LiveOptions | None = None,
        files: Mapping[str, Path] | None = None,
    ) -> SuiteJob:
        """Start a job of tests (None: all); `files` replace those of their names. Raises Conflict while one runs, DeskError."""
        async with self._starting:
            if self._task is not None:
                raise Conflict(
                    "Saved tests are running.", "Stop them, or wait for their end.", code="tests_running"
                )
            questions = [question for question, _ in await self.list_tests()]
            chosen = [question for question in questions if ids is None or question.id in ids]
            if not chosen:
                raise NotFound("There is no saved test to run.", "Save an answer first.", code="unknown_test")
            live_test = await asyncio.to_thread(self._live_test, chosen, live) if live else None
            job = SuiteJob(
                secrets.token_hex(8), len(chosen), is_live=live is not None, files=[*(files or {})]
            )
            if live is not None:
                job.model, job.agent = live.model or "", live.agent or ""
            self.job = job
            self._task = asyncio.create_task(self._watch(job, chosen, live_test, files))
            return job

    def _live_test(self, questions: Sequence[ExamQuestion], options: LiveOptions) -> LiveTest:
        models = [question.recorded.model for question in questions if question.recorded]
        models = [options.model] if options.model else list(dict.fromkeys(models))
        meter, is_free = self._exams.meter_for(models, options.limits, options.accepts_unknown)
        agent = self._exams.check_agent(options.agent) if options.agent else None
        return LiveTest(options.model, agent, meter, is_free)

    async def stop(self) -> SuiteJob:
        """Stop the job. Raises Conflict without one."""
        task, job = self._task, self.job
        if task is None or job is None:
            raise Conflict("No saved tests are running.", code="tests_not_running")
        task.cancel()
        await asyncio.wait([task])
        return job

    async def _watch(
        self,
        job: SuiteJob,
        questions: Sequence[ExamQuestion],
        live: LiveTest | None,
        files: Mapping[str, Path] | None,
    ) -> None:
        def on_result(result: QuestionResult) -> None:
            job.results.append(result)
            if not files:
                self._last[result.id] = result

        end = ("", "")
        try:
            await self._runner.run(self._suite, questions, on_result, live, files)
        except Interrupted as fault:
            end = (fault.code, str(fault))
        except asyncio.CancelledError:
            end = ("stopped", "The tests were stopped.")
        except DeskError as fault:
            end = (fault.code, fault.message)
        except Exception as fault:
            log.exception("saved tests failed")
            end = ("desk_error", f"The tests failed ({type(fault).__name__}).")
        finally:
            job.code, job.reason = end
            job.state = "finished" if len(job.results) == job.total else "interrupted"
            self._task = None

    async def close(self) -> None:
        """Stop a running job."""
        with contextlib.suppress(Conflict):
            await self.stop()


def _unknown(test_id: str) -> NotFound:
    return NotFound(f"There is no saved test {test_id[:40]!r}.", code="unknown_test")


def file_names(question: ExamQuestion) -> list[str]:
    """Return the names of a test's files."""
    return [path.rpartition("/")[2] for path in question.files]
