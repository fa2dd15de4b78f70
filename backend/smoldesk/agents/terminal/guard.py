"""Sees to it that no program outlives the server, however that ends: `kill -9` leaves nobody here to end them.

The end of the server closes every terminal, and most programs end of that. Those that do not (they ignore the hang-up, or went
into a session of their own) are ended by a small process beside the server, which notices its end by a pipe.
"""

import contextlib
import logging
import os
import secrets
import subprocess
import sys
from pathlib import Path

log = logging.getLogger(__name__)

# Carried by the programs of one server, each with the same value of that server's own. No secret.
VARIABLE = "SMOLDESK_SERVER"
_PROGRAM = Path(__file__).with_name("guard_program.py")


class Guard:
    """The process beside the server; begin with `start`, before the first program."""

    def __init__(self) -> None:
        self._value = secrets.token_hex(16)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def variables(self) -> dict[str, str]:
        """What belongs into the environment of every program."""
        return {VARIABLE: self._value}

    def start(self) -> None:
        """Without a process to be had the desk works all the same, and says so in its log."""
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", str(_PROGRAM), VARIABLE, self._value],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={"PATH": os.defpath},
                cwd="/",
                start_new_session=True,  # a Ctrl+C for the server is none for it
            )
        except OSError as fault:
            log.warning(
                "programs are not guarded: they may outlive a server that is killed (%s)", fault.strerror
            )

    def close(self) -> None:
        """Programs that are left are ended, after a moment; waits for that."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
