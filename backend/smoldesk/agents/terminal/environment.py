"""What a program gets to know: a few variables of the server's, those its profile names, and nothing else.

No key or token of the desk reaches a program unless its profile hands it down by name.
"""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from smoldesk.agents.terminal.terminal_profiles import Profile
from smoldesk.errors import DeskError

HANDED_DOWN = ("PATH", "HOME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "USER", "LOGNAME", "SHELL")
MARK = "SMOLDESK_PROGRAM"
"""Carries a value of each program's own, by which everything it started is found again."""


def environment(profile: Profile, mark: str, server: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Variables of a program. The terminal is ours, so TERM is too, unless the profile says otherwise."""
    wanted = {
        name for name in server if name in HANDED_DOWN or name.startswith("LC_") or name in profile.env_from
    }
    found = {name: server[name] for name in sorted(wanted)}
    found.setdefault("LANG", "C.UTF-8")
    return {**found, "TERM": "xterm-256color", **profile.env, MARK: mark}


def executable(command: str, variables: Mapping[str, str], folder: Path) -> str:
    """The program's file; raises DeskError program_missing, or program_failed when it may not be executed."""
    found = shutil.which(command, path=variables.get("PATH", os.defpath)) if "/" not in command else None
    if found is not None:
        return found
    named = [folder / command] if "/" in command else _in_path(command, variables.get("PATH", os.defpath))
    for file in named:
        if file.is_file() and os.access(file, os.X_OK):
            return str(file)
        if file.exists():
            raise DeskError(
                f"The program {command[:200]!r} may not be executed.",
                hint="Expected a file with the right to execute it (chmod +x).",
                code="program_failed",
            )
    raise DeskError(
        f"There is no program {command[:200]!r}.",
        hint="Install it, put it on the server's PATH, or give its full path in the profile's `command`.",
        code="program_missing",
    )


def _in_path(command: str, path: str) -> list[Path]:
    return [Path(place, command) for place in path.split(os.pathsep) if place]
