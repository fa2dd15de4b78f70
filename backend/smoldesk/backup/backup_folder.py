"""Folder of backups: contents by their SHA-256, which all backups of the folder share, and a manifest for each backup."""

import calendar
import contextlib
import fcntl
import hashlib
import os
import re
import secrets
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from smoldesk.backup.manifest import MAX_BYTES, BackupEntry, Manifest, damaged, decoded
from smoldesk.backup.regular_files import CHUNK
from smoldesk.errors import DeskError, NotFound
from smoldesk.folders import open_inside

CONTENT = "content"
UNFINISHED = ".new-"
# Only what has such a name is ever deleted: the folder may have files of other people in it.
_UNFINISHED = re.compile(r"\.new-[0-9a-f]{16}")
_CONTENT = re.compile(r"[0-9a-f]{64}")
# Time of a backup with its milliseconds, and the desk that it is of. Older ones name no desk.
_MANIFEST = re.compile(r"backup-(\d{8}T\d{6})Z-(\d{3})(?:-([0-9a-f]{16}))?\.manifest")


class HashedFile:
    """File that is written; `digest` and `size` are those of the bytes until now."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._hash = hashlib.sha256()
        self.size = 0

    def write(self, data: bytes) -> int:
        self._hash.update(data)
        self.size += len(data)
        return self._file.write(data)

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()


class BackupFolder:
    """Backups below one folder. Methods raise DeskError, and OSError if the disk fails."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()

    @contextmanager
    def locked(self) -> Generator[None]:
        """Make the folder and hold it for one backup. Raises DeskError if it holds something else, or is in use."""
        if self.folder.exists() and not self._is_of_backups():
            raise DeskError(
                f"{self.folder} holds something other than backups.",
                "Expected a folder that is empty, does not exist, or has backups of smoldesk.",
                code="backup_folder",
            )
        (self.folder / CONTENT).mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise DeskError(
                    f"Another backup into {self.folder} is running.",
                    "Wait until it ends.",
                    code="backup_busy",
                ) from None
            self._sweep()
            yield
        finally:
            os.close(lock)

    def _is_of_backups(self) -> bool:
        """Return whether the folder has a manifest, or nothing that a backup would not have made before its end."""
        if not self.folder.is_dir():
            return False
        if self.manifests() or any(map(_can_be_read, self.folder.glob("*.manifest"))):
            return True
        contents = self.folder / CONTENT
        names = {path.name for path in self.folder.iterdir() if not _UNFINISHED.fullmatch(path.name)}
        if not names <= {CONTENT, "lock", "lost+found"} or contents.is_symlink():
            return False
        files = [path for path in contents.rglob("*") if not path.is_dir()]
        return all(_UNFINISHED.fullmatch(path.name) or _is_content(path) for path in files)

    def _sweep(self) -> None:
        """Remove what a backup that was killed left unfinished."""
        for place in (self.folder, self.folder / CONTENT):
            for path in place.iterdir():
                if _UNFINISHED.fullmatch(path.name):
                    path.unlink()

    # --- contents --------------------------------------------------------------------------------------------------

    def scratch(self) -> Path:
        """Return a new path for an unfinished file."""
        return self.folder / CONTENT / f"{UNFINISHED}{secrets.token_hex(8)}"

    def add(self, write: Callable[[Any], object]) -> tuple[str, int]:
        """Store what `write` writes; return its SHA-256 and bytes. Nothing remains if it raises."""
        scratch = self.scratch()
        try:
            with scratch.open("xb") as file:
                target = HashedFile(file)
                write(target)
                file.flush()
                os.fsync(file.fileno())
            self._adopt(scratch, target.digest)
        finally:
            scratch.unlink(missing_ok=True)
        return target.digest, target.size

    def add_file(self, scratch: Path) -> tuple[str, int]:
        """Move a file that was written at `scratch` to its place; return its SHA-256 and bytes."""
        with scratch.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            size = file.tell()
            os.fsync(file.fileno())
        self._adopt(scratch, digest)
        return digest, size

    def _adopt(self, scratch: Path, digest: str) -> None:
        """Move a finished file to its place, also in place of one that was damaged there."""
        place = self.folder / _place(digest)
        place.parent.mkdir(exist_ok=True, mode=0o700)
        scratch.replace(place)
        sync_folder(place.parent)

    def has(self, digest: str, size: int) -> bool:
        """Return whether a content is here with its size; its bytes are not read."""
        try:
            descriptor = open_inside(self.folder, _place(digest))
        except NotFound:
            return False
        with os.fdopen(descriptor, "rb") as file:
            return os.fstat(file.fileno()).st_size == size

    def path_of(self, entry: BackupEntry) -> Path:
        """Return where the content of a file is."""
        return self.folder / _place(entry.sha256)

    def copy_to(self, entry: BackupEntry, target: IO[bytes] | None = None) -> None:
        """Read a content completely, and write it to `target`. Raises DeskError if it is not what was backed up.

        Links are not followed: they lead out of the backup.
        """
        try:
            descriptor = open_inside(self.folder, _place(entry.sha256))
        except NotFound:
            raise damaged(
                f"{_place(entry.sha256)}, the content of {entry.path}, is missing or no file"
            ) from None
        with os.fdopen(descriptor, "rb") as file:
            digest, size = hashlib.sha256(), 0
            while chunk := file.read(CHUNK):
                digest.update(chunk)
                size += len(chunk)
                if target is not None:
                    target.write(chunk)
        if digest.hexdigest() != entry.sha256 or size != entry.size:
            raise damaged(f"{_place(entry.sha256)}, the content of {entry.path}, was changed")

    # --- manifests -------------------------------------------------------------------------------------------------

    def manifests(self) -> list[Path]:
        """Return the manifests, oldest first. A renamed one does not count, but its contents stay."""
        paths = [path for path in self.folder.iterdir() if _MANIFEST.fullmatch(path.name)]
        return sorted(path for path in paths if path.is_file() and not path.is_symlink())

    def newest(self) -> Manifest | None:
        """Return the newest manifest that can be read, or None."""
        for path in reversed(self.manifests()):
            with contextlib.suppress(DeskError):
                return read_manifest(path)
        return None

    def finish(self, manifest: Manifest) -> Path:
        """Write the manifest, which completes the backup; return its path."""
        scratch = self.folder / f"{UNFINISHED}{secrets.token_hex(8)}"
        with scratch.open("xb") as file:
            file.write(manifest.encoded())
            file.flush()
            os.fsync(file.fileno())
        # After all others, also if the clock went back since.
        at = max([round(manifest.made_at * 1000), *(_time_of(path) + 1 for path in self.manifests()[-1:])])
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(at // 1000))
        path = self.folder / f"backup-{stamp}-{at % 1000:03}-{manifest.desk}.manifest"
        scratch.replace(path)
        sync_folder(self.folder)
        return path

    def desks(self) -> set[str]:
        """Return the ids of the desks that the backups are of."""
        return {_desk_of(path) for path in self.manifests()}

    def keep_newest(self, count: int, desk: str) -> int:
        """Delete all backups of a desk except the newest, and contents that no backup needs; return how many remain.

        A manifest that is damaged deletes nothing: DeskError.
        """
        paths = [path for path in self.manifests() if _desk_of(path) == desk]
        old = paths[:-count]
        # Also those that somebody gave another name.
        remaining = [read_manifest(path) for path in self.folder.glob("*.manifest") if path not in old]
        needed = {entry.sha256 for manifest in remaining for entry in manifest.entries}
        for path in old:
            path.unlink()
        for path in (self.folder / CONTENT).glob("??/*"):
            if _is_content(path) and path.name not in needed:
                path.unlink()
        return len(paths) - len(old)


def open_backup(path: Path) -> tuple[BackupFolder, Manifest]:
    """Return the backup of a manifest, or the newest of a folder. Raises DeskError."""
    path = path.absolute()
    if not path.is_dir():
        return BackupFolder(path.parent), read_manifest(path)
    folder = BackupFolder(path)
    manifests = folder.manifests()
    if not manifests:
        raise DeskError(
            f"There is no complete backup in {path}.",
            "Expected a folder that `smoldesk backup` wrote to, or one of its manifests (backup-*.manifest).",
            code="no_backup",
        )
    return folder, read_manifest(manifests[-1])


def read_manifest(path: Path) -> Manifest:
    """Read a manifest. Raises DeskError."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as fault:
        raise DeskError(
            f"The manifest {path.name!r} cannot be read: {fault.strerror}.",
            "Expected a folder that `smoldesk backup` wrote to, or one of its manifests.",
            code="no_backup",
        ) from None
    if len(content) > MAX_BYTES:
        raise damaged(f"its manifest is larger than {MAX_BYTES:,} bytes")
    return decoded(content)


def _can_be_read(manifest: Path) -> bool:
    with contextlib.suppress(DeskError):
        read_manifest(manifest)
        return True
    return False


def _is_content(path: Path) -> bool:
    is_named = _CONTENT.fullmatch(path.name) is not None and path.name.startswith(path.parent.name)
    return is_named and len(path.parent.name) == 2 and not path.parent.is_symlink()


def _time_of(manifest: Path) -> int:
    """Return the time in the name of a manifest, in milliseconds since the epoch."""
    match = _MANIFEST.fullmatch(manifest.name)
    assert match is not None
    return calendar.timegm(time.strptime(match[1], "%Y%m%dT%H%M%S")) * 1000 + int(match[2])


def _desk_of(manifest: Path) -> str:
    match = _MANIFEST.fullmatch(manifest.name)
    return match[3] or "" if match else ""


def _place(digest: str) -> str:
    return f"{CONTENT}/{digest[:2]}/{digest}"


def sync_folder(folder: Path) -> None:
    """Write the names of a folder to the disk: a file that was renamed may otherwise be gone after a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
