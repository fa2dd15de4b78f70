"""Plug-ins: what other packages add to a desk through entry points of a group such as `smoldesk.wires`.

One that cannot be loaded is a BadInput that says which, whose, where and why: a desk never starts half-equipped.
"""

import sys
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from smoldesk.errors import BadInput


@dataclass(frozen=True)
class Plugin:
    """One loaded entry point; `where` tells people its place: "module:attribute of package 1.2"."""

    name: str
    where: str
    loaded: object


def names_in(group: str) -> list[str]:
    """Return the names of a group's entry points, in order; nothing is imported."""
    return sorted({entry.name for entry in _entries(group)})


def load_group(group: str, names: Collection[str] | None = None) -> list[Plugin]:
    """Load the entry points of a group: all, or those of these names.

    Raises BadInput for one that cannot be loaded, and for two of one name.
    """
    entries = [entry for entry in _entries(group) if names is None or entry.name in names]
    first: dict[str, EntryPoint] = {}
    for entry in entries:
        other = first.setdefault(entry.name, entry)
        if other is not entry:
            raise BadInput(
                f"Two entry points of {group} are called {entry.name!r}: {_place(other)}, and {_place(entry)}.",
                "Uninstall one of the two packages.",
                code="bad_plugin",
            )
    return [Plugin(name, _place(entry), _load(entry)) for name, entry in sorted(first.items())]


def _entries(group: str) -> list[EntryPoint]:
    return list(_installed(tuple(sys.path)).select(group=group))


@cache
def _installed(path: tuple[str, ...]) -> Any:
    """Return every entry point of the packages on `sys.path`, which takes a file of each package to find out: read once."""
    del path
    return entry_points()


def _load(entry: EntryPoint) -> object:
    try:
        return entry.load()
    except (
        Exception,
        SystemExit,
    ) as fault:  # code of others may raise anything; then the plugin cannot be used
        raise BadInput(
            f"The entry point {entry.name!r} of {entry.group} cannot be loaded from {_place(entry)}: "
            f"{type(fault).__name__}: {fault}.",
            "Repair that package, or uninstall it.",
            code="bad_plugin",
        ) from fault


def _place(entry: EntryPoint) -> str:
    package = f" of {entry.dist.name} {entry.dist.version}" if entry.dist is not None else ""
    return f"{entry.value}{package}"
