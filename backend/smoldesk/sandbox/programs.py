"""Processes that run one program in a jail and speak frames: how they are started, and how their frames are awaited."""

import os
import select
import socket
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from smoldesk.sandbox.environment import child_command, child_environment
from smoldesk.sandbox.limits import Limits
from smoldesk.sandbox.process import ChildGone, ChildProcess
from smoldesk.sandbox.spawned import SpawnedProcess
from smoldesk.stopping import StopFlag


def start_program(
    program: str,
    cache: Path,
    plan: Mapping[str, Any],
    packages: Mapping[str, str],
    limits: Limits | None = None,
) -> ChildProcess:
    """Begun by the thread that waits for it, so that the process ends when either does; or by one that stays.

    `plan` says what its jail is made of, `packages` where its code lies. Raises OSError.
    """
    environment = child_environment(cache, None, os.environ)
    ours, theirs = socket.socketpair()
    bounds = (limits or Limits()).of_process()
    command = child_command(theirs.fileno(), [], bounds, packages, program=program, plan=dict(plan))
    with theirs:
        try:
            return ChildProcess(SpawnedProcess(command, environment, theirs.fileno()), ours)
        except OSError:
            ours.close()
            raise


def next_frame(process: ChildProcess, deadline: float, stop: StopFlag | None) -> bytes:
    """Return the next frame's body. Raises ChildGone at the deadline or if `stop` is set, BadFrame for one too large."""
    while (body := process.reader.next()) is None:
        if stop is not None and stop.is_set:
            raise ChildGone("it was stopped")
        if process.receive():
            continue
        remaining = deadline - time.monotonic()
        if remaining <= 0:
            raise ChildGone("it took too long")
        waiting = select.poll()
        waiting.register(process.sock, select.POLLIN)
        if stop is not None:
            waiting.register(stop, select.POLLIN)
        waiting.poll(min(remaining, 0.5) * 1000)
    return body
