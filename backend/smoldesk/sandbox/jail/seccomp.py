"""seccomp: a list of the system calls that remain; everything else says "not permitted".

Stops: sockets, new processes and programs, ptrace and other processes' memory, io_uring, userfaultfd, keys,
bpf, perf, mounts, namespaces, System V and POSIX queues, links and devices, 32-bit calls. Kernel document:
Documentation/userspace-api/seccomp_filter.rst, seccomp(2).
"""

import ctypes
import os
import platform
import struct

from .kernel import prctl, syscall
from .syscalls_x86_64 import NUMBERS

AUDIT_ARCH_X86_64 = 0xC000003E
X32_BIT = 0x40000000
SECCOMP = 317
SECCOMP_SET_MODE_FILTER, TSYNC = 1, 1
# SECCOMP_RET_KILL_PROCESS; SECCOMP_RET_KILL_THREAD would leave the other threads running.
ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
EPERM, ENOSYS, EPROTONOSUPPORT = 1, 38, 93
LOAD, EQUAL, AT_LEAST, ANY_BIT, AND, RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
NR, ARCH = 0, 4

CLONE_THREAD, CLONE_NEW_ANYTHING = 0x00010000, 0x7E020000
AF_UNIX, SOCK_STREAM, TYPE_MASK = 1, 1, 0xF
PRCTLS = {
    2: "GET_PDEATHSIG",
    3: "GET_DUMPABLE",
    15: "SET_NAME",
    16: "GET_NAME",
    21: "GET_SECCOMP",
    23: "CAPBSET_READ",
    30: "GET_TIMERSLACK",
    39: "GET_NO_NEW_PRIVS",
    # Allocators name their anonymous mappings with it (Linux 5.17).
    0x53564D41: "SET_VMA",
}
IOCTLS = {
    0x5401: "TCGETS",
    0x5413: "TIOCGWINSZ",
    0x541B: "FIONREAD",
    0x5421: "FIONBIO",
    0x5450: "FIONCLEX",
    0x5451: "FIOCLEX",
}
CHECKED = {"clone", "clone3", "kill", "tgkill", "prlimit64", "socketpair", "sendto", "prctl", "ioctl"}
AF_SMC, IPPROTO_SMC, IPPROTO_MPTCP, MSG_FASTOPEN = 43, 256, 262, 0x20000000
SOCKET, CLONE, UNSHARE, SETNS, IO_URING_SETUP, CLONE3 = 41, 56, 272, 308, 425, 435
CLONE_NEWUSER = 0x10000000
# sendto, sendmsg and sendmmsg, with which argument of each holds its flags.
SENDING = ((44, 3), (46, 2), (307, 3))
# In the table, but not allowed: their arguments cannot say enough.
LEFT_OUT = {"tkill", "sync_file_range"}
OF_MODE_AND_TIME = {"chmod", "fchmod", "fchmodat", "utime", "utimes", "futimesat", "utimensat"}

# (code, jump if true, jump if false, constant), as struct sock_filter.
Program = list[tuple[int, int, int, int]]


def available() -> str:
    """Return why there is no filter for this machine; "" if there is one."""
    machine = platform.machine()
    return "" if machine == "x86_64" else f"no table of system calls for {machine}"


def filter_calls(walled: bool) -> None:
    """Take the filter, for good and for every thread; needs no_new_privs. `walled`: there is a private root."""
    _take(program(os.getpid(), walled))


def filter_program_calls(ports: bool) -> None:
    """Refuse user namespaces to another's program and to all that it begins: they open kernel code to it that only root had.

    With `ports`, also leave connect(2) as the only way to connect TCP, which Landlock sees: it does not see a connection
    that begins with data (TCP Fast Open), nor protocols that fall back to TCP.
    """
    _take(program_calls(ports))


def _take(lines: "Program") -> None:
    packed = b"".join(struct.pack("HBBI", *line) for line in lines)
    code = ctypes.create_string_buffer(packed, len(packed))
    # struct sock_fprog: a 16-bit count, padding, and a pointer.
    head = struct.pack("HxxxxxxQ", len(packed) // 8, ctypes.addressof(code))
    # TSYNC: seccomp(2) otherwise filters the calling thread only.
    syscall("seccomp", SECCOMP, SECCOMP_SET_MODE_FILTER, TSYNC, head)


def program(pid: int, walled: bool) -> Program:
    """Return the filter of a process with the id `pid`. Pure.

    Without a private root, changes of mode and time have no effect: Landlock does not see them, and our user owns
    more files than the chat's. Copying a file still works.
    """
    lines: Program = [
        (LOAD, 0, 0, ARCH),
        # A 32-bit call (int 0x80) uses other numbers for the same calls, so the list would not fit it.
        (EQUAL, 1, 0, AUDIT_ARCH_X86_64),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NR),
        # seccomp(2): the x32 ABI reports the same architecture and sets bit 30 of the number.
        (AT_LEAST, 0, 1, X32_BIT),
        (RETURN, 0, 0, KILL),
    ]
    refuse, allow = (RETURN, 0, 0, ERRNO | EPERM), (RETURN, 0, 0, ALLOW)
    # The C library starts threads by clone, too; without CLONE_THREAD the call would be a fork.
    thread = [(ANY_BIT, 2, 0, CLONE_NEW_ANYTHING), (ANY_BIT, 0, 1, CLONE_THREAD), allow, refuse]
    lines += _when("clone", [_load(0), *thread])
    lines += _when("clone3", [(RETURN, 0, 0, ERRNO | ENOSYS)])  # then the C library uses clone
    for name in ("kill", "tgkill"):
        lines += _when(name, [_load(0), (EQUAL, 0, 1, pid), allow, refuse])
    itself = [_load(0), (EQUAL, 2, 0, 0), (EQUAL, 1, 0, pid), refuse, allow]
    lines += _when("prlimit64", itself)
    # socket(2): the type also carries SOCK_CLOEXEC and SOCK_NONBLOCK. A datagram socket could send to any address.
    stream = [(AND, 0, 0, TYPE_MASK), (EQUAL, 0, 1, SOCK_STREAM), allow, refuse]
    lines += _when("socketpair", [_load(0), (EQUAL, 1, 0, AF_UNIX), refuse, _load(1), *stream])
    # Without an address sendto is send(2). The pointer has 64 bits, and BPF compares 32 at a time.
    nowhere = [_load(4), (EQUAL, 1, 0, 0), refuse, _load_high(4), (EQUAL, 0, 1, 0), allow, refuse]
    lines += _when("sendto", nowhere)
    lines += _when("prctl", [_load(0), *_allow_values(PRCTLS)])
    lines += _when("ioctl", [_load(1), *_allow_values(IOCTLS)])
    # A return for each call: jumps of BPF have 8 bits and do not reach over the whole list to a common one.
    for name, number in sorted(NUMBERS.items()):
        if name in OF_MODE_AND_TIME and not walled:
            lines += [(EQUAL, 0, 1, number), (RETURN, 0, 0, ERRNO)]  # error 0: it says that it succeeded
        elif name not in CHECKED | LEFT_OUT:
            lines += [(EQUAL, 0, 1, number), allow]
    return [*lines, refuse]


def program_calls(ports: bool) -> Program:
    """Return all calls but a few. Pure."""
    no_call, no_protocol = (RETURN, 0, 0, ERRNO | ENOSYS), (RETURN, 0, 0, ERRNO | EPROTONOSUPPORT)
    allow, refuse = (RETURN, 0, 0, ALLOW), (RETURN, 0, 0, ERRNO | EPERM)
    lines: Program = [
        (LOAD, 0, 0, ARCH),
        (EQUAL, 1, 0, AUDIT_ARCH_X86_64),
        no_call,
        (LOAD, 0, 0, NR),
        (AT_LEAST, 0, 1, X32_BIT),
        no_call,
        (EQUAL, 0, 1, CLONE3),
        no_call,  # its flags are behind a pointer; the C library falls back to clone
        # setns(2): flags of 0 join a namespace of any type, so no check of arguments would do.
        (EQUAL, 0, 1, SETNS),
        refuse,
    ]
    for number in (CLONE, UNSHARE):
        lines += [(EQUAL, 0, 4, number), _load(0), (ANY_BIT, 0, 1, CLONE_NEWUSER), refuse, allow]
    if not ports:
        return [*lines, allow]
    # Operations of io_uring pass no filter, so MSG_FASTOPEN could not be refused there.
    lines += [(EQUAL, 0, 1, IO_URING_SETUP), no_call]
    # Landlock's rules for ports see sockets of IPPROTO_TCP; MPTCP and SMC connect to the same ports beside them.
    falls_back = [_load(0), (EQUAL, 0, 1, AF_SMC), no_protocol, _load(2)]
    falls_back += [(EQUAL, 1, 0, IPPROTO_MPTCP), (EQUAL, 0, 1, IPPROTO_SMC), no_protocol, allow]
    lines += [(EQUAL, 0, len(falls_back), SOCKET), *falls_back]
    for number, flags in SENDING:
        lines += [(EQUAL, 0, 4, number), _load(flags), (ANY_BIT, 0, 1, MSG_FASTOPEN), no_protocol, allow]
    return [*lines, allow]


def _when(name: str, then: Program) -> Program:
    """`then` for that call only; it ends in a return on every way."""
    return [(EQUAL, 0, len(then), NUMBERS[name]), *then]


def _allow_values(values: dict[int, str]) -> Program:
    found: Program = []
    for value in values:
        found += [(EQUAL, 0, 1, value), (RETURN, 0, 0, ALLOW)]
    return [*found, (RETURN, 0, 0, ERRNO | EPERM)]


def _load(argument: int) -> tuple[int, int, int, int]:
    """Load the lower half of an argument: the kernel reads no more of a flag, a kind or a process id."""
    return (LOAD, 0, 0, 16 + 8 * argument)


def _load_high(argument: int) -> tuple[int, int, int, int]:
    return (LOAD, 0, 0, 20 + 8 * argument)


def in_force() -> bool:
    """Return whether a call that is not on the list is refused, tried without harm."""
    try:
        # The kernel answers an unknown option with EINVAL, the filter with EPERM.
        prctl("an option that does not exist", 0x7FFFFFFF)
    except PermissionError:
        return True
    except OSError:
        return False
    return False
