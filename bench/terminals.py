"""Terminal programs: how fast what they write becomes clean text while the screen lags, and whether twice costs twice.

The reader's own work is measured in processor time of this process, which does all of it; what passes a real terminal by
the clock, against a reader that throws everything away.
"""

import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pyte import ByteStream
from pyte import Screen as Rendered

from bench.growth import GOAL, started
from bench.report import CannotMeasure, Section, median, of_times
from smoldesk.agents.terminal.output import TerminalOutput
from smoldesk.agents.terminal.program import Program
from smoldesk.agents.terminal.screen import Screen
from smoldesk.agents.terminal.stream import TerminalStream
from smoldesk.agents.terminal.terminal_profiles import Profile, profile_of

MEGABYTE = 1_000_000
PIECE = 4095
"""Bytes that a terminal hands over at a time."""
LOOKED_AT = 16
"""Pieces between two looks of whoever takes the text."""

_PLAIN = b"The quick brown fox jumps over the lazy dog, and does so again and again.\r\n" * 20
_COLOURED = b"\x1b[1;32mok\x1b[0m \x1b[38;5;208mtest_of_something\x1b[0m \x1b[2m(0.3 s)\x1b[0m\r\n" * 15
_BAR = (
    b"".join(b"\r\x1b[Kworking [%-20s] %d%%" % (b"#" * (done // 5), done) for done in range(0, 101, 5))
    + b"\r\n"
)
_WIDE = "東京の部屋は大阪の部屋よりも少し暖かいです。\r\n".encode() * 10
SAMPLE = _PLAIN + _COLOURED + _BAR + _WIDE


def sample(size: int) -> bytes:
    """That many bytes of what programs write: lines, colours, a progress bar, wide characters."""
    return (SAMPLE * (size // len(SAMPLE) + 1))[:size]


def measure(megabytes: int = 1, repeats: int = 3, flood: int = 20, unit: int = MEGABYTE) -> Section:
    """`megabytes` through our reader and through pyte alone; twice as many; `flood` megabytes through a real terminal."""
    data, twice = sample(megabytes * unit), sample(2 * megabytes * unit)
    section = Section(
        "terminal programs: what they write",
        method=[
            f"{megabytes} MB of lines, colours, bars and wide characters in pieces of {PIECE} bytes, taken every",
            f"{LOOKED_AT} pieces; processor time, medians of {repeats}. {flood} MB through a real terminal, by the clock,",
            "taken as they come",
        ],
    )
    ours, double, peer = (
        timed(work, bytes_, repeats) for work, bytes_ in ((read, data), (read, twice), (rendered, data))
    )
    section.figures += [
        ("text, the screen lagging", f"{len(data) / MEGABYTE / ours:.1f} MB/s"),
        ("pyte alone", f"{len(data) / MEGABYTE / peer:.2f} MB/s"),
    ]
    section.ratios += [
        of_times("terminal text, to pyte alone on the same bytes", ours, peer, 0.1),
        of_times("terminal text: twice the bytes", double, ours, GOAL),
    ]
    size = flood * unit
    through, bare = (
        median([direction(size) for _ in range(repeats)]) for direction in (through_program, through_nothing)
    )
    section.figures += [
        ("through a terminal, looked at", f"{size / MEGABYTE / through:.1f} MB/s"),
        ("through a terminal, thrown away", f"{size / MEGABYTE / bare:.1f} MB/s"),
    ]
    section.ratios.append(of_times(f"terminal: {flood} MB, to throwing them away", through, bare))
    return section


def read(data: bytes) -> None:
    """The reader's work on them, and the taking."""
    stream, message, screen = TerminalStream(), TerminalOutput(120, 40), Screen(120, 40)
    for number, at in enumerate(range(0, len(data), PIECE)):
        text = stream.feed(data[at : at + PIECE])
        message.feed(text)
        screen.write(text)
        if number % LOOKED_AT == 0:
            message.take(quiet=False)


def rendered(data: bytes) -> None:
    """pyte's work on all of them."""
    stream = ByteStream(Rendered(120, 40))
    for at in range(0, len(data), PIECE):
        stream.feed(data[at : at + PIECE])


def timed(work: Callable[[bytes], None], data: bytes, repeats: int) -> float:
    """Median seconds of processor time."""
    times: list[float] = []
    for _ in range(repeats):
        clock = started()
        work(data)
        times.append(clock())
    return max(median(times), 1e-9)


def _flooding(size: int, folder: Path) -> Profile:
    (folder / "flood").write_bytes(sample(size).replace(b"\r\n", b"\n"))
    return profile_of({"name": "flood", "command": "cat", "args": ["flood"]}, "the benchmark")


def through_program(size: int) -> float:
    """Seconds until a program that writes so many bytes has ended, looked at all the time; its last line must have come."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        profile = _flooding(size, folder)
        started_at = time.monotonic()
        program = Program(profile, folder)
        progress = program.wait(10)
        while progress.exit_code is None:
            progress = program.wait(10)
        took = time.monotonic() - started_at
        program.close()
    if progress.behind or not progress.lines:
        raise CannotMeasure("the screen is not there when the program is over")
    return took


def through_nothing(size: int) -> float:
    """Seconds until a bare reader of the same kind of terminal has seen the end."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _flooding(size, folder)
        started_at = time.monotonic()
        ours, theirs = os.openpty()
        process = subprocess.Popen(["cat", "flood"], cwd=folder, stdout=theirs)
        os.close(theirs)
        try:
            while os.read(ours, 65536):
                pass
        except OSError:  # EIO: the other side is closed
            pass
        finally:
            os.close(ours)
            process.wait()
        return time.monotonic() - started_at
