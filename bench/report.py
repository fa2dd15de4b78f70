"""What a benchmark hands back, and how it is printed: absolute figures first, one table of ratios last. Pure."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field

SHARES = (("p50", 0.5), ("p99", 0.99))


class CannotMeasure(Exception):
    """A figure could not be had; the message says why. The report goes on without it and ends with exit code 1."""


@dataclass(frozen=True)
class Ratio:
    """One line of the last table. `ours` and `peer` carry their units; `goal` is the most the ratio may be."""

    name: str
    ours: str
    peer: str
    ratio: float
    goal: float | None = None

    @property
    def verdict(self) -> str:
        if self.goal is None:
            return "-"
        return "met" if self.ratio <= self.goal else "missed"


@dataclass
class Section:
    """One benchmark: what exactly was done, what came out, and its lines of the table."""

    title: str
    method: list[str] = field(default_factory=list[str])
    figures: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    ratios: list[Ratio] = field(default_factory=list[Ratio])

    def text(self) -> str:
        """The section as printed."""
        width = max((len(name) for name, _ in self.figures), default=0)
        lines = [f"== {self.title}", *(f"   {line}" for line in self.method)]
        return "\n".join([*lines, *(f"   {name.ljust(width)}  {value}" for name, value in self.figures)])


def table(ratios: Sequence[Ratio]) -> str:
    """The last table: name, ours, peer, ratio, goal, met or not."""
    head = ("name", "ours", "peer", "ratio", "goal", "verdict")
    rows = [
        (r.name, r.ours, r.peer, f"{r.ratio:.2f}", "-" if r.goal is None else f"{r.goal:g}", r.verdict)
        for r in ratios
    ]
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in [head, *rows]
    ]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])


def of_times(name: str, ours: float, peer: float, goal: float | None = None) -> Ratio:
    """A line of the table that compares seconds."""
    return Ratio(name, ms(ours), ms(peer), ours / peer, goal)


def of_shares(what: str, against: str, ours: Sequence[float], peer: Sequence[float]) -> list[Ratio]:
    """Two lines that compare seconds: of the median and of the slowest hundredth."""
    return [
        of_times(f"{what} {name}{against}", percentile(ours, share), percentile(peer, share))
        for name, share in SHARES
    ]


def shares(seconds: Sequence[float]) -> str:
    """The median and the slowest hundredth, as a figure."""
    return ", ".join(f"{name} {ms(percentile(seconds, share))}" for name, share in SHARES)


def median(values: Sequence[float]) -> float:
    """The median; raises CannotMeasure when there is no value."""
    if not values:
        raise CannotMeasure("nothing was measured")
    return statistics.median(values)


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` (0 to 1) of the values lie; raises CannotMeasure when there is none."""
    if not values:
        raise CannotMeasure("nothing was measured")
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def ms(seconds: float) -> str:
    """Seconds, shown in milliseconds."""
    return f"{1000 * seconds:.2f} ms"


def mib(count: float) -> str:
    """Bytes, shown in MiB."""
    return f"{count / 2**20:.0f} MiB"


def spread(values: Sequence[float]) -> str:
    """Median, tenth and ninetieth percentile of durations in seconds."""
    low, high = percentile(values, 0.1), percentile(values, 0.9)
    return f"{ms(median(values))}  (p10 {ms(low)}, p90 {ms(high)}, {len(values)} repeats)"
