"""Sealing: texts that are only readable with the keys of a file, which only its owner may read.

The database alone (a backup of it, a PostgreSQL that others run) gives no password of a source. Fernet of
`cryptography`: AES-128-CBC with an HMAC, so that a text that was changed is noticed. Several servers may share one file.
"""

import base64
import binascii
import os
import secrets
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from smoldesk.errors import DeskError

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet

KEY_FILE = "sources.key"
# A key file is read whole; a wrong path may lead to a file without end.
MAX_BYTES = 10_000
KEY_BYTES = 32


class CannotUnseal(Exception):
    """Failure to unseal: the text was sealed with another key, or changed since."""


class Seal:
    """The keys of a file, one a line: the first seals, all of them open. Lines that begin with # are comments.

    With `makes`, the file is made when something is first sealed. All methods raise DeskError ("bad_key_file") for a file
    that cannot be read or holds something else.
    """

    def __init__(self, file: Path, makes: bool = True) -> None:
        self.file = file
        self._makes = makes
        self._lock = threading.Lock()
        self._keys: list[str] = []
        self._fernet: MultiFernet | None = None

    def check(self) -> None:
        """Check the file: it holds keys, unless it is yet to be made."""
        if not self._makes or self.file.exists():
            read_keys(self.file)

    def seal(self, text: str) -> str:
        """Encrypt a text with the first key, as the file is now: another server may have rotated keys."""
        with self._lock:
            if self._makes and not self.file.exists():
                make_key_file(self.file)
            return self._read().encrypt(text.encode()).decode()

    def unseal(self, sealed: str) -> str:
        """Decrypt a text that was sealed with any of the keys. Raises CannotUnseal."""
        from cryptography.fernet import InvalidToken

        with self._lock:
            try:
                if self._fernet is not None:
                    return self._fernet.decrypt(sealed.encode()).decode()
            except (InvalidToken, ValueError):
                pass  # the key may have come to the file since it was read
            if self._makes and not self.file.exists():
                raise CannotUnseal
            try:
                return self._read().decrypt(sealed.encode()).decode()
            except (InvalidToken, ValueError):
                raise CannotUnseal from None

    def _read(self) -> "MultiFernet":
        from cryptography.fernet import Fernet, MultiFernet

        keys = read_keys(self.file)
        if self._fernet is None or keys != self._keys:
            self._keys, self._fernet = keys, MultiFernet([Fernet(key) for key in keys])
        return self._fernet


def read_keys(file: Path) -> list[str]:
    """Return the keys of a file. Raises DeskError, which names the wrong line without its text."""
    try:
        with file.open("rb") as opened:
            content = opened.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise _unfit(file, "does not exist") from None
    except OSError as fault:
        raise _unfit(file, f"cannot be read: {fault.strerror}") from None
    if len(content) > MAX_BYTES:
        raise _unfit(file, f"is larger than {MAX_BYTES:,} bytes")
    lines = [line.strip() for line in content.decode("ascii", "replace").splitlines()]
    for number, line in enumerate(lines, 1):
        if line and not line.startswith("#") and not _is_key(line):
            raise _unfit(file, f"has no key in line {number}")
    if keys := [line for line in lines if line and not line.startswith("#")]:
        return keys
    raise _unfit(file, "is empty")


def make_key_file(file: Path) -> None:
    """Make a file with one key, unless another process has made it just now."""
    written = _written(file, [_new_key()])
    try:
        # A link never replaces a file: of servers that start together, one makes the key of all.
        os.link(written, file)
    except FileExistsError:
        pass
    finally:
        written.unlink()


def add_key(file: Path) -> int:
    """Put a new key before those of a file, or make the file; return the number of its keys. Raises DeskError for a link."""
    if file.is_symlink():
        # The new file would take the place of the link, and who else reads its target would not have the new key.
        raise _unfit(file, "is a link: name the file that it leads to in SMOLDESK_KEY_FILE")
    if not file.exists():
        make_key_file(file)
        return 1
    keys = [_new_key(), *read_keys(file)]
    _written(file, keys).replace(file)
    return len(keys)


def _written(file: Path, keys: list[str]) -> Path:
    """Write keys to a new file beside `file`: complete or not at all, also when the process ends in the middle."""
    written = file.with_name(f"{file.name}.{secrets.token_hex(4)}.new")
    descriptor = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w") as opened:
        opened.write("".join(f"{key}\n" for key in keys))
        opened.flush()
        os.fsync(opened.fileno())
    return written


def _new_key() -> str:
    return base64.urlsafe_b64encode(secrets.token_bytes(KEY_BYTES)).decode()


def _is_key(line: str) -> bool:
    try:
        return len(base64.b64decode(line.encode("ascii", "replace"), b"-_", validate=True)) == KEY_BYTES
    except binascii.Error:
        return False


def _unfit(file: Path, problem: str) -> DeskError:
    return DeskError(
        f"The key file {file.name!r} {problem}.",
        "Expected one key per line, as `smoldesk keys add` writes them; nothing was changed.",
        code="bad_key_file",
    )
