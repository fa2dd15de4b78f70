"""What strangers cost a server: its memory, and how soon /livez answers, during floods and beside unfinished requests."""

import http.client
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from threading import Event, Thread

import psutil

from bench.processes import ROOT, clean_environment, settled, started
from bench.report import CannotMeasure, Ratio, Section

MOST_GROWTH = 50_000_000
MOST_SECONDS = 1.0
POLL_SECONDS = 0.05
FLOOD_SECONDS = 240
HELD_SECONDS = 3.0
"""How long the unfinished requests are watched; less than the 15 s after which they end."""


@dataclass
class Watch:
    """What was seen of a server: resident memory in bytes, and seconds that /livez took."""

    before: int
    most: int = 0
    answers: list[float] = field(default_factory=list)

    @property
    def growth(self) -> int:
        return max(0, self.most - self.before)


def flooded(process: psutil.Process, port: int, *options: str) -> tuple[Watch, dict[str, int]]:
    """Watch a server while another process floods it with these options; what was seen, and what that process did.

    Raises CannotMeasure when /livez or the flood does not end.
    """
    watch = Watch(process.memory_info().rss)
    over = Event()
    watcher = Thread(target=_watch, args=(process, port, watch, over), daemon=True)
    command = [sys.executable, "-m", "bench.flooding_client", str(port), *options]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as client:
        assert client.stdin is not None
        assert client.stdout is not None
        watcher.start()
        ends = Thread(target=_end_late, args=(client, over), daemon=True)
        ends.start()
        try:
            line = client.stdout.readline()
            if not line:
                raise CannotMeasure("the flood did not end")
            time.sleep(HELD_SECONDS)
        finally:
            over.set()
            watcher.join()
            client.stdin.close()
    if not watch.answers:
        raise CannotMeasure("/livez did not answer")
    return watch, json.loads(line)


def _end_late(client: "subprocess.Popen[str]", over: Event) -> None:
    if not over.wait(FLOOD_SECONDS):
        client.kill()


def _watch(process: psutil.Process, port: int, watch: Watch, over: Event) -> None:
    while not over.wait(POLL_SECONDS):
        watch.most = max(watch.most, process.memory_info().rss)
        opened = time.perf_counter()
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        try:
            connection.request("GET", "/livez")
            if connection.getresponse().status == 200:
                watch.answers.append(time.perf_counter() - opened)
        except (OSError, http.client.HTTPException):
            watch.answers.append(float("inf"))
        finally:
            connection.close()


def measure() -> Section:
    """Eight sockets with 100 MB of header lines each, then 2,000 unfinished heads of 60 kB, all from one address."""
    section = Section(
        "floods",
        method=[
            "another process sends 100 MB of short header lines on each of eight sockets (connecting again when it is",
            "closed), then begins 2,000 requests with 60 kB of head each; all from 127.0.0.1. Most resident memory of",
            "the server over that before, and the slowest of /livez, asked every 50 ms on a new connection.",
        ],
    )
    port = 8917
    with tempfile.TemporaryDirectory(prefix="smoldesk-bench-") as folder:
        command = [sys.executable, "-m", "smoldesk.cli.main", "serve"]
        command += ["--port", str(port), "--data-dir", f"{folder}/data"]
        env = clean_environment(SMOLDESK_SANDBOX_PRELOAD="[]", SMOLDESK_FIND_MODELS="false")
        with started(command, port, env) as server:
            settled(server.process)
            watch, done = flooded(server.process, port)
    section.method.append(
        f"It got rid of {done['sent'] / 1e6:,.0f} MB on {done['connections']:,} connections; /livez answered "
        f"{len(watch.answers):,} times."
    )
    section.ratios += [
        Ratio(
            "memory of the server during floods of heads",
            f"+{watch.growth / 1e6:.0f} MB",
            f"{MOST_GROWTH / 1e6:.0f} MB",
            watch.growth / MOST_GROWTH,
            1,
        ),
        Ratio(
            "/livez during floods of heads, slowest",
            f"{max(watch.answers) * 1000:.0f} ms",
            f"{MOST_SECONDS * 1000:.0f} ms",
            max(watch.answers) / MOST_SECONDS,
            1,
        ),
    ]
    return section
