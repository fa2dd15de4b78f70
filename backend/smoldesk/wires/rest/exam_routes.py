"""HTTP routes of exams: estimate, start, list, get, stop. Starting and stopping needs the permission to change models."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import Field

from smoldesk.errors import Refused
from smoldesk.exams import Exams, ExamState, ExamStatus, QuestionResult, totals
from smoldesk.exams.budgets import DEFAULT_CALLS, DEFAULT_USD, ExamLimits
from smoldesk.messages import Shape
from smoldesk.wires.rest.models import refusals

ModelId = Annotated[str, Field(min_length=1, max_length=300)]
AgentName = Annotated[str, Field(min_length=1, max_length=40)]
BudgetUsd = Annotated[float, Field(ge=0, le=100_000)]
MaxCalls = Annotated[int, Field(ge=0, le=100_000)]


class ExamEstimate(Shape):
    """What an exam may take; `cost` in US dollars, null if the model's price is unknown. The limits end it earlier."""

    questions: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    budget_usd: float
    max_calls: int


class NewExam(Shape):
    """Body of POST /api/exams. `acceptUnknownPrice` is needed for a model without a known price.

    With `resume` the last exam of the model continues.
    """

    model: ModelId
    agent: AgentName | None = None
    budget_usd: BudgetUsd = DEFAULT_USD
    max_calls: MaxCalls = DEFAULT_CALLS
    accept_unknown_price: bool = False
    resume: bool = False


class ExamTotal(Shape):
    """Counts over some results; `cost` in US dollars, null if unknown; times in seconds."""

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


class ExamSummary(Shape):
    """Last exam of a model. `code` and `reason` say why it ended early, while the server knows it."""

    id: str
    model: str
    agent: str
    state: ExamState
    questions: int
    started_at: float
    code: str
    reason: str
    total: ExamTotal


class ExamQuestionResult(Shape):
    """Result of one question, with what was compared."""

    id: str
    language: str
    tags: list[str]
    verdict: str
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

    @classmethod
    def of(cls, result: QuestionResult) -> "ExamQuestionResult":
        """Return the form of a result on this wire."""
        return cls.model_validate(result.model_dump(include={*cls.model_fields}))


class ExamDetail(ExamSummary):
    """Exam with its totals by language and tag (`all`: of all), and the result of each question."""

    totals: dict[str, ExamTotal]
    results: list[ExamQuestionResult]


class ExamList(Shape):
    """Last exam of each model, newest first. `mayRun` if users of this desk may start exams."""

    exams: list[ExamSummary]
    may_run: bool


def add_exam_routes(routes: APIRouter, exams: Exams, may_run: bool) -> None:
    """Add the routes of this module to the router of /api. `may_run`: users of this desk may start exams."""

    def check_permission() -> None:
        if not may_run:
            raise Refused(
                "Users of this desk cannot start exams.",
                "An exam costs what its calls cost. The operator allows it as changes of models: SMOLDESK_MODELS=page.",
            )

    @routes.get("/exams")
    async def list_exams() -> ExamList:
        """List the last exam of each model, whether finished, interrupted or running."""
        summaries = [ExamSummary(**_summary(exam)) for exam in await exams.list_exams()]
        return ExamList(exams=summaries, may_run=may_run)

    @routes.get("/exams/estimate", responses=refusals(404))
    async def estimate(
        model: Annotated[str, Query(min_length=1, max_length=300)],
        agent: Annotated[str | None, Query(min_length=1, max_length=40)] = None,
        budget_usd: Annotated[float, Query(alias="budgetUsd", ge=0, le=100_000)] = DEFAULT_USD,
        max_calls: Annotated[int, Query(alias="maxCalls", ge=0, le=100_000)] = DEFAULT_CALLS,
    ) -> ExamEstimate:
        """Estimate the calls, tokens and cost of an exam."""
        expected = await exams.estimate(model, agent, ExamLimits(budget_usd, max_calls))
        return ExamEstimate(
            questions=expected.questions,
            calls=expected.calls,
            input_tokens=expected.input_tokens,
            output_tokens=expected.output_tokens,
            cost=expected.cost,
            budget_usd=budget_usd,
            max_calls=max_calls,
        )

    @routes.post("/exams", status_code=201, responses=refusals(404, 409))
    async def start(body: NewExam) -> ExamDetail:
        """Start an exam, or continue one; 409 while another exam runs on this desk."""
        check_permission()
        limits = ExamLimits(body.budget_usd, body.max_calls)
        return _detail(
            await exams.start(body.model, body.agent, limits, body.accept_unknown_price, body.resume)
        )

    @routes.get("/exams/{exam_id}", responses=refusals(404))
    async def get(exam_id: str) -> ExamDetail:
        return _detail(await exams.get(exam_id))

    @routes.post("/exams/{exam_id}/stop", responses=refusals(404, 409))
    async def stop(exam_id: str) -> ExamDetail:
        """Stop an exam; it can be continued."""
        check_permission()
        return _detail(await exams.stop(exam_id))


def _summary(exam: ExamStatus) -> dict[str, Any]:
    header = exam.header
    return {
        "id": exam.id,
        "model": header.model,
        "agent": header.agent,
        "state": exam.state,
        "questions": header.questions,
        "started_at": header.started_at,
        "code": exam.code,
        "reason": exam.reason,
        "total": ExamTotal.model_validate(totals(exam.results)["all"], from_attributes=True),
    }


def _detail(exam: ExamStatus) -> ExamDetail:
    by_group = {
        name: ExamTotal.model_validate(total, from_attributes=True)
        for name, total in totals(exam.results).items()
    }
    results = [ExamQuestionResult.of(result) for result in exam.results]
    return ExamDetail(**_summary(exam), totals=by_group, results=results)
