"""Sealing: texts that are only readable with the key of a data directory, a file that only its owner may read.

The database alone (a backup of it, a PostgreSQL that others run) gives no password of a source. Fernet of
`cryptography`: AES-128-CBC with an HMAC, so that a text that was changed is noticed.
"""

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

KEY_FILE = "sources.key"


class CannotUnseal(Exception):
    """Failure to unseal: the text was sealed with another key, or changed since."""


class Seal:
    """The key in a folder; made when something is first sealed. OSError when the folder cannot be written or read."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / KEY_FILE
        self._lock = threading.Lock()
        self._fernet: Fernet | None = None

    def seal(self, text: str) -> str:
        """Encrypt a text for storage anywhere."""
        return self._key().encrypt(text.encode()).decode()

    def unseal(self, sealed: str) -> str:
        """Decrypt a text that was sealed with this key. Raises CannotUnseal."""
        from cryptography.fernet import InvalidToken

        try:
            return self._key().decrypt(sealed.encode()).decode()
        except (InvalidToken, ValueError):
            raise CannotUnseal from None

    def _key(self) -> "Fernet":
        from cryptography.fernet import Fernet

        with self._lock:
            if self._fernet is None:
                if not self._file.exists():
                    self._make(Fernet.generate_key())
                try:
                    self._fernet = Fernet(self._file.read_bytes().strip())
                except ValueError:
                    raise CannotUnseal from None
            return self._fernet

    def _make(self, key: bytes) -> None:
        """Whole or not at all: a desk that ends in the middle leaves no half key."""
        written = self._file.with_suffix(".new")
        written.unlink(missing_ok=True)
        descriptor = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(key)
            file.flush()
            os.fsync(file.fileno())
        written.replace(self._file)
