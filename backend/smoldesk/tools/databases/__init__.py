"""The desk's databases, the operator's (SMOLDESK_SQL_URLS) and people's, read by `sql_engine(query, database=NAME)`.

`connected.py` is the way in, `addresses.py` reads addresses, `inspected.py` tells what a database holds. `postgres.py` and
`sqlite.py` have the database itself keep a query from writing; `other.py` serves the rest, for accounts of
which somebody with the right says that they cannot write.
"""

from smoldesk.tools.databases.connected import ConnectedDatabases, Unavailable
from smoldesk.tools.databases.inspected import Database, Page
from smoldesk.tools.databases.values import QueryFailed, Unreachable

__all__ = ["ConnectedDatabases", "Database", "Page", "QueryFailed", "Unavailable", "Unreachable"]
