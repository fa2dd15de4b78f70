"""Regressions that are planted in data, tools, agents and prompts: each is reported, and nothing else is."""

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from smolagents.models import ChatMessage

from smoldesk.agents.entries import CODE
from smoldesk.agents.wrapper import code_agent
from smoldesk.desk import Desk, build_desk
from smoldesk.exams import ExamMeter, QuestionResult
from smoldesk.exams.budgets import ExamLimits, Price
from smoldesk.exams.questions import ExamQuestion
from smoldesk.suites import Capture, SuiteFolder
from smoldesk.suites.suite_runs import LiveTest
from smoldesk.tools.data import LoadDataset
from smoldesk.tools.map import DrawArrow, ShowMap
from smoldesk.tools.navigation import FindRoute
from smoldesk.tools.painting import ColorRooms
from tests.suites.real_suite import ask, make_suite, play
from tests.support.aio import run_async
from tests.support.desk_server import settings_for
from tests.support.scripted_model import ScriptedModel, code, text_of

Rows = list[list[str]]
Change = Callable[[Any], Any]


def is_number(value: str) -> bool:
    return value.replace(".", "", 1).isdigit()


def first_row_grows(rows: Rows) -> Rows:
    rows[1] = [f"{float(value) + 9_999}" if is_number(value) else value for value in rows[1]]
    return rows


def scaled(rows: Rows) -> Rows:
    return [
        rows[0],
        *([str(float(value) * 1000) if is_number(value) else value for value in row] for row in rows[1:]),
    ]


DATA: Mapping[str, Callable[[Rows], Rows]] = {
    "one row grows": first_row_grows,
    "the last third is missing": lambda rows: rows[: len(rows) * 2 // 3],
    "the first row comes again": lambda rows: [*rows, *([rows[1]] * len(rows))],
    "numbers are thousandfold": scaled,
    "a column has another name": lambda rows: [[f"{name}_new" for name in rows[0]], *rows[1:]],
}


TOOLS: Mapping[str, tuple[type[Any], str, str]] = {
    "find_route": (FindRoute, "show the way", "0"),
    "show_map": (ShowMap, "highlight", "Kitchen"),
    "draw_arrow": (DrawArrow, "arrow", "left"),
    "color_rooms": (ColorRooms, "colour each room", "1"),
    "load_dataset": (LoadDataset, "titanic", ""),
}
"""Tools, words of the questions that use each, and the text of its result that changes."""
AGENTS = {
    "without find_route": ("show the way", {"tools": ("load_dataset", "show_map")}),
    "without load_dataset": ("titanic", {"tools": ("find_route",)}),
    "of calls instead of code": ("titanic", {"kind": "tools"}),
    "with answers by a schema": ("titanic", {"structured": True}),
    "with one tool": ("gapminder", {"tools": ("where_is",)}),
}
PROMPTS = {
    "Double all numbers.": "total * 2",
    "Write thousands.": "total / 1000",
    "Leave out the last row.": "total - 7",
    "Write the mean.": "round(total / 3, 3)",
    "Write zero.": "0",
}
"""Instructions, and the expression that a model writes which obeys them."""
MAP = (
    "Draw a left arrow in the Kitchen",
    "colour each room by its average temperature",
    "highlight the Kitchen",
)


@dataclass
class Planted:
    """A desk with a suite of saved answers."""

    desk: Desk
    suite: SuiteFolder
    folder: Path

    def tests(self, words: str) -> list[ExamQuestion]:
        questions = self.suite.questions().questions
        return [question for question in questions if re.search(words, question.question, re.IGNORECASE)][:3]

    def played(self, words: str) -> list[QuestionResult]:
        return run_async(play(self.desk, self.suite, [question.id for question in self.tests(words)]))

    def tried(self, question: ExamQuestion, path: Path) -> QuestionResult:
        results: list[QuestionResult] = []
        files = {path.name: path}
        run_async(self.desk.suite_runner.run(self.suite, [question], results.append, files=files))
        return results[0]


def is_reported(results: Sequence[QuestionResult]) -> bool:
    return any(result.verdict != "right" or result.changed for result in results)


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Planted]:
    """100 answers of the analyst over tables of plotly, the bundled ones, and the map."""
    folder = tmp_path_factory.mktemp("planted")
    desk = build_desk(settings_for(folder / "desk", sandbox_preload=["pandas"]))
    desk.open()
    suite = SuiteFolder(folder / "suite")
    try:
        run_async(make_suite(desk, suite, 97, folder))
        for question in MAP:
            run_async(saved(desk, suite, question))
        yield Planted(desk, suite, folder)
    finally:
        desk.close()


async def saved(desk: Desk, suite: SuiteFolder, question: str, file: Path | None = None) -> None:
    chat_id = (await desk.chats.create()).id
    if file:
        await desk.uploads.add(chat_id, file, file.name)
    run_id, is_answered = await ask(desk, chat_id, question)
    assert is_answered, question
    test = await Capture(desk.store, desk.reruns, desk.agents, desk.buildings).capture(chat_id, run_id)
    suite.add(test.question, test.turns, test.files)


@pytest.mark.timeout(1_200)  # with the making of the suite
@pytest.mark.slow
def test_no_unchanged_test_of_a_hundred_is_reported(planted: Planted) -> None:
    results = run_async(play(planted.desk, planted.suite))
    assert len(results) == 100
    assert [result for result in results if is_reported([result])] == []
    assert sum(result.input_tokens for result in results) == 0


@pytest.mark.slow
@pytest.mark.parametrize("change", DATA)
def test_a_change_of_data_is_found(planted: Planted, change: str) -> None:
    table = list(DATA).index(change)
    name = ("gapminder", "tips", "iris", "experiment", "election")[table]
    question = planted.tests(f"average .* in {name}")[0]
    source = planted.suite.folder / question.files[0]
    rows = DATA[change](list(csv.reader(io.StringIO(source.read_text()))))
    target = planted.folder / f"{name}.csv"
    with target.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    result = planted.tried(question, target)
    assert result.verdict in ("wrong", "failed") and [item.name for item in result.changed] == [
        f"file {name}.csv"
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", TOOLS)
def test_a_change_of_a_tool_is_found(planted: Planted, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tool, words, part = TOOLS[name]
    forward: Change = tool.forward

    def changed(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = forward(self, *args, **kwargs)
        if part:
            return str(result).replace(
                part, "right" if part == "left" else f"{part}2" if part == "1" else "9"
            )
        written = self.folder / result.name
        written.write_text("".join(written.read_text().splitlines(keepends=True)[:200]))
        return result

    monkeypatch.setattr(tool, "forward", changed)
    results = planted.played(words)
    assert results and any(result.verdict in ("wrong", "failed") for result in results), results


@pytest.mark.slow
@pytest.mark.parametrize("change", AGENTS)
def test_a_change_of_an_agent_is_found(
    planted: Planted, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, fields = AGENTS[change]
    agent_list = planted.desk.agents.agent_list
    entries = {**agent_list.entries, CODE.name: replace(CODE, **fields)}  # pyright: ignore[reportArgumentType]
    monkeypatch.setattr(planted.desk.agents, "agent_list", replace(agent_list, entries=entries))
    results = planted.played(words)
    assert results and all("agent" in {item.name for item in result.changed} for result in results)


def obeying(messages: list[ChatMessage]) -> str:
    """Reply of a model that does what its instructions say."""
    text = text_of(messages)
    total = next((expression for phrase, expression in PROMPTS.items() if phrase in text), "total")
    return code(
        f"import pandas as pd\ntotal = pd.read_csv('sales.csv').total.sum()\nfinal_answer(f'Sum: {{{total}}}')"
    )


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Planted]:
    """A desk with a model that obeys its instructions, and one saved answer."""
    desk = build_desk(settings_for(tmp_path / "desk"), lambda: ScriptedModel([obeying]))
    desk.open()
    suite = SuiteFolder(tmp_path / "suite")
    (tmp_path / "sales.csv").write_text("shop,total\nOsaka,10.25\nTokyo,20.5\nKyoto,7\n")
    try:
        run_async(saved(desk, suite, "total of sales", tmp_path / "sales.csv"))
        yield Planted(desk, suite, tmp_path)
    finally:
        desk.close()


def asked_live(planted: Planted) -> QuestionResult:
    results: list[QuestionResult] = []
    meter = ExamMeter(Price(None, True), ExamLimits())
    live = LiveTest(None, None, meter, True)
    questions = planted.suite.questions().questions
    run_async(planted.desk.suite_runner.run(planted.suite, questions, results.append, live))
    return results[0]


def plant_prompt(monkeypatch: pytest.MonkeyPatch, phrase: str) -> None:
    join = code_agent.join_parts
    monkeypatch.setattr(code_agent, "PROMPTS", {})  # texts that were joined before
    monkeypatch.setattr(code_agent, "join_parts", lambda parts: f"{join(parts)}\n{phrase}")


def test_each_kind_of_regression_is_found_and_nothing_else(
    small: Planted, monkeypatch: pytest.MonkeyPatch
) -> None:
    [unchanged] = small.played("total")
    assert (unchanged.verdict, unchanged.changed) == ("right", ())
    [question] = small.tests("total")
    (small.folder / "sales.csv").write_text("shop,total\nOsaka,10.25\nTokyo,20.5\nKyoto,8\n")
    data = small.tried(question, small.folder / "sales.csv")
    assert [(part.expected, part.got) for part in data.parts if not part.holds] == [("37.75", "38.75")]

    with monkeypatch.context() as patch:
        plant_prompt(patch, "Double all numbers.")
        [replayed] = small.played("total")
        assert replayed.verdict == "right" and [item.name for item in replayed.changed] == ["prompt"]
        live = asked_live(small)
        assert [(part.expected, part.got) for part in live.parts if not part.holds] == [("37.75", "75.5")]

    agent_list = small.desk.agents.agent_list
    entries = {**agent_list.entries, CODE.name: replace(CODE, tools=("where_is",))}
    with monkeypatch.context() as patch:
        patch.setattr(small.desk.agents, "agent_list", replace(agent_list, entries=entries))
        [agent] = small.played("total")
        assert {item.name for item in agent.changed} == {"agent", "tools", "prompt"}


@pytest.mark.slow
@pytest.mark.parametrize("phrase", PROMPTS)
def test_a_change_of_the_instructions_is_found(
    small: Planted, phrase: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert asked_live(small).verdict == "right"
    plant_prompt(monkeypatch, phrase)
    result = asked_live(small)
    assert result.verdict == "wrong" and [item.name for item in result.changed] == ["prompt"]
