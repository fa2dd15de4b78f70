"""Zip archives of an importer: their members, unpacked one at a time within limits.

Sizes in the directory of an archive are claims. Members are unpacked in pieces and counted, so a zip bomb ends at the
limit; nested archives are refused, and nothing is ever written under a name of the archive.
"""

import zipfile
from collections.abc import Iterator
from pathlib import Path

from .draft import Unreadable, clipped, too_many

# Members of an archive, and bytes of all of them together, unpacked.
MAX_MEMBERS = 1_000
MAX_UNPACKED = 512 * 1024**2
# Bytes unpacked from a byte of the archive; deflate reaches 1,032, JSON and XML of buildings about 30.
MAX_RATIO = 200
_PIECE = 1024**2
_PACKED = (b"PK\x03\x04", b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!", b"BZh", b"\xfd7zXZ")


class PlanArchive:
    """A zip archive by its path. Raises Unreadable if it is damaged, encrypted or has too many members."""

    def __init__(self, path: Path) -> None:
        try:
            self._zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as fault:
            raise Unreadable(f"The zip archive is damaged: {clipped(fault)}. Pack it again.") from None
        self._infos = {
            info.filename: info for info in self._zip.infolist() if not info.is_dir() and not _is_hidden(info)
        }
        if len(self._infos) > MAX_MEMBERS:
            raise too_many("files in the archive", len(self._infos), MAX_MEMBERS, "")
        self._budget = min(MAX_UNPACKED, max(_PIECE, MAX_RATIO * path.stat().st_size))

    @property
    def names(self) -> list[str]:
        """Names of the members, with their folders, in the order of the archive."""
        return list(self._infos)

    def pieces(self, name: str) -> Iterator[bytes]:
        """Yield a member's bytes. Raises Unreadable for a nested archive and beyond the limit of all members."""
        info = self._infos[name]
        if info.flag_bits & 1:
            raise Unreadable("It is encrypted. Pack it without a password.", name)
        try:
            with self._zip.open(info) as member:
                first = True
                while piece := member.read(_PIECE):
                    if first and piece.startswith(_PACKED):
                        raise Unreadable("It is an archive in an archive. Pack the files themselves.", name)
                    first = False
                    self._budget -= len(piece)
                    if self._budget < 0:
                        raise Unreadable(
                            f"The archive unpacks to more than {MAX_UNPACKED // 1024**2} MB, or to more than "
                            f"{MAX_RATIO} times its size. Pack only the files of the building.",
                            name,
                        )
                    yield piece
        except (zipfile.BadZipFile, EOFError, OSError, ValueError, NotImplementedError) as fault:
            raise Unreadable(f"It is damaged: {clipped(fault)}. Pack it again.", name) from None
        except Exception as fault:  # zlib.error, and those of other compressions, share no base class
            if isinstance(fault, Unreadable):
                raise
            raise Unreadable(f"It is damaged: {clipped(fault)}. Pack it again.", name) from None

    def read(self, name: str) -> bytes:
        """Return a member's bytes; raises as `pieces` does."""
        return b"".join(self.pieces(name))

    def unpack(self, name: str, path: Path) -> Path:
        """Write a member to a path of the caller's; raises as `pieces` does."""
        with path.open("wb") as file:
            for piece in self.pieces(name):
                file.write(piece)
        return path


def _is_hidden(info: zipfile.ZipInfo) -> bool:
    """Return whether a member is an invisible file, or one of macOS's copies of them."""
    parts = [part for part in info.filename.split("/") if part not in (".", "..")]
    return any(part.startswith((".", "__MACOSX")) for part in parts)
