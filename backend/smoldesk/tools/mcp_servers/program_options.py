"""Options that the programs of all MCP servers of a desk share."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path

from smoldesk.sandbox.isolation import Jail
from smoldesk.sandbox.limits import PROGRAM_LIMITS, Limits


@dataclass(frozen=True)
class ProgramOptions:
    """Options of the programs of all servers, set by the desk.

    A program sees only a folder of its own in `data`. `closed` returns, at a program's start, the ports that it may
    not connect to, even with network access. `start_seconds` is the time to start and to list its features.
    """

    data: Path = Path()
    jail: Jail = field(default_factory=lambda: Jail(None, {}))
    closed: Callable[[], Collection[int]] = tuple
    limits: Limits = PROGRAM_LIMITS
    start_seconds: float = 60.0
