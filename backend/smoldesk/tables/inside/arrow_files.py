"""Arrow files and streams, and Feather files: read batch by batch, up to a size in memory."""

import io
from typing import Any

from .opening import refuse_other_kinds, watch
from .parquet_files import MAX_UNPACKED, parquet_faults
from .shapes import FileContents, Table, Unreadable, call, quoted, refuse_wide

_FILE, _FEATHER_1, _STREAM = b"ARROW1", b"FEA1", b"\xff\xff\xff\xff"


def read_arrow(file: io.BufferedReader, name: str, stem: str) -> FileContents:
    """Return the table. Raises Unreadable if the file is damaged or unpacks to too many bytes."""
    import pandas as pd
    import pyarrow

    arrow: Any = pyarrow
    start = file.peek(8)[:8]
    is_stream = start.startswith(_STREAM)
    if not is_stream:
        refuse_other_kinds(file, "arrow", _FEATHER_1 if start.startswith(_FEATHER_1) else _FILE)
    watch(file)
    with parquet_faults():
        if start.startswith(_FEATHER_1):
            return FileContents([Table(stem, pd.read_feather(file), call("pd.read_feather", name))])
        opened = arrow.ipc.open_stream(file) if is_stream else arrow.ipc.open_file(file)
        refuse_wide(len(opened.schema))
        batches: list[Any] = []
        for batch in opened if is_stream else map(opened.get_batch, range(opened.num_record_batches)):
            batches.append(batch)
            if sum(one.nbytes for one in batches) > MAX_UNPACKED:
                raise Unreadable("too_large", {"most": MAX_UNPACKED})
        frame = arrow.Table.from_batches(batches, schema=opened.schema).to_pandas(use_threads=False)
    stream = f'pyarrow.ipc.open_stream(open({quoted(name)}, mode="rb")).read_pandas()'
    return FileContents([Table(stem, frame, stream if is_stream else call("pd.read_feather", name))])
