"""System calls that Python has no name for. Each raises OSError with the kernel's reason."""

import ctypes
import os

# get_errno reads ctypes' own copy of errno, which exists only for libraries opened with use_errno.
LIBC = ctypes.CDLL(None, use_errno=True)
# ctypes assumes a 32-bit int, and syscall(2) returns a long.
LIBC.syscall.restype = ctypes.c_long

AT_FDCWD = -100
AT_EMPTY_PATH = 0x1000
AT_RECURSIVE = 0x8000

# the same numbers on every architecture (they are newer than the unification)
OPEN_TREE, MOVE_MOUNT, MOUNT_SETATTR = 428, 429, 442
LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP = 1, 4, 24
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 36, 38, 47

Argument = int | bytes | None | ctypes.Array[ctypes.c_char]


def checked(result: int, what: str) -> int:
    """Return the result of a libc function, or raise OSError from errno for -1."""
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def syscall(what: str, number: int, *arguments: Argument) -> int:
    """Make a raw system call; integers are passed as longs, bytes and buffers by address."""
    # syscall(2) is variadic: ctypes would pass an int in 32 bits and leave the upper half of the register undefined.
    passed = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    return checked(LIBC.syscall(ctypes.c_long(number), *passed), what)


def prctl(what: str, option: int, first: int = 0, second: int = 0) -> int:
    """prctl(2). Raises OSError."""
    # prctl(2): several options fail with EINVAL unless the unused arguments are 0.
    longs = [ctypes.c_ulong(value) for value in (first, second, 0, 0)]
    return checked(LIBC.prctl(ctypes.c_int(option), *longs), what)


def unshare(what: str, flags: int) -> None:
    """unshare(2). Raises OSError, which names `what` was asked for."""
    checked(LIBC.unshare(ctypes.c_int(flags)), what)


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """mount(2). Raises OSError."""
    strings = [ctypes.c_char_p(os.fsencode(text)) for text in (source, target, kind)]
    data = ctypes.c_char_p(os.fsencode(options)) if options else None
    checked(LIBC.mount(*strings, ctypes.c_ulong(flags), data), f"mount {kind or 'bind'} {target}")
