"""`python -m bench`: every benchmark in one run, then one table of ratios. A missed goal is a fact, not a failure.

The exit code is 1 only when something could not be measured; the report says what and why.
"""

import argparse
import os
import platform
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from bench import (
    a2a,
    analyst,
    beside_cells,
    conversations,
    databases,
    echo,
    floods,
    growth,
    guard,
    log,
    long_chat,
    map,
    nodes,
    open_sockets,
    overhead,
    page,
    parser,
    routes,
    sandbox,
    servers,
    startup,
    stream,
    tables,
    tasks,
    terminals,
    trace,
    wires,
)
from bench.report import CannotMeasure, Ratio, Section, table

# The machine a report was made on: what a reader needs to weigh its absolute figures, and nothing that names it.
PACKAGES = ("smolagents", "sqlalchemy", "pydantic", "uvicorn", "gradio", "duckdb")


def facts() -> list[tuple[str, str]]:
    """(name, value) pairs for the head of the report."""
    return [
        ("processors", f"{len(os.sched_getaffinity(0))} ({processor()})"),
        ("memory", f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.1f} GiB"),
        (
            "system",
            f"{platform.system()} {platform.release().split('-')[0]}, Python {platform.python_version()}",
        ),
        ("packages", ", ".join(f"{name} {installed(name)}" for name in PACKAGES)),
        ("load average", load()),
    ]


def load() -> str:
    """How busy the machine is with everything, over 1, 5 and 15 minutes; above the processors, figures are noisy."""
    return " ".join(f"{value:.2f}" for value in os.getloadavg())


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(not installed)"


BENCHMARKS: dict[str, Callable[[], Section]] = {
    "startup": startup.measure,
    "overhead": overhead.measure,
    "log": log.measure,
    "echo": echo.measure,
    "floods": floods.measure,
    "stream": stream.measure,
    "tasks": tasks.measure,
    "a2a": a2a.measure,
    "beside_cells": beside_cells.measure,
    "wires": wires.measure,
    "open_sockets": open_sockets.measure,
    "growth": growth.measure,
    "parser": parser.measure,
    "terminals": terminals.measure,
    "analyst": analyst.measure,
    "page": page.measure,
    "long_chat": long_chat.measure,
    "routes": routes.measure,
    "map": map.measure,
    "databases": databases.measure,
    "servers": servers.measure,
    "conversations": conversations.measure,
    "nodes": nodes.measure,
    "sandbox": sandbox.measure,
    "tables": tables.measure,
    "trace": trace.measure,
}


def main(arguments: list[str] | None = None) -> int:
    """Run the chosen benchmarks (all by default) and print the report; "guard" alone, or with its figures, is apart."""
    inputs = sys.argv[1:] if arguments is None else arguments
    if inputs[:1] == ["guard"]:
        return guard.run(processor(), inputs[1:])
    options = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    options.add_argument(
        "only",
        nargs="*",
        choices=[*BENCHMARKS, []],
        help="which benchmarks; all when none is named; `guard` compares ratios with their history",
    )
    chosen = options.parse_args(inputs).only or list(BENCHMARKS)
    return report({name: BENCHMARKS[name] for name in chosen})


def report(benchmarks: dict[str, Callable[[], Section]]) -> int:
    """Measure and print, one after the other; the exit code."""
    print("== machine")
    for name, value in facts():
        print(f"   {name.ljust(12)}  {value}")
    ratios: list[Ratio] = []
    missing: list[str] = []
    for name, measure in benchmarks.items():
        busy = load()
        try:
            section = measure()
        except CannotMeasure as reason:
            missing.append(f"could not be measured: {name}: {reason}")
            print(missing[-1], flush=True)
            continue
        print(f"{section.text()}\n   (load average before and after: {busy}; {load()})", flush=True)
        ratios += section.ratios
    print(f"\n{table(ratios)}")
    for line in missing:
        print(line)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
