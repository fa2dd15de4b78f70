"""From the command to the first page, and the memory held then: `smoldesk serve` against smolagents' GradioUI."""

import importlib.util
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bench.processes import Held, Started, clean_environment, settled, started
from bench.report import CannotMeasure, Ratio, Section, median, mib, ms, of_times, spread
from tests.support.servers import free_port

START_GOAL = 0.3
MEMORY_GOAL = 0.7


@dataclass
class Starts:
    """What was seen in each repeat."""

    answered: list[float] = field(default_factory=list[float])
    processor: list[float] = field(default_factory=list[float])
    first: list[Held] = field(default_factory=list[Held])
    later: list[Held] = field(default_factory=list[Held])

    def add(self, item: Started, later: Held) -> None:
        self.answered.append(item.answered)
        self.processor.append(item.processor)
        self.first.append(item.held)
        self.later.append(later)


def measure(
    repeats: int = 5, warm: int = 1, peer: bool = True, env: Mapping[str, str] | None = None
) -> Section:
    """Starts in turns, after `warm` of each that are not counted. Without `peer`, our side alone; `env` is for it."""
    if peer and importlib.util.find_spec("gradio") is None:
        raise CannotMeasure(
            "gradio is not installed: `make bench` installs it, as does pip install -e '.[bench]'"
        )
    ours, theirs = Starts(), Starts()
    for number in range(warm + repeats):
        start_desk(Starts() if number < warm else ours, env or {})
        if peer:
            start_gradio(Starts() if number < warm else theirs)
    section = Section(
        "start-up: from the command to the first 200 on /",
        method=[
            "ours: python -m smoldesk.cli.main serve on a new, empty data directory, built-in model",
            "peer: GradioUI(CodeAgent(...)).launch on 127.0.0.1, analytics off; each starts in a process of its own",
            "memory is resident, at the first 200, and once the server has come to rest after its warm-up",
        ],
    )
    section.figures = figures("ours", ours) + (figures("GradioUI", theirs) if peer else [])
    if peer:
        section.ratios = ratios(ours, theirs)
    return section


def start_desk(into: Starts, env: Mapping[str, str]) -> None:
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="smoldesk-bench-") as folder:
        command = [
            sys.executable,
            "-m",
            "smoldesk.cli.main",
            "serve",
            "--port",
            str(port),
            "--data-dir",
            folder,
        ]
        with started(command, port, clean_environment(**env)) as item:
            into.add(item, settled(item.process))


def start_gradio(into: Starts) -> None:
    port = free_port()
    with started([sys.executable, "-m", "bench.gradio_peer", str(port)], port, clean_environment()) as item:
        into.add(item, settled(item.process))


def figures(name: str, starts: Starts) -> list[tuple[str, str]]:
    def memory(locked: list[Held]) -> str:
        server, children = (
            median([pick(item) for item in locked]) for pick in (lambda h: h.server, lambda h: h.children)
        )
        return f"{mib(server)} server, {mib(children)} its children"

    return [
        (f"{name}: first 200", f"{spread(starts.answered)}, processor {ms(median(starts.processor))}"),
        (f"{name}: memory then", memory(starts.first)),
        (f"{name}: memory after warm-up", memory(starts.later)),
    ]


def ratios(ours: Starts, theirs: Starts) -> list[Ratio]:
    def memory(name: str, pick: Callable[[Starts], list[int]], goal: float | None) -> Ratio:
        a, b = median(pick(ours)), median(pick(theirs))
        return Ratio(name, mib(a), mib(b), a / b, goal)

    start, peer = median(ours.answered), median(theirs.answered)
    return [
        of_times("start to first 200, to GradioUI", start, peer, START_GOAL),
        memory(
            "memory at first 200, with children", lambda s: [locked.all for locked in s.first], MEMORY_GOAL
        ),
        memory("memory after warm-up, server", lambda s: [locked.server for locked in s.later], MEMORY_GOAL),
        memory("memory after warm-up, with children", lambda s: [locked.all for locked in s.later], None),
    ]
