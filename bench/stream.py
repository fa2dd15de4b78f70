"""The UI message stream: from an event's commit to its frame at the client, alone and with many streams at once.

Ours is `POST /stream`. Its peers in the same run: the same events over the four-pane wire `/ws`, and a server that sends as
many prepared pieces from a bare StreamingResponse, which is what the transport alone costs. `/live` is measured beside them.
"""

import asyncio
import json
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from bench.growth import GOAL
from bench.pieces import END, Order, made
from bench.processes import served
from bench.readers import Arrivals, Reader, over_live, over_panes, over_sse
from bench.report import CannotMeasure, Ratio, Section, median, ms, of_shares, of_times, shares

PATIENCE = 120.0
"""Seconds that all streams of a round may take."""
SSE, PANES, LIVE, BARE = "SSE", "/ws", "/live", "bare"
WIRES: dict[str, Reader] = {SSE: over_sse, PANES: over_panes, LIVE: over_live, BARE: over_sse}
DESK, PEER = "bench.streaming_desk", "bench.bare_stream"
SIZE = 60
RATE = 16
"""Pieces a second: the log joins what is said within 50 ms, and each piece shall be an event of its own."""
LARGE = 2_000
"""Characters of a piece that the log joins with no other: it is an event of its own however fast they come."""


@dataclass
class Rounds:
    """What came of one wire with so many streams at once."""

    arrivals: Arrivals = field(default_factory=Arrivals)
    seconds: list[float] = field(default_factory=list[float])
    processor: float = 0.0
    """Seconds of processor time that the server took, all rounds together."""

    @property
    def each(self) -> float:
        """Seconds of the server's processor time for an event."""
        return self.processor / len(self.arrivals)


Key = tuple[str, int]
"""A wire, and how many streams at once."""


def measure(most: int = 100, pieces: int = 80, large: int = 50, repeats: int = 3) -> Section:
    """Latency of paced pieces with 1, 10 and `most` streams; then total time of `large` ones with 1, 10, half and all."""
    counts, half = sorted({1, min(10, most), most}), most // 2
    with tempfile.TemporaryDirectory(prefix="smoldesk-bench-") as folder:
        notes = Path(folder) / "commits.json"
        with served(DESK, str(notes)) as desk, served(PEER) as bare:
            ports = {wire: bare if wire == BARE else desk for wire in WIRES}
            paced, full = asyncio.run(_measure(ports, counts, half, (pieces, large, repeats)))
        committed: dict[str, int] = json.loads(notes.read_text())
    delays = {key: _delays(key[0], rounds.arrivals, committed) for key, rounds in paced.items()}
    section = _section(counts, pieces, large, repeats)
    for (wire, count), seconds in delays.items():
        section.figures.append((f"{wire}, {_streams(count)}", f"{shares(seconds)}  ({len(seconds)} events)"))
    for count in (1, most):
        waited = _since_made(paced[SSE, count].arrivals)
        section.figures.append((f"SSE, {_streams(count)}, from the model's word", shares(waited)))
    for wire in WIRES:
        name = f"{wire}, {_streams(most)}, server's processor"
        section.figures.append(
            (name, f"{ms(paced[wire, most].each)} an event, its share of the run included")
        )
    for peer in (PANES, BARE):
        ours, theirs = paced[SSE, most].each, paced[peer, most].each
        what = f"processor time of an event, {_streams(most)}: SSE to {peer}"
        section.ratios.append(of_times(what, ours, theirs))
    for (wire, count), rounds in full.items():
        name = f"{wire}, {_streams(count)} as fast as taken"
        section.figures.append((name, f"{ms(median(rounds.seconds))} ({count * large} events)"))
    section.ratios += _latency_ratios(delays, most) + _time_ratios(full, most, half)
    return section


def _section(counts: list[int], pieces: int, large: int, repeats: int) -> Section:
    at_once = " and ".join(map(str, counts[1:]))
    return Section(
        "the UI message stream",
        method=[
            f"latency: from an event's commit (bare: from the piece) to its frame at the client; {pieces} pieces of {SIZE}",
            f"characters in each stream, {RATE} a second; 1, {at_once} at once, in {repeats} turns.",
            f"time: from asking to the end of the last stream, {large} pieces of {LARGE} characters in each, no pause,",
            f"median of {repeats}. A chat, a run, a connection for each stream. Each server is a process of its own, all",
            "clients share another; bare is a StreamingResponse of prepared chunks on the same kind of server. Before its",
            "commit an event waits up to 50 ms, for what the model says next to join it: see the model's word.",
        ],
    )


async def _measure(
    ports: dict[str, int], counts: list[int], half: int, sizes: tuple[int, int, int]
) -> tuple[dict[Key, Rounds], dict[Key, Rounds]]:
    """The rounds with paced pieces, and those without a pause; wires take turns, so that noise meets all alike."""
    pieces, large, repeats = sizes
    paced: dict[Key, Rounds] = {}
    full: dict[Key, Rounds] = {}
    for wire in WIRES:  # the first ones find nothing warm
        await _round(Rounds(), wire, ports[wire], Order(2, SIZE, 0), 2)
    for count in counts:
        for _ in range(repeats):
            for wire in WIRES:
                rounds = paced.setdefault((wire, count), Rounds())
                await _round(rounds, wire, ports[wire], Order(pieces, SIZE, RATE), count)
    for count in sorted({*counts, half}):
        for _ in range(repeats):
            for wire in (SSE, BARE):
                rounds = full.setdefault((wire, count), Rounds())
                await _round(rounds, wire, ports[wire], Order(large, LARGE, 0), count)
    return paced, full


async def _round(rounds: Rounds, wire: str, port: int, order: Order, count: int) -> None:
    """So many streams at once, each with all its pieces. Raises CannotMeasure when one is not whole."""
    used, started_at = processor_time(wire), time.perf_counter()
    try:
        async with asyncio.timeout(PATIENCE):
            streams = await asyncio.gather(*(WIRES[wire](port, order) for _ in range(count)))
    except TimeoutError:
        raise CannotMeasure(f"{_streams(count)} over {wire} took more than {PATIENCE:.0f} s") from None
    rounds.seconds.append(time.perf_counter() - started_at)
    rounds.processor += processor_time(wire) - used
    for stream in streams:
        came = sum(text.count(END) for text in stream)
        if came != order.pieces:
            raise CannotMeasure(f"{came} of {order.pieces} pieces came over {wire}")
        rounds.arrivals |= stream


def processor_time(wire: str) -> float:
    """Seconds of processor time that the server of a wire has taken so far; raises CannotMeasure when it is gone."""
    module = PEER if wire == BARE else DESK
    for child in psutil.Process().children():
        if module in child.cmdline():
            return time.clock_gettime(
                ~child.pid << 3 | 2
            )  # clock_getcpuclockid(3), finer than what /proc tells
    raise CannotMeasure(f"{module} is not running")


def _delays(wire: str, arrivals: Arrivals, committed: dict[str, int]) -> list[float]:
    """Seconds from each event's commit, or from a bare piece's making, to its arrival."""
    if wire == BARE:
        return _since_made(arrivals)
    strangers = arrivals.keys() - committed.keys()
    if strangers:
        raise CannotMeasure(f"{len(strangers)} frames over {wire} hold what no event holds")
    return [(arrived - committed[text]) / 1e9 for text, arrived in arrivals.items()]


def _since_made(arrivals: Arrivals) -> list[float]:
    """Seconds from when the model, or the bare server, made each text to its arrival."""
    return [(arrived - made(text)) / 1e9 for text, arrived in arrivals.items()]


def _latency_ratios(delays: dict[Key, list[float]], most: int) -> list[Ratio]:
    pairs = [
        (f"event to frame, {_streams(count)}", (SSE, count), (peer, count))
        for count in (1, most)
        for peer in (PANES, BARE)
    ]
    pairs += [("event to frame, /live", (LIVE, 1), (PANES, 1))]
    pairs += [("event to frame", (SSE, most), (SSE, 1))]
    ratios: list[Ratio] = []
    for what, pair, other in pairs:
        against = f"{pair[0]} to {other[0]}" if pair[0] != other[0] else f"{pair[1]} streams to {other[1]}"
        ratios += of_shares(what, f": {against}", delays[pair], delays[other])
    return ratios


def _time_ratios(full: dict[Key, Rounds], most: int, half: int) -> list[Ratio]:
    took = {key: median(rounds.seconds) for key, rounds in full.items()}
    all_of_them, bare = took[SSE, most], took[BARE, most]
    each, alone, halved = all_of_them / most, took[SSE, 1], took[SSE, half]
    return [
        of_times(f"time of {most} streams to {half}", all_of_them, halved, GOAL),
        of_times(f"time for each of {most} streams to one alone", each, alone),
        of_times(f"time of {most} streams: SSE to bare", all_of_them, bare),
    ]


def _streams(count: int) -> str:
    return "1 stream" if count == 1 else f"{count} streams"
