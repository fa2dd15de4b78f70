"""DuckDB definitions of the bundled datasets, for `sql_engine` and for cells."""

import functools
from collections.abc import Sequence

from smoldesk.tables.folder_tables import BundledTable
from smoldesk.tools.datasets import Datasets, Kind


@functools.lru_cache(maxsize=4)
def bundled_tables(datasets: Datasets) -> Sequence[BundledTable]:
    """Return one for each dataset; their values are looked through once, for the types."""
    return [
        BundledTable(name, str(datasets.path(name).absolute()), _columns(datasets, name))
        for name in datasets.names()
    ]


def _columns(datasets: Datasets, name: str) -> list[tuple[str, str]]:
    rows = list(datasets.rows(name))
    return [
        (column, _type(kind, [row[place] for row in rows]))
        for place, (column, kind) in enumerate(datasets.schema(name))
    ]


def _type(kind: Kind, cells: list[str]) -> str:
    """DuckDB's type for the column; whole numbers stay whole, days without a time are days."""
    if kind == "number":
        return "BIGINT" if all(cell.lstrip("+-").isdecimal() for cell in cells if cell) else "DOUBLE"
    if kind == "date":
        return "DATE" if all(len(cell) == len("2024-01-31") for cell in cells if cell) else "TIMESTAMP"
    return "BOOLEAN" if kind == "bool" else "VARCHAR"
