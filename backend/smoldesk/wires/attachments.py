"""Files inside messages, as data URLs; they become files of the chat like uploads."""

import base64
import binascii
import mimetypes
import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from smoldesk.errors import BadInput
from smoldesk.folders import checked_name
from smoldesk.wires.bodies import AttachedFile, check_counts, checked_file, file_too_large


@dataclass(frozen=True)
class FilePart:
    """File of a message as a data URL."""

    url: str
    media_type: str
    name: str | None


_DATA_URL = re.compile(r"data:([^,]{0,300}),", re.IGNORECASE)


def decode_files(parts: Sequence[FilePart], limit: int) -> list[AttachedFile]:
    """Decode the files of a message, each at most `limit` bytes. Raises BadInput. Pure."""
    check_counts(0, len(parts))
    return [_decode_file(part, number, limit) for number, part in enumerate(parts, 1)]


def _decode_file(part: FilePart, number: int, limit: int) -> AttachedFile:
    ending = mimetypes.guess_extension(part.media_type.partition(";")[0].strip()) or ".bin"
    name = checked_name(part.name or f"file-{number}{ending}")
    head = _DATA_URL.match(part.url)
    if head is None:
        hint = "Expected a data: URL with its bytes. The desk fetches no files from other servers."
        raise BadInput(f"The file {name[:80]!r} is a link.", hint, code="not_a_data_url")
    text = part.url[head.end() :]
    if len(text) > 3 * limit:  # percent-encoded, each byte is three characters
        raise file_too_large(name, limit)
    try:
        is_base64 = head[1].lower().endswith(";base64")
        data = base64.b64decode(text, validate=True) if is_base64 else unquote_to_bytes(text)
    except (binascii.Error, ValueError) as fault:
        raise BadInput(f"The file {name[:80]!r} is not valid base64.", "Expected a data: URL.") from fault
    return checked_file(name, data, limit)
