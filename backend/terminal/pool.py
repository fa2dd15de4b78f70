"""The programs that run: one per chat and agent, a cap on how many, and what they write between runs."""

from collections.abc import Callable
from pathlib import Path

from backend.terminal.profiles import Profile
from backend.terminal.program import Program


class Programs:
    """Keeps programs between runs. `late(chat_id, agent_name, text)` gets what they write when no run listens."""

    def __init__(
        self,
        max_programs: int = 8,
        idle_seconds: float = 1800,
        late: Callable[[str, str, str], None] | None = None,
    ) -> None:
        raise NotImplementedError

    def take(self, chat_id: str, agent_name: str, profile: Profile, folder: Path) -> Program:
        """The chat's program for a run, started when there is none (a new one: `Program.fresh`).

        Raises DeskError too_many_programs, program_missing or program_failed.
        """
        raise NotImplementedError

    def give_back(self, program: Program) -> None:
        """A run is over with it; an ended or closed one is forgotten."""
        raise NotImplementedError

    def drop(self, chat_id: str, reason: str) -> None:
        """End the programs of a chat."""
        raise NotImplementedError

    def close(self) -> None:
        """End all of them."""
        raise NotImplementedError
