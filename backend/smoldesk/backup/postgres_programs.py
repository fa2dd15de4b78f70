"""Programs of PostgreSQL that dump and load a database. They get the password in their environment, which only this user
can read.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence

from sqlalchemy import URL, Connection, text

from smoldesk.errors import DeskError
from smoldesk.store import postgres
from smoldesk.store.errors import cannot_open


def call_program(name: str, url: URL, at_least: int, options: Sequence[str]) -> None:
    """Call a program of PostgreSQL. Raises DeskError if it is missing, older than the server, or fails."""
    program = _program(name, at_least)
    address, password = address_of(url)
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    if password:
        environment["PGPASSWORD"] = password
    command = [program, "--no-password", f"--dbname={address}", *options]
    done = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines() or ["it gave no reason"]
        raise DeskError(
            f"{name} failed: {lines[0][:300]}.",
            "Its message says why; the database is as it was.",
            code="dump_failed",
        )


def address_of(url: URL) -> tuple[str, str]:
    """Return the database as libpq's connection string, and the password, which is not in it. Raises DeskError.

    Of the desk's own driver, since libpq reads the forms of a URL differently: several hosts, options, spaces.
    """
    try:
        from psycopg import Error
        from psycopg.conninfo import make_conninfo
    except ImportError as fault:
        raise cannot_open("postgresql:", fault) from None
    _, options = postgres.with_driver(url).get_dialect()().create_connect_args(url)
    password = options.pop("password", "")
    if "sslpassword" in options:
        raise DeskError(
            "The sslpassword of SMOLDESK_DATABASE_URL would be on the command line of pg_dump.",
            "Use an sslkey without a passphrase, which only this user can read.",
            code="bad_settings",
        )
    try:
        return make_conninfo(**options), str(password or "")
    except Error as fault:
        raise cannot_open("postgresql:", fault) from None


def identity_of(connection: Connection) -> str:
    """Return what tells this database from others, also those of other servers of PostgreSQL."""
    facts = connection.execute(
        text(
            "SELECT oid, current_schema(), has_function_privilege('pg_control_system()', 'execute')"
            " FROM pg_database WHERE datname = current_database()"
        )
    ).one()
    cluster = connection.scalar(text("SELECT system_identifier FROM pg_control_system()")) if facts[2] else ""
    return f"{cluster}/{facts[0]}/{facts[1]}"


def _program(name: str, at_least: int) -> str:
    """Return the path of a program of PostgreSQL. Raises DeskError if it is missing or older than `at_least`."""
    program = shutil.which(name)
    if program is None:
        raise DeskError(
            f"{name} is not on PATH.",
            "Install the client programs of PostgreSQL, of the server's version or newer.",
            code="no_postgres_programs",
        )
    output = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.search(r"\d+", output)
    if version is None or int(version[0]) < at_least:
        raise DeskError(
            f"{name} on PATH is of PostgreSQL {version[0] if version else '?'}, the server of {at_least}.",
            f"Put {name} of PostgreSQL {at_least} or newer first on PATH.",
            code="old_postgres_programs",
        )
    return program
