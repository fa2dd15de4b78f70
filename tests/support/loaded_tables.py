"""Check of a table that was read: its expression loads the same, and the server accepts the report of it."""

import gzip
import json
import sqlite3
import zipfile
from typing import Any

import pandas as pd
import pyarrow

from smoldesk.tables.inside.shapes import Table
from smoldesk.tables.models import FileProfile, TableProfile, believed

GLOBALS = {"pd": pd, "json": json, "sqlite3": sqlite3, "gzip": gzip, "zipfile": zipfile, "pyarrow": pyarrow}


def assert_loads_alike(table: Table) -> None:
    """Assert that code which loads a table gets what was read."""
    pd.testing.assert_frame_equal(eval(table.load, GLOBALS), table.frame)
    report: dict[str, Any] = {
        "file": "f",
        "name": "n",
        "rows": 1,
        "width": 1,
        "columns": [],
        "load": table.load,
    }
    assert believed({"tables": [report]}, "f") == FileProfile(tables=[TableProfile(**report)])
