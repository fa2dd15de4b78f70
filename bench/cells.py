"""Cells that compute in real child processes while something else is measured."""

import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from smoldesk.errors import Stopped
from smoldesk.sandbox.children import Children
from smoldesk.sandbox.executor import SandboxExecutor
from smoldesk.stopping import StopFlag

ENDLESS = "import math\nwhile True:\n    math.factorial(300)"


@contextmanager
def busy_cells(count: int) -> Iterator[None]:
    """That many endless cells, each computing in a child of its own; they are stopped at the end."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="smoldesk-bench-")))
        children = stack.enter_context(
            closing(Children(max_children=max(count, 1), cell_seconds=3600, preload=[]))
        )
        stop = StopFlag()
        executors: list[SandboxExecutor] = []
        for number in range(count):
            place = folder / str(number)
            place.mkdir()
            executor = SandboxExecutor(children.child(str(number), place), stop=stop)
            executor("1")  # so that its process is there before anything is measured
            executors.append(executor)
        threads = [threading.Thread(target=_compute, args=(executor,), daemon=True) for executor in executors]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            stop.set("the benchmark is over")
            for thread in threads:
                thread.join()
            for executor in executors:
                executor.cleanup()
            stop.close()


def _compute(executor: SandboxExecutor) -> None:
    with suppress(Stopped):
        executor(ENDLESS)
