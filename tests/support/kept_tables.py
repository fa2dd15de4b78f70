"""Tables of a new SQLite database that are created once in a test process and copied from then on.

To create them takes two thirds of the time in which a desk is built. A copy has a secret of its own, as a new database
has; it is then migrated, as every database. Tests of migrations create and migrate their own.
"""

import secrets
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from sqlalchemy import Engine

from smoldesk.store import store
from smoldesk.store.engines import DATABASE, migrate, open_engines, sqlite_url


def keep_tables(folder: Path) -> None:
    """Have the stores of this process copy the tables in `folder`, from now on."""
    template = folder / DATABASE

    def prepare(engine: Engine) -> None:
        file = Path(engine.url.database or ":memory:")
        if engine.dialect.name == "sqlite" and file.name == DATABASE and not file.exists():
            if not template.exists():
                _create(folder)
            with suppress(OSError, sqlite3.Error):  # the store says what it cannot write
                shutil.copy(template, file)
                with closing(sqlite3.connect(file)) as connection, connection:
                    connection.execute("UPDATE session_secret SET value = ?", (secrets.token_hex(32),))
        migrate(engine)

    store.migrate = prepare


def _create(folder: Path) -> None:
    engines = open_engines(sqlite_url(folder))
    migrate(engines[0])
    for engine in engines:
        engine.dispose()
