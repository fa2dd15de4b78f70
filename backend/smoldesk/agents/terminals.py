"""Builds agents of the kind terminal by their profiles, and owns the pool of their programs."""

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from smoldesk.agents.entries import AgentEntry
from smoldesk.errors import BadInput, DeskError
from smoldesk.messages import Isolation
from smoldesk.tools.run_context import Agent

if TYPE_CHECKING:
    from smoldesk.agents.terminal.guard import Guard
    from smoldesk.agents.terminal.pool import Programs
    from smoldesk.agents.terminal.terminal_profiles import Profile


def profile_of(entry: AgentEntry, folder: Path) -> "Profile":
    """Return the profile of an agent's program, with the variables of the entry; `folder` is the data directory.

    Raises NotFound for an unknown profile, BadInput for a path outside the data directory and for an invalid file.
    """
    from smoldesk.agents.terminal.terminal_profiles import load_profile, read_profile

    written = entry.profile or ""
    if not written.endswith((".yaml", ".yml")):
        profile = load_profile(written)
    else:
        path = (folder / written).resolve()
        if not path.is_relative_to(folder.resolve()):
            raise BadInput(
                f"The profile {written[:80]!r} is not below the data directory.", "Expected a path in it."
            )
        profile = read_profile(path)
    return profile.model_copy(update={"env": {**profile.env, **entry.env}})


UNJAILED = Isolation(
    isolated=False,
    label="not isolated",
    reasons=["A program in a terminal has the rights of the user who serves the desk."],
)


class Terminals:
    """Programs of a desk. All methods may be called from any thread."""

    def __init__(
        self,
        max_programs: int,
        idle_seconds: float,
        ask_seconds: float,
        folder: Path,
        late: Callable[[str, str, str], None],
    ) -> None:
        """Take the limits; `folder` is the data directory, `late(chat_id, agent, text)` gets output written between runs.

        A program without a run is ended after `idle_seconds`; a person has `ask_seconds` to answer a program's question.
        """
        self._max_programs = max_programs
        self._idle_seconds = idle_seconds
        self._ask_seconds = ask_seconds
        self._folder = folder
        self._late = late
        self._lock = Lock()
        self._pool: Programs | None = None
        self._guard: Guard | None = None
        self._is_closed = False

    def build(self, entry: AgentEntry) -> Agent:
        """Build an agent for one run. Raises NotFound or BadInput if its profile is no longer valid."""
        from smoldesk.agents.terminal.agent import TerminalAgent

        profile = profile_of(entry, self._folder)
        programs, guard = self._programs()
        profile = profile.model_copy(update={"env": profile.env | guard.variables})
        return TerminalAgent(entry.name, profile, programs, self._ask_seconds)

    def holds(self, chat_id: str) -> bool:
        """Return whether a program of the chat is kept."""
        return self._pool is not None and self._pool.holds(chat_id)

    def drop(self, chat_id: str, reason: str) -> None:
        """End the programs of a chat."""
        if self._pool is not None:
            self._pool.drop(chat_id, reason)

    def close(self) -> None:
        """End all programs, and refuse new ones."""
        with self._lock:
            self._is_closed = True
            # Closed outside of the lock: ending programs takes seconds, and `_programs` must answer meanwhile.
            pool, guard = self._pool, self._guard
        if pool is not None:
            pool.close()
        if guard is not None:
            guard.close()

    def _programs(self) -> "tuple[Programs, Guard]":
        from smoldesk.agents.terminal.guard import Guard
        from smoldesk.agents.terminal.pool import Programs

        with self._lock:
            if self._is_closed:
                raise DeskError("The desk is shutting down.", "Ask again when it is back.", code="closing")
            if self._pool is None or self._guard is None:
                self._guard = Guard()
                self._guard.start()
                self._pool = Programs(self._max_programs, self._idle_seconds, self._late)
            return self._pool, self._guard
