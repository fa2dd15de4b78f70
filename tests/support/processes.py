"""What runs below the tests' own process."""

import psutil


def commands_below() -> list[str]:
    """The command line of each process below this one; what ended since it was listed has none."""
    found: list[str] = []
    for process in psutil.Process().children(recursive=True):
        try:
            found.append(" ".join(process.cmdline()))
        except psutil.Error:
            continue
    return found
