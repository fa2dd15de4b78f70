"""A building on its way in: multipart fields `file`, any number of `image`, and `name`; counted while they arrive."""

from dataclasses import dataclass, field
from pathlib import PurePosixPath

from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import Request

from smoldesk.buildings.importers.plans import MOST_IMAGES
from smoldesk.chats import Files
from smoldesk.errors import BadInput
from smoldesk.folders import checked_name
from smoldesk.wires.rest.uploads import (
    FORM_OVERHEAD,
    bounded,
    chunks,
    closing,
)

FILE_BYTES = 20_000_000
IMAGE_BYTES = 20_000_000
FORM_BYTES = 60_000_000
LONGEST_NAME = 200
EXPECTED = "Expected multipart/form-data: one `file`, any number of `image`, and `name` if you like."


@dataclass
class BuildingUpload:
    """Stored bytes of one import: `file_id`, and each image's id by its name. `discard` what is not kept."""

    files: Files
    name: str = ""
    file_id: str = ""
    file_name: str = ""
    images: dict[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])
    """Name -> (id, bytes)."""

    def discard(self, kept: frozenset[str] = frozenset()) -> None:
        """Take back everything but the images of these names."""
        if self.file_id:
            self.files.discard(self.file_id)
        for name, (file_id, _) in self.images.items():
            if name not in kept:
                self.files.discard(file_id)


async def receive_building(files: Files, request: Request) -> BuildingUpload:
    """Store the parts of a request; raises BadInput, then nothing is kept."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise BadInput("This is not a form.", EXPECTED, code="not_a_form")
    announced = request.headers.get("content-length", "")
    if announced.isdigit() and int(announced[:20]) > FORM_BYTES + FORM_OVERHEAD:
        raise BadInput(
            f"The form has {announced[:20]} bytes.", f"At most {FORM_BYTES} are taken.", code="too_large"
        )
    limited = Request(request.scope, bounded(request.receive, FORM_BYTES + FORM_OVERHEAD, FORM_BYTES))
    try:
        form = await limited.form(max_files=MOST_IMAGES + 1, max_fields=8)
    except (MultiPartException, HTTPException) as fault:
        words = "" if isinstance(fault, HTTPException) else f" ({fault.message})"
        raise BadInput(f"The form cannot be read{words}.", EXPECTED, code="not_a_form") from fault
    upload = BuildingUpload(files)
    async with closing(form):
        try:
            await _take(upload, form)
        except BaseException:
            upload.discard()
            raise
    return upload


async def _take(upload: BuildingUpload, form: FormData) -> None:
    for name, value in form.multi_items():
        if name == "file" and isinstance(value, UploadFile) and not upload.file_id:
            upload.file_name = value.filename or ""
            upload.file_id, _ = await upload.files.receive(chunks(value), FILE_BYTES)
        elif name == "image" and isinstance(value, UploadFile):
            image = checked_name(value.filename or "")
            if image in upload.images:
                raise BadInput(f"Two images are called {image[:80]!r}.", "Give each a name of its own.")
            upload.images[image] = await upload.files.receive(chunks(value), IMAGE_BYTES)
        elif name == "name" and isinstance(value, str):
            if len(value) > LONGEST_NAME:
                raise BadInput(
                    f"The name has {len(value):,} characters.", f"At most {LONGEST_NAME} are taken."
                )
            upload.name = value.strip()
        else:
            raise BadInput(f"There is a field {name[:40]!r} too many.", EXPECTED, code="not_a_form")
    if not upload.file_id:
        raise BadInput("There is no file in the form.", EXPECTED, code="missing_field")


def fallback_name(file_name: str) -> str:
    """What a building is called that nobody named: as its file, without the ending."""
    stem = PurePosixPath(file_name.replace("\\", "/")).stem
    return stem[:LONGEST_NAME].strip() or "Building"
