"""HTTP routes of saved answers: save, list, change, delete, export, run, and play one again beside its answer."""

import secrets
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, Body, Query
from fastapi.responses import FileResponse
from pydantic import Field
from starlette.background import BackgroundTask

from smoldesk.desk import Desk
from smoldesk.errors import Refused
from smoldesk.exams import QuestionResult
from smoldesk.exams.budgets import DEFAULT_CALLS, DEFAULT_USD, ExamLimits
from smoldesk.exams.questions import ExamQuestion
from smoldesk.messages import Shape
from smoldesk.suites import SuiteJob
from smoldesk.suites.saved_tests import LiveOptions, file_names
from smoldesk.wires.rest.exam_routes import AgentName, BudgetUsd, MaxCalls, ModelId
from smoldesk.wires.rest.models import refusals

# Differing parts of a result that are sent.
MAX_PARTS = 50
TestName = Annotated[str, Field(min_length=1, max_length=200)]


class TestPart(Shape):
    """Part of an answer that differs."""

    kind: Literal["text", "figure", "table", "drawing"]
    name: str
    expected: str
    got: str


class ChangedInputInfo(Shape):
    """Input that is another one now, by the start of its hashes; `after` is empty if it is missing."""

    name: str
    before: str
    after: str


class TestResult(Shape):
    """Result of a saved test: of `partCount` compared parts the first that differ. `cost` in US dollars, null if unknown."""

    id: str
    name: str
    verdict: Literal["right", "wrong", "failed", "unanswered"]
    reason: str
    answer: str
    parts: list[TestPart]
    part_count: int
    changed: list[ChangedInputInfo]
    calls: int
    cost: float | None
    seconds: float


class SavedTest(Shape):
    """Answer saved as a test, with its last result. `figures`, `tables` and `drawings` are counts."""

    id: str
    name: str
    question: str
    chat_id: str | None
    run_id: str | None
    agent: str
    model: str
    saved_at: float
    files: list[str]
    earlier: int
    figures: int
    tables: int
    drawings: int
    tolerance_percent: float
    result: TestResult | None = None


class TestJob(Shape):
    """Run of saved tests. `code` and `reason` say why it ended early; `files` are those it used instead of the saved ones."""

    id: str
    state: Literal["running", "interrupted", "finished"]
    total: int
    is_live: bool
    model: str
    agent: str
    files: list[str]
    code: str
    reason: str
    results: list[TestResult]


class SavedTestList(Shape):
    """Saved tests, newest first, and the newest job. `mayAsk` if users of this desk may ask models live."""

    tests: list[SavedTest]
    job: TestJob | None
    may_ask: bool


class NewTest(Shape):
    """Body of POST /api/chats/{id}/runs/{run}/test."""

    name: TestName | None = None


class TestChange(Shape):
    """New name, or new tolerance of numbers in percent."""

    name: TestName | None = None
    tolerance_percent: Annotated[float, Field(ge=0, le=100, strict=True)] | None = None


class NewJob(Shape):
    """Body of POST /api/test-job. Without `tests` all run. With `isLive`, `model` or `agent` the model is asked.

    `chatId` and `file` name a file of a chat that is used instead of the saved one of its name.
    """

    tests: Annotated[list[str], Field(max_length=2_000)] | None = None
    is_live: bool = False
    model: ModelId | None = None
    agent: AgentName | None = None
    budget_usd: BudgetUsd = DEFAULT_USD
    max_calls: MaxCalls = DEFAULT_CALLS
    accept_unknown_price: bool = False
    chat_id: str | None = None
    file: str | None = None


class PlayedVersion(Shape):
    """Run that plays a saved answer again in its chat, as another version of the answer."""

    chat_id: str
    run_id: str


def add_saved_test_routes(routes: APIRouter, desk: Desk, may_ask: bool) -> None:
    """Add the routes of this module to the router of /api. `may_ask`: users of this desk may ask models live."""
    tests = desk.saved_tests

    @routes.post("/chats/{chat_id}/runs/{run_id}/test", status_code=201, responses=refusals(404, 409))
    async def save(chat_id: str, run_id: str, body: Annotated[NewTest | None, Body()] = None) -> SavedTest:
        """Save the answer of a run as a test; 409 for one that cannot be a test."""
        return _saved(await tests.save(chat_id, run_id, body.name if body else None), None)

    @routes.get("/tests")
    async def list_tests(
        file: Annotated[str | None, Query(min_length=1, max_length=255)] = None,
    ) -> SavedTestList:
        """List the saved tests, or those that use a file of this name."""
        saved_tests = [_saved(question, result) for question, result in await tests.list_tests(file)]
        return SavedTestList(tests=saved_tests, job=tests.job and _job(tests.job), may_ask=may_ask)

    @routes.get("/test-suite", response_class=FileResponse)
    async def export() -> FileResponse:
        """Download the suite as a zip file for `smoldesk test`."""
        path = desk.data_dir.cache / f"export-suite-{secrets.token_hex(8)}.zip"
        await tests.export(path)
        return FileResponse(
            path,
            media_type="application/zip",
            filename="suite.zip",
            background=BackgroundTask(lambda: path.unlink(missing_ok=True)),
        )

    @routes.post("/test-job", status_code=201, responses=refusals(404, 409))
    async def start(body: NewJob) -> TestJob:
        """Run saved tests; 409 while others run."""
        live = None
        if body.is_live or body.model or body.agent:
            if not may_ask:
                raise Refused("Users of this desk cannot ask models for tests.", "Play the recorded replies.")
            limits = ExamLimits(body.budget_usd, body.max_calls)
            live = LiveOptions(body.model, body.agent, limits, body.accept_unknown_price)
        files: dict[str, Path] = {}
        if body.chat_id and body.file:
            file, path = await desk.files.find(body.chat_id, body.file)
            files[file.name] = path
        return _job(await tests.start(body.tests, live, files))

    @routes.post("/test-job/stop", responses=refusals(409))
    async def stop() -> TestJob:
        return _job(await tests.stop())

    @routes.patch("/tests/{test_id}", responses=refusals(404))
    async def change(test_id: str, body: TestChange) -> SavedTest:
        return _saved(await tests.change(test_id, body.name, body.tolerance_percent), None)

    @routes.delete("/tests/{test_id}", status_code=204, responses=refusals(404))
    async def remove(test_id: str) -> None:
        await tests.remove(test_id)

    @routes.post("/tests/{test_id}/version", status_code=201, responses=refusals(404, 409))
    async def play(test_id: str) -> PlayedVersion:
        """Play a saved answer again in its chat, as a version beside it; 409 while its turn is open."""
        question, turn = await tests.recorded(test_id)
        chat_id = question.recorded.chat if question.recorded else None
        run_id = await desk.versions.play(chat_id or "", turn.run_id, turn.recording)
        return PlayedVersion(chat_id=chat_id or "", run_id=run_id)


def _saved(question: ExamQuestion, result: QuestionResult | None) -> SavedTest:
    recorded, expect = question.recorded, question.expect
    return SavedTest(
        id=question.id,
        name=question.name or question.id,
        question=question.question,
        chat_id=recorded and recorded.chat,
        run_id=recorded and recorded.run,
        agent=recorded.agent if recorded else "",
        model=recorded.model if recorded else "",
        saved_at=recorded.saved_at if recorded else 0.0,
        files=file_names(question),
        earlier=len(question.setup),
        figures=len(expect.figures or ()),
        tables=len(expect.tables or ()),
        drawings=len(expect.drawings or ()),
        tolerance_percent=expect.tolerance_percent,
        result=result and _result(result),
    )


def _result(result: QuestionResult) -> TestResult:
    return TestResult(
        id=result.id,
        name=result.name,
        verdict=result.verdict,
        reason=result.reason,
        answer=result.answer,
        parts=[
            TestPart.model_validate(part.model_dump(exclude={"holds"}))
            for part in [part for part in result.parts if not part.holds][:MAX_PARTS]
        ],
        part_count=len(result.parts),
        changed=[ChangedInputInfo.model_validate(item.model_dump()) for item in result.changed],
        calls=result.calls,
        cost=result.cost,
        seconds=result.seconds,
    )


def _job(job: SuiteJob) -> TestJob:
    return TestJob(
        id=job.id,
        state=job.state,
        total=job.total,
        is_live=job.is_live,
        model=job.model,
        agent=job.agent,
        files=[*job.files],
        code=job.code,
        reason=job.reason,
        results=[_result(result) for result in job.results],
    )
