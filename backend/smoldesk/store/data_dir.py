"""The data directory: where things lie, and the lock that gives it to one server at a time."""

import fcntl
import os
import secrets
import time
from contextlib import suppress
from pathlib import Path

from smoldesk.errors import DeskError
from smoldesk.folders import remove_tree

# The file with the address of the server that uses this directory.
ADDRESS = "address"
# The file that marks a directory into which a backup is being restored, or whose restore was interrupted.
RESTORING = "restoring"
# Names in the cache of files on their way to a client: a killed server leaves them behind.
SCRATCH = ("export-*", ".export-*", "import-*", "plan-*", "report-*", "source-*")
# Folders besides those of chats, in which code ran apart from a chat; another server may still use one.
SCRATCH_OF_CODE = ("verify-*", "shapes-*")
_DAY = 86_400.0


class DataDir:
    """Folders of a desk's data; raises DeskError when they cannot be made.

    `claim` takes the lock; the kernel gives it back when the process ends, however it ends. `shared` is where the files
    of chats lie instead, when several servers on one database are to have them in common.
    """

    def __init__(self, root: Path, shared: Path | None = None) -> None:
        self.root = root.absolute()
        of_chats = (shared or root).absolute()
        self.files = of_chats / "files"
        self.chats = of_chats / "chats"
        self.partials = of_chats / "uploads"
        self.cache = self.root / "cache"
        try:
            for folder in (self.root, self.files, self.chats, self.partials, self.cache):
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.id = self._stable_id()
        except OSError as fault:
            raise DeskError(
                f"The data directory {root if shared is None else shared} cannot be used: {fault.strerror}.",
                "Choose a folder you may write to with --data-dir (or SMOLDESK_FILES_DIR).",
                code="data_dir_unusable",
            ) from fault
        self._lock: int | None = None

    def chat_folder(self, chat_id: str) -> Path:
        """Return the working folder of a chat's code, created on first use. `chat_id` must come from the chat table."""
        folder = self.chats / chat_id
        folder.mkdir(exist_ok=True, mode=0o700)
        return folder

    def claim(self, restoring: bool = False) -> None:
        """Take the directory for this process; raises DeskError when another server has it.

        One with half of a backup is for `restoring` alone.
        """
        descriptor = os.open(self.root / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as fault:
            os.close(descriptor)
            raise DeskError(
                f"Another smoldesk uses the data directory {self.root.name!r}.",
                "Stop it, or choose another one with --data-dir.",
                code="data_dir_busy",
            ) from fault
        if not restoring and (self.root / RESTORING).exists():
            os.close(descriptor)
            raise DeskError(
                f"A restore into the data directory {self.root.name!r} was interrupted.",
                "Repeat `smoldesk restore` with the same backup: it continues.",
                code="restore_unfinished",
            )
        self._lock = descriptor
        (self.root / ADDRESS).unlink(missing_ok=True)  # of a server that is gone
        self._sweep()

    def _sweep(self) -> None:
        """Remove what a server that was killed left unfinished."""
        paths = [path for name in SCRATCH for path in self.cache.glob(name)]
        old = time.time() - _DAY
        for path in [*paths, *(path for name in SCRATCH_OF_CODE for path in self.chats.glob(name))]:
            with suppress(OSError):
                if path.parent == self.chats and path.lstat().st_mtime > old:
                    continue
                if path.is_dir() and not path.is_symlink():
                    remove_tree(path)
                else:
                    path.unlink()

    def serve_at(self, address: str) -> None:
        """Say where the server that has the directory is to be asked. Only its holder may."""
        written = self.root / f"{ADDRESS}.new"
        written.write_text(address)
        written.replace(self.root / ADDRESS)  # at once: a reader never finds it empty

    def served_at(self) -> str | None:
        """Return the address of the server that holds the directory, or None; valid only while the directory is locked."""
        try:
            return (self.root / ADDRESS).read_text().strip() or None
        except FileNotFoundError:
            return None

    def claim_or_address(self) -> str | None:
        """None once the directory is this process's, else the address of the server that has it; raises DeskError for none."""
        try:
            self.claim()
        except DeskError:
            address = self.served_at()
            if address is None:
                raise
            return address
        return None

    def release(self) -> None:
        """Give the lock of the directory back."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _stable_id(self) -> str:
        path = self.root / "id"
        try:
            with path.open("x") as file:
                file.write(secrets.token_hex(8))
        except FileExistsError:
            pass
        return path.read_text().strip()
