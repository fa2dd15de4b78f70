"""What attacks are aimed at: files and sockets outside, a neighbour, a process of nobody's business. All of it ours."""

import ctypes
import os
import secrets
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from smoldesk.sandbox.cell import CellResult

VICTIM = """
import os, sys, time
secret = sys.stdin.readline().strip()
print(id(secret), flush=True)
while True: time.sleep(1)
"""


@dataclass
class Host:
    """A ToolHost that grants one tool and remembers what was called."""

    called: list[str] = field(default_factory=list)
    printed_characters: int = 0

    def call(self, request):
        self.called.append(request.tool)
        return {"kind": "json", "value": "granted"}

    def printed(self, text):
        self.printed_characters += len(text)

    def worked(self, _work):
        return


@dataclass
class Trial:
    """One attack that was tried, with everything a judge may look at."""

    world: "World"
    host: Host
    won: str
    before: object
    patience: float
    result: CellResult = field(default_factory=CellResult)
    seconds: float = 0
    host_growth: int = 0
    peak: dict[str, int] = field(default_factory=dict)

    @property
    def said(self) -> str:
        error = self.result.error
        report = f"{error.message}{error.traceback}" if error else ""
        return f"{self.result.printed}{self.result.output}{self.result.value}{report}"


class World:
    """Made anew for each run of the catalogue, in a folder of its own; `close` ends and removes everything."""

    def __init__(self) -> None:
        self._temporary = tempfile.TemporaryDirectory(prefix="attacks-")
        self.root = Path(self._temporary.name)
        self.root.chmod(0o755)
        self.tokens: list[str] = []
        self.outside = self._folder("outside")
        self.mine = self._folder("mine")
        self.other = self._folder("other")
        self.secret = self._secret(self.outside / "secret.txt")
        self.neighbours = self._secret(self.other / "salaries.csv")
        self.target = self.outside / "target.txt"
        self.target.write_text("as it was")
        self.shm = Path(f"/dev/shm/attacks-{secrets.token_hex(4)}")
        self._secret(self.shm)
        self.in_tmp = Path(tempfile.gettempdir()) / f"attacks-{secrets.token_hex(4)}"
        self._secret(self.in_tmp)
        os.environ["ATTACKED_API_KEY"] = self._token()
        self.held = os.open(self.secret, os.O_RDWR)
        os.set_inheritable(self.held, True)
        self.segment = self._shared_memory()
        self._listen()
        self._start_victim()

    # --- what it consists of --------------------------------------------------------------------------------

    def _folder(self, name: str) -> Path:
        path = self.root / name
        path.mkdir()
        return path

    def _token(self) -> str:
        self.tokens.append(f"TOKEN{secrets.token_hex(12)}")
        return self.tokens[-1]

    def _secret(self, path: Path) -> Path:
        path.write_text(f"name,value\nx,{self._token()}\n")
        return path

    def _shared_memory(self) -> int:
        """A System V segment with a secret in it; its number."""
        libc = ctypes.CDLL(None)
        libc.shmat.restype = ctypes.c_void_p
        number = libc.shmget(0, 4096, 0o1666)
        place = libc.shmat(number, None, 0)
        if number >= 0 and place:
            ctypes.memmove(place, self._token().encode(), 29)
        return number

    def _listen(self) -> None:
        self.listeners: list[socket.socket] = []
        self.tcp = self._socket(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)).getsockname()[1]
        self.udp = self._socket(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)).getsockname()[1]
        self.tcp6 = 0
        try:
            self.tcp6 = self._socket(socket.AF_INET6, socket.SOCK_STREAM, ("::1", 0)).getsockname()[1]
        except OSError:
            self.tcp6 = self.tcp  # no IPv6 on this machine
        self.unix = self.root / "stream"
        self._socket(socket.AF_UNIX, socket.SOCK_STREAM, str(self.unix))
        self.datagram = self.root / "datagram"
        self._socket(socket.AF_UNIX, socket.SOCK_DGRAM, str(self.datagram))
        self.unix.chmod(0o777)
        self.datagram.chmod(0o777)
        self.abstract = f"attacks-{secrets.token_hex(6)}"
        self._socket(socket.AF_UNIX, socket.SOCK_STREAM, f"\0{self.abstract}")

    def _socket(self, family: int, kind: int, address) -> socket.socket:
        sock = socket.socket(family, kind)
        sock.bind(address)
        if kind == socket.SOCK_STREAM:
            sock.listen()
        sock.setblocking(False)
        self.listeners.append(sock)
        return sock

    def _start_victim(self) -> None:
        token = self._token()
        line = [sys.executable, "-I", "-S", "-c", VICTIM]
        self.victim = subprocess.Popen(
            line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={"VICTIMS_KEY": token}, text=True
        )
        self.victim.stdin.write(f"{token}\n")  # pyright: ignore[reportOptionalMemberAccess]
        self.victim.stdin.flush()  # pyright: ignore[reportOptionalMemberAccess]
        self.address = int(self.victim.stdout.readline())  # pyright: ignore[reportOptionalMemberAccess]

    # --- what judges ask ------------------------------------------------------------------------------------

    def outside_state(self) -> object:
        """Names, kinds, sizes, modes and times of everything outside the chat's folder."""
        results = []
        for folder in (self.outside, self.other):
            for path in [folder, *sorted(folder.rglob("*"))]:
                status = path.lstat()
                content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
                results.append((path.name, status.st_mode, status.st_nlink, content))
        for path in (self.shm, self.in_tmp):
            results.append((path.name, path.lstat().st_mode if path.exists() else None))
        return results

    def restore(self) -> None:
        """Undo what an attack did, so that the next is judged by itself."""
        for folder in (self.outside, self.other):
            folder.chmod(0o755)
        for path in (self.secret, self.neighbours, self.shm, self.in_tmp):
            if not path.exists():
                self._secret(path)
            path.chmod(0o644)
        expected = {self.secret, self.target, self.neighbours}
        for folder in (self.outside, self.other):
            for path in folder.iterdir():
                if path not in expected:
                    path.unlink() if not path.is_dir() or path.is_symlink() else shutil.rmtree(path)
        self.target.unlink(missing_ok=True)
        self.target.write_text("as it was")
        self.target.chmod(0o644)
        for path in self.mine.iterdir():
            if path.is_symlink() or path.is_file():
                path.unlink()
        self.heard()
        if self.victim_harmed():
            self._end_victim()
            self._start_victim()

    def heard(self) -> int:
        """How many of our listeners something arrived at since they were last asked; loopback is at once."""
        count = 0
        waiting = select.poll()
        for sock in self.listeners:
            waiting.register(sock, select.POLLIN)
        by_fd = {sock.fileno(): sock for sock in self.listeners}
        for fd, _ in waiting.poll(0):
            count += 1
            sock = by_fd[fd]
            if sock.type == socket.SOCK_STREAM:
                sock.accept()[0].close()
            else:
                sock.recv(65536)
        return count

    def victim_harmed(self) -> bool:
        if self.victim.poll() is not None:
            return True
        state = Path(f"/proc/{self.victim.pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        return state in "TtZX"

    def still_beating(self, trial: Trial) -> bool:
        """Whether the heart an attack left in the folder goes on without the attacker."""
        heart = self.mine / "heart"
        if not heart.exists():
            return False
        size = heart.stat().st_size
        for _ in range(10):
            time.sleep(0.05)
            if heart.stat().st_size > size:
                pid = int(heart.read_text().split()[0])
                os.kill(pid, signal.SIGKILL)
                return True
        return False

    # --- the end --------------------------------------------------------------------------------------------

    def _end_victim(self) -> None:
        self.victim.kill()
        self.victim.wait(20)
        self.victim.stdin.close()  # pyright: ignore[reportOptionalMemberAccess]
        self.victim.stdout.close()  # pyright: ignore[reportOptionalMemberAccess]

    def __enter__(self) -> "World":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end_victim()
        for sock in self.listeners:
            sock.close()
        os.close(self.held)
        for path in (self.shm, self.in_tmp):
            path.unlink(missing_ok=True)
        if self.segment >= 0:
            ctypes.CDLL(None).shmctl(self.segment, 0, None)
        self._temporary.cleanup()
