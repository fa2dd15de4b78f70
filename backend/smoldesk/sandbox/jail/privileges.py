"""Privileges dropped for good: another user (as root), no capability, no_new_privs.

Stops: what only root may do, also after an exec of a setuid program; access to other chats' and the server's files by
their owner. Kernel documents: capabilities(7), credentials(7), Documentation/userspace-api/no_new_privs.rst.
"""

import os
import signal
import struct
from pathlib import Path

from .kernel import (
    LIBC,
    PR_CAP_AMBIENT,
    PR_CAPBSET_DROP,
    PR_SET_DUMPABLE,
    PR_SET_NO_NEW_PRIVS,
    PR_SET_PDEATHSIG,
    checked,
    prctl,
)

# CAP_CHECKPOINT_RESTORE, since Linux 5.9.
LAST_CAPABILITY = 40
CAPABILITY_VERSION_3 = 0x20080522
AMBIENT_CLEAR_ALL = 4


def become(uid: int) -> None:
    """Be this user and its group alone, for good. As root only."""
    # In this order: after setresuid, CAP_SETGID is lost and the groups would stay.
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    # All three ids: a saved user id of 0 could be made effective again.
    os.setresuid(uid, uid, uid)


def drop(uid: int | None) -> None:
    """Give up every capability, then (as root) the user too; nothing run later can have them again."""
    # Needs CAP_SETPCAP, which the change of user below takes away.
    _empty_bounding_set()
    if uid is not None:
        become(uid)
    prctl("ambient capabilities", PR_CAP_AMBIENT, AMBIENT_CLEAR_ALL)
    # capset(2): version 3 takes two structs of three 32-bit sets (effective, permitted, inheritable).
    header = struct.pack("Ii", CAPABILITY_VERSION_3, 0)
    checked(LIBC.capset(header, struct.pack("IIIIII", 0, 0, 0, 0, 0, 0)), "capset")
    prctl("no_new_privs", PR_SET_NO_NEW_PRIVS, 1)


def die_with_parent() -> None:
    """End when the parent does; the kernel forgets this at a change of user, so it comes after `drop`."""
    prctl("parent-death signal", PR_SET_PDEATHSIG, signal.SIGKILL)


def reclaim_proc_files() -> None:
    """After a change of user the kernel gives our /proc files to root; take them back (core dumps stay off)."""
    prctl("dumpable", PR_SET_DUMPABLE, 1)


def _empty_bounding_set() -> None:
    status = Path("/proc/self/status")
    if status.exists() and not _bounding(status):
        return  # it is empty already, as for an ordinary user of some containers
    for capability in range(LAST_CAPABILITY + 1):
        try:
            prctl("bounding set", PR_CAPBSET_DROP, capability)
        except PermissionError:
            return  # without CAP_SETPCAP: there is no capability to lose either, and no_new_privs to come
        except OSError:
            continue  # a capability this kernel does not know


def _bounding(status: Path) -> int:
    lines = [line for line in status.read_text().splitlines() if line.startswith("CapBnd:")]
    return int(lines[0].split()[1], 16) if lines else -1
