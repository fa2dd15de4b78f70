"""Examiner: asks the questions of an exam on a desk, one after the other, each in a chat of its own."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from smoldesk.chats import Chats, Uploads
from smoldesk.errors import Conflict, NotFound
from smoldesk.events import AskOpened, RunEvent, StoredEvent
from smoldesk.exams.budgets import BUDGET_CODE, ExamMeter
from smoldesk.exams.drawings import drawings_of
from smoldesk.exams.judging import Judgement, judge
from smoldesk.exams.produced import ExamUsage, Produced, count
from smoldesk.exams.questions import ExamQuestion, QuestionSet
from smoldesk.exams.results_file import QuestionResult
from smoldesk.runs import RunOptions, Runs
from smoldesk.store.asks import Answer

if TYPE_CHECKING:
    from smoldesk.agents import DeskAgents

DEFAULT_SECONDS = 300.0
ANSWER_CHARACTERS = 500
# After a time limit, how long the run may take to end.
_END_SECONDS = 60.0
# A model that fails in one of these ways would fail at every question.
_UNUSABLE = frozenset(
    f"model_{why}" for why in ("auth", "no_credit", "unknown", "unreachable", "extra_missing")
) | {"not_isolated", "unknown_model"}
_SERVER_ENDED = frozenset({"server_restarted", "run_lost"})


class Interrupted(Exception):
    """End of an exam before its last question; the current one has no result. `code` is exam_budget, or why."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code


@dataclass(frozen=True)
class Candidate:
    """Model and agent that an exam examines, by the names that chats use; `is_free` if calls cost nothing."""

    model: str
    agent: str
    is_free: bool


class Examiner:
    """Asks questions on one desk. Chats of an exam are deleted afterwards unless `keeps_chats`.

    `read_file` returns the bytes of a stored file, such as the spec of a chart.
    """

    def __init__(
        self,
        chats: Chats,
        uploads: Uploads,
        runs: Runs,
        agents: "DeskAgents",
        keeps_chats: bool = False,
        read_file: Callable[[str], bytes | None] = lambda _: None,
    ) -> None:
        self._chats, self._uploads, self._runs, self._agents = chats, uploads, runs, agents
        self._keeps_chats = keeps_chats
        self._read_file = read_file

    async def examine(
        self,
        questions: QuestionSet,
        candidate: Candidate,
        meter: ExamMeter,
        on_result: Callable[[QuestionResult], None],
        seconds: float = DEFAULT_SECONDS,
    ) -> None:
        """Ask each question within `seconds`. Raises Interrupted, and DeskError."""
        for question in questions.questions:
            result, _ = await self.ask(question, questions.folder, candidate, meter, seconds)
            await asyncio.to_thread(on_result, result)

    async def ask(
        self,
        question: ExamQuestion,
        folder: Path,
        candidate: Candidate,
        meter: ExamMeter,
        seconds: float,
        files: Mapping[str, Path] | None = None,
    ) -> tuple[QuestionResult, Produced]:
        """Ask one question, with files of `folder`; `files` replace those of their names. Raises Interrupted, and DeskError."""
        chat_id = (await self._chats.create(f"{question.id} ({candidate.model})"[:200], candidate.agent)).id
        self._agents.meter_calls(chat_id, meter)
        started, usage, produced = time.monotonic(), ExamUsage(), Produced()
        try:
            for path in question.files:
                name = path.rpartition("/")[2]
                await self._uploads.add(chat_id, (files or {}).get(name, folder / path), name)
            for message in (*question.setup, question.question):
                left = seconds - (time.monotonic() - started)
                produced = await self._answer(chat_id, message, candidate, usage, left)
                if produced.failure:
                    break
            produced.drawings = await asyncio.to_thread(drawings_of, produced, self._read_file)
        finally:
            self._agents.meter_calls(chat_id, None)
            if not self._keeps_chats:
                await self._delete(chat_id)
        judgement = await asyncio.to_thread(judge, question, produced)
        return result_of(question, judgement, produced, usage, time.monotonic() - started), produced

    async def _answer(
        self, chat_id: str, message: str, candidate: Candidate, usage: ExamUsage, seconds: float
    ) -> Produced:
        after = (await self._chats.get(chat_id)).last_seq
        run_id = await self._runs.start(chat_id, message, RunOptions(model=candidate.model))
        produced, is_late = Produced(), False

        async def follow() -> None:
            async for batch in self._runs.follow(chat_id, after):
                for stored in batch:
                    if isinstance(stored, StoredEvent) and stored.run_id == run_id:
                        event = cast("RunEvent", stored.event)
                        await self._deny(event)
                        count(usage, event, candidate.is_free)
                        produced.add(event)
                        if produced.is_closed:
                            return

        following = asyncio.ensure_future(follow())
        try:
            await asyncio.wait([following], timeout=max(seconds, 0))
            if not following.done():
                is_late = await self._stop(run_id, "The time limit was reached")
                await asyncio.wait([following], timeout=_END_SECONDS)
            if following.done():
                following.result()
        except asyncio.CancelledError:
            await self._stop(run_id, "The exam was stopped")
            await asyncio.wait([following], timeout=_END_SECONDS)
            raise
        finally:
            following.cancel()
        _raise_if_interrupted(produced, is_late)
        if not produced.is_closed:
            produced.failure = "time_limit: the run did not end"
        return produced

    async def _stop(self, run_id: str, reason: str) -> bool:
        try:
            await self._runs.cancel(run_id, reason)
        except (Conflict, NotFound):
            return False  # it has just ended
        return True

    async def _deny(self, event: RunEvent) -> None:
        """Answer an ask with no: nobody is there to approve a call or to enter a value."""
        if isinstance(event, AskOpened):
            with contextlib.suppress(Conflict, NotFound):  # it was closed meanwhile
                await self._runs.answer(event.ask.id, Answer(False, reason="Nobody answers in an exam."))

    async def _delete(self, chat_id: str) -> None:
        with contextlib.suppress(Conflict, NotFound):  # a run that does not stop, or somebody deleted it
            await self._chats.delete(chat_id)


def _raise_if_interrupted(produced: Produced, is_late: bool) -> None:
    if produced.code == BUDGET_CODE:
        raise Interrupted(BUDGET_CODE, produced.failure.partition(": ")[2])
    if produced.code in _UNUSABLE:
        raise Interrupted(produced.code, produced.failure.partition(": ")[2])
    if produced.code in _SERVER_ENDED or (not is_late and (produced.was_stopped or not produced.is_closed)):
        raise Interrupted("stopped", produced.failure or "The desk was closed.")


def result_of(
    question: ExamQuestion, judgement: Judgement, produced: Produced, usage: ExamUsage, seconds: float
) -> QuestionResult:
    """Return the result of one question."""
    facts: dict[str, Any] = {
        name: getattr(usage, name)
        for name in ("steps", "calls", "input_tokens", "output_tokens", "cached_tokens", "cost")
    }
    return QuestionResult(
        id=question.id,
        language=question.language,
        tags=question.tags,
        verdict=judgement.verdict,
        reason=judgement.reason[:500],
        compared=judgement.compared[:1_000],
        answer=produced.text[:ANSWER_CHARACTERS],
        seconds=round(seconds, 2),
        name=question.name or "",
        parts=judgement.parts,
        **facts,
    )
