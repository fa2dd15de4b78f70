"""Starting a server in a process of its own: when it answers, what memory it holds then and later."""

import http.client
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import uvicorn

from bench.report import CannotMeasure

ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 120
POLL_SECONDS = 0.005


@dataclass(frozen=True)
class Held:
    """Resident memory in bytes: of the process itself, and of its children together."""

    server: int
    children: int

    @property
    def all(self) -> int:
        return self.server + self.children


@dataclass(frozen=True)
class Started:
    """A server that answers; times in seconds since its command was started."""

    process: psutil.Process
    answered: float
    processor: float
    held: Held


@contextmanager
def started(command: Sequence[str], port: int, env: Mapping[str, str]) -> Iterator[Started]:
    """Run a command until `GET /` on its port gives 200; its process tree is ended at the end."""
    with tempfile.TemporaryFile() as complaints:
        started_at = time.perf_counter()
        popen = subprocess.Popen(
            command,
            cwd=ROOT,
            env=dict(env),
            stdout=subprocess.DEVNULL,
            stderr=complaints,
            start_new_session=True,
        )
        process = psutil.Process(popen.pid)
        try:
            while not answers(port):
                if popen.poll() is not None:
                    complaints.seek(0)
                    message = complaints.read().decode("utf-8", "replace").strip().splitlines()
                    raise CannotMeasure(f"{command[2]} ended: {message[-1] if message else popen.returncode}")
                if time.perf_counter() - started_at > START_SECONDS:
                    raise CannotMeasure(f"{command[2]} did not answer within {START_SECONDS} s")
                time.sleep(POLL_SECONDS)
            answered = time.perf_counter() - started_at
            used = process.cpu_times()
            yield Started(process, answered, used.user + used.system, held_by(process))
        finally:
            end(popen, process)


def answers(port: int) -> bool:
    """True when `GET /` gives 200."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", "/")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def held_by(process: psutil.Process) -> Held:
    """What a process and its children hold now."""
    children = 0
    for child in process.children(recursive=True):
        try:
            children += child.memory_info().rss
        except psutil.NoSuchProcess:  # ended while we counted
            continue
    return Held(process.memory_info().rss, children)


def settled(process: psutil.Process, windows: int = 3, at_most: float = 60.0) -> Held:
    """What a process tree holds once it has come to rest: three half seconds under a tenth of a processor each."""
    give_up, quiet = time.perf_counter() + at_most, 0
    while quiet < windows:
        if time.perf_counter() > give_up:
            raise CannotMeasure("the warm-up did not end")
        before = _used(process)
        time.sleep(0.5)
        quiet = quiet + 1 if _used(process) - before < 0.05 else 0
    return held_by(process)


def _used(process: psutil.Process) -> float:
    total = 0.0
    for item in [process, *process.children(recursive=True)]:
        try:
            used = item.cpu_times()
            total += used.user + used.system
        except psutil.NoSuchProcess:  # ended while we counted
            continue
    return total


def end(popen: "subprocess.Popen[bytes]", process: psutil.Process) -> None:
    """End a process we started, and those it started."""
    family = process.children(recursive=True) if popen.poll() is None else []
    popen.terminate()
    try:
        popen.wait(10)
    except subprocess.TimeoutExpired:
        popen.kill()
        popen.wait(10)
    for child in family:
        if child.is_running():
            child.kill()


def clean_environment(**extra: str) -> dict[str, str]:
    """This environment without settings of the desk, and with no call home of the peer.

    Bytecode is kept, as Python does by default: without, our checkout is compiled at each start and an installed peer
    is not.
    """
    ours = ("SMOLDESK_", "GRADIO_", "PYTHONDONTWRITEBYTECODE")
    stored = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return stored | {"GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_OFFLINE": "1", "DO_NOT_TRACK": "1"} | extra


def serve_until_told(server: uvicorn.Server) -> None:
    """Run a server on its port; returns when standard input has ended and the server with it."""

    def watch() -> None:
        while not server.started:
            time.sleep(0.01)
        print(server.servers[0].sockets[0].getsockname()[1], flush=True)
        sys.stdin.read()
        server.should_exit = True

    threading.Thread(target=watch, daemon=True).start()
    server.run()


@contextmanager
def served(module: str = "bench.talking_desk", *options: str) -> Iterator[int]:
    """The port of a desk that this module serves from a folder, with these further arguments."""
    with tempfile.TemporaryDirectory(prefix="smoldesk-bench-") as folder:
        command = [sys.executable, "-m", module, f"{folder}/data", *options]
        with subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as desk:
            assert desk.stdin is not None
            assert desk.stdout is not None
            try:
                line = desk.stdout.readline()
                if not line.strip():
                    raise CannotMeasure("the desk did not start")
                yield int(line)
            finally:
                desk.stdin.close()
                try:
                    desk.wait(30)
                except subprocess.TimeoutExpired:
                    desk.kill()
