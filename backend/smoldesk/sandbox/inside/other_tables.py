"""Tables of other libraries, which a cell may have brought, as pandas has them: polars', Arrow's and DuckDB's."""

import sys
from typing import Any

# Below this, a float represents every integer.
EXACT = 2**53


def in_pandas(value: Any) -> Any:
    """Return a DataFrame for a table of polars or Arrow, or a relation of DuckDB, whose query runs now; other values
    unchanged.
    """
    if is_a(value, "polars", "DataFrame") or is_a(value, "pyarrow", "Table"):
        return value.to_pandas()
    if is_a(value, "polars", "Series"):
        return value.to_frame(value.name or "value").to_pandas()
    if is_a(value, "duckdb", "DuckDBPyRelation"):
        return frame_of(value)
    return value


def frame_of(result: Any) -> Any:
    """Return the DataFrame of a relation, or of a connection that has executed; sums of integers stay integers."""
    wide = [place for place, about in enumerate(result.description) if str(about[1]) == "HUGEINT"]
    frame = result.df()
    for place in wide:
        column = frame.iloc[:, place]
        if (column.dropna().abs() < EXACT).all():
            frame.isetitem(place, column.astype("int64" if column.notna().all() else "Int64"))
    return frame


def is_a(value: Any, library: str, kind: str) -> bool:
    """Return whether it is of that type; nothing is imported for the answer."""
    class_ = getattr(sys.modules.get(library), kind, None)
    return isinstance(class_, type) and isinstance(value, class_)
