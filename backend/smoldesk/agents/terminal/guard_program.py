"""Run by guard.py as a file: waits until the process that started it is gone, then ends every process that carries its mark.

`python -I guard_program.py NAME VALUE`: its input ends with the server, however that ends; NAME=VALUE is in the environment
of each of the server's programs, and of what they started.
"""

import os
import signal
import sys
import time
from collections.abc import Iterator

import psutil

# Seconds between asking and killing.
GRACE = 1.0
ROUNDS = 100
LOOK = 0.05


def main(name: str, value: str) -> None:
    """Wait for the desk's end of the pipe to close, then end what the mark finds."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # meant for the server; what ends this is the server's end
    while os.read(0, 4096):
        pass
    signalled_count = send(signal.SIGTERM, name, value)
    deadline = time.monotonic() + GRACE
    while signalled_count and time.monotonic() < deadline and any(marked(name, value)):
        time.sleep(LOOK)
    for _ in range(ROUNDS):  # who forks while it is killed is found in the next round
        if not send(signal.SIGKILL, name, value):
            return
        time.sleep(LOOK)


def send(number: int, name: str, value: str) -> int:
    """Signal every marked process; how many there were."""
    processes = list(marked(name, value))
    for process in processes:
        try:
            process.send_signal(number)  # refuses when the id is another process's by now
        except psutil.Error:
            continue
    return len(processes)


def marked(name: str, value: str) -> Iterator[psutil.Process]:
    """Ids of the processes that carry a mark in their environment."""
    for process in psutil.process_iter():
        try:
            if process.environ().get(name) == value and process.status() != psutil.STATUS_ZOMBIE:
                yield process
        except (psutil.Error, OSError):
            continue


if __name__ == "__main__":
    main(*sys.argv[1:])
