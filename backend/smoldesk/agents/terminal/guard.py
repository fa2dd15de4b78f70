"""Guard process that ends a server's programs when the server dies, also by SIGKILL.

When the server ends, its terminals close, and most programs end by the hang-up. The guard ends those that ignore it or run
in another session. It notices the server's end by a closed pipe.
"""

import contextlib
import logging
import os
import secrets
import subprocess
import sys
from pathlib import Path

log = logging.getLogger(__name__)

# Environment variable that marks the programs of one server, with a random value per server. Not a secret.
VARIABLE = "SMOLDESK_SERVER"
_PROGRAM = Path(__file__).with_name("guard_program.py")


class Guard:
    """Guard process of a server; call `start` before the first program starts."""

    def __init__(self) -> None:
        self._value = secrets.token_hex(16)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def variables(self) -> dict[str, str]:
        """Variables for the environment of every program."""
        return {VARIABLE: self._value}

    def start(self) -> None:
        """Start the process. If that fails, the desk works without it and logs a warning."""
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", str(_PROGRAM), VARIABLE, self._value],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={"PATH": os.defpath},
                cwd="/",
                start_new_session=True,  # so that a Ctrl+C for the server does not reach it
            )
        except OSError as fault:
            log.warning(
                "the guard process did not start: programs may outlive a killed server (%s)", fault.strerror
            )

    def close(self) -> None:
        """End remaining programs and wait for that, 10 seconds at most."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
