"""The pieces of a log's files, written where they are wanted: as many and the same as the line before them says."""

import base64
import binascii
import hashlib
from collections.abc import Iterator
from typing import BinaryIO

from smoldesk.export.log_format import Line, LogFile, broken, cut


def next_line(number: int, lines: Iterator[tuple[int, Line]]) -> tuple[int, Line]:
    """The line after this one; raises BadInput when there is none."""
    for found in lines:
        return found
    raise cut(number)


def fill(target: BinaryIO, number: int, file: LogFile, lines: Iterator[tuple[int, Line]]) -> None:
    """Write the pieces of a file. Raises BadInput where they are not what the file's line says."""
    size, digest = 0, hashlib.sha256()
    while size < file.size:
        number, line = next_line(number, lines)
        if line.piece is None:
            raise broken(
                number, f"a piece of the file before it is expected, {file.size - size} bytes are missing"
            )
        try:
            piece = base64.b64decode(line.piece, validate=True)
        except binascii.Error:
            raise broken(number, "a piece that is not base64") from None
        size += len(piece)
        if size > file.size or not piece:
            raise broken(number, "the file is larger than it says, or a piece is empty")
        digest.update(piece)
        target.write(piece)
    if digest.hexdigest() != file.sha256:
        raise broken(number, "the file is not the one it says (sha256)")
