"""Read-only folders named by the operator, whose table files every chat can query without an upload.

They are listed at each use, so new files appear at once. Symbolic links are ignored.
"""

import contextlib
import hashlib
import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from smoldesk.errors import BadInput
from smoldesk.stopping import StopFlag
from smoldesk.tables.inside.bucket_files import is_object
from smoldesk.tables.inside.folder_files import Stamp, shared_files, visible_shared_files
from smoldesk.tables.models import FileProfile, TableProfile
from smoldesk.tables.object_folders import ObjectFolders
from smoldesk.tables.table_profiles import Profiles

# Cached profiles. More than folder_files.MAX_FILES, since changed files leave old ones behind.
MAX_CACHED_PROFILES = 200
# Stands for a chat's id when Profiles reads shared files.
KEY = "shared folders"


class SharedFolders:
    """Shared folders of one desk: those of this machine, and `objects`, those in buckets."""

    def __init__(self, folders: Sequence[Path | str] = (), private_folders: Collection[Path] = ()) -> None:
        """Resolve the folders. Raises BadInput if one is missing, cannot be used or overlaps `private_folders`, the
        desk's own data.
        """
        self.folders = [
            _checked(Path(folder), private_folders) for folder in folders if not is_object(folder)
        ]
        self.objects = ObjectFolders([str(folder) for folder in folders if is_object(folder)])

    @property
    def is_empty(self) -> bool:
        return not self.folders and not self.objects.urls

    def files(self) -> list[Stamp]:
        """Return the table files, by folder and name. The first of two with one name wins."""
        return shared_files(self.folders, self.objects.tables())

    def labels(self, chat_file_names: Collection[str]) -> dict[str, str]:
        """Return path or URL, and size, of the files visible beside a chat's files, by their names."""
        visible, _ = self.split(chat_file_names)
        return {Path(path).name: f"{path}, {_size_text(size)}" for path, size, _ in visible}

    def stamp_of(self, name: str) -> Sequence[int]:
        """Return numbers that change with the content of a file; none if it is missing. Waits for no store."""
        if is_object(name):
            return self.objects.stamp_of(name)
        try:
            status = Path(name).lstat()
        except OSError:
            return ()
        return status.st_mtime_ns, status.st_size

    def split(self, chat_file_names: Collection[str]) -> tuple[list[Stamp], list[str]]:
        """Return the stamps of shared files visible beside a chat's files, and the paths of those hidden by one of
        them.
        """
        return visible_shared_files(self.files(), chat_file_names)

    def hides(self, name: str) -> str:
        """Return the name of the shared file that a chat's file hides; empty if it hides none."""
        _, hidden = self.split([name])
        return hidden[0] if hidden else ""


class SharedFile(NamedTuple):
    """Profile of a shared file, and its tables under the file's name instead of its path."""

    profile: FileProfile
    tables: list[TableProfile]


class SharedProfiles:
    """Profiles of shared files, read on first use (large files by their first rows) and cached in memory and on disk
    until a file changes.

    The methods block: call them on any thread but the event loop's.
    """

    def __init__(self, folders: SharedFolders, profiles: Profiles, cache: Path) -> None:
        self.folders = folders
        self.scratch = cache / "shared"
        self._cache_folder = cache / "shared-profiles"
        self._profiles = profiles
        self._memory: dict[Path, SharedFile] = {}

    def of(self, stamps: Sequence[Stamp], stop: StopFlag) -> dict[str, SharedFile]:
        """Return the profiles of these files, without new ones of a store that failed lately. Raises Stopped."""
        if not stamps:
            return {}
        for folder in (self.scratch, self._cache_folder):
            folder.mkdir(exist_ok=True, mode=0o700)
        places = {stamp[0]: self._place(stamp) for stamp in stamps}
        paths = [*places]
        files = {path: file for path, place in places.items() if (file := self._cached(path, place))}
        unknown = [path for path in paths if path not in files]
        # Objects one by one: after the first that a store does not send, its others are not waited for.
        for batch in [
            [path for path in unknown if not is_object(path)],
            *([url] for url in unknown if is_object(url)),
        ]:
            if any(map(self.folders.objects.is_away, batch)):
                continue
            for path, profile in self._profiles.of_files(KEY, self.scratch, batch, stop).items():
                files[path] = _named(path, profile)
                if profile.tables:
                    places[path].write_text(profile.model_dump_json())
                self._forget_old()
        return {path: files[path] for path in paths if path in files}

    def _cached(self, path: str, place: Path) -> SharedFile | None:
        file = self._memory.get(place)
        if file is None:
            profile = _read(place)
            if profile is None:
                return None
            if len(self._memory) >= MAX_CACHED_PROFILES:
                self._memory.clear()
            file = self._memory[place] = _named(path, profile)
        with contextlib.suppress(OSError):
            os.utime(place)  # the time of use, by which `_forget_old` chooses
        return file

    def _forget_old(self) -> None:
        """Delete all but the MAX_CACHED_PROFILES most recently used profiles."""
        cached_files = sorted(self._cache_folder.glob("*.json"), key=_last_used, reverse=True)
        for place in cached_files[MAX_CACHED_PROFILES:]:
            place.unlink(missing_ok=True)

    def _place(self, stamp: Stamp) -> Path:
        name = repr((stamp[0], stamp[1:])).encode("utf-8", "surrogateescape")
        return self._cache_folder / f"{hashlib.sha256(name).hexdigest()[:32]}.json"


def _checked(folder: Path, private_folders: Collection[Path]) -> Path:
    if not folder.is_dir():
        raise BadInput(
            f"There is no folder {folder}, which --data (or SMOLDESK_DATA_FOLDERS) names.",
            "Create the folder, or remove it from the setting.",
            code="bad_settings",
        )
    real = folder.resolve()
    for other in (path.resolve() for path in private_folders):
        if real == other or real in other.parents or other in real.parents:
            raise BadInput(
                f"The folder {folder} of --data overlaps the desk's own data in {other}.",
                "Every chat could read the desk's data: choose a folder outside it.",
                code="bad_settings",
            )
    return real


def _size_text(size: int) -> str:
    for unit, bytes_of_unit in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= bytes_of_unit:
            return f"{size / bytes_of_unit:.3g} {unit}"
    return f"{size} B"


def _named(path: str, profile: FileProfile) -> SharedFile:
    name = Path(path).name
    return SharedFile(profile, [table.model_copy(update={"file": name}) for table in profile.tables])


def _last_used(place: Path) -> float:
    try:
        return place.stat().st_mtime
    except OSError:
        return 0.0


def _read(place: Path) -> FileProfile | None:
    try:
        return FileProfile.model_validate_json(place.read_bytes())
    except (OSError, ValidationError):
        return None
