"""Tests of a suite on a desk: played again with their recorded replies, or asked live."""

import asyncio
import json
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from smoldesk.errors import DeskError
from smoldesk.exams.budgets import ExamMeter
from smoldesk.exams.drawings import drawings_of
from smoldesk.exams.examiner import Candidate, Examiner, result_of
from smoldesk.exams.judging import judge
from smoldesk.exams.produced import ExamUsage, Produced, count
from smoldesk.exams.questions import ExamQuestion
from smoldesk.exams.results_file import ChangedInput, QuestionResult
from smoldesk.reruns import Reruns
from smoldesk.suites.capture import Capture
from smoldesk.suites.suite_folder import SuiteFolder, sha256_of
from smoldesk.tables.inside.read_options import options_path

DEFAULT_SECONDS = 300.0
# Tests that are played at a time.
AT_ONCE = 2


@dataclass(frozen=True)
class LiveTest:
    """Model and agent that tests are asked of; None: those of each test."""

    model: str | None
    agent: str | None
    meter: ExamMeter
    is_free: bool


class SuiteRunner:
    """Runs tests on one desk; `files` replace those of tests by name, `is_home` if it is the desk that saved them."""

    def __init__(self, reruns: Reruns, examiner: Examiner, capture: Capture, is_home: bool = False) -> None:
        self._reruns, self._examiner, self._capture = reruns, examiner, capture
        self._is_home = is_home

    async def run(
        self,
        suite: SuiteFolder,
        questions: Sequence[ExamQuestion],
        on_result: Callable[[QuestionResult], None],
        live: LiveTest | None = None,
        files: Mapping[str, Path] | None = None,
        seconds: float = DEFAULT_SECONDS,
    ) -> None:
        """Run tests; results come in any order. Raises Interrupted for a live model that cannot be asked further."""
        waiting = iter(questions)

        async def work() -> None:
            for question in waiting:
                result = await self._test(suite, question, live, files or {}, seconds)
                await asyncio.to_thread(on_result, result)

        tasks = [asyncio.ensure_future(work()) for _ in range(1 if live else AT_ONCE)]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _test(
        self,
        suite: SuiteFolder,
        question: ExamQuestion,
        live: LiveTest | None,
        files: Mapping[str, Path],
        seconds: float,
    ) -> QuestionResult:
        recorded = question.recorded
        if live is not None:
            model = live.model or (recorded.model if recorded else "builtin")
            agent = live.agent or (recorded.agent if recorded else "code")
            candidate = Candidate(model, agent, live.is_free)
            result, produced = await self._examiner.ask(
                question, suite.folder, candidate, live.meter, seconds, files
            )
        else:
            result, produced = await self._played(suite, question, files, seconds)
            agent = recorded.agent if recorded else None
        changed = await asyncio.to_thread(self._changed, suite, question, produced, agent, files)
        return result.model_copy(update={"changed": tuple(changed)})

    async def _played(
        self, suite: SuiteFolder, question: ExamQuestion, files: Mapping[str, Path], seconds: float
    ) -> tuple[QuestionResult, Produced]:
        started, produced, usage = time.monotonic(), Produced(), ExamUsage()
        try:
            turns = await asyncio.to_thread(suite.turns, question)
            recorded = question.recorded
            origin = recorded.chat if recorded and recorded.building and self._is_home else None
            with tempfile.TemporaryDirectory(prefix="smoldesk-test-") as scratch:
                paths = _files_of(suite, question, files, Path(scratch))
                async with self._reruns.playing(turns, paths, origin, seconds=seconds) as replay:
                    for event in replay.events:
                        count(usage, event, is_free=True)
                        produced.add(event)
                    produced.drawings = await asyncio.to_thread(
                        drawings_of, produced, self._capture.read_file
                    )
                    if replay.failure is not None:
                        produced.failure = f"{replay.failure.code}: {replay.failure.message}"
        except DeskError as fault:
            produced.failure = f"{fault.code}: {fault.message}"
        judgement = await asyncio.to_thread(judge, question, produced, exact=True)
        return result_of(question, judgement, produced, usage, time.monotonic() - started), produced

    def _changed(
        self,
        suite: SuiteFolder,
        question: ExamQuestion,
        produced: Produced,
        agent: str | None,
        files: Mapping[str, Path],
    ) -> list[ChangedInput]:
        """Return the inputs of a test that are others now."""
        if question.recorded is None:
            return []
        before = question.recorded.inputs
        now = self._capture.inputs(None, agent, produced)
        for path in question.files:
            source = files.get(path.rpartition("/")[2], suite.folder / path)
            now[f"file {path.rpartition('/')[2]}"] = sha256_of(source) if source.is_file() else ""
        if any(name.startswith("folder ") for name in before):
            now |= self._capture.folder_inputs("\n".join(before).casefold(), {})
        if before.get("building") and self._is_home:
            now["building"] = before["building"]
        if not produced.prompt:
            now["prompt"] = before.get("prompt", "")
        return [
            ChangedInput(name=name, before=digest[:16], after=now.get(name, "")[:16])
            for name, digest in before.items()
            if now.get(name, "") != digest
        ]


def _files_of(
    suite: SuiteFolder, question: ExamQuestion, files: Mapping[str, Path], scratch: Path
) -> dict[str, Path]:
    """Return the files of a test by name, and how they are read."""
    paths: dict[str, Path] = {}
    for path in question.files:
        name = path.rpartition("/")[2]
        paths[name] = files.get(name, suite.folder / path)
    for name, options in question.recorded.read_as.items() if question.recorded else ():
        paths[options_path(name)] = scratch / options_path(name)
        paths[options_path(name)].write_text(json.dumps(options), "utf-8")
    return paths
