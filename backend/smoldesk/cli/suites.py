"""`smoldesk test SUITE`: play saved answers again, or ask them live, and compare each part."""

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any

from smoldesk.agents import load_agents
from smoldesk.desk import Desk, build_desk
from smoldesk.errors import BadInput
from smoldesk.exams import ExamMeter, Interrupted, QuestionResult, check_price, estimate, totals
from smoldesk.exams.budgets import BUDGET_CODE, ExamLimits, joint_price
from smoldesk.exams.questions import ExamQuestion, QuestionSet
from smoldesk.settings import Settings
from smoldesk.suites import SuiteFolder, open_suite
from smoldesk.suites.junit import junit_xml, lines_of
from smoldesk.suites.suite_runs import LiveTest

DONE, UNUSABLE, BUDGET_SPENT, DIFFERS, STOPPED = 0, 1, 3, 4, 130
# Lines that are printed for a test that differs.
MAX_LINES = 10


def test(settings: Settings, options: argparse.Namespace) -> int:
    """Run a suite; 0 if all answers hold, 4 if one differs, else as `smoldesk exam`. Raises DeskError before the first test."""
    with open_suite(options.suite) as suite, tempfile.TemporaryDirectory(prefix="smoldesk-") as temporary:
        questions = _chosen(suite.questions(), options.only)
        files = dict(_replaced_file(text) for text in options.file)
        agent_list = load_agents(settings.data_dir.absolute())
        desk = build_desk(settings.with_own_storage(Path(temporary)), agent_list=agent_list)
        try:
            desk.open()
            live = _live(desk, questions, options)
            code, reason, results = _run(desk, suite, questions.questions, live, files, options.time_limit)
        finally:
            desk.close()
    _report(options, results, len(questions.questions))
    if code != DONE:
        sys.stderr.write(f"{reason} {len(questions.questions) - len(results)} tests are left.\n")
        return code
    return DIFFERS if any(_differs(result, options.strict) for result in results) else DONE


def _chosen(questions: QuestionSet, only: Sequence[str]) -> QuestionSet:
    ids = {question.id for question in questions.questions}
    unknown = [name for name in only if name not in ids]
    if unknown:
        raise BadInput(
            f"The suite has no test {unknown[0][:80]!r}.", "--only takes an id.", code="unknown_test"
        )
    return questions.without(ids - {*only}) if only else questions


def _replaced_file(text: str) -> tuple[str, Path]:
    """Return name and path of NAME=PATH, or of a path whose file has the name that tests use."""
    name, equals, path = text.partition("=")
    source = Path(path if equals else text)
    if not source.is_file():
        raise BadInput(f"There is no file {source}.", "--file takes PATH or NAME=PATH.", code="no_file")
    return (name if equals else source.name), source


def _live(desk: Desk, questions: QuestionSet, options: argparse.Namespace) -> LiveTest | None:
    if not (options.live or options.asked_model or options.asked_agent):
        return None
    agent = desk.exams.check_agent(options.asked_agent) if options.asked_agent else None
    recorded = [question.recorded.model for question in questions.questions if question.recorded]
    models = [options.asked_model] if options.asked_model else list(dict.fromkeys(recorded))
    price = joint_price(desk.models.choices, models)
    limits = ExamLimits(options.budget_usd, options.max_calls)
    expected = estimate(len(questions.questions), questions.messages, price, limits)
    cost = "price unknown" if expected.cost is None else f"about {expected.cost:.2f} US dollars"
    _print(f"{', '.join(models)}: {expected.questions} tests, about {expected.calls} calls, {cost}.")
    check_price(
        ", ".join(models), price, options.yes, "Add --yes to go on; --max-calls still limits the calls."
    )
    return LiveTest(options.asked_model, agent, ExamMeter(price, limits), price.is_free)


def _run(
    desk: Desk,
    suite: SuiteFolder,
    questions: Sequence[ExamQuestion],
    live: LiveTest | None,
    files: dict[str, Path],
    seconds: float,
) -> tuple[int, str, list[QuestionResult]]:
    results: list[QuestionResult] = []

    def on_result(result: QuestionResult) -> None:
        results.append(result)
        _print(_line(len(results), len(questions), result))

    work: Coroutine[Any, Any, None] = desk.suite_runner.run(suite, questions, on_result, live, files, seconds)
    try:
        asyncio.run(work)
    except Interrupted as end:
        return {BUDGET_CODE: BUDGET_SPENT, "stopped": STOPPED}.get(end.code, UNUSABLE), str(end), results
    except KeyboardInterrupt:
        return STOPPED, "Stopped by Ctrl-C.", results
    return DONE, "", results


def _line(number: int, total: int, result: QuestionResult) -> str:
    head = f"{number:>3}/{total} {result.verdict:<10} {result.name or result.id}"
    reason = f"  {result.reason}" if result.verdict != "right" else ""
    lines = lines_of(result)
    more = [f"... {len(lines) - MAX_LINES} more"] if len(lines) > MAX_LINES else []
    return "\n".join([f"{head}{reason}", *(f"        {line}" for line in [*lines[:MAX_LINES], *more])])


def _differs(result: QuestionResult, is_strict: bool) -> bool:
    return result.verdict != "right" or (is_strict and bool(result.changed))


def _report(options: argparse.Namespace, results: Sequence[QuestionResult], total: int) -> None:
    right = sum(result.verdict == "right" for result in results)
    changed = sum(bool(result.changed) for result in results)
    _print(f"{right} of {total} answers hold; {changed} have changed inputs.")
    if options.json:
        report = {
            "suite": options.suite.name,
            "complete": len(results) == total,
            "totals": {name: vars(counts) for name, counts in totals(results).items()},
            "results": [result.model_dump(mode="json") for result in results],
        }
        options.json.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", "utf-8")
    if options.junit:
        options.junit.write_bytes(junit_xml(options.suite.stem, results, options.strict))


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
