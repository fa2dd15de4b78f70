"""Manifest of a backup: which files it has, each by its path and SHA-256, and what made it.

It is one line of JSON and a second line with the SHA-256 of the first, written after everything that it names. So a
backup without a manifest, or with half of one, is not complete.
"""

import hashlib
from typing import Annotated, Literal
from urllib.parse import quote, unquote_to_bytes

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from smoldesk.errors import DeskError
from smoldesk.store.data_dir import ADDRESS, RESTORING

FORMAT = 1
DATABASE = "database"
# First steps of paths: stored files, folders of chats, and what else is in the data directory.
FILES, CHATS, DESK = "files", "chats", "desk"
# Names in the data directory that belong to a running desk, or that other paths stand for.
NOT_COPIED = (
    *("lock", "id", ADDRESS, f"{ADDRESS}.new", RESTORING),
    *(f"{RESTORING}.{end}" for end in ("new", "database", "smoldesk.db")),
    *("cache", "files", "chats", "uploads"),
    # Keys of nodes, which would let the reader of a backup pose as the desk.
    *("nodes", "node"),
    *(f"smoldesk.db{end}" for end in ("", "-wal", "-shm", "-journal")),
)
# Maximum bytes of a manifest: several million files.
MAX_BYTES = 1 << 30
# Maximum characters of a path. Of each step, file systems take 255 bytes, which are percent-encoded here.
MAX_PATH = 12_000


def damaged(problem: str) -> DeskError:
    """Return the error for a backup that is not what was written."""
    return DeskError(
        f"The backup is damaged: {problem}.",
        "Use another one (`smoldesk verify` checks it), or delete that content: the next backup copies it again.",
        code="backup_damaged",
    )


def _checked(path: str) -> str:
    root, *steps = path.split("/")
    if root == DATABASE and not steps:
        return path
    names = [unquote_to_bytes(step) for step in steps]
    unsafe = not names or any(name in (b"", b".", b"..") or b"/" in name or b"\0" in name for name in names)
    unsafe = unsafe or (root == DESK and names[0].decode(errors="replace") in NOT_COPIED)
    if root not in (FILES, CHATS, DESK) or unsafe or path_of(root, *names) != path:
        raise ValueError("expected a path of a desk's file")
    return path


def path_of(*steps: str | bytes) -> str:
    """Return the path of a file; its steps are percent-encoded, because names of files may be any bytes."""
    return "/".join(quote(step, safe="") for step in steps)


def steps_of(path: str) -> list[bytes]:
    """Return the steps of a path as a file system takes them."""
    return [unquote_to_bytes(step) for step in path.split("/")]


class BackupEntry(BaseModel):
    """One file. `stamp` changes when the file may have changed; an equal one saves reading it again."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: Annotated[str, Field(max_length=MAX_PATH), AfterValidator(_checked)]
    size: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    stamp: str = ""


class Manifest(BaseModel):
    """Facts about a backup; `made_at` in seconds since the epoch.

    `missing` are stored files that rows name and the desk itself did not have; an earlier backup may have had them.
    `unreadable` are paths of files that were there and could not be read. `schema_revision` is the migration of the
    database, `desk` the id of its desk, `schema_name` PostgreSQL's schema that it is in.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int
    smoldesk: str
    schema_revision: str
    database: Literal["sqlite", "postgresql"]
    made_at: float
    counts: dict[str, int]
    has_key: bool
    missing: list[str]
    entries: list[BackupEntry]
    unreadable: list[str] = []
    desk: str = Field(default="", pattern=r"^([0-9a-f]{16})?$")
    schema_name: str = ""

    def entry(self, path: str) -> BackupEntry:
        """Return the entry of a path. Raises DeskError."""
        for entry in self.entries:
            if entry.path == path:
                return entry
        raise damaged(f"its manifest names no {path}")

    def encoded(self) -> bytes:
        """Return the manifest as its file holds it."""
        line = self.model_dump_json().encode()
        return line + b"\n" + hashlib.sha256(line).hexdigest().encode() + b"\n"


class _Format(BaseModel):
    """The part of a manifest that versions agree on."""

    format: int
    smoldesk: str = Field(max_length=80)


def decoded(content: bytes) -> Manifest:
    """Parse a manifest. Raises DeskError for one that is damaged or of a newer version."""
    line, _, checksum = content.partition(b"\n")
    if checksum != hashlib.sha256(line).hexdigest().encode() + b"\n":
        raise damaged("its manifest is incomplete or was changed")
    try:
        made_by = _Format.model_validate_json(line)
        if made_by.format > FORMAT:
            raise newer(made_by.smoldesk, f"format {made_by.format}; this version knows up to {FORMAT}")
        manifest = Manifest.model_validate_json(line)
    except ValidationError as fault:
        place = ".".join(map(str, fault.errors(include_input=False)[0]["loc"]))
        raise damaged(f"`{place}` of its manifest is not valid") from None
    if len({entry.path for entry in manifest.entries}) < len(manifest.entries):
        raise damaged("its manifest names a path twice")
    manifest.entry(DATABASE)
    return manifest


def newer(version: str, problem: str) -> DeskError:
    """Return the error for a backup or database that only a newer version reads."""
    return DeskError(
        f"This was written by smoldesk {version} ({problem}).",
        "Install that version or a newer one.",
        code="backup_newer",
    )
