"""Foreground processes of a terminal: whether one of them waits for input there. Never raises.

A process that waits is blocked in a system call that reads or watches the terminal; /proc/PID/syscall has its number and
arguments (proc_pid_syscall(5)). Linux alone has that, and only for processes that the server may trace: otherwise nothing
is known.
"""

import os
import platform
import select
import stat
import struct
from collections.abc import Iterator
from enum import Enum
from pathlib import Path

import psutil

# Numbers of the system calls in which a process waits for input.
_X86 = {
    0: "read",
    7: "poll",
    271: "poll",
    23: "select",
    270: "select",
    232: "epoll",
    281: "epoll",
    441: "epoll",
}
_ARM = {63: "read", 73: "poll", 72: "select", 22: "epoll", 441: "epoll"}
CALLS = {"x86_64": _X86, "aarch64": _ARM}.get(platform.machine(), {})
# The number of poll, whose timeout is a number of milliseconds and not a pointer.
_POLL = 7 if platform.machine() == "x86_64" else -1
# /dev/tty, the controlling terminal under another name (devices.txt of the kernel).
_DEV_TTY = os.makedev(5, 0)
# Descriptors of one call that are inspected.
_MAX_DESCRIPTORS = 256


class _Block(Enum):
    """Relation of a thread to the terminal: waits for it alone and without a timeout, watches it, neither, or runs."""

    ALONE = 1
    WATCHES = 2
    ELSEWHERE = 3
    RUNS = 4


def waits_for_input(master: int, terminal: int) -> bool | None:
    """Return whether a foreground process waits for input; None if that cannot be determined.

    `master` is the descriptor of the desk's side, `terminal` the device number of the program's.
    """
    try:
        group = os.tcgetpgrp(master)
    except OSError:
        return None
    waits = [_waits(pid, terminal) for pid in _members(group)] if CALLS else []
    if True in waits:
        return True
    return None if None in waits or not waits else False


def _members(group: int) -> Iterator[int]:
    for pid in psutil.pids():
        try:
            if os.getpgid(pid) == group:
                yield pid
        except OSError:
            continue


def _waits(pid: int, terminal: int) -> bool | None:
    try:
        tasks = [int(entry.name) for entry in Path(f"/proc/{pid}/task").iterdir()]
        blocks = {task: _blocked(pid, task, terminal) for task in tasks}
        if blocks.get(pid) is _Block.ALONE:
            return True
        if _Block.RUNS in blocks.values() or not {_Block.ALONE, _Block.WATCHES} & set(blocks.values()):
            return False
        # An event loop that watches the terminal among others: it may wait for a child or for a server instead.
        return None if _waits_for_others(pid) else True
    except (FileNotFoundError, ProcessLookupError, psutil.NoSuchProcess):
        return False  # it ended meanwhile
    except (OSError, ValueError, struct.error, psutil.Error):
        return None


def _waits_for_others(pid: int) -> bool:
    # psutil's `children` reads every process of the machine for that; some kernels lack the list (CONFIG_PROC_CHILDREN)
    children = [task / "children" for task in Path(f"/proc/{pid}/task").iterdir()]
    if any(not listing.exists() or listing.read_text() for listing in children):
        return True
    pending = (psutil.CONN_ESTABLISHED, psutil.CONN_SYN_SENT)
    return any(connection.status in pending for connection in psutil.Process(pid).net_connections("inet"))


def _blocked(pid: int, task: int, terminal: int) -> _Block:
    fields = Path(f"/proc/{pid}/task/{task}/syscall").read_text().split()
    if fields[0] == "running":
        return _Block.RUNS
    number, *arguments = int(fields[0]), *(int(field, 16) for field in fields[1:7])
    call = CALLS.get(number)
    if call is None:
        return _Block.ELSEWHERE
    watched, endless = _watched(pid, number, call, arguments)
    terminals = [descriptor for descriptor in watched if _is_terminal(pid, descriptor, terminal)]
    if not terminals:
        return _Block.ELSEWHERE
    return _Block.ALONE if endless and len(terminals) == len(watched) else _Block.WATCHES


def _watched(pid: int, number: int, call: str, arguments: list[int]) -> tuple[list[int], bool]:
    """Return the descriptors whose input a call waits for, and whether it waits without a timeout."""
    first, second, third, _, fifth = arguments[:5]
    if call == "read":
        return [first], True
    if call == "select":
        count = min(first, _MAX_DESCRIPTORS)
        bits = int.from_bytes(_memory(pid, second, (count + 7) // 8), "little") if second else 0
        # select stores the rest of its set in words; bits beyond `count` mean nothing
        return [descriptor for descriptor in range(count) if bits >> descriptor & 1], fifth == 0
    if call == "poll":
        size = struct.calcsize("ihh")
        content = _memory(pid, first, size * min(second, _MAX_DESCRIPTORS))
        entries = struct.iter_unpack("ihh", content)
        endless = third & 0x80000000 != 0 if number == _POLL else third == 0
        return [descriptor for descriptor, events, _ in entries if events & select.POLLIN], endless
    information = Path(f"/proc/{pid}/fdinfo/{first}").read_text().splitlines()
    rows = [row.split() for row in information if row.startswith("tfd:")]
    return [int(row[1]) for row in rows if int(row[3], 16) & select.EPOLLIN], False


def _memory(pid: int, address: int, size: int) -> bytes:
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as file:
        file.seek(address)
        return file.read(size)


def _is_terminal(pid: int, descriptor: int, terminal: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/fd/{descriptor}").stat()
    except FileNotFoundError:
        return False
    return stat.S_ISCHR(status.st_mode) and status.st_rdev in (terminal, _DEV_TTY)
