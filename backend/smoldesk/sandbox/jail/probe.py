"""Probe of the layers that this machine supports: uses each of them in a process that ends right after.

Run by `isolation` in a process without packages; prints one JSON object: layer -> "" if it works, else the reason.
"""

import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from . import landlock, limits, namespaces, private_root, privileges, seccomp
from .places import Places, code_folders, places_for

FIRST_UID = 61_200


def probe(folder: str, packages: Mapping[str, str]) -> dict[str, str]:
    """layer -> "" or the reason it is missing; `folder` is where chats' files are kept, `packages` what children import."""
    places = places_for(folder, code_folders(packages), os.geteuid())
    results = {"namespaces": tried(lambda: _processes(lambda: None))}
    root = results["namespaces"] or tried(lambda: _processes(lambda: _root(places, proc=False)))
    results["private_root"] = root
    results["proc"] = root or tried(lambda: _processes(lambda: _root(places, proc=True)))
    results["own_user"] = root or tried(lambda: _processes(lambda: _user(places)))
    results["landlock"] = tried(lambda: _landlock(places))
    results["seccomp"] = tried(_seccomp)
    results["rlimits"] = tried(_limits)
    return results


def tried(layer: Callable[[], None]) -> str:
    """Run `layer` in a forked process; "" when it came to its end, else what it said."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        try:
            layer()
            # Not sys.exit: the fork would run the exit handlers of its parent.
            os._exit(0)
        except BaseException as fault:  # any error is the answer of the probe
            os.write(writer, str(fault).encode("utf-8", "replace")[:500] or b"failed")
        os._exit(1)
    os.close(writer)
    with os.fdopen(reader, "rb") as output:
        reason = output.read().decode("utf-8", "replace")
    _, status = os.waitpid(pid, 0)
    return "" if status == 0 else reason or f"ended with status {status}"


def _processes(then: Callable[[], None]) -> None:
    """Take the namespaces, and run `then` in the new process namespace."""
    namespaces.split_off(user=os.geteuid() != 0)
    # Forked, since only children of the caller of unshare(2) are in the new process namespace.
    reason = tried(lambda: (_expect(os.getpid() == 1, "no process namespace"), then())[1])
    _expect(not reason, reason)


def _root(places: Places, proc: bool) -> None:
    private_root.move_in(places, proc)
    _expect(not os.path.exists("/sys/kernel"), "the old root is still there")
    _expect(os.path.isdir(places.folder), "the folder is not in the new root")
    if proc:
        Path("/proc/self/maps").read_text()


def _user(places: Places) -> None:
    """Another user, who can import and reach the folder; only in a private root, which goes around closed parents."""
    _expect(os.geteuid() == 0, "the server is not root and has one user only")
    # The private root's folders are made under this umask, and another user has to enter them.
    os.umask(0o022)
    private_root.move_in(places, proc=False)
    privileges.drop(FIRST_UID)
    _expect(os.geteuid() == FIRST_UID, "the user stayed the same")
    for path in places.readable:
        _expect(os.access(path, os.R_OK), f"another user could not read {path}")


def _landlock(places: Places) -> None:
    privileges.drop(None)
    # It fails with EPERM unless `drop` has set no_new_privs.
    landlock.restrict(places, ())
    try:
        os.listdir("/")
    except PermissionError:
        return
    raise OSError("it refuses nothing")


def _seccomp() -> None:
    reason = seccomp.available()
    _expect(not reason, reason)
    privileges.drop(None)
    seccomp.filter_calls(walled=False)
    _expect(seccomp.in_force(), "it refuses nothing")


def _limits() -> None:
    limits.take(
        {"memory": 1 << 32, "file": 1 << 20, "open_files": 64, "threads": 8, "seconds": 60},
        count_threads=False,
    )


def _expect(true: bool, reason: str) -> None:
    if not true:
        raise OSError(reason)


def main(folder: str, packages: Mapping[str, str]) -> None:
    """Print what `probe` found, as JSON."""
    sys.stdout.write(json.dumps(probe(folder, packages)))
