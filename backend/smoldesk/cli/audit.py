"""`smoldesk audit`: prints the audit log, from the database."""

import argparse
import asyncio
import json
import re
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime

from pydantic.alias_generators import to_camel

from smoldesk.chats import Audit, AuditEntry
from smoldesk.cli.projects import printable
from smoldesk.errors import BadInput, DeskError
from smoldesk.settings import Settings
from smoldesk.store.data_dir import DataDir
from smoldesk.store.engines import DATABASE
from smoldesk.store.store import Store

UNITS = {"m": 60, "h": 3600, "d": 86_400}
PAGE = 1000


def audit(settings: Settings, options: argparse.Namespace) -> int:
    """Print entries, newest first, a line each. Raises DeskError; a server may run meanwhile."""
    since = start_of(options.since) if options.since else 0.0
    root = settings.data_dir.absolute()
    # A data directory or a database that is made here would be an empty log of a mistyped name.
    for name in ("id",) if settings.database_url else ("id", DATABASE):
        if not (root / name).exists():
            raise DeskError(
                f"{str(root)!r} is not the data directory of a desk.",
                "Check --data-dir.",
                code="no_desk",
            )
    data_dir = DataDir(root, settings.files_dir)
    store = Store.open(data_dir, settings.database_url, settings.sqlite_synchronous, migrating=False)
    try:
        for entry in _entries(Audit(store, settings.audit_days), since, options.chat):
            sys.stdout.write(f"{_json(entry) if options.json else printable(line_of(entry))}\n")
    finally:
        store.close()
    return 0


def start_of(text: str) -> float:
    """Return the time of `--since`: a date or time (UTC without an offset), or an age such as 90m, 12h or 7d.

    Raises BadInput.
    """
    if age := re.fullmatch(r"(\d{1,6})([mhd])", text):
        return max(0.0, time.time() - int(age[1]) * UNITS[age[2]])
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise BadInput(
            f"--since {text[:60]!r} is not a time.", "Expected 2026-01-31, 2026-01-31T12:00, 90m, 12h or 7d."
        ) from None
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()


def line_of(entry: AuditEntry) -> str:
    """Return an entry as a line of text; empty values are left out."""
    times = f"x{entry.count}" if entry.count > 1 else ""
    where = " ".join(part for part in (entry.wire, entry.address) if part)
    about = [entry.action, times, entry.name, entry.object_id, entry.chat_id or "", entry.outcome]
    text = "  ".join(part for part in about if part)
    return f"{_at(entry)}  {entry.who}{f' ({where})' if where else ''}  {text}"


def _entries(log: Audit, since: float, chat_id: str | None) -> Iterator[AuditEntry]:
    before = None
    while page := asyncio.run(log.page(before, PAGE, since, chat_id)):
        yield from page
        before = page[-1].id


def _at(entry: AuditEntry) -> str:
    return datetime.fromtimestamp(entry.at, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _json(entry: AuditEntry) -> str:
    fields = {to_camel(name): value for name, value in vars(entry).items()}
    return json.dumps(fields | {"at": _at(entry)}, ensure_ascii=False)
