"""Code in the sandbox: its speed against plain CPython, how soon a child is there, a round trip, memory.

The plain side runs the same text by `exec` in a process with the same environment and packages, in turns with
ours; both time themselves. The other peers are smolagents' interpreter and a Jupyter kernel.
"""

import importlib.util
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import psutil

from bench.report import Ratio, Section, median, mib, ms, of_times, spread
from smoldesk.charts import CELL_CHARTS
from smoldesk.charts import CHILD_PACKAGES as CHARTS
from smoldesk.sandbox.children import Children
from smoldesk.sandbox.environment import ONE_THREAD, PRELOAD
from smoldesk.sandbox.executor import SandboxExecutor
from smoldesk.tables import CHILD_PACKAGES as TABLES

SPEED_GOAL = 1 / 0.95
PROGRAMS = {
    "loop of 2e6": "total = 0\nfor i in range(2_000_000): total += i * i",
    "dict of 2e5": "made = dict([(i, str(i)) for i in range(200_000)])",
    "fib(20), 50 times": "def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)\nfor _ in range(50): fib(20)",
    "groupby of 1e6 rows": "frame.groupby('k')['v'].agg(['mean', 'sum', 'count'])",
}
SETUP = """
import numpy as np, pandas as pd
rng = np.random.default_rng(1)
frame = pd.DataFrame({"k": rng.integers(0, 100, 1_000_000), "v": rng.random(1_000_000)})
"""
TIMED = "import time\n_started = time.perf_counter()\n{code}\n_took = time.perf_counter() - _started\n_took"
PLAIN = """
import json, sys
names = {}
for line in sys.stdin:
    code = json.loads(line)
    exec(compile(code, "<cell>", "exec"), names)
    print(names.get("_took", 0), flush=True)
"""
SMALL_LOOP = "total = 0\nfor i in range(20_000): total += i * i"
PANDAS_JOB = """
import numpy as np, pandas as pd
f = pd.DataFrame({"k": np.random.randint(0, 50, 100_000), "v": np.random.rand(100_000)})
f.groupby("k")["v"].mean().reset_index().merge(f, on="k");
"""


class Plain:
    """A Python beside the sandbox: same interpreter, same thread settings, no jail."""

    def __init__(self) -> None:
        environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **ONE_THREAD}
        packages = [path for path in sys.path if path.endswith("site-packages")]
        line = [
            sys.executable,
            "-I",
            "-c",
            f"import os, sys; os.nice(10); sys.path.extend({packages!r})\n{PLAIN}",
        ]
        self._process = subprocess.Popen(
            line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def run(self, code: str) -> float:
        """Seconds the code says it took."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps(code) + "\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


@contextmanager
def children(count: int) -> Iterator[tuple[Children, Path]]:
    """A zygote with the desk's packages, ready, and a folder for chats."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="smoldesk-bench-")))
        created = stack.enter_context(
            closing(
                Children(
                    packages=TABLES | CHARTS,
                    modules={CELL_CHARTS: {}},
                    max_children=count,
                    cell_seconds=600,
                    preload=PRELOAD,
                )
            )
        )
        chat(created, folder, "first").cleanup()
        yield created, folder


def chat(created: Children, folder: Path, name: str, code: str = "1 + 1") -> SandboxExecutor:
    place = folder / name
    place.mkdir(exist_ok=True)
    executor = SandboxExecutor(created.child(name, place))
    executor(code)
    return executor


def measure(
    repeats: int = 5,
    rounds: int = 5,
    starts: int = 25,
    trips: int = 200,
    chats: tuple[int, ...] = (1, 30, 100),
) -> Section:
    """Everything; `chats` are how many are alive when memory is looked at."""
    section = Section(
        "code in the sandbox",
        method=[
            "speed: the same text in a jailed child and in a plain Python of the same threads and priority, in turns",
            "first cell: from asking for a chat's child until its first cell is done, packages imported in the zygote",
            "memory: proportional set size of the chats' processes together, the zygote apart",
        ],
    )
    speeds(section, repeats, rounds)
    with children(max(chats) + 2) as (created, folder):
        interpreter(section, created, folder)
        first = first_cells(section, created, folder, starts)
        round_trips(section, created, folder, trips)
        memory(section, created, folder, chats)
    kernel(section, trips, first)
    return section


def speeds(section: Section, repeats: int, rounds: int) -> None:
    """Each round has processes of its own on both sides: where a process lies in memory alone can make 20 %."""
    here: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    existing: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    for _ in range(rounds):
        with children(2) as (created, folder), closing(Plain()) as plain:
            ours = chat(created, folder, "speed", SETUP)
            plain.run(SETUP)
            for name, code in PROGRAMS.items():
                timed = TIMED.format(code=code)
                for number in range(repeats + 1):
                    used = float(ours(timed).output), plain.run(timed)
                    if number:  # the first of each warms caches
                        here[name].append(used[0])
                        existing[name].append(used[1])
            ours.cleanup()
    for name in PROGRAMS:
        section.figures.append((f"{name}, sandbox", spread(here[name])))
        section.figures.append((f"{name}, plain", spread(existing[name])))
        ratio = median([ours / plain for ours, plain in zip(here[name], existing[name], strict=True)])
        section.ratios.append(
            Ratio(name, ms(median(here[name])), ms(median(existing[name])), ratio, SPEED_GOAL)
        )


def interpreter(section: Section, created: Children, folder: Path) -> None:
    """smolagents' own executor, with a loop it gets through."""
    from smolagents.local_python_executor import LocalPythonExecutor

    local = LocalPythonExecutor(additional_authorized_imports=[])
    local.send_tools({})
    started = time.perf_counter()
    local(SMALL_LOOP)
    interpreted = time.perf_counter() - started
    ours = chat(created, folder, "interpreter")
    native = float(ours(TIMED.format(code=SMALL_LOOP)).output)
    ours.cleanup()
    section.figures.append(("loop of 2e4, smolagents' interpreter", ms(interpreted)))
    section.ratios.append(of_times("loop of 2e4 / interpreter", native, interpreted))


def first_cells(section: Section, created: Children, folder: Path, starts: int) -> float:
    used: list[float] = []
    for number in range(starts):
        started = time.perf_counter()
        executor = chat(created, folder, f"start{number}")
        used.append(time.perf_counter() - started)
        executor.cleanup()
        created.drop(f"start{number}", "measured")
    section.figures.append(("fork, jail and first cell", spread(used)))
    return median(used)


def round_trips(section: Section, created: Children, folder: Path, trips: int) -> None:
    class Ping:
        name, description, inputs, output_type = "ping", "", {}, "any"

        def __call__(self) -> int:
            return 1

    executor = chat(created, folder, "trips")
    executor.send_tools({"ping": Ping()})
    executor("1")
    used: list[float] = []
    for _ in range(trips):
        started = time.perf_counter()
        executor("1 + 1")
        used.append(time.perf_counter() - started)
    section.figures.append(("1 + 1, round trip", spread(used)))
    loop = f"for _ in range({trips}): ping()\n0"
    section.figures.append(("a tool call", ms(float(executor(TIMED.format(code=loop)).output) / trips)))
    executor.cleanup()


def memory(section: Section, created: Children, folder: Path, chats: tuple[int, ...]) -> None:
    executors: list[SandboxExecutor] = []
    for count in chats:
        while len(executors) < count:
            executors.append(chat(created, folder, f"memory{len(executors)}"))
        section.figures.append((f"{count} idle chats", f"{mib(held(executors) / count)} each"))
    for executor in executors:
        executor(PANDAS_JOB)
    section.figures.append(
        (f"{chats[-1]} chats after a pandas job", f"{mib(held(executors) / chats[-1])} each")
    )
    for executor in executors:
        executor.cleanup()


def held(executors: list[SandboxExecutor]) -> float:
    """Proportional set size of all their processes, in bytes."""
    pids = [executor.process_id for executor in executors]
    return float(sum(psutil.Process(pid).memory_full_info().pss for pid in pids if pid))


def kernel(section: Section, trips: int, first: float) -> None:
    """A Jupyter kernel, when it is installed: start until ready, and the same round trip; `first` is our first cell."""
    if importlib.util.find_spec("ipykernel") is None:
        section.figures.append(("ipykernel", "not installed, 0 repeats"))
        return
    from jupyter_client.manager import start_new_kernel  # pyright: ignore[reportMissingImports]

    started = time.perf_counter()
    manager, client = start_new_kernel(kernel_name="python3")
    ready = time.perf_counter() - started
    try:
        started = time.perf_counter()
        client.execute_interactive(f"import {', '.join(PRELOAD)}")
        imported = ready + time.perf_counter() - started
        used: list[float] = []
        for _ in range(trips):
            started = time.perf_counter()
            client.execute_interactive("1 + 1", output_hook=lambda _message: None)
            used.append(time.perf_counter() - started)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    section.figures += [
        ("ipykernel, ready", ms(ready)),
        ("ipykernel, ready with the packages", ms(imported)),
        ("ipykernel, 1 + 1", spread(used)),
    ]
    ours = next(value for name, value in section.figures if name == "fork, jail and first cell")
    section.ratios.append(
        Ratio(
            "first cell / ipykernel with packages",
            ours.split("  ")[0],
            ms(imported),
            float(ours.split()[0]) / 1000 / imported,
        )
    )
