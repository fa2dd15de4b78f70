"""Databases of the desk, the operator's (SMOLDESK_SQL_URLS) and people's, read by `sql_engine(query, database=NAME)`.

`connected.py` is the entry point, `addresses.py` parses addresses, `inspected.py` lists a database's contents. In
`postgres.py` and `sqlite.py` the database itself keeps a query from writing; `spark/` sends nothing but
queries; `other.py` serves the other kinds, for accounts that an authorized person declares read-only. `pages.py`
builds SQL for pages of tables.
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
