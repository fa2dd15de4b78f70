"""Table files of a chat, read, profiled and queried in jailed children; and tables as tool results.

The code in `inside` runs in the child under the same module name. It imports the standard library and, where
installed, the scientific packages. A child's configuration names this package by `CHILD_PACKAGES`.
"""

from pathlib import Path

CHILD_PACKAGES = {"smoldesk.tables": str(Path(__file__).parent)}
# Module that defines `sql` in cells, and the one that lets them read objects in buckets.
CELL_SQL = "smoldesk.tables.inside.cell_sql"
CELL_OBJECTS = "smoldesk.tables.inside.bucket_libraries"
