"""`smoldesk exam MODEL`: ask a model questions with checked answers, and count the right ones."""

import argparse
import asyncio
import json
import re
import sys
import tempfile
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from smoldesk.agents import load_agents
from smoldesk.desk import Desk, build_desk
from smoldesk.errors import BadInput
from smoldesk.exams import (
    Candidate,
    Estimate,
    ExamHeader,
    Examiner,
    ExamLimits,
    ExamMeter,
    Interrupted,
    Price,
    QuestionResult,
    QuestionSet,
    ResultsFile,
    check_price,
    estimate,
    read_questions,
    report,
    totals,
)
from smoldesk.exams.budgets import BUDGET_CODE
from smoldesk.exams.results_file import Total
from smoldesk.settings import Settings

DONE, UNUSABLE, BUDGET_SPENT, STOPPED = 0, 1, 3, 130


def exam(settings: Settings, options: argparse.Namespace) -> int:
    """Run an exam; 0 when every question was asked, 1 if the model cannot be used, 3 if the budget is spent, 130 for Ctrl-C.

    Raises DeskError before the first question.
    """
    limits = ExamLimits(options.budget_usd, options.max_calls)
    questions = read_questions(options.questions) if options.questions else read_questions()
    listed = load_agents(settings.data_dir.absolute())
    if _is_model_id(options.examined):
        settings = settings.model_copy(update={"model": options.examined})
    with tempfile.TemporaryDirectory(prefix="smoldesk-") as temporary:
        keeps_chats = options.data_dir is not None
        if not keeps_chats:
            settings = settings.with_own_storage(Path(temporary))
        desk = build_desk(settings, agent_list=listed)
        try:
            desk.open()
            return _examine(desk, questions, limits, options, keeps_chats)
        finally:
            desk.close()


def _is_model_id(model: str) -> bool:
    """Return whether a name is an id as SMOLDESK_MODEL takes it, unlike `ollama/llama3.2:3b`."""
    return "/" not in model.partition(":")[0] and ":" in model


def _examine(
    desk: Desk, questions: QuestionSet, limits: ExamLimits, options: argparse.Namespace, keeps_chats: bool
) -> int:
    model: str = options.examined
    agent = desk.exams.check_agent(options.agent)
    desk.models.choices.learn(model)
    price = Price.of(desk.models.choices, model)
    count = len(questions.questions)
    header = ExamHeader(
        model=model, agent=agent, digest=questions.digest, questions=count, started_at=time.time()
    )
    file = ResultsFile(options.results or Path(f"exam-{re.sub(r'[^A-Za-z0-9._-]+', '-', model)}.jsonl"))
    results = _earlier_results(file, header, options.resume)
    remaining = questions.without({result.id for result in results})
    _print(_describe(estimate(len(remaining.questions), remaining.messages, price, limits), model, agent))
    check_price(model, price, options.yes, "Add --yes to go on; --max-calls still limits the calls.")
    if not options.resume:
        file.start(header)

    def on_result(result: QuestionResult) -> None:
        file.append(result)
        results.append(result)
        _print(_result_line(len(results), count, result))

    examiner = Examiner(desk.chats, desk.uploads, desk.runs, desk.agents, keeps_chats)
    candidate = Candidate(model, agent, price.is_free)
    meter = ExamMeter(price, limits)
    code, reason = _run(examiner.examine(remaining, candidate, meter, on_result, options.time_limit))
    _print(_table(results))
    if len(results) < count:
        left = count - len(results)
        sys.stderr.write(f"{reason} {left} questions are left: continue with --resume ({file.path}).\n")
    if options.json:
        text = json.dumps(report(header, results), ensure_ascii=False, indent=1)
        options.json.write_text(f"{text}\n", "utf-8")
    return code


def _run(work: Coroutine[Any, Any, None]) -> tuple[int, str]:
    """Run an exam; return the exit code, and why it ended early."""
    try:
        asyncio.run(work)
    except Interrupted as end:
        return {BUDGET_CODE: BUDGET_SPENT, "stopped": STOPPED}.get(end.code, UNUSABLE), str(end)
    except KeyboardInterrupt:
        return STOPPED, "Stopped by Ctrl-C."
    return DONE, ""


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _earlier_results(file: ResultsFile, header: ExamHeader, resumes: bool) -> list[QuestionResult]:
    if resumes:
        return file.resume(header)
    if file.path.exists():
        raise BadInput(
            f"The results file {file.path} exists.",
            "Continue it with --resume, or give another one with --results.",
            code="exam_exists",
        )
    return []


def _describe(expected: Estimate, model: str, agent: str) -> str:
    cost = "price unknown" if expected.cost is None else f"about {expected.cost:.2f} US dollars"
    limits = expected.limits
    return (
        f"{model} with the agent {agent}: {expected.questions} questions, about {expected.calls} calls, "
        f"{expected.input_tokens:,} tokens in, {expected.output_tokens:,} out, {cost}. "
        f"Limits: {limits.usd:g} US dollars, {limits.calls} calls."
    )


def _result_line(number: int, count: int, result: QuestionResult) -> str:
    reason = "" if result.verdict == "right" else f"  {result.reason}; {result.compared}"[:200]
    return f"{number:>3}/{count} {result.verdict:<10} {result.id:<24} {result.seconds:>6.1f} s{reason}"


def _table(results: list[QuestionResult]) -> str:
    heads = ("", "asked", "right", "wrong", "failed", "unanswered", "steps", "calls")
    more = ("in", "out", "cached", "USD", "s")
    rows = [(*heads, *more), *(_row(name, total) for name, total in totals(results).items())]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            [
                row[0].ljust(widths[0]),
                *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)),
            ]
        )
        for row in rows
    )


def _row(name: str, total: Total) -> tuple[str, ...]:
    counts = (
        total.questions,
        total.right,
        total.wrong,
        total.failed,
        total.unanswered,
        total.steps,
        total.calls,
    )
    tokens = (total.input_tokens, total.output_tokens, total.cached_tokens)
    cost = "unknown" if total.cost is None else f"{total.cost:.4f}"
    return (name, *map(str, counts), *(f"{count:,}" for count in tokens), cost, f"{total.seconds:.1f}")
