"""The zygote: imports the packages once, then forks a child for each request, in tens of milliseconds.

It runs one thread and no chat's code, ever. Each request brings two descriptors: the child's socket, and its
`life`, which receives one JSON object per event: `{"pid": n}` with a pidfd, `{"failed": why}` by a child that
could not be jailed, `{"status": n}` at its end.

    zygote ── fork ── A: leaves the namespaces ── fork ── B: process 1 of its own, waits for its folder,
       ▲                  and ends                         is jailed, serves cells
       └── A's child becomes ours (subreaper), its end is reported on `life`
"""

import array
import contextlib
import gc
import json
import os
import random
import select
import socket
import sys
import traceback
from pathlib import Path
from typing import Any, NoReturn

from ..jail import descriptors, limits, namespaces
from ..jail.enter import Plan, enter
from ..jail.kernel import PR_SET_CHILD_SUBREAPER, prctl
from ..jail.places import code_folders, places_for
from .channel import receive_plain
from .serving import Server, preload

MAX_REQUEST = 64 * 1024
Request = dict[str, Any]


class Zygote:
    """Serves the host's control socket until it closes. `config`: plan, limits, readable, cache, preload, packages,
    modules."""

    def __init__(self, control: socket.socket, config: dict[str, Any]) -> None:
        self._control = control
        self._config = config
        self._plan = Plan(**config["plan"])
        self._lives: dict[int, tuple[int, socket.socket]] = {}
        """pidfd -> number and life of each child; the descriptor says its end, but not that it stops or goes on."""
        self._waiting = select.poll()
        self._waiting.register(control, select.POLLIN)
        # Process A ends at once, so its child B is orphaned; as a subreaper (prctl(2)) the zygote adopts B and can
        # wait for it.
        prctl("subreaper", PR_SET_CHILD_SUBREAPER, 1)

    def serve(self) -> None:
        """Preload, then fork whenever asked; returns when the host goes."""
        preload(self._config["preload"])
        threads = list(Path("/proc/self/task").iterdir())
        # fork(2) copies the calling thread only: a lock that another thread holds stays locked in the child.
        if len(threads) > 1:
            raise SystemExit("one of the preloaded packages starts threads: forks of it would hang")
        gc.collect()
        gc.freeze()  # a collection in a child must not write to all the pages it shares
        while True:
            for fd, _ in self._waiting.poll():
                if fd != self._control.fileno():
                    self._reap(fd)
                elif not self._request():
                    return

    def _request(self) -> bool:
        data, ancillary, _, _ = self._control.recvmsg(MAX_REQUEST, socket.CMSG_SPACE(8))
        if not data:
            return False
        handed = array.array("i")
        for _level, _kind, content in ancillary:
            handed.frombytes(content[: len(content) - len(content) % handed.itemsize])
        sock, life = (socket.socket(fileno=fd) for fd in handed)
        try:
            self._bear(sock, life)
        except OSError as fault:
            send_message(life, {"failed": str(fault)})
            life.close()
        finally:
            sock.close()
        return True

    def _bear(self, sock: socket.socket, life: socket.socket) -> None:
        """Fork twice, adopt the second, let it go on; raises OSError when that is not possible."""
        # Two forks, because a process that enters a new PID namespace does not change its own number: only its
        # children are inside (pid_namespaces(7)).
        reader, writer = os.pipe()
        hold, go = os.pipe()
        between = os.fork()
        if between == 0:
            os.close(reader)
            os.close(go)  # or B, holding it, would never learn that the zygote is gone
            self._between(sock, life, writer, hold)
        os.close(writer)
        os.close(hold)
        with os.fdopen(reader, "rb") as report, os.fdopen(go, "wb") as started:
            text = report.read().decode("utf-8", "replace")
            os.waitpid(between, 0)
            # Anything but a number is the error of process A.
            if not text.isdigit():
                raise OSError(text or "the fork ended early")
            pid = int(text)
            # A pidfd names this very process; a number could be reused by another one after its end.
            pidfd = os.pidfd_open(pid)
            send_message(life, {"pid": pid}, pidfd)
            self._lives[pidfd] = pid, life
            self._waiting.register(pidfd, select.POLLIN)
            # Only now may B run: its parent is the zygote, so its parent-death signal is bound to the right process.
            started.write(b"!")

    def _between(self, sock: socket.socket, life: socket.socket, writer: int, start_fd: int) -> NoReturn:
        """Process A: leaves the namespaces, forks B, says its number, ends."""
        try:
            if self._plan.namespaces:
                namespaces.split_off(self._plan.user_namespace)
            pid = os.fork()
            if pid == 0:
                os.close(writer)
                self._child(sock, life, start_fd)
            os.write(writer, str(pid).encode())
        # Without this, an exception would unwind into a second copy of the zygote's loop.
        except BaseException as fault:  # reported, not raised: this is a fork of the zygote and must end here
            os.write(writer, str(fault).encode("utf-8", "replace")[:1000])
        os._exit(0)

    def _child(self, sock: socket.socket, life: socket.socket, start_fd: int) -> NoReturn:
        """Process B: until its socket closes."""
        try:
            descriptors.keep_only(sock.fileno(), life.fileno(), start_fd)  # others' sockets end without us
            request = self._receive_request(sock, start_fd)
            sock = self._jailed(sock, life, request)
        except BaseException as fault:  # a child whose jail is not complete runs nothing
            send_message(life, {"failed": str(fault) or traceback.format_exc(limit=-1)})
            os._exit(1)
        try:
            server = Server(sock, os.getppid(), self._config["modules"])
            server.enter(Path(request["folder"]))
            server.serve()
        finally:
            os._exit(0)

    def _receive_request(self, sock: socket.socket, start_fd: int) -> Request:
        """Wait for the zygote to be the parent, and for the host to say whose child this is."""
        if os.read(start_fd, 1) != b"!":
            os._exit(0)
        # A session of its own: a terminal's Ctrl-C does not reach cells, and a whole group can be signalled.
        os.setsid()
        request = receive_plain(sock)
        if request is None:
            os._exit(0)
        return request

    def _jailed(self, sock: socket.socket, life: socket.socket, request: Request) -> socket.socket:
        """Take every layer; returns the socket at its new place. The life stays open for a complaint till then."""
        limits.go_first()
        uid = request.get("uid")
        extra = code_folders(self._config["packages"])
        extra += self._config["readable"]
        places = places_for(request["folder"], extra, os.getuid() if uid is None else uid)
        fonts = _font_lists(Path(self._config["cache"]))
        descriptors.keep_only(sock.fileno(), life.fileno())
        mask = os.umask(0o022)  # the child's user has to read the root that is built now
        enter(self._plan, places, uid, self._config["limits"])
        os.umask(mask)
        self._after(request, fonts)
        life.detach()
        return socket.socket(fileno=descriptors.settle(sock.detach()))

    def _after(self, request: Request, fonts: dict[str, bytes]) -> None:
        """Set what differs from child to child: random seeds, names, matplotlib's own folder."""
        sys.argv = [""]
        os.environ["HOME"] = request["folder"]
        if self._plan.private_root:
            place = Path("/tmp/matplotlib")
            place.mkdir(exist_ok=True)
            os.environ["MPLCONFIGDIR"] = str(place)
            for name, data in fonts.items():
                (place / name).write_bytes(data)
        random.seed()
        numpy: Any = sys.modules.get("numpy")
        if numpy is not None:
            numpy.random.seed()  # every fork would else have the same numbers to come

    def _reap(self, pidfd: int) -> None:
        """Tell the end of a child; what it left behind has become ours and is waited for, too."""
        pid, life = self._lives.pop(pidfd)
        self._waiting.unregister(pidfd)
        os.close(pidfd)
        _, status = os.waitpid(pid, 0)
        send_message(life, {"status": os.waitstatus_to_exitcode(status)})
        life.close()
        child_pids = {pid for pid, _ in self._lives.values()}
        # Processes that a cell started and left behind are adopted here; without this they would stay zombies.
        for orphan in _ended_children():
            if orphan not in child_pids:
                os.waitpid(orphan, os.WNOHANG)


def send_message(life: socket.socket, what: dict[str, Any], fd: int | None = None) -> None:
    """Send one message to the host, which may have closed the socket."""
    ancillary = [] if fd is None else [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [fd]))]
    with contextlib.suppress(OSError):
        life.sendmsg([json.dumps(what).encode()], ancillary, socket.MSG_DONTWAIT)


def _ended_children() -> list[int]:
    """Return the children that have ended and are not waited for yet."""
    try:
        status = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return []
    return [status.si_pid] if status else []


def _font_lists(cache: Path) -> dict[str, bytes]:
    """matplotlib's list of fonts, for a child that has yet to import it (else it would look through them all)."""
    if "matplotlib.font_manager" in sys.modules:
        return {}
    return {path.name: path.read_bytes() for path in cache.glob("fontlist-*.json")}
