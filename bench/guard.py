"""Guard of the desk's speed: about fifteen ratios to peers, compared with their history.

`make bench guard` measures each figure of `bench/guard_figures.py` in a process of its own, in turns with its peer, and
appends the ratios to `bench/history.jsonl` with the commit and the CPU model. A figure fell when it is above the best of
the last 20 entries of the same CPU model by more than the larger of 20 % and three times the spread of clean runs, which
are the runs of one commit. A figure that seems to have fallen is measured twice more and its best counts: a real
slowdown stays, noise does not.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.guard_figures import FIGURES
from bench.report import CannotMeasure

ROOT = Path(__file__).resolve().parent.parent
HISTORY = Path(__file__).with_name("history.jsonl")
LAST = 20
"""Entries of one CPU model that count."""
LEAST_FALL = 0.20
SPREADS = 3
TRIES = 3
SECONDS = 6
"""How long one figure is measured, without its preparation."""
MEMORY = Path("/dev/shm")
"""Folder in memory for the figures' files, if it exists: the time of disk writes varies from hour to hour."""
MEMORY_BYTES = 2**30
"""Free bytes that MEMORY needs to be used."""


@dataclass(frozen=True)
class Entry:
    """One run of the guard: ratios to peers by figure, lower is better."""

    commit: str
    cpu: str
    figures: Mapping[str, float]

    def line(self) -> str:
        figures = {name: round(ratio, 4) for name, ratio in self.figures.items()}
        return json.dumps({"commit": self.commit, "cpu": self.cpu, "figures": figures})


@dataclass(frozen=True)
class Verdict:
    """A figure beside its history. `allowed` is the share above `best` that counts as noise; `best` is None at first."""

    name: str
    ratio: float
    best: float | None
    allowed: float

    @property
    def change(self) -> float:
        """Share above the best; 0.25 is a quarter slower."""
        return self.ratio / self.best - 1 if self.best else 0.0

    @property
    def fell(self) -> bool:
        return self.change > self.allowed


def read_history(text: str) -> list[Entry]:
    """Parse the lines of a history file, oldest first."""
    return [Entry(**json.loads(line)) for line in text.splitlines() if line.strip()]


def spread(entries: Sequence[Entry], name: str) -> float:
    """Return the pooled relative standard deviation of a figure among runs of the same commit; 0 without such runs."""
    runs: dict[str, list[float]] = defaultdict(list)
    for entry in entries:
        if name in entry.figures:
            runs[entry.commit].append(entry.figures[name])
    repeated = [ratios for ratios in runs.values() if len(ratios) > 1]
    if not repeated:
        return 0.0
    squares = sum((ratio / statistics.mean(ratios) - 1) ** 2 for ratios in repeated for ratio in ratios)
    return (squares / sum(len(ratios) - 1 for ratios in repeated)) ** 0.5


def judge(name: str, ratio: float, history: Sequence[Entry], cpu: str) -> Verdict:
    """Compare a ratio with the last entries of the same CPU model."""
    entries = [entry for entry in history if entry.cpu == cpu][-LAST:]
    earlier = [entry.figures[name] for entry in entries if name in entry.figures]
    return Verdict(name, ratio, min(earlier, default=None), max(LEAST_FALL, SPREADS * spread(entries, name)))


def table(verdicts: Sequence[Verdict]) -> str:
    """Format verdicts as aligned lines."""
    rows = [("figure", "ratio", "best", "change", "allowed", "")]
    for verdict in verdicts:
        best = "-" if verdict.best is None else f"{verdict.best:.3f}"
        change = f"{verdict.change:+.0%}"
        allowed = f"{verdict.allowed:.0%}"
        rows.append(
            (verdict.name, f"{verdict.ratio:.3f}", best, change, allowed, "fell" if verdict.fell else "")
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def measure(name: str, seconds: float = SECONDS) -> float:
    """Measure one figure in a process of its own. Raises CannotMeasure."""
    command = [sys.executable, "-m", "bench.guard_figures", name, str(seconds)]
    in_memory = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > MEMORY_BYTES
    process = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | ({"TMPDIR": str(MEMORY)} if in_memory else {}),
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    lines = process.stdout.split()
    if process.returncode or not lines:
        reason = (process.stderr or "nothing was printed").strip().splitlines()[-1]
        raise CannotMeasure(f"{name}: {reason}")
    return float(lines[-1])


def commit() -> tuple[str, bool]:
    """Return the checkout's short commit, and whether files besides the history differ from it."""
    git = ["git", "-C", str(ROOT)]
    head = subprocess.run(
        [*git, "rev-parse", "--short=10", "HEAD"], capture_output=True, text=True, check=True
    )
    text = f":(exclude){HISTORY.relative_to(ROOT)}"
    status = subprocess.run(
        [*git, "status", "--porcelain", "--", ".", text], capture_output=True, text=True, check=True
    )
    return head.stdout.strip(), bool(status.stdout.strip())


def run(cpu: str, only: Sequence[str] = ()) -> int:
    """Measure, judge, print and record. Returns 1 if a figure fell or could not be measured.

    A run is recorded only if all figures were measured on a clean checkout: an entry names a commit.
    """
    history = read_history(HISTORY.read_text(encoding="utf-8")) if HISTORY.exists() else []
    verdicts: list[Verdict] = []
    missing: list[str] = []
    for name in only or FIGURES:
        try:
            verdict = judge(name, measure(name), history, cpu)
            for _ in range(TRIES - 1):
                if verdict.fell:
                    verdict = judge(name, min(verdict.ratio, measure(name)), history, cpu)
        except CannotMeasure as reason:
            missing.append(f"could not be measured: {reason}")
            continue
        verdicts.append(verdict)
        print(f"{name}: {verdict.ratio:.3f}", flush=True)
    print(f"\n{table(verdicts)}\n")
    for line in missing:
        print(line)
    head, changed = commit()
    fallen = [verdict.name for verdict in verdicts if verdict.fell]
    print(f"fell: {', '.join(fallen)}" if fallen else "guard: nothing fell")
    if changed or missing or only:
        print("not recorded: uncommitted changes, or not all figures")
    else:
        entry = Entry(head, cpu, {verdict.name: verdict.ratio for verdict in verdicts})
        with HISTORY.open("a", encoding="utf-8") as file:
            file.write(entry.line() + "\n")
    return 1 if fallen or missing else 0
