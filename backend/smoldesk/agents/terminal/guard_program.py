"""Program of guard.py: waits until the server's process is gone, then ends every process that carries its mark.

`python -I guard_program.py NAME VALUE`: stdin ends with the server, even after SIGKILL; NAME=VALUE is in the environment
of the server's programs and of the processes they started.
"""

import os
import signal
import sys
import time
from collections.abc import Iterator

import psutil

# Seconds between SIGTERM and SIGKILL.
GRACE = 1.0
# Rounds of SIGKILL: a process that forks while it is killed is found in the next one.
ROUNDS = 100
# Pause between two polls.
POLL_SECONDS = 0.05


def main(name: str, value: str) -> None:
    """Wait for the server's end of the pipe to close, then end the marked processes."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # sent to the server's group; this process ends after the server
        signal.signal(number, signal.SIG_IGN)
    while os.read(0, 4096):
        pass
    signalled_count = send(signal.SIGTERM, name, value)
    deadline = time.monotonic() + GRACE
    while signalled_count and time.monotonic() < deadline and any(marked(name, value)):
        time.sleep(POLL_SECONDS)
    for _ in range(ROUNDS):
        if not send(signal.SIGKILL, name, value):
            return
        time.sleep(POLL_SECONDS)


def send(number: int, name: str, value: str) -> int:
    """Send a signal to every marked process; return their number."""
    processes = list(marked(name, value))
    for process in processes:
        try:
            process.send_signal(number)  # psutil compares start times, so a reused id is refused
        except psutil.Error:
            continue
    return len(processes)


def marked(name: str, value: str) -> Iterator[psutil.Process]:
    """Yield the processes that carry a mark in their environment."""
    for process in psutil.process_iter():
        try:
            if process.environ().get(name) == value and process.status() != psutil.STATUS_ZOMBIE:
                yield process
        except (psutil.Error, OSError):
            continue


if __name__ == "__main__":
    main(*sys.argv[1:])
