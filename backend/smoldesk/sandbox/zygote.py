"""The zygote as the host holds it: started by the supervisor's thread, asked for children, replaced when it ends."""

import array
import json
import logging
import os
import socket
import sys
from collections.abc import Mapping
from typing import Any

from smoldesk.sandbox.environment import MAIN, package_folders
from smoldesk.sandbox.forked import ForkedProcess
from smoldesk.sandbox.spawned import SpawnedProcess

log = logging.getLogger(__name__)

END_SECONDS = 5.0


class Zygote:
    """Forks on request; all methods are called on the supervisor's thread. `config` is what `inside.forking` reads."""

    def __init__(self, environment: Mapping[str, str], config: Mapping[str, Any]) -> None:
        self._environment = environment
        self._config = config
        self._process: SpawnedProcess | None = None
        self._control: socket.socket | None = None
        self.starts = 0

    def fork(self, sock: socket.socket) -> ForkedProcess:
        """Request a child that will use `sock`; returns at once, also while packages are still imported.

        Raises OSError when no zygote can be started.
        """
        self.check()
        try:
            return self._request_fork(sock)
        except BrokenPipeError:  # it ended after `check` looked: start another one
            self.close()
            return self._request_fork(sock)

    def _request_fork(self, sock: socket.socket) -> ForkedProcess:
        control = self._control or self._start()
        # SEQPACKET keeps the boundaries of messages: each report is read whole, and no framing is needed.
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        process = self._process
        handed = array.array("i", [sock.fileno(), theirs.fileno()])
        try:
            message = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, handed)]
            # unix(7): descriptors travel with at least one byte of data, and an empty message would look like the end.
            # Not blocking: a zygote that still imports its packages reads no requests yet.
            control.sendmsg([b"{}"], message, socket.MSG_DONTWAIT)
        except OSError:
            ours.close()
            raise
        finally:
            # A copy here would keep the socket open, and the end of the zygote would not show on `ours`.
            theirs.close()
        return ForkedProcess(ours, process.complaint if process else str)

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def check(self) -> None:
        """Forget a zygote that has ended; its children ended with it. The next fork starts another."""
        if self._process is not None and self._process.ended():
            log.warning("the zygote ended: %s", self._process.complaint() or "no reason given")
            self.close()

    def warm(self) -> None:
        """Start it now, so that it has imported its packages when the first child is wanted."""
        self.check()
        if self._process is None:
            self._start()

    def close(self) -> None:
        """End it, and every child with it."""
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None:
            self._process.kill()
            self._process.wait(END_SECONDS)
            self._process.close()
            self._process = None

    def _start(self) -> socket.socket:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        # `parent`: the server may end before the zygote asks for its parent-death signal; it then exits by this id.
        config = {"role": "zygote", "fd": theirs.fileno(), "parent": os.getpid(), "paths": package_folders()}
        # -I keeps PYTHON* variables, the current folder and the user's own packages out of the zygote.
        line = [sys.executable, "-I", str(MAIN), json.dumps({**self._config, **config})]
        try:
            self._process = SpawnedProcess(line, self._environment, theirs.fileno())
        except OSError:
            ours.close()
            raise
        finally:
            theirs.close()
        self._control = ours
        self.starts += 1
        return ours
