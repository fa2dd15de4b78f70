"""Large text tables and Parquet files, profiled by their first rows so that memory and time do not grow with the
file.
"""

import codecs
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from .bucket_files import ObjectPath
from .csv_files import read_csv
from .opening import is_workbook, open_plain, watch
from .parquet_files import parquet_faults
from .reading import bounded
from .shapes import FileContents, Problem, ProgressCallback, Table, Unreadable, call, cannot_read, refuse_wide
from .text_lines import end_of_a_row

# Size in bytes from which only the first rows of a file are read.
LARGE = 64_000_000
HEAD = 16_000_000
FIRST_ROWS = 200_000
AT_ONCE = 1 << 20
# Maximum lines of a text table that are not rows; a larger difference comes from line breaks in cells.
FEW_LINES = 50


def read_large(path: Path, on_progress: ProgressCallback) -> tuple[FileContents, int] | None:
    """Return the table of a large file by its first rows, and its number of rows; None if the file should be read
    completely.
    """
    reader = READERS.get(path.suffix.lower())
    if reader is None or path.lstat().st_size < LARGE:
        return None
    try:
        with open_plain(path, on_progress) as file:
            return reader(file, path, on_progress)
    except Unreadable as fault:
        return FileContents(problems=[fault.problem]), 0
    except MemoryError:
        return FileContents(problems=[Problem("first_rows_memory")]), 0
    except Exception as fault:  # a parser may raise anything for damaged bytes
        return FileContents(problems=[cannot_read(fault)]), 0


def _text(
    file: io.BufferedReader, path: Path, on_progress: ProgressCallback
) -> tuple[FileContents, int] | None:
    if is_workbook(file):
        return None
    head = file.read(HEAD)
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return None  # its lines do not end where these bytes do
    head = head[: end_of_a_row(head.decode("latin-1"))]
    first: Any = io.BufferedReader(cast(Any, io.BytesIO(head)))
    contents = bounded(read_csv(first, path.name, path.stem, is_sample=True))
    if not contents.tables:
        return contents, 0
    if isinstance(path, ObjectPath):  # counting its lines would fetch all of it
        return contents, round(len(contents.tables[0].frame) * path.st_size / max(1, len(head)))
    watch(file)
    lines = last = 0
    while chunk := file.read(AT_ONCE):
        lines += chunk.count(b"\n")
        last = chunk[-1]
    lines += last != ord("\n")
    rows, head_lines = len(contents.tables[0].frame), head.count(b"\n")
    extra_lines = head_lines - rows
    # a line for each row, or as many more as the first rows have
    return contents, lines - extra_lines if extra_lines <= FEW_LINES else round(
        lines * rows / max(1, head_lines)
    )


def _parquet(file: io.BufferedReader, path: Path, _on_progress: ProgressCallback) -> tuple[FileContents, int]:
    import pyarrow.parquet

    parquet: Any = pyarrow.parquet
    with parquet_faults():
        parquet_file = parquet.ParquetFile(file)
        refuse_wide(parquet_file.metadata.num_columns)
        batch = next(parquet_file.iter_batches(FIRST_ROWS, use_threads=False), None)
        frame = (parquet_file.schema_arrow.empty_table() if batch is None else batch).to_pandas()
    return FileContents(
        [Table(path.stem, frame, call("pd.read_parquet", path.name))]
    ), parquet_file.metadata.num_rows


READERS: dict[str, Callable[[io.BufferedReader, Path, ProgressCallback], tuple[FileContents, int] | None]] = {
    ".csv": _text,
    ".tsv": _text,
    ".tab": _text,
    ".parquet": _parquet,
}
