"""Parquet files: one table, with its own kinds of columns."""

import io
from typing import Any

from .opening import refuse_other_kinds, watch
from .shapes import Reading, Table, Unreadable, call

MOST_UNPACKED = 1_000_000_000


def read_parquet(file: io.BufferedReader, name: str, stem: str) -> Reading:
    """The table; raises Unreadable for a damaged file, or one that unpacks to more than fits."""
    import pandas as pd
    import pyarrow.parquet

    parquet: Any = pyarrow.parquet
    refuse_other_kinds(file, "a Parquet file", b"PAR1")
    try:
        facts = parquet.ParquetFile(file).metadata
        unpacked = sum(facts.row_group(n).total_byte_size for n in range(facts.num_row_groups))
        if unpacked > MOST_UNPACKED or facts.num_rows * max(1, facts.num_columns) > MOST_UNPACKED // 8:
            words = f"Its {facts.num_rows:,} rows unpack to {unpacked:,} bytes; at most {MOST_UNPACKED:,} are read."
            raise Unreadable(words)
        watch(file)
        frame = pd.read_parquet(file, use_threads=False)
    except (
        OSError,
        ValueError,
        TypeError,
        KeyError,
        NotImplementedError,
    ) as fault:  # Arrow's own are among them
        raise Unreadable(f"The file is cut off or damaged: {_first_line(fault)}") from None
    return Reading([Table(stem, frame, call("pd.read_parquet", name))])


def _first_line(fault: Exception) -> str:
    lines = str(fault).strip().splitlines() or [type(fault).__name__]
    return lines[0][:200]
