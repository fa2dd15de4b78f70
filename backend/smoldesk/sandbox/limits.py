"""Limits of one chat's code: its share of the machine."""

from dataclasses import dataclass

MIB = 1024**2


@dataclass(frozen=True)
class Limits:
    """Per chat, in bytes and counts; `seconds` is processor time over the life of one process.

    The kernel holds the first five; `folder` and `files` are watched by the server while a cell runs.
    """

    memory: int = 4096 * MIB
    file: int = 512 * MIB
    open_files: int = 256
    threads: int = 64
    seconds: int = 3600
    folder: int = 4096 * MIB
    files: int = 20_000

    def of_process(self) -> dict[str, int]:
        """Return the limits that the child applies to itself."""
        return {
            "memory": self.memory,
            "file": min(self.file, self.folder),
            "open_files": self.open_files,
            "threads": self.threads,
            "seconds": self.seconds,
        }


# Limits of a foreign program and its descendants: it may be an interpreter that starts compilers.
PROGRAM_LIMITS = Limits(file=2048 * MIB, open_files=4096, threads=256)
