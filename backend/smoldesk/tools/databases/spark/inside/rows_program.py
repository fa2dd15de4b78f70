"""Process that turns Spark's Arrow data, a file of its folder, into rows: one frame in, one `answer` out.

Arrow's reader is native code, so a server's garbage can end this process only.
"""

import contextlib
import importlib
import io
import json
import os
import socket
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from smoldesk.sandbox.inside.channel import Channel
from smoldesk.sandbox.inside.interrupts import Interrupts
from smoldesk.sandbox.inside.jailing import go_to_jail
from smoldesk.tables.inside.duck_reading import cell, single
from smoldesk.tables.inside.sqlite_reading import once

# Each part is preceded by its length, as eight bytes.
FILE = "answer"


def main(sock: socket.socket, config: dict[str, Any]) -> None:
    """Answer one frame and exit. `config` has the jail's plan, limits and packages."""
    arrow: Any = importlib.import_module("pyarrow.compute")  # before the jail
    channel = Channel(sock, Interrupts())
    channel.send({"type": "ready"})
    with contextlib.suppress(EOFError, OSError):
        frame = channel.receive()
        if config["plan"]:
            go_to_jail(config, frame["folder"], frame["uid"], [])
        try:
            answer = _rows(_batches(Path(frame["folder"]) / FILE), frame)
        except (arrow.pa.ArrowException, ValueError, OverflowError):
            answer = {"error": "its answer is not Arrow data that can be read"}
        channel.send({"type": "answer", **answer})
    os._exit(0)


def _batches(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while header := file.read(8):
            yield file.read(struct.unpack(">Q", header)[0])


def _rows(batches: Iterable[bytes], frame: dict[str, Any]) -> dict[str, Any]:
    ipc: Any = importlib.import_module("pyarrow.ipc")
    columns: list[str] = []
    rows: list[list[Any]] = []
    size = 0
    for data in batches:
        with ipc.open_stream(io.BytesIO(data)) as reader:
            columns = columns or once([str(name) for name in reader.schema.names])
            for batch in reader:
                batch.validate(full=True)
                for values in zip(*(_values(column) for column in batch.columns), strict=True):
                    cells = [cell(value) for value in values]
                    size += len(json.dumps(cells))
                    if len(rows) == frame["rows"] or size > frame["bytes"]:
                        return {"columns": columns, "rows": rows, "truncated": True}
                    rows.append(cells)
    return {"columns": columns, "rows": rows, "truncated": False}


def _values(column: Any) -> list[Any]:
    """Return a column's values; points in time as Spark shows them, in the session's time zone."""
    arrow: Any = importlib.import_module("pyarrow.compute")
    if arrow.pa.types.is_timestamp(column.type):
        column = arrow.local_timestamp(column) if column.type.tz else column
        column = column.cast("timestamp[us]", safe=False)
    if arrow.pa.types.is_duration(column.type):
        column = column.cast("duration[us]", safe=False)
        return [None if value is None else str(value) for value in column.to_pylist()]
    if arrow.pa.types.is_float32(column.type):
        return [single(value) for value in column.to_pylist()]
    return column.to_pylist()
