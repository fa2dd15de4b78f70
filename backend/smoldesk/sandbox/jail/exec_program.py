"""Start of a foreign program in a jail: a command that speaks over its standard input and output.

It sees its own folder, the paths that the operator granted, and the system's programs; not the desk, its data or its
environment. It has the limits of cells with two exceptions, since programs start other programs and some reserve far more
memory than they use: its memory limit counts writable memory (RLIMIT_DATA), and its system call filter refuses only user
namespaces. The host watches what the kernel does not count for it (`program_watch`). Uses the standard library only.
"""

import contextlib
import json
import os
import signal
from typing import Any

from . import landlock, limits, namespaces, private_root, privileges, seccomp
from .enter import SCRATCH, Plan
from .kernel import PR_SET_CHILD_SUBREAPER, PR_SET_PDEATHSIG, prctl
from .places import Places, program_places

# Exit code of a program that was not started because its jail failed; the reason is on its standard error.
NOT_JAILED = 125


def main(descriptor: int) -> None:
    """Become the program that is described on a pipe, as `jailed_command` writes it; without a plan there is no jail.

    A pipe, because every user can read a command line, and an environment applies before the jail does.
    """
    with os.fdopen(descriptor, "rb") as pipe:
        config: dict[str, Any] = json.load(pipe)
    try:
        _enter(config)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        os.execve(config["argv"][0], config["argv"], config["environment"])
    except OSError as fault:
        os.write(2, f"it could not be started: {fault}\n".encode())
        # This may be the fork of `_be_born`: a normal exit would run the parent's exit handlers in it.
        os._exit(NOT_JAILED)


def _enter(config: dict[str, Any]) -> None:
    # Writes to /proc/self, which is mounted read-only inside the private root.
    limits.go_first()
    if config["plan"] is None:
        os.chdir(config["folder"])
        return
    plan = Plan(**config["plan"])
    arguments = (config["readable"], config["writable"], config["hidden"])
    places = program_places(config["folder"], *arguments, os.getuid())
    if places.hidden and not plan.private_root:
        raise OSError(f"{places.hidden[0]} lies within what it may read, and nothing here can hide it")
    if plan.namespaces:
        # unshare(2): the caller stays in its process namespace; the fork in `_be_born` is the first in the new one.
        namespaces.split_off(plan.user_namespace, config["network"])
    _be_born(plan.namespaces)
    _wall_in(plan, places, config)


def _be_born(in_namespace: bool) -> None:
    """Continue in a fork, as process 1 of the new namespace; the caller waits and exits with the same code.

    The end of process 1 ends all others in its namespace. Without a namespace, the caller adopts the program's descendants
    when their parent ends, and kills them: at a SIGTERM and at the end of the desk, too.
    """
    if not in_namespace:
        # prctl(2): orphans go to the nearest subreaper; without one they go to init, out of reach of `_kill`.
        prctl("child subreaper", PR_SET_CHILD_SUBREAPER, 1)
    child = os.fork()
    if not child:
        return
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    # pid_namespaces(7): process 1 ignores a SIGTERM for which it has no handler, but not a SIGKILL from outside.
    signal.signal(signal.SIGTERM, lambda _number, _frame: _kill(child))
    if not in_namespace:
        # SIGTERM, not SIGKILL: the handler and the loop below still have to end what the program started.
        prctl("parent-death signal", PR_SET_PDEATHSIG, signal.SIGTERM)
    for descriptor in (0, 1):  # else its reader would never learn that the program closed it
        os.close(descriptor)
    _, status = os.waitpid(child, 0)
    # The end of one process may orphan others to this subreaper, so the list is read until it is empty.
    while not in_namespace and (children := _children()):
        for pid in children:
            _kill(pid)
            os.waitpid(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    # The convention of shells: 128 plus the number of the signal.
    os._exit(128 - code if code < 0 else code)


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _children() -> list[int]:
    """Return the children of this process, zombies included; empty if the kernel does not list them."""
    try:
        # proc(5): the file exists only in kernels with CONFIG_PROC_CHILDREN.
        with open(f"/proc/self/task/{os.getpid()}/children") as children_file:
            return [int(pid) for pid in children_file.read().split()]
    except OSError:
        return []


def _wall_in(plan: Plan, places: Places, config: dict[str, Any]) -> None:
    network, closed = bool(config["network"]), config["closed"]
    if plan.private_root:
        private_root.move_in(places, plan.proc, runs_programs=True)
    if plan.privileges:
        privileges.drop(None)
    privileges.die_with_parent()
    limits.take(config["limits"], count_threads=plan.namespaces, memory="RLIMIT_DATA")
    os.chdir(places.folder)
    if plan.landlock:
        landlock.restrict(places, SCRATCH if plan.private_root else (), True, network, closed)
    if plan.seccomp:
        seccomp.filter_program_calls(bool(network and closed))
