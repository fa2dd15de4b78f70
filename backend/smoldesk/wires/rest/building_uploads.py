"""Form of a building import: its files and images, stored while they arrive, limited and hashed."""

import asyncio
import zipfile
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path, PurePosixPath

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import Request

from smoldesk.buildings.importers.plans import MAX_IMAGES
from smoldesk.chats import Files
from smoldesk.errors import BadInput
from smoldesk.folders import checked_name
from smoldesk.wires.rest.requests import FORM_OVERHEAD, bounded, chunks, closing

# Limits of a building import: each of its files, each image, the complete form, and the number of files.
FILE_BYTES = 100_000_000
IMAGE_BYTES = 20_000_000
FORM_BYTES = 120_000_000
MAX_FILES = 100
LONGEST_NAME = 200
EXPECTED = (
    "Expected multipart/form-data: one `file` (or those of an IMDF archive), any number of `image`, and optionally "
    "`name`, `building` and `groundFloor`."
)


@dataclass
class BuildingUpload:
    """Stored files of one building import; `discard` deletes those that are not kept."""

    files: Files
    name: str = ""
    building: str = ""
    """Id of the requested one if the file has several."""
    ground_floor: int | None = None
    file_id: str = ""
    file_name: str = ""
    images: dict[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])
    """Id and size in bytes, by name."""
    digests: dict[str, str] = field(default_factory=dict[str, str])
    """Hash of the content of each file, by its field and name."""
    parts: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Name and id of each `file`."""

    @property
    def digest(self) -> str:
        """Hash of everything that the importer reads."""
        facts = [self.building, *(f"{name} {digest}" for name, digest in sorted(self.digests.items()))]
        return sha256("\n".join(facts).encode()).hexdigest()

    def discard(self, excluded: frozenset[str] = frozenset()) -> None:
        """Delete the stored files, except images with these names."""
        for file_id in {self.file_id, *(file_id for _, file_id in self.parts)} - {""}:
            self.files.discard(file_id)
        for name, (file_id, _) in self.images.items():
            if name not in excluded:
                self.files.discard(file_id)


async def receive_building(files: Files, request: Request) -> BuildingUpload:
    """Store the files of a building form. Raises BadInput without storing anything."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise BadInput("The request is not a form.", EXPECTED, code="not_a_form")
    announced = request.headers.get("content-length", "")
    if announced.isdigit() and int(announced[:20]) > FORM_BYTES + FORM_OVERHEAD:
        raise BadInput(
            f"The form has {announced[:20]} bytes.",
            f"At most {FORM_BYTES} are accepted. Export one building, or fewer levels.",
            code="too_large",
        )
    limited = Request(request.scope, bounded(request.receive, FORM_BYTES + FORM_OVERHEAD, FORM_BYTES))
    try:
        form = await limited.form(max_files=MAX_IMAGES + MAX_FILES, max_fields=8)
    except (MultiPartException, HTTPException) as fault:
        detail = "" if isinstance(fault, HTTPException) else f" ({fault.message})"
        raise BadInput(f"The form cannot be read{detail}.", EXPECTED, code="not_a_form") from fault
    upload = BuildingUpload(files)
    async with closing(form):
        try:
            for name, value in form.multi_items():
                await _take(upload, name, value)
            await _finish(upload)
        # Cancellation too: a client that disconnects must not leave stored files.
        except BaseException:
            upload.discard()
            raise
    return upload


async def _take(upload: BuildingUpload, name: str, value: UploadFile | str) -> None:
    if name == "file" and isinstance(value, UploadFile) and len(upload.parts) < MAX_FILES:
        file_name = PurePosixPath((value.filename or "").replace("\\", "/")).name or "file"
        file_id, _ = await _store(upload, f"file {file_name}", value, FILE_BYTES)
        upload.parts.append((file_name, file_id))
    elif name == "image" and isinstance(value, UploadFile) and len(upload.images) < MAX_IMAGES:
        image = checked_name(value.filename or "")
        if image in upload.images:
            raise BadInput(f"Two images have the name {image[:80]!r}.", "Give each image its own name.")
        upload.images[image] = await _store(upload, f"image {image}", value, IMAGE_BYTES)
    elif name in ("name", "building") and isinstance(value, str):
        if len(value) > LONGEST_NAME:
            raise BadInput(
                f"The {name} has {len(value):,} characters.", f"At most {LONGEST_NAME} are accepted."
            )
        setattr(upload, name, value.strip())
    elif name == "groundFloor" and isinstance(value, str) and value in ("0", "1"):
        upload.ground_floor = int(value)
    else:
        raise BadInput(f"The form has an unexpected field {name[:40]!r}.", EXPECTED, code="not_a_form")


async def _store(upload: BuildingUpload, key: str, value: UploadFile, limit: int) -> tuple[str, int]:
    digest = sha256()

    async def hashed() -> AsyncIterator[bytes]:
        async for chunk in chunks(value):
            digest.update(chunk)
            yield chunk

    stored = await upload.files.receive(hashed(), limit)
    upload.digests[f"{len(upload.digests)} {key}"] = digest.hexdigest()
    return stored


async def _finish(upload: BuildingUpload) -> None:
    """Make one file of all parts: an archive, if there are several."""
    if not upload.parts:
        raise BadInput("The form has no file.", EXPECTED, code="missing_field")
    names = [name for name, _ in upload.parts]
    if len(set(names)) < len(names):
        raise BadInput("Two files have one name.", "Give each file its own name.")
    upload.file_name, upload.file_id = upload.parts[0]
    if len(upload.parts) > 1:
        upload.file_name = next((name for name in names if name.startswith("venue")), names[0])
        paths = [(name, upload.files.path(file_id)) for name, file_id in upload.parts]
        upload.file_id = f"{upload.file_id}.zip"
        await asyncio.to_thread(_pack, upload.files.path(upload.file_id), paths)


def _pack(target: Path, files: Sequence[tuple[str, Path]]) -> None:
    with zipfile.ZipFile(target, "x", zipfile.ZIP_STORED) as archive:
        for name, path in files:
            archive.write(path, name)


def fallback_name(file_name: str) -> str:
    """Return the default name of a building: its file name without the suffix."""
    stem = PurePosixPath(file_name.replace("\\", "/")).stem
    return stem[:LONGEST_NAME].strip() or "Building"
