"""Folders that the operator names: read-only in every chat, their table files are tables without an upload.

They are looked through whenever they are needed, so new files are there at once. Links are no files of theirs, wherever
they lead.
"""

import hashlib
from collections.abc import Collection, Sequence
from pathlib import Path

from pydantic import ValidationError

from smoldesk.errors import BadInput
from smoldesk.stopping import StopFlag
from smoldesk.tables.inside.folder_files import Stamp, shared_files, visible_shared_files
from smoldesk.tables.models import FileProfile
from smoldesk.tables.table_profiles import Profiles, stamp_of

# Profiles that are remembered; of files that count there are MOST_FILES at most.
MOST_KEPT = 200
# The chat, as it were, for which their files are read.
KEY = "shared folders"


class SharedFolders:
    """The folders of one desk; raises BadInput for one that is none, or that would show the desk's own data."""

    def __init__(self, folders: Sequence[Path] = (), private_folders: Collection[Path] = ()) -> None:
        """`own` are folders of the desk's data."""
        self.folders = [_checked(folder, private_folders) for folder in folders]

    def files(self) -> list[str]:
        """The absolute paths of their table files, folder by folder, by name; of two of one name the first."""
        return shared_files(self.folders)

    def split(self, chat_file_names: Collection[str]) -> tuple[list[Stamp], list[str]]:
        """Their files beside the chat's `own`, by names, and the paths of those that give way to one of its."""
        return visible_shared_files(self.files(), chat_file_names)

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
        self._cache_folder = cache / "shared-profiles"
        self._profiles = profiles

    def of(self, paths: Sequence[str], stop: StopFlag) -> dict[str, FileProfile]:
        """The profiles of these files. Raises Stopped."""
        if not paths:
            return {}
        for folder in (self.scratch, self._cache_folder):
            folder.mkdir(exist_ok=True, mode=0o700)
        places = {path: self._place(path) for path in paths}
        profiles = {path: profile for path, place in places.items() if (profile := _read(place)) is not None}
        unknown = [path for path in paths if path not in profiles]
        for path, profile in self._profiles.of_files(KEY, self.scratch, unknown, stop).items():
            profiles[path] = profile
            if profile.tables:
                places[path].write_text(profile.model_dump_json())
            self._forget_old()
        return {path: profiles[path] for path in paths}

    def _forget_old(self) -> None:
        """Remove what was longest unread of MOST_KEPT profiles: most of files that changed or went away."""
        cached_files = sorted(self._cache_folder.glob("*.json"), key=_last_used, reverse=True)
        for place in cached_files[MOST_KEPT:]:
            place.unlink(missing_ok=True)

    def _place(self, path: str) -> Path:
        stamp = repr((path, stamp_of(self.scratch, path))).encode("utf-8", "surrogateescape")
        return self._cache_folder / f"{hashlib.sha256(stamp).hexdigest()[:32]}.json"


def _checked(folder: Path, private_folders: Collection[Path]) -> Path:
    if not folder.is_dir():
        raise BadInput(
            f"There is no folder {folder}, which --data (or SMOLDESK_DATA_FOLDERS) names.",
            "Make it, or leave it out.",
            code="bad_settings",
        )
    real = folder.resolve()
    for other in (path.resolve() for path in private_folders):
        if real == other or real in other.parents or other in real.parents:
            raise BadInput(
                f"The folder {folder} of --data and the desk's own data in {other} lie in each other.",
                "Every chat could read what the desk keeps: name a folder beside it.",
                code="bad_settings",
            )
    return real


def _last_used(place: Path) -> float:
    try:
        return place.stat().st_mtime
    except OSError:
        return 0.0


def _read(place: Path) -> FileProfile | None:
    try:
        profile = FileProfile.model_validate_json(place.read_bytes())
        place.touch()
        return profile
    except (OSError, ValidationError):
        return None
