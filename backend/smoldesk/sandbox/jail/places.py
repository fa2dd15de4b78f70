"""Paths that a jailed process may see: Python's own files, a few of the system's, its chat's folder. Pure but for stat
calls.
"""

import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

SYSTEM = (
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/share/zoneinfo",
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "/etc/localtime",
    "/etc/ld.so.cache",
    "/etc/mime.types",
)
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
PACKAGES = ("site-packages", "dist-packages")


@dataclass(frozen=True)
class Places:
    """Absolute paths. `readable` and `devices` exist and are not links; `links` and `texts` are made in a private root:
    (path, target) and (path, content).
    """

    folder: str
    readable: tuple[str, ...]
    devices: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    texts: tuple[tuple[str, str], ...]
    writable: tuple[str, ...] = ()
    """Folders to change beside `folder`: of programs that the operator gave some, never of cells."""
    hidden: tuple[str, ...] = ()
    """Folders within what is readable or writable that are not to be seen, but for `folder`."""


def places_for(folder: str, extra: Iterable[str], uid: int) -> Places:
    """Return the places of a chat: `extra` are further folders to read (bundled tables); `uid` is its user."""
    readable: set[str] = set()
    links: list[tuple[str, str]] = [("/dev/fd", "/proc/self/fd")]
    for path in [*SYSTEM, *python_paths(), *extra]:
        # Where /lib is a link to /usr/lib, the target is mounted, and the link is made again in the private root.
        real = os.path.realpath(path)
        if not os.path.exists(real):
            continue
        readable.add(real)
        if real != os.path.abspath(path):
            links.append((os.path.abspath(path), real))
    # os.path.expanduser and getpass look the user up here; the machine's own file would list all its users.
    names = f"desk:x:{uid}:{uid}:desk:{folder}:/\n"
    return Places(
        folder=folder,
        readable=tuple(sorted(_outermost(readable))),
        devices=tuple(path for path in DEVICES if os.path.exists(path)),
        links=tuple(links),
        texts=(("/etc/passwd", names), ("/etc/group", f"desk:x:{uid}:\n")),
    )


def python_paths() -> list[str]:
    """Return the folders this Python imports from: the standard library and installed packages, never a project's folder
    (an editable install would show the server's own, with its data).
    """
    library = os.path.dirname(os.__file__)
    packages = [path for path in sys.path if path.rstrip("/").endswith(PACKAGES)]
    return [library, *packages]


def code_folders(packages: Mapping[str, str]) -> list[str]:
    """Return the folders with code that a child may import, of our packages (name and folder)."""
    return [f"{folder}/inside" for folder in packages.values()]


def _outermost(paths: set[str]) -> list[str]:
    return [path for path in paths if not _is_below(path, paths - {path})]


def _is_below(path: str, parents: set[str]) -> bool:
    # The slash keeps /usr/lib32 from being below /usr/lib.
    return any(f"{path}/".startswith(f"{other}/") for other in parents)


# Paths that a foreign program may read and execute: the system's programs, name resolution and certificates.
PROGRAMS = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"),
    *(
        "/etc/ssl",
        "/etc/ca-certificates",
        "/etc/pki",
        "/etc/alternatives",
        "/etc/localtime",
        "/etc/ld.so.cache",
    ),
    *(
        "/etc/mime.types",
        "/etc/hosts",
        "/etc/resolv.conf",
        "/etc/nsswitch.conf",
        "/etc/services",
        "/etc/gai.conf",
    ),
)


def program_places(
    folder: str, readable: Iterable[str], writable: Iterable[str], hidden: Iterable[str], uid: int
) -> Places:
    """Return the places of a foreign program: `readable` and `writable` are granted to it; `hidden` belongs to the desk."""
    seen_paths: set[str] = set()
    links: list[tuple[str, str]] = [("/dev/fd", "/proc/self/fd")]
    changed = tuple(os.path.realpath(path) for path in writable if os.path.isdir(path))
    for path in [*PROGRAMS, *readable, *writable]:
        real = os.path.realpath(path)
        if os.path.exists(real):
            seen_paths |= set() if real in changed else {real}
            links += [] if real == os.path.abspath(path) else [(os.path.abspath(path), real)]
    names = f"desk:x:{uid}:{uid}:desk:{folder}:/\n"
    return Places(
        folder=folder,
        readable=tuple(sorted(_outermost(seen_paths))),
        devices=tuple(path for path in DEVICES if os.path.exists(path)),
        links=tuple(links),
        texts=(("/etc/passwd", names), ("/etc/group", f"desk:x:{uid}:\n")),
        writable=tuple(sorted(_outermost({*changed}))),
        hidden=tuple(
            sorted(path for path in map(os.path.realpath, hidden) if _is_below(path, {*seen_paths, *changed}))
        ),
    )
