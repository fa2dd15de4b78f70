"""Table files of a chat: read, profiled and queried, always in a jailed child; and tables as results.

`inside` is the code that runs in the child, under the name it has here; it imports the standard library and (when
present) the scientific packages. `CHILD_PACKAGES` is what such a child has to be told of.
"""

from pathlib import Path

CHILD_PACKAGES = {"smoldesk.tables": str(Path(__file__).parent)}
# What gives cells `sql`.
CELL_SQL = "smoldesk.tables.inside.cell_sql"
