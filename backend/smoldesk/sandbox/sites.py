"""Sites: machines on which processes of chats are started. This machine is one; nodes are others."""

import os
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from smoldesk.sandbox.environment import CHILD_PACKAGES, PRELOAD, child_command, child_environment
from smoldesk.sandbox.isolation import Isolation, Jail
from smoldesk.sandbox.limits import Limits
from smoldesk.sandbox.machine import is_short_of_memory
from smoldesk.sandbox.process import ChildProcess
from smoldesk.sandbox.slots import Slots
from smoldesk.sandbox.spawned import SpawnedProcess
from smoldesk.sandbox.zygote import Zygote


class CodeSite(Protocol):
    """A machine that runs processes of chats, at most `max_children`, of which as many compute as `slots` has."""

    @property
    def name(self) -> str:
        """Name of the node; empty for this machine."""
        ...

    @property
    def slots(self) -> Slots: ...

    @property
    def max_children(self) -> int: ...

    def start(self) -> ChildProcess:
        """Start a process without waiting for it; on the supervisor's thread. Raises OSError."""
        ...

    def is_short_of_memory(self) -> bool: ...

    def report(self) -> Isolation:
        """Return how far code is isolated there."""
        ...


class Nodes(Protocol):
    """Other machines that are connected at the moment."""

    def sites(self) -> Sequence[CodeSite]: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class CellSetup:
    """What children import and read: packages of the desk, modules with their configuration, folders."""

    preload: Sequence[str] = PRELOAD
    packages: Mapping[str, str] = field(default_factory=dict[str, str])
    modules: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    datasets: Path | None = None
    readable: Sequence[Path] = ()

    def zygote(self, cache: Path, jail: Jail, limits: Mapping[str, int]) -> Zygote | None:
        """Return a zygote for such children; None on systems without a jail."""
        if jail.plan is None:
            return None
        config = {
            "plan": jail.plan,
            "limits": limits,
            "preload": list(self.preload),
            "cache": str(cache),
            "packages": CHILD_PACKAGES | dict(self.packages),
            "modules": {name: dict(config) for name, config in self.modules.items()},
            "readable": [str(path.resolve()) for path in (self.datasets, *self.readable) if path],
        }
        return Zygote(self.environment(cache), config)

    def environment(self, cache: Path) -> dict[str, str]:
        """Return the environment of a child; `cache` keeps matplotlib's font list."""
        return child_environment(cache, self.datasets.resolve() if self.datasets else None, os.environ)


class LocalSite:
    """This machine. `command` replaces the program of a child, without a jail."""

    name = ""

    def __init__(
        self,
        setup: CellSetup,
        cache: Path,
        jail: Jail,
        limits: Limits,
        slots: Slots,
        max_children: int,
        min_free_bytes: int,
        command: Sequence[str] | None = None,
    ) -> None:
        self.slots = slots
        self.max_children = max_children
        self._setup = setup
        self._environment = setup.environment(cache)
        self._jail = jail
        self._limits = limits.of_process()
        self._min_free_bytes = min_free_bytes
        self._command = command
        self._zygote = None if command is not None else setup.zygote(cache, jail, self._limits)

    def start(self) -> ChildProcess:
        """Fork a child, or exec one on a system without a jail."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                if self._zygote is not None:
                    own_user = bool(self._jail.plan and self._jail.plan["own_user"])
                    return ChildProcess(self._zygote.fork(theirs), ours, own_user)
                line = self._line(theirs.fileno())
                return ChildProcess(SpawnedProcess(line, self._environment, theirs.fileno()), ours)
            except OSError:
                ours.close()
                raise

    def check(self) -> None:
        """Forget a zygote that has ended."""
        if self._zygote is not None:
            self._zygote.check()

    def close(self) -> None:
        """End the zygote and every child of it."""
        if self._zygote is not None:
            self._zygote.close()

    def is_short_of_memory(self) -> bool:
        return is_short_of_memory(self._min_free_bytes)

    def report(self) -> Isolation:
        return self._jail.report()

    def _line(self, fd: int) -> list[str]:
        if self._command is not None:
            return [part.replace("{fd}", str(fd)) for part in self._command]
        modules = {name: dict(config) for name, config in self._setup.modules.items()}
        return child_command(fd, self._setup.preload, self._limits, self._setup.packages, modules=modules)
