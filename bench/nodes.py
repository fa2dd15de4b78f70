"""Code at nodes against code on this machine: three agents here, each a process of its own, one killed at the end."""

import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from bench.report import Ratio, Section, median, of_times, spread
from bench.sandbox import chat
from smoldesk.errors import Stopped
from smoldesk.sandbox.children import Children
from smoldesk.sandbox.executor import SandboxExecutor
from smoldesk.stopping import StopFlag
from tests.support.node_agent import NodeDesk, running

GOAL = 2.0
NAMES = ("one", "two", "three")


def measure(trips: int = 200, stops: int = 20, sleeps: int = 100, seconds: float = 1.0) -> Section:
    """Everything; `sleeps` cells of `seconds` run with ten places and with twenty."""
    section = Section(
        "code at nodes",
        method=[
            "the same cell in turns at a node and in a child of this machine, with mutual TLS and an empty folder",
            f"{sleeps} cells that sleep {seconds:g} s, on as many threads as there are places",
        ],
    )
    with folder_of_all() as folder:
        desk = NodeDesk(folder / "desk")
        agents = [desk.agent(name, processes=10) for name in NAMES]
        with running(*agents):
            desk.wait_for(*NAMES)
            with (
                closing(Children(preload=(), nodes=desk.listener)) as far,
                closing(Children(preload=())) as here,
            ):
                round_trips(section, far, here, folder, trips)
                stopping(section, far, here, folder, stops)
                sleeping(section, far, folder, sleeps, seconds)
                lost_node(section, far, folder, dict(zip(NAMES, agents, strict=True)))
        desk.close()
    return section


@contextmanager
def folder_of_all() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="smoldesk-nodes-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def round_trips(section: Section, far: Children, here: Children, folder: Path, trips: int) -> None:
    pair = [chat(far, folder, "far"), chat(here, folder, "here")]
    used: list[list[float]] = [[], []]
    for _ in range(trips):
        for executor, times in zip(pair, used, strict=True):
            started = time.perf_counter()
            executor("1 + 1")
            times.append(time.perf_counter() - started)
    for executor in pair:
        executor.cleanup()
    section.figures += [("`1+1` at a node", spread(used[0])), ("`1+1` here", spread(used[1]))]
    section.ratios.append(of_times("`1+1` at a node / here", median(used[0]), median(used[1]), GOAL))


def stopping(section: Section, far: Children, here: Children, folder: Path, stops: int) -> None:
    used = [
        [one_stop(children, folder, name) for _ in range(stops)]
        for children, name in ((far, "far"), (here, "here"))
    ]
    section.figures += [("Stop at a node", spread(used[0])), ("Stop here", spread(used[1]))]
    section.ratios.append(of_times("Stop at a node / here", median(used[0]), median(used[1]), GOAL))


def one_stop(children: Children, folder: Path, name: str) -> float:
    """Seconds from the request until the cell has ended."""
    stop = StopFlag()
    executor = SandboxExecutor(children.child(name, folder / name), stop=stop)
    asked: list[float] = []

    def request() -> None:
        time.sleep(0.1)
        asked.append(time.perf_counter())
        stop.set("enough")

    thread = threading.Thread(target=request)
    thread.start()
    with suppress(Stopped):
        executor("import time; time.sleep(30)")
    ended = time.perf_counter()
    thread.join()
    executor.cleanup()
    stop.close()
    return ended - asked[0]


def sleeping(section: Section, far: Children, folder: Path, sleeps: int, seconds: float) -> None:
    far.drop("far", "measured")
    took = [sleeping_on(far, folder, places, sleeps, seconds) for places in (10, 20)]
    section.figures += [
        (f"{sleeps} sleeps, {n} places", f"{t:.2f} s") for n, t in zip((10, 20), took, strict=True)
    ]
    section.ratios.append(
        Ratio(
            f"{sleeps} sleeps, 20 / 10 places",
            f"{took[1]:.2f} s",
            f"{took[0]:.2f} s",
            took[1] / took[0],
            0.55,
        )
    )


def sleeping_on(far: Children, folder: Path, places: int, sleeps: int, seconds: float) -> float:
    executors = [chat(far, folder, f"sleeper{n}") for n in range(places)]

    def run(executor: SandboxExecutor) -> None:
        for _ in range(sleeps // places):
            executor(f"import time; time.sleep({seconds})")

    threads = [threading.Thread(target=run, args=(executor,)) for executor in executors]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.perf_counter() - started
    for n, executor in enumerate(executors):
        executor.cleanup()
        far.drop(f"sleeper{n}", "measured")
    return took


def lost_node(section: Section, far: Children, folder: Path, agents: "dict[str, object]") -> None:
    executor = chat(far, folder, "victim")
    started = time.perf_counter()
    agents[far.site("victim").name].kill()  # pyright: ignore[reportAttributeAccessIssue]
    while far.alive("victim"):
        time.sleep(0.001)
    noticed = time.perf_counter() - started
    executor("1 + 1")
    section.figures.append(
        ("node killed: noticed, answered", f"{noticed:.3f} s, {time.perf_counter() - started:.3f} s")
    )
    executor.cleanup()
