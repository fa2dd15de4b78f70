"""Tables of databases that a request names, described for the built-in analyst.

The rows are read once, as `sql_engine` returns them to code, and a reading child describes them. The code of an answer
reads them again, so only this description may be old.
"""

import json
import re
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from smoldesk.agents.analyst_files import ChatFiles
from smoldesk.agents.value_indexes import ValueIndexes
from smoldesk.errors import BadInput, DeskError
from smoldesk.stopping import StopFlag
from smoldesk.tables.inside.shapes import quoted
from smoldesk.tables.inside.sqlite_reading import MAX_ROWS
from smoldesk.tables.models import believed
from smoldesk.tables.results import Rows
from smoldesk.tables.table_profiles import Profiles

if TYPE_CHECKING:
    from smoldesk.tools.sql_engine import Databases

CACHE_SECONDS = 600.0
MAX_CACHED = 64
# Tables that one conversation may name.
MAX_NAMED = 8
KEY = "tables of databases"
ROWS, TABLE = "rows.json", "table.parquet"
DESCRIBE = f"""
import json
import pandas as pd
from smoldesk.tables.inside.report import report
with open({ROWS!r}) as file:
    answer = json.load(file)
pd.DataFrame(answer["rows"], columns=answer["columns"]).to_parquet({TABLE!r})
report({TABLE!r})
"""
TOO_LONG = (
    f"It has more than {MAX_ROWS:,} rows, or 8 MB; the built-in analyst reads smaller tables of databases. "
    "A language model can query it in SQL."
)


class DatabaseTables:
    """Descriptions of tables, cached for ten minutes. The methods block."""

    def __init__(self, databases: "Databases", profiles: Profiles) -> None:
        self._databases = databases
        self._profiles = profiles
        self._cache: dict[tuple[str, ...], tuple[float, ChatFiles]] = {}

    def named(self, texts: Sequence[str], stop: StopFlag) -> ChatFiles:
        """Return the tables of the last of these texts that names a database: `orders in shop`, shopのorders.

        Raises Stopped.
        """
        names = self._databases.names()
        text = next((text for text in reversed(texts) if any(_has(text, name) for name in names)), "")
        databases = [name for name in names if _has(text, name)]
        if not databases:
            return ChatFiles()
        self._databases.outline()  # waits for databases that were not asked yet
        places = [
            (database, table, *columns)
            for database, tables in self._databases.cached_tables()
            for table, columns in tables
            if database in databases and _has(text, table)
        ]
        files = [self._described(place, stop) for place in places[:MAX_NAMED]]
        return ChatFiles(
            shared=[table for file in files for table in file.shared],
            broken={name: reason for file in files for name, reason in file.broken.items()},
            indexes={load: index for file in files for load, index in file.indexes.items()},
        )

    def _described(self, place: tuple[str, ...], stop: StopFlag) -> ChatFiles:
        """Describe a place: database, table, and the columns, which another database of the same name need not have."""
        database, table, *_ = place
        read_at, described = self._cache.get(place, (0.0, ChatFiles()))
        if read_at and time.monotonic() - read_at < CACHE_SECONDS:
            return described
        name = f"{table} in {database}"
        try:
            query = self._databases.select_all(database, table)
            rows = self._databases.query(database, query, stop)
        except DeskError as fault:
            stop.check()
            return ChatFiles(broken={name: fault.message})
        load = f"sql_engine(query={quoted(query)}, database={quoted(database)})"
        described = (
            ChatFiles(broken={name: TOO_LONG}) if rows.truncated else self._profile(name, load, rows, stop)
        )
        while len(self._cache) >= MAX_CACHED:
            self._cache.pop(next(iter(self._cache)), None)
        self._cache[place] = time.monotonic(), described
        return described

    def _profile(self, name: str, load: str, rows: Rows, stop: StopFlag) -> ChatFiles:
        """Return the description of rows that `load` reads, by a child that gets them as code does."""
        with tempfile.TemporaryDirectory(prefix="smoldesk-rows-") as made:
            folder = Path(made)
            (folder / ROWS).write_text(json.dumps({"columns": rows.columns, "rows": rows.rows}))
            try:
                profile = believed(self._profiles.ask(folder.name, folder, DESCRIBE, stop).result(), TABLE)
            except BadInput as fault:
                return ChatFiles(broken={name: fault.message})
            if not profile.tables:
                return ChatFiles(broken={name: " ".join(profile.faults)})
            table = profile.tables[0]
            index = ValueIndexes().of(KEY, folder, profile.tables, 0)
        reads = f"pd.read_parquet({quoted(TABLE)})"
        loads = table.load.replace(reads, load), table.load_with_totals.replace(reads, load)
        changes = {"name": name, "file": name, "load": loads[0], "load_with_totals": loads[1]}
        return ChatFiles(shared=[table.model_copy(update=changes)], indexes={loads[0]: lambda: index})


def _has(text: str, name: str) -> bool:
    """Check whether a text has a name as a word; in Japanese no space separates words."""
    return bool(re.search(rf"(?<![0-9a-z_]){re.escape(name)}(?![0-9a-z_])", text, re.IGNORECASE))
