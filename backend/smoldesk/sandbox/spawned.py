"""A child that was exec'd: on systems without a jail, and in tests that put a program of their own there."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence


class SpawnedProcess:
    """Implements Handle over a process in a session of its own. Made by the supervisor's thread."""

    def __init__(self, line: Sequence[str], environment: Mapping[str, str], fd: int) -> None:
        """Exec `line`, which inherits `fd` and nothing else; raises OSError."""
        self._last_output = ""
        # A file instead of a pipe: until the process ends there is no reader, and a full pipe would block it.
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        try:
            self._popen = subprocess.Popen(
                list(line),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._complaints,
                env=dict(environment),
                cwd="/",
                pass_fds=(fd,),
                # Its own group, so that killpg reaches its children, and Ctrl-C at the server's terminal does not reach it.
                start_new_session=True,
            )
        except OSError:
            self._complaints.close()
            raise

    @property
    def pid(self) -> int:
        return self._popen.pid

    def ended(self) -> bool:
        return self._popen.poll() is not None

    def wait(self, seconds: float) -> int | None:
        try:
            return self._popen.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def signal(self, number: int) -> None:
        if self._popen.poll() is None:
            self._popen.send_signal(number)

    def kill(self) -> None:
        """Children of the child too; those of a process already reaped are found by its session's group."""
        try:
            os.killpg(self.pid, signal.SIGKILL)
        # macOS reports EPERM for a group that consists of zombies.
        except (ProcessLookupError, PermissionError):
            if self._popen.poll() is None:
                self._popen.kill()

    def complaint(self) -> str:
        """Kept when closed, for callers that ask about a child of this process later."""
        if self._complaints.closed:
            return self._last_output
        try:
            self._complaints.seek(0)
            lines = self._complaints.read().decode("utf-8", "replace").strip().splitlines()
        except (OSError, ValueError):
            return ""
        return lines[-1][:300] if lines else ""

    def close(self) -> None:
        self._last_output = self.complaint()
        self._complaints.close()
