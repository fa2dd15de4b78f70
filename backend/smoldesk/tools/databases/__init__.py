"""The operator's databases (SMOLDESK_SQL_URLS), read through `sql_engine(query, database=NAME)`.

`connected.py` is the way in. `postgres.py` and `sqlite.py` have the database itself keep a query from writing;
`other.py` serves the rest, for accounts of which the operator says that they cannot write.
"""

from smoldesk.tools.databases.connected import ConnectedDatabases

__all__ = ["ConnectedDatabases"]
