"""Parquet files: read whole, or refused for what they would unpack to; and how much they tell of themselves."""

import io
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .opening import open_plain, refuse_other_kinds, watch
from .shapes import FileContents, Table, Unreadable, call

MARK = b"PAR1"
MOST_UNPACKED = 1_000_000_000
MOST_COLUMNS = 10_000


def read_parquet(file: io.BufferedReader, name: str, stem: str) -> FileContents:
    """The table; raises Unreadable for a damaged file, or one that unpacks to more than fits."""
    import pandas as pd
    import pyarrow.parquet

    parquet: Any = pyarrow.parquet
    refuse_other_kinds(file, "a Parquet file", MARK)
    with parquet_faults():
        facts = parquet.ParquetFile(file).metadata
        refuse_columns(facts.num_columns)
        unpacked = sum(facts.row_group(n).total_byte_size for n in range(facts.num_row_groups))
        if unpacked > MOST_UNPACKED or facts.num_rows * max(1, facts.num_columns) > MOST_UNPACKED // 8:
            message = f"Its {facts.num_rows:,} rows unpack to {unpacked:,} bytes; at most {MOST_UNPACKED:,} are read."
            raise Unreadable(message)
        watch(file)
        frame = pd.read_parquet(file, use_threads=False)
    return FileContents([Table(stem, frame, call("pd.read_parquet", name))])


def refuse_wide(path: Path) -> None:
    """Raises Unreadable for a file of more columns than are read, or a damaged one."""
    import pyarrow.parquet

    parquet: Any = pyarrow.parquet
    with open_plain(path, lambda _share: None) as file, parquet_faults():
        refuse_columns(parquet.read_metadata(file).num_columns)


def refuse_columns(count: int) -> None:
    """Raises Unreadable for more columns than are read."""
    if count > MOST_COLUMNS:
        raise Unreadable(f"Here are {count:,} columns; at most {MOST_COLUMNS:,} are read.")


def footer_length(path: Path) -> int:
    """How many bytes the end of a file has about its columns and parts, as it says itself; 0 for one that says nothing."""
    try:
        with open_plain(path, lambda _share: None) as file:
            file.seek(-8, io.SEEK_END)
            length, mark = file.read(4), file.read(4)
    except (OSError, Unreadable):
        return 0
    return int.from_bytes(length, "little") if mark == MARK else 0


@contextmanager
def parquet_faults() -> Generator[None]:
    """Arrow's faults over a Parquet file are Unreadable, in the first line of their words."""
    try:
        yield
    except (
        OSError,
        ValueError,
        TypeError,
        KeyError,
        NotImplementedError,
    ) as fault:  # Arrow's own are among them
        first = (str(fault).strip().splitlines() or [type(fault).__name__])[0]
        raise Unreadable(f"The file is cut off or damaged: {first[:200]}") from None
