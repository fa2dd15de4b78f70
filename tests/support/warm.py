"""Processes that are forks of one that has imported the desk: what takes a second and a half is done once, not each time.

A `WarmProcess` is as good as `subprocess.Popen([sys.executable, "-c", code, *arguments])` for a test of the desk: it has
a pid, an environment, a folder, three streams and an exit code of its own, nothing of it is shared, and it can be killed.
Only how it came by its modules differs; tests of the command and of imports start some processes the long way.

There is one helper of a kind for each process that runs tests (tests/support/warm_helper.py). It forks the process,
tells its pid and how it ended, and ends it when whoever asked is gone. Processes of the sandbox have a helper of another
kind: tests/support/warm_children.py.
"""

import atexit
import contextlib
import gc
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any

from smoldesk.sandbox.isolation import jail_here
from tests.support.warm_helper import serve

ROOT = Path(__file__).parent.parent.parent
HELPER = (
    "from tests.support import warm;"
    " exec(compile(warm.serve_desks(), '<warm>', 'exec'), {'__name__': '__main__'})"
)
IMPORTED = (
    *("smoldesk.cli.main", "smoldesk.app", "smoldesk.cli.agents", "smoldesk.cli.doctor"),
    *(
        "smoldesk.cli.projects",
        "smoldesk.cli.run",
        "smoldesk.cli.server",
    ),
    *(
        "smoldesk.agents.wrapper.agent_wrapper",
        "smoldesk.analyst.model",
        "smoldesk.tools.catalogue",
        "smolagents",
    ),
    *("uvicorn", "uvicorn.loops.auto", "uvicorn.lifespan.on", "uvicorn.protocols.http.auto"),
    *("uvicorn.protocols.websockets.auto", "sqlalchemy.dialects.sqlite.pysqlite"),
    "tests.support.warm_children",
)
"""What every desk imports before its first answer."""


class WarmProcess:
    """`code` in a process of its own, as `python -c code arguments`; streams are files or descriptors.

    It inherits the descriptors in `inherited` (one at most) and, with `session`, leads a session of its own.
    """

    def __init__(
        self,
        code: str,
        arguments: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        stdin: "IO[bytes] | int",
        stdout: "IO[bytes] | int",
        stderr: "IO[bytes] | int",
        inherited: Sequence[int] = (),
        session: bool = False,
        helper: "Helper | BorrowedHelper | None" = None,
    ) -> None:
        self.returncode: int | None = None
        streams = [item if isinstance(item, int) else item.fileno() for item in (stdin, stdout, stderr)]
        self._lock = threading.Lock()
        self._helper, theirs = socket.socketpair()
        with theirs:
            (helper or _helper_of_desks()).lend(theirs.fileno(), *streams, *inherited)
        order = {"code": code, "arguments": list(arguments), "cwd": str(cwd), "env": dict(env)}
        order |= {"inherited": list(inherited), "session": session, "umask": umask()}
        self._helper.sendall(json.dumps(order).encode() + b"\n")
        self._heard = b""
        self.pid = self._number(None)

    def poll(self) -> int | None:
        """The exit code, or None while it runs; a signal that ended it is negative."""
        with contextlib.suppress(TimeoutError):
            return self._ended(0.001)
        return None

    def wait(self, timeout: float) -> int:
        """The exit code; raises subprocess.TimeoutExpired."""
        try:
            return self._ended(timeout)
        except TimeoutError:
            raise subprocess.TimeoutExpired(str(self.pid), timeout) from None

    def send_signal(self, number: int) -> None:
        """Nothing once the exit code was heard; until then the pid is its own, though it may have ended."""
        if self.returncode is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _ended(self, timeout: float) -> int:
        with self._lock:
            if self.returncode is None:
                self.returncode = self._number(timeout)
                self._helper.close()
            return self.returncode

    def _number(self, timeout: float | None) -> int:
        """What the helper says next."""
        self._helper.settimeout(timeout)
        while not self._heard.endswith(b"\n"):
            piece = self._helper.recv(1)
            assert piece, "the helper ended before a process it had started"
            self._heard += piece
        number, self._heard = int(self._heard), b""
        return number


def started(
    code: str,
    arguments: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    stdout: "IO[bytes] | int",
    stderr: "IO[bytes] | int",
    cold: bool = False,
    inherited: Sequence[int] = (),
) -> "WarmProcess | subprocess.Popen[bytes]":
    """`code` in a process that has nothing to read: a warm one, which alone has `inherited`, or `cold`, the long way."""
    with Path(os.devnull).open("rb") as nothing:
        if not cold:
            return WarmProcess(
                code,
                arguments,
                cwd=cwd,
                env=env,
                stdin=nothing,
                stdout=stdout,
                stderr=stderr,
                inherited=inherited,
            )
        command = [sys.executable, "-c", code, *arguments]
        return subprocess.Popen(
            command,
            cwd=cwd,
            env=env,
            stdin=nothing,
            stdout=stdout,
            stderr=stderr,
            preexec_fn=_interruptible,
        )


def _interruptible() -> None:
    """A suite that was started in the background has its Ctrl+C ignored, and so would what it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Helper:
    """A Python that runs `code`, which ends in `warm_helper.serve`; made when it is first wanted, ended with this process."""

    def __init__(self, *arguments: str, env: Mapping[str, str]) -> None:
        self._orders, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, *arguments],
                cwd=ROOT,
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                env=dict(env),
                preexec_fn=_interruptible,
            )
        atexit.register(self.close)

    def lend(self, *descriptors: int) -> None:
        lend(self._orders, *descriptors)

    def fileno(self) -> int:
        """A descriptor over which other processes may ask, too: `BorrowedHelper`."""
        return self._orders.fileno()

    def close(self) -> None:
        self._orders.close()
        self._process.wait(60)


class BorrowedHelper:
    """The helper of the process that started this one, by a descriptor that was inherited."""

    def __init__(self, descriptor: int) -> None:
        self._orders = socket.socket(fileno=descriptor)

    def lend(self, *descriptors: int) -> None:
        lend(self._orders, *descriptors)


def lend(orders: socket.socket, *descriptors: int) -> None:
    """One message, which the kernel mixes with no other."""
    socket.send_fds(orders, [b"."], list(descriptors))


@cache
def _helper_of_desks() -> Helper:
    return Helper("-c", HELPER, env=clean_environment() | {"PYTHONPATH": str(ROOT)})


def clean_environment() -> dict[str, str]:
    """This process's own, without settings of a desk."""
    return {
        name: value for name, value in os.environ.items() if not name.startswith(("SMOLDESK_", "OPENAI_"))
    }


def serve_desks() -> str:
    """In the helper of desks: import what they need, then be forked. Returns in each process with its code."""
    gc.disable()  # `serve` enables it
    for name in IMPORTED:
        importlib.import_module(name)
    make_an_app()
    code = serve()
    sys.path[0] = ""
    return code


def make_an_app() -> None:
    """Do once what every desk does: find out about the jail, and build the validators of its routes."""
    from smoldesk.app import create_app
    from smoldesk.desk import build_desk
    from smoldesk.settings import Settings
    from tests.support.kept_adapters import keep_adapters

    keep_adapters()
    with tempfile.TemporaryDirectory() as folder:
        jail_here(Path(folder))
        chosen: dict[str, Any] = {"data_dir": Path(folder), "sandbox_preload": [], "find_models": False}
        settings = Settings(_env_file=None, **chosen)  # pyright: ignore[reportCallIssue]
        desk = build_desk(settings)
        create_app(settings, desk)
        desk.close()
    while threading.active_count() > 1:  # forks have one thread
        time.sleep(0.01)


def umask() -> int:
    """This process's umask (proc_pid_status(5)); os.umask would change it, for other threads, too."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("Umask:")).split()[1], 8)
