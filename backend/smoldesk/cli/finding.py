"""Finding of a check of `smoldesk doctor`."""

import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """Result of one check; `code` is that of the error."""

    name: str
    ok: bool
    said: str
    code: str | None = None


def print_finding(finding: Finding) -> None:
    """Write a finding as a line."""
    sys.stdout.write(f"{'ok   ' if finding.ok else 'FAIL '} {finding.name}: {finding.said}\n")
    sys.stdout.flush()
