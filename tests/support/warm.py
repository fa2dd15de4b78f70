"""Processes that are forks of one that has imported the desk: what takes a second and a half is done once, not each time.

A `WarmProcess` is as good as `subprocess.Popen([sys.executable, "-c", code, *arguments])` for a test of the desk: it has
a pid, an environment, a folder, three streams and an exit code of its own, nothing of it is shared, and it can be killed.
Only how it came by its modules differs; tests of the command and of imports start some processes the long way.

There is one helper for each process that runs tests. It has one thread, and forks a keeper for each process, which
starts it, tells its pid and how it ended, and ends with whoever asked: so does the process, should it still run then.
"""

import array
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
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO, NoReturn

from smoldesk.sandbox.isolation import jail_here

ROOT = Path(__file__).parent.parent.parent
HELPER = (
    "from tests.support import warm; exec(compile(warm.serve(), '<warm>', 'exec'), {'__name__': '__main__'})"
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
)
"""What every desk imports before its first answer."""
LENT = 4
"""Descriptors that come with each request: the keeper's end of a socket, and the three streams."""


class WarmProcess:
    """`code` in a process of its own, as `python -c code arguments`; streams are files or descriptors."""

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
    ) -> None:
        self.returncode: int | None = None
        streams = [item if isinstance(item, int) else item.fileno() for item in (stdin, stdout, stderr)]
        self._keeper, theirs = socket.socketpair()
        with theirs:
            _helper().lend(theirs.fileno(), *streams)
        order = {"code": code, "arguments": list(arguments), "cwd": str(cwd), "env": dict(env)}
        self._keeper.sendall(json.dumps(order).encode() + b"\n")
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
        if self.returncode is None:
            self.returncode = self._number(timeout)
            self._keeper.close()
        return self.returncode

    def _number(self, timeout: float | None) -> int:
        """What the keeper says next."""
        self._keeper.settimeout(timeout)
        while not self._heard.endswith(b"\n"):
            piece = self._keeper.recv(1)
            assert piece, "the keeper of a process ended before it"
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
) -> "WarmProcess | subprocess.Popen[bytes]":
    """`code` in a process that has nothing to read: a warm one, or `cold`, the long way."""
    with Path(os.devnull).open("rb") as nothing:
        if not cold:
            return WarmProcess(code, arguments, cwd=cwd, env=env, stdin=nothing, stdout=stdout, stderr=stderr)
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


class _Helper:
    def __init__(self) -> None:
        self._orders, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-c", HELPER],
                cwd=ROOT,
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                env=clean_environment() | {"PYTHONPATH": str(ROOT)},
                preexec_fn=_interruptible,
            )
        self._lock = threading.Lock()

    def lend(self, *descriptors: int) -> None:
        with self._lock:
            socket.send_fds(self._orders, [b"."], list(descriptors))

    def close(self) -> None:
        self._orders.close()
        self._process.wait(60)


@cache
def _helper() -> _Helper:
    helper = _Helper()
    atexit.register(helper.close)
    return helper


def clean_environment() -> dict[str, str]:
    """This process's own, without settings of a desk."""
    return {
        name: value for name, value in os.environ.items() if not name.startswith(("SMOLDESK_", "OPENAI_"))
    }


# --- the helper --------------------------------------------------------------------------------------------------


def serve() -> str:
    """Returns once in each process that is to be: with the code it is to run. The helper itself ends here."""
    for name in IMPORTED:
        importlib.import_module(name)
    jail_here(Path(tempfile.gettempdir()))  # found once for every desk below it
    gc.freeze()  # no fork copies pages only to look for garbage among the modules
    signal.signal(
        signal.SIGCHLD, signal.SIG_IGN
    )  # a keeper that has ended is gone at once, no zombie for tests to find
    with socket.socket(fileno=os.dup(0)) as orders:
        while descriptors := _borrowed(orders):
            keeper = os.fork()
            if keeper == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                orders.close()
                return _kept(*descriptors)
            for descriptor in descriptors:
                os.close(descriptor)
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)
    os._exit(0)


def _borrowed(orders: socket.socket) -> list[int]:
    """The descriptors of the next request; none when there will be no more."""
    size = array.array("i").itemsize
    message, inputs, _, _ = orders.recvmsg(1, socket.CMSG_LEN(LENT * size))
    descriptors = array.array("i")
    for _, _, data in inputs:
        descriptors.frombytes(data)
    return list(descriptors) if message else []


def _kept(asker: int, *streams: int) -> str:
    """In the keeper: start the process and stay until it has ended and was heard of. Returns in the process alone."""
    keeper = socket.socket(fileno=asker)
    order = json.loads(keeper.makefile("rb").readline())
    child = os.fork()
    if child == 0:
        keeper.close()
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        for stream in streams:
            os.close(stream)
        os.environ.clear()
        os.environ.update(order["env"])
        os.chdir(order["cwd"])
        sys.argv = ["-c", *order["arguments"]]
        sys.path[0] = ""
        return order["code"]
    for descriptor in (0, *streams):
        os.close(descriptor)
    keeper.sendall(b"%d\n" % child)
    threading.Thread(target=_tell_its_end, args=(keeper, child), daemon=True).start()
    return _end_with(keeper, child)


def _tell_its_end(keeper: socket.socket, child: int) -> None:
    """A pid is its own until it is waited for, so whoever signals it signals no other."""
    ended = os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    assert ended is not None
    killed = ended.si_code in (os.CLD_KILLED, os.CLD_DUMPED)
    with contextlib.suppress(OSError):
        keeper.sendall(b"%d\n" % (-ended.si_status if killed else ended.si_status))


def _end_with(keeper: socket.socket, child: int) -> NoReturn:
    with contextlib.suppress(OSError):
        keeper.recv(1)  # nothing is ever sent: the asker has closed it, or is gone
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os._exit(0)
