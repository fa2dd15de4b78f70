"""Parquet files: read completely, or refused for their unpacked size; and the size of their footer."""

import io
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .opening import open_plain, refuse_other_kinds, watch
from .shapes import FileContents, Table, Unreadable, call, refuse_wide

MARK = b"PAR1"
MAX_UNPACKED = 1_000_000_000


def read_parquet(file: io.BufferedReader, name: str, stem: str) -> FileContents:
    """Return the table. Raises Unreadable if the file is damaged or unpacks to too many bytes."""
    import pandas as pd
    import pyarrow.parquet

    parquet: Any = pyarrow.parquet
    refuse_other_kinds(file, "parquet", MARK)
    with parquet_faults():
        facts = parquet.ParquetFile(file).metadata
        refuse_wide(facts.num_columns)
        unpacked = sum(facts.row_group(n).total_byte_size for n in range(facts.num_row_groups))
        if unpacked > MAX_UNPACKED or facts.num_rows * max(1, facts.num_columns) > MAX_UNPACKED // 8:
            sizes = {"rows": facts.num_rows, "n": unpacked, "most": MAX_UNPACKED}
            raise Unreadable("unpacked_rows", sizes)
        watch(file)
        frame = pd.read_parquet(file, use_threads=False)
    return FileContents([Table(stem, frame, call("pd.read_parquet", name))])


def refuse_wide_file(path: Path) -> None:
    """Raise Unreadable if a file has too many columns or is damaged."""
    import pyarrow.parquet

    parquet: Any = pyarrow.parquet
    with open_plain(path, lambda _share: None) as file, parquet_faults():
        refuse_wide(parquet.read_metadata(file).num_columns)


def footer_length(path: Path) -> int:
    """Return the size of a file's footer in bytes, by its last 8 bytes; 0 if it is not a Parquet file."""
    try:
        with open_plain(path, lambda _share: None) as file:
            # A Parquet file ends with the footer, its length in 4 bytes, and the mark.
            file.seek(-8, io.SEEK_END)
            length, mark = file.read(4), file.read(4)
    except (OSError, Unreadable):
        return 0
    return int.from_bytes(length, "little") if mark == MARK else 0


@contextmanager
def parquet_faults() -> Generator[None]:
    """Turn Arrow's errors about a Parquet file into Unreadable, with the first line of their message."""
    try:
        yield
    except (
        OSError,
        ValueError,
        TypeError,
        KeyError,
        NotImplementedError,
    ) as fault:  # Arrow's errors derive from these
        first = (str(fault).strip().splitlines() or [type(fault).__name__])[0]
        raise Unreadable("cut_off", {"reason": first[:200].rstrip(".")}) from None
