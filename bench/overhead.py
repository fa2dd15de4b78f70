"""What a run costs on the desk, stored and followed, against bare smolagents with the same instant model.

The desk's side is everything: Runs.start, queue, claim, a thread, building agent and tools, memory from the log,
one cell in a warm child process, every event committed to a database on disk, and a follower that has read the last.
The bare side is `CodeAgent.run` in this process: nothing stored, no isolation, no tools but the final answer.
"""

import asyncio
import contextlib
import io
import time
from collections.abc import Generator
from dataclasses import dataclass, field

from smolagents import CodeAgent, LogLevel

from bench.desk import QUESTION, Asker, new_chat, timed_desk
from bench.instant import InstantModel
from bench.report import Section, median, ms, of_times, spread
from bench.run_work import count_work

GOAL = 0.3
TURN = 10
"""Runs of one side before the other has its turn: so that both see the same weather, each with warm caches."""


@dataclass
class Times:
    """Seconds of each repeat, by the clock and of processor time of this process (all its threads)."""

    clock: list[float] = field(default_factory=list[float])
    processor: list[float] = field(default_factory=list[float])

    @contextlib.contextmanager
    def one(self) -> Generator[None]:
        """Time what is inside, once."""
        clock, processor = time.perf_counter(), time.process_time()
        yield
        self.processor.append(time.process_time() - processor)
        self.clock.append(time.perf_counter() - clock)


@dataclass
class Sides:
    """The sides of one comparison; `around` is the desk's run without the time inside its agent."""

    desk: Times = field(default_factory=Times)
    around: list[float] = field(default_factory=list[float])
    quiet: Times = field(default_factory=Times)
    default: Times = field(default_factory=Times)


def bare(level: LogLevel | None) -> CodeAgent:
    """A CodeAgent as its users build it; `level` None leaves the verbosity at its default."""
    options = {} if level is None else {"verbosity_level": level}
    return CodeAgent(tools=[], model=InstantModel(), **options)  # pyright: ignore[reportArgumentType]


def measure(turns: int = 20, memory: int = 40) -> Section:
    """The whole comparison: without memory, and with `memory` earlier runs in it."""
    fresh = asyncio.run(compare(turns, warm=2, memory_runs=0, reset=True))
    aged = asyncio.run(compare(max(turns // 4, 1), warm=memory // TURN + 1, memory_runs=memory, reset=False))
    section = Section(
        "overhead of a run: one step, final_answer(1), a model that takes no time",
        method=[
            "whole: from Runs.start until a follower has RunFinished, which is after its commit; nothing subtracted",
            "around the agent: the same without what passes from building the run's agent to its answer",
            "peer: CodeAgent.run, built once, LocalPythonExecutor, no tools, at verbosity OFF and at the default",
            f"turns of {TURN} runs a side; processor time is that of all threads of this process, not of the child",
        ],
    )
    section.figures = figures(fresh, "") + figures(aged, f", {memory} runs in memory")
    section.figures += [
        ("work of a run, counted", str(count_work())),
        (f"the same, {memory} runs in memory", str(count_work(memory))),
    ]
    complete, around = median(fresh.desk.clock), median(fresh.around)
    quiet, default = median(fresh.quiet.clock), median(fresh.default.clock)
    cpu, bare_cpu = median(fresh.desk.processor), median(fresh.quiet.processor)
    old, bare_old = median(aged.desk.clock), median(aged.quiet.clock)
    section.ratios = [
        of_times("whole run to bare run (OFF)", complete, quiet, GOAL),
        of_times("whole run to bare run (default)", complete, default, GOAL),
        of_times("around the agent to bare run (OFF)", around, quiet, GOAL),
        of_times("whole run, processor time (OFF)", cpu, bare_cpu),
        of_times(f"whole run, {memory} in memory (OFF)", old, bare_old),
    ]
    return section


def figures(sides: Sides, what: str) -> list[tuple[str, str]]:
    """The absolute figures of one comparison."""
    return [
        (f"desk, whole{what}", f"{spread(sides.desk.clock)}, processor {ms(median(sides.desk.processor))}"),
        (f"desk, around the agent{what}", spread(sides.around)),
        (f"bare, OFF{what}", f"{spread(sides.quiet.clock)}, processor {ms(median(sides.quiet.processor))}"),
        (f"bare, default{what}", spread(sides.default.clock)),
    ]


async def compare(turns: int, warm: int, memory_runs: int, reset: bool) -> Sides:
    """`warm` turns of each side unmeasured, then `turns` of each."""
    sides, quiet, default = Sides(), bare(LogLevel.OFF), bare(None)
    with timed_desk(memory_runs) as (desk, agents):
        asker = Asker(desk, await new_chat(desk))
        await asker.open()
        for number in range(warm + turns):
            stored = Sides() if number < warm else sides
            for _ in range(TURN):
                with stored.desk.one():
                    await asker.ask()
                stored.around.append(stored.desk.clock[-1] - agents.seconds)
            for _ in range(TURN):
                with stored.quiet.one():
                    quiet.run(QUESTION, reset=reset)
            for _ in range(TURN):
                with contextlib.redirect_stdout(io.StringIO()), stored.default.one():
                    default.run(QUESTION, reset=reset)
    return sides
