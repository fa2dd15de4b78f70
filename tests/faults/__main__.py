"""`python -m tests.faults [WORD ...]`: tries the faults whose names have these words, and prints a Markdown table."""

import sys
import tempfile
from pathlib import Path

from tests.faults.fault import CannotTry, Fault
from tests.faults.objects import FAULTS as OBJECTS
from tests.faults.readers import FAULTS as READERS
from tests.faults.servers import FAULTS as SERVERS
from tests.faults.storage import FAULTS as STORAGE

# Each room of faults adds its own.
FAULTS: dict[str, Fault] = {**STORAGE, **OBJECTS, **SERVERS, **READERS}


def main() -> int:
    """Print a row for each fault; 1 if the desk broke a promise."""
    words, broken = sys.argv[1:], 0
    _print("| fault | what a client sees | how it recovers |\n|---|---|---|")
    for name, fault in FAULTS.items():
        if words and not any(word in name for word in words):
            continue
        with tempfile.TemporaryDirectory(prefix="smoldesk-faults-") as folder:
            try:
                outcome = fault(Path(folder))
                _print(f"| {name} | {outcome.seen} | {outcome.recovery} |")
            except CannotTry as reason:
                _print(f"| {name} | not tried: {reason} | |")
            except AssertionError as wrong:
                broken += 1
                _print(f"| {name} | WRONG: {str(wrong)[:300]} | |")
    return min(broken, 1)


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
