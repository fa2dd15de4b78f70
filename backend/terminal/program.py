"""One program under a terminal of its own."""

from pathlib import Path

from backend.stopping import StopFlag
from backend.terminal.profiles import Profile
from backend.terminal.progress import Progress

__all__ = ["Program", "Progress"]


class Program:
    """A running program. Everything but `take_late`, `close` and the properties is for one thread at a time: the run's."""

    profile: Profile
    pid: int

    @classmethod
    def start(cls, profile: Profile, folder: Path) -> "Program":
        """Start it in `folder`; raises DeskError program_missing or program_failed. Does not wait until it is ready."""
        raise NotImplementedError

    @property
    def exit_code(self) -> int | None:
        """None while it runs; negative for the signal that ended it."""
        raise NotImplementedError

    def send(self, text: str) -> None:
        """Type a message and submit it, as one, whatever it contains; raises BadInput or DeskError program_failed."""
        raise NotImplementedError

    def answer(self, value: str, secret: bool = False) -> None:
        """Type one line and submit it; a secret is blanked wherever it comes back. May be empty (Enter alone)."""
        raise NotImplementedError

    def interrupt(self) -> None:
        """Type what stops the work at hand, as the profile has it."""
        raise NotImplementedError

    def wait(self, seconds: float, stop: StopFlag | None = None) -> Progress:
        """Wait for output, the program's end, the stop flag, or so many seconds, whatever is first. Never raises."""
        raise NotImplementedError

    def take_late(self) -> str:
        """Whole lines that nobody has taken yet."""
        raise NotImplementedError

    def close(self) -> None:
        """End it and everything it started: hang-up, terminate, kill. May be called twice, from any thread."""
        raise NotImplementedError
