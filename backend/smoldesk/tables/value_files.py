"""Values of tables' columns that a child wrote into a chat's folder, read with limits and checked for their shape.

The chat's own code can write there, too. False values harm only that chat, whose questions would name values that its
table does not have.
"""

import contextlib
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from smoldesk.errors import DeskError
from smoldesk.folders import opened_inside
from smoldesk.tables.inside.shapes import MAX_COLUMNS, MAX_PARTS
from smoldesk.tables.inside.values import (
    LONGEST_VALUE,
    MAX_BYTES,
    MAX_PER_COLUMN,
    PLACE,
    values_file,
)

# Size in bytes and time of change in ns.
Stamp = tuple[int, int]
_OURS = re.compile(r"[0-9a-f]{32}\.\w{1,20}")
_LONGEST_LINE = 1_000
Value = Annotated[str, StringConstraints(max_length=LONGEST_VALUE)]


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class _Source(_Line):
    size: int
    changed: int


class ColumnValues(_Line):
    """Most frequent texts of one column; `table` is the table's number in the file, `cut` true if there are more."""

    table: Annotated[int, Field(ge=0, lt=MAX_PARTS)]
    column: Annotated[str, StringConstraints(max_length=200)]
    values: Annotated[list[Value], Field(max_length=MAX_PER_COLUMN)]
    counts: Annotated[list[int], Field(max_length=MAX_PER_COLUMN)]
    cut: bool


def read_values(folder: Path, name: str, stamp: Stamp | None) -> list[ColumnValues]:
    """Return the stored values of a chat's file; none if they belong to another content of it."""
    try:
        with (
            opened_inside(folder, values_file(name), MAX_BYTES) as descriptor,
            open(descriptor, "rb", closefd=False) as file,
        ):
            source = _Source.model_validate_json(file.readline(_LONGEST_LINE))
            if (source.size, source.changed) != stamp:
                return []
            lines = file.read(MAX_BYTES).splitlines()
        columns = [ColumnValues.model_validate_json(line) for line in lines[: MAX_PARTS * MAX_COLUMNS]]
    except (DeskError, OSError, ValidationError, MemoryError):
        return []
    return [column for column in columns if len(column.values) == len(column.counts)]


def sweep_values(folder: Path, names: Iterable[str]) -> None:
    """Delete the values of all files but `names`. Follows no link."""
    current = {Path(values_file(name)).stem for name in names}
    here = -1
    try:
        here = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        # Descriptor by descriptor: the chat's code could replace a folder of the path by a link meanwhile.
        for step in PLACE.split("/"):
            below = os.open(step, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=here)
            os.close(here)
            here = below
        for entry in os.listdir(here):  # noqa: PTH208 - a descriptor, not a path
            if _OURS.fullmatch(entry) and entry.partition(".")[0] not in current:
                with contextlib.suppress(OSError):  # it is gone already, or a folder
                    os.unlink(entry, dir_fd=here)
    except OSError:
        return  # the folder has no values yet
    finally:
        if here >= 0:
            os.close(here)
