"""Namespaces of its own: users (without root), processes, network, System V and POSIX queues, names.

Stops: seeing or signalling other processes, every network but none, others' shared memory and queues. The
mount namespace is `private_root`. Kernel documents: namespaces(7), user_namespaces(7), pid_namespaces(7).
"""

import os
from pathlib import Path

from .kernel import unshare

CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC = 0x02000000, 0x04000000, 0x08000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000


def split_off(user: bool, network: bool = False) -> None:
    """Leave the machine's namespaces; processes forked from now on are in a fresh process namespace.

    `user` makes a user namespace first, where an ordinary user may make the others; our own id keeps its
    number in there, and no other id exists. With `network` the machine's is kept.
    """
    if user:
        # Before unshare: without a map, the new namespace reports 65534 for both.
        uid, gid = os.geteuid(), os.getegid()
        unshare("user namespace", CLONE_NEWUSER)
        # user_namespaces(7): an ordinary user may write gid_map only after setgroups is denied,
        # and may map only its own id.
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
        Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")
    # pid_namespaces(7): this process stays outside; its next child becomes process 1 inside.
    unshare("process namespace", CLONE_NEWPID)
    if not network:
        unshare("network namespace", CLONE_NEWNET)
    # In its own cgroup namespace, /proc/self/cgroup says `/` instead of the name of the server's group.
    unshare("ipc and name namespaces", CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP)
