"""A suite of answers of the built-in analyst over the tables of plotly, the bundled tables and the map.

`python -m tests.suites.real_suite FOLDER` makes 100 tests there and says how long they take to be played again.
"""

import asyncio
import gzip
import importlib.resources
import itertools
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from smoldesk.desk import Desk, build_desk
from smoldesk.events import RunCancelled, RunFailed, RunFinished, StoredEvent
from smoldesk.exams import QuestionResult
from smoldesk.suites import Capture, SuiteFolder
from tests.support.desk_server import settings_for

TABLES: dict[str, tuple[list[str], list[str]]] = {
    "gapminder": (["lifeExp", "pop", "gdpPercap"], ["continent", "year"]),
    "tips": (["total_bill", "tip", "size"], ["sex", "smoker", "day", "time"]),
    "election": (["Coderre", "Bergeron", "Joly", "total"], ["winner", "result"]),
    "wind": (["frequency"], ["direction", "strength"]),
    "iris": (["sepal_length", "sepal_width", "petal_length", "petal_width"], ["species"]),
    "experiment": (["experiment_1", "experiment_2", "experiment_3"], ["gender", "group"]),
}
"""Numbers and groups of plotly's tables."""
FORMS = (
    "average {number} by {group} in {table}",
    "plot the total {number} by {group} in {table} as a bar chart",
    "which {group} in {table} has the highest average {number}?",
    "median {number} in {table}",
)
ROOMS = ("Room1", "Room2", "Kitchen", "Toilet", "Bathroom", "Level1", "Level2")


def questions() -> Iterator[tuple[str, str | None]]:
    """Yield questions, each with the table that it needs as a file."""
    for start, goal in itertools.permutations(ROOMS[:5], 2):
        yield f"show the way from {start} to {goal}", None
    for number, group in itertools.product(("fare", "age"), ("class", "sex", "embark_town", "alive")):
        yield f"plot the mean {number} by {group} in titanic as a bar chart", None
    for table, (numbers, groups) in TABLES.items():
        for number, group, form in itertools.product(numbers, groups, FORMS):
            yield form.format(number=number, group=group, table=table), f"{table}.csv"


def table_file(folder: Path, name: str) -> Path:
    """Write a table of plotly and return its path."""
    path = folder / name
    packed = importlib.resources.files("plotly") / "package_data" / "datasets" / f"{name}.gz"
    path.write_bytes(gzip.decompress(packed.read_bytes()))
    return path


async def ask(desk: Desk, chat_id: str, question: str) -> tuple[str, bool]:
    """Ask a question; return its run, and whether it was answered."""
    after = (await desk.chats.get(chat_id)).last_seq
    run_id = await desk.runs.start(chat_id, question)
    async for batch in desk.runs.follow(chat_id, after):
        for stored in batch:
            if not isinstance(stored, StoredEvent) or stored.run_id != run_id:
                continue
            if isinstance(stored.event, RunFinished | RunFailed | RunCancelled):
                return run_id, isinstance(stored.event, RunFinished)
    raise AssertionError("the desk was closed")


async def make_suite(desk: Desk, suite: SuiteFolder, count: int, scratch: Path) -> None:
    """Ask questions until `count` answers with evidence are saved."""
    capture = Capture(desk.store, desk.reruns, desk.agents, desk.buildings)
    asked = [*questions()]
    saved = 0
    for question, table in random.Random(1).sample(asked, len(asked)):
        chat_id = (await desk.chats.create()).id
        if table:
            await desk.uploads.add(chat_id, table_file(scratch, table), table)
        run_id, is_answered = await ask(desk, chat_id, question)
        if is_answered:
            test = await capture.capture(chat_id, run_id)
            if test.question.expect.figures:
                suite.add(test.question, test.turns, test.files)
                saved += 1
        if saved == count:
            return


async def play(desk: Desk, suite: SuiteFolder, only: Sequence[str] = ()) -> list[QuestionResult]:
    """Play tests (all by default) again."""
    chosen = [question for question in suite.questions().questions if not only or question.id in only]
    results: list[QuestionResult] = []
    await desk.suite_runner.run(suite, chosen, results.append)
    return results


def main(folder: Path) -> None:
    desk = build_desk(settings_for(folder / "desk", sandbox_preload=["pandas"]))
    desk.open()
    try:
        asyncio.run(_main(desk, SuiteFolder(folder / "suite"), folder))
    finally:
        desk.close()


async def _main(desk: Desk, suite: SuiteFolder, folder: Path) -> None:
    if not suite.folder.exists():
        await make_suite(desk, suite, 100, folder)
    started = time.monotonic()
    results = await play(desk, suite)
    seconds = time.monotonic() - started
    right = sum(result.verdict == "right" and not result.changed for result in results)
    sys.stdout.write(f"{right} of {len(results)} tests hold, played in {seconds:.1f} s\n")
    for result in results:
        if result.verdict != "right" or result.changed:
            sys.stdout.write(f"{result.name}: {result.reason} {result.compared[:300]} {result.changed}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
