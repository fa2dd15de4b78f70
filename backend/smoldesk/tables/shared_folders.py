"""Folders that the operator names: read-only in every chat, their table files are tables without an upload.

They are looked through whenever they are needed, so new files are there at once. Nothing of them is copied. Links are no
files of theirs, wherever they lead.
"""

import hashlib
import logging
import stat
from collections.abc import Collection, Sequence
from pathlib import Path

from pydantic import ValidationError

from smoldesk.errors import BadInput
from smoldesk.stopping import StopFlag
from smoldesk.tables.models import FileProfile
from smoldesk.tables.table_profiles import Profiles, is_table_file, stamp_of

log = logging.getLogger(__name__)

MOST_FILES = 40
"""Table files of all folders together."""
KEY = "shared folders"
"""The chat, as it were, for which their files are read."""


class SharedFolders:
    """The folders of one desk; raises BadInput for one that is none, or that would show the desk's own data."""

    def __init__(self, folders: Sequence[Path] = (), own: Collection[Path] = ()) -> None:
        """`own` are folders of the desk's data."""
        self.folders = [_checked(folder, own) for folder in folders]

    def files(self) -> list[str]:
        """The absolute paths of their table files, folder by folder, by name; of two of one name the first."""
        found: dict[str, str] = {}
        for folder in self.folders:
            for path in sorted(_entries(folder)):
                if len(found) < MOST_FILES and is_table_file(path.name) and _is_plain(path):
                    found.setdefault(path.name.casefold(), str(path))
        return list(found.values())

    def split(self, own: Collection[str]) -> tuple[list[str], list[str]]:
        """Their files beside the chat's `own`, by names: those that are seen, and those that give way to one of its."""
        taken = {name.casefold() for name in own}
        seen: list[str] = []
        hidden: list[str] = []
        for path in self.files():
            (hidden if Path(path).name.casefold() in taken else seen).append(path)
        return seen, hidden

    def hides(self, name: str) -> str:
        """What is said of a chat's file that stands before one of theirs; empty for any other."""
        _, hidden = self.split([name])
        return f"The desk's folder has {hidden[0]}, too: in this chat its own file counts." if hidden else ""


class SharedProfiles:
    """What the files of shared folders hold: read when first needed, by their first rows where they are large, and remembered
    over a restart until a file changes. The calls wait, on any thread but the event loop's."""

    def __init__(self, folders: SharedFolders, profiles: Profiles, cache: Path) -> None:
        self.folders = folders
        self.scratch = cache / "shared"
        self._kept = cache / "shared-profiles"
        self._profiles = profiles

    def of(self, paths: Sequence[str], stop: StopFlag) -> dict[str, FileProfile]:
        """The profiles of these files. Raises Stopped."""
        if not paths:
            return {}
        for folder in (self.scratch, self._kept):
            folder.mkdir(exist_ok=True, mode=0o700)
        places = {path: self._place(path) for path in paths}
        known = {path: profile for path, place in places.items() if (profile := _read(place)) is not None}
        unknown = [path for path in paths if path not in known]
        for path, profile in self._profiles.of_files(KEY, self.scratch, unknown, stop).items():
            known[path] = profile
            if profile.tables:
                places[path].write_text(profile.model_dump_json())
        return {path: known[path] for path in paths}

    def _place(self, path: str) -> Path:
        stamp = repr((path, stamp_of(self.scratch, path))).encode("utf-8", "surrogateescape")
        return self._kept / f"{hashlib.sha256(stamp).hexdigest()[:32]}.json"


def _checked(folder: Path, own: Collection[Path]) -> Path:
    if not folder.is_dir():
        raise BadInput(
            f"There is no folder {folder}, which --data (or SMOLDESK_DATA_FOLDERS) names.",
            "Make it, or leave it out.",
            code="bad_settings",
        )
    real = folder.resolve()
    for other in (path.resolve() for path in own):
        if real == other or real in other.parents or other in real.parents:
            raise BadInput(
                f"The folder {folder} of --data and the desk's own data in {other} lie in each other.",
                "Every chat could read what the desk keeps: name a folder beside it.",
                code="bad_settings",
            )
    return real


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError as fault:
        log.warning("a folder of --data cannot be looked through (%s)", type(fault).__name__)
        return []


def _is_plain(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _read(place: Path) -> FileProfile | None:
    try:
        return FileProfile.model_validate_json(place.read_bytes())
    except (OSError, ValidationError):
        return None
