"""Options that the programs of all MCP servers of a desk share."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path

from smoldesk.sandbox.isolation import Jail
from smoldesk.sandbox.limits import PROGRAM_LIMITS, Limits


@dataclass(frozen=True)
class ProgramOptions:
    """What the desk decides for the programs of all servers.

    They see nothing of its `data` but a folder each. `closed` tells, when a program begins, the ports that it may connect to
    nowhere, also with the network. `start_seconds` is the time to begin and to tell what it has.
    """

    data: Path = Path()
    jail: Jail = field(default_factory=lambda: Jail(None, {}))
    closed: Callable[[], Collection[int]] = tuple
    limits: Limits = PROGRAM_LIMITS
    start_seconds: float = 20.0
