"""Landlock: the kernel checks every opened path against a list, and refuses TCP and signals to others.

Stops: reading or writing any file but the listed ones, running programs, making links, devices and sockets,
TCP, abstract unix sockets, signals out of the jail. Does not see chmod and stat. Needs no privilege; what it
knows depends on its version. Kernel document: Documentation/userspace-api/landlock.rst, landlock(7).
"""

import ctypes
import os
import struct
from collections.abc import Collection
from pathlib import Path

from .kernel import LANDLOCK_ADD_RULE, LANDLOCK_CREATE_RULESET, LANDLOCK_RESTRICT_SELF, LIBC, checked, syscall
from .places import Places

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, REMOVE_DIR, REMOVE_FILE = (1 << bit for bit in range(6))
# Bits of linux/landlock.h. Making devices (6, 11), pipes (10) and ioctl on devices (15) is allowed for no path.
MAKE_DIR, MAKE_REG, MAKE_SOCK, MAKE_SYM = 1 << 7, 1 << 8, 1 << 9, 1 << 12
REFER, TRUNCATE = 1 << 13, 1 << 14
# How many file rights each version knows; later ones know as many as 5.
RIGHTS_OF_VERSION = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
# LANDLOCK_ACCESS_NET_BIND_TCP and LANDLOCK_ACCESS_NET_CONNECT_TCP.
NET_OF_4 = 0b11
CONNECT_TCP = 0b10
# Abstract unix sockets and signals (LANDLOCK_SCOPE_*).
SCOPED_OF_6 = 0b11

READ = READ_FILE | READ_DIR
CHANGE = READ | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | REFER | TRUNCATE
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE
PATH_BENEATH = 1
NET_PORT = 2
PORTS = 1 << 16

# Files that packages read of their own process; not its mounts, which name the machine's disks.
OF_PROC = ("maps", "smaps", "stat", "statm", "status", "limits", "fd", "fdinfo", "environ", "cmdline", "comm")
# DuckDB opens no database unless it may read this where it is there, and the limits that it names where those are.
GROUPS = "/proc/self/cgroup"


def version() -> int:
    """Return the version of this kernel's Landlock. Raises OSError without Landlock."""
    # landlock_create_ruleset(2): without attributes, flag 1 (CREATE_RULESET_VERSION) asks for the version.
    return syscall("landlock", LANDLOCK_CREATE_RULESET, None, 0, 1)


def restrict(
    places: Places,
    scratch: tuple[str, ...],
    runs_programs: bool = False,
    network: bool = False,
    closed: Collection[int] = (),
) -> None:
    """Allow reading what is readable, changing the folder and `scratch`, and nothing else from now on.

    `scratch` are the folders of a private root that are the chat's own; without one there are none.
    With `runs_programs` what is readable, and what the folders hold, may be executed; with `network` TCP is allowed,
    but to the ports that are `closed`, wherever they are.
    Needs no_new_privs. Places that are not there are left out: they cannot be reached either.
    """
    abi = version()
    # The kernel fails with EINVAL for rights that its version does not know.
    handled = (1 << RIGHTS_OF_VERSION[min(abi, 5)]) - 1
    # struct landlock_ruleset_attr grew with the versions: an older kernel refuses a longer one with E2BIG.
    attributes = struct.pack("Q", handled)
    attributes += (
        struct.pack("Q", NET_OF_4 if not network else CONNECT_TCP if closed else 0) if abi >= 4 else b""
    )
    attributes += struct.pack("Q", SCOPED_OF_6) if abi >= 6 else b""
    rules = syscall("landlock_create_ruleset", LANDLOCK_CREATE_RULESET, attributes, len(attributes), 0)
    execute = EXECUTE | MAKE_SYM | MAKE_SOCK if runs_programs else 0
    for path in places.readable:
        _allow(rules, path, (READ | (execute & EXECUTE)) & handled)
    more = [path for path, _ in places.texts] if scratch else limits_of_group()
    # A rule on /proc/self binds the process that makes it, not those that a program forks. In a private root,
    # /proc lists the processes of the jail only.
    own_proc = ("/proc",) if runs_programs and scratch else (f"/proc/self/{name}" for name in OF_PROC)
    for path in (*more, GROUPS, *own_proc):
        _allow(rules, path, READ & handled)
    for path in places.devices:
        _allow(rules, path, (READ_FILE | WRITE_FILE) & handled)
    for path in (places.folder, *places.writable, *scratch):
        _allow(rules, path, (CHANGE | execute) & handled)
    if network and closed and abi >= 4:
        _allow_ports(rules, closed)
    syscall("landlock_restrict_self", LANDLOCK_RESTRICT_SELF, rules, 0)
    os.close(rules)


def _allow_ports(rules: int, closed: Collection[int]) -> None:
    """Allow each port but the closed ones, one rule each, since Landlock has no rules that forbid. Takes 0.2 s."""
    # 65,536 system calls follow: converting the arguments once keeps them at 0.2 s.
    rule = (ctypes.c_uint64 * 2)(CONNECT_TCP, 0)
    number, descriptor, kind = map(ctypes.c_long, (LANDLOCK_ADD_RULE, rules, NET_PORT))
    for port in range(PORTS):
        if port not in closed:
            rule[1] = port
            checked(
                LIBC.syscall(number, descriptor, kind, rule, ctypes.c_long(0)), "landlock_add_rule (a port)"
            )


def limits_of_group(cgroup_text: str | None = None) -> list[str]:
    """Return the files with the limits of our own control group, from the text of /proc/self/cgroup by default.

    A private root does not have them. Outside of one they hold a few numbers of the server's own group.
    """
    if cgroup_text is None:
        try:
            cgroup_text = Path(GROUPS).read_text()
        except OSError:
            return []
    paths: list[str] = []
    for line in cgroup_text.splitlines():
        number, controllers, group = line.split(":", 2)
        group = group.rstrip("/")
        # cgroups(7): number 0 is the v2 hierarchy, whose line names no controllers.
        if number == "0":
            paths += [f"/sys/fs/cgroup{group}/{name}" for name in ("cpu.max", "memory.max")]
        if "cpu" in controllers.split(","):
            names = ("cpu.cfs_quota_us", "cpu.cfs_period_us")
            paths += [f"/sys/fs/cgroup/cpu{group}/{name}" for name in names]
        if "memory" in controllers.split(","):
            paths.append(f"/sys/fs/cgroup/memory{group}/memory.limit_in_bytes")
    return paths


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        # O_PATH needs no permission to read the file itself.
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    if not os.path.isdir(path):
        # landlock_add_rule(2): rights of folders on a file fail with EINVAL.
        rights &= OF_FILES
    # struct landlock_path_beneath_attr is packed: 12 bytes, hence `=`.
    beneath = struct.pack("=Qi", rights, place)
    syscall(f"landlock_add_rule {path}", LANDLOCK_ADD_RULE, rules, PATH_BENEATH, beneath, 0)
    os.close(place)
