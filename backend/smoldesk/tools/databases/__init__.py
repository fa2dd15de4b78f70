"""The desk's databases, the operator's (SMOLDESK_SQL_URLS) and people's, read by `sql_engine(query, database=NAME)`.

`connected.py` is the way in, `addresses.py` reads addresses, `inspected.py` tells what a database holds. `postgres.py` and
`sqlite.py` have the database itself keep a query from writing; `hive.py` (Spark) sends nothing but queries; `other.py` serves
the rest, for accounts of which somebody with the right says that they cannot write. `pages.py` says pages of tables in SQL.
"""

from smoldesk.tools.databases.connected import ConnectedDatabases, Unavailable
from smoldesk.tools.databases.inspected import Database
from smoldesk.tools.databases.pages import Page
from smoldesk.tools.databases.values import AnswerBounds, QueryFailed, Unreachable

__all__ = [
    "AnswerBounds",
    "ConnectedDatabases",
    "Database",
    "Page",
    "QueryFailed",
    "Unavailable",
    "Unreachable",
]
