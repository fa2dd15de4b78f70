"""What the host needs from a process, however it came to be: `spawned` or `forked`."""

from typing import Protocol


class Handle(Protocol):
    """A started process. Exit codes are those of `subprocess`: negative for a signal. Any thread may call."""

    @property
    def pid(self) -> int:
        """Its number on this machine; waits until it is born."""
        ...

    def ended(self) -> bool:
        """Whether it has ended; does not wait."""
        ...

    def wait(self, seconds: float) -> int | None:
        """Its exit code, or None when it has not ended in time."""
        ...

    def signal(self, number: int) -> None:
        """Send a signal; nothing happens when it has ended."""
        ...

    def kill(self) -> None:
        """End it and what it started; does not wait."""
        ...

    def complaint(self) -> str:
        """The last thing it said before it could speak in frames."""
        ...

    def close(self) -> None:
        """Give back what belongs to it; it has ended."""
        ...
