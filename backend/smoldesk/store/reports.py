"""Reports as rows: the report of a chat, and its versions on other files, which never change."""

import json
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from smoldesk.errors import Conflict, NotFound
from smoldesk.store.chats import get_chat
from smoldesk.store.tables import FileRow, ReportRow
from smoldesk.store.transaction import Tx

_FILE_ID = re.compile(r"\bf_[0-9a-f]{24}\b")
# The number of the report itself.
REPORT_NUMBER = 0
# Maximum stored versions on other files per chat; a new one replaces the oldest.
MAX_RUNS = 20


@dataclass(frozen=True)
class StoredReport:
    """One row; `made_at` in seconds since the epoch."""

    number: int
    version: int
    created_at: float
    body: str


def read_report(connection: Connection, chat_id: str, number: int = REPORT_NUMBER) -> StoredReport | None:
    """Return the report of a chat, or a version of it on other files; None for a report without pins.

    Raises NotFound for an unknown chat or version.
    """
    get_chat(connection, chat_id)
    report = _rows(connection, chat_id, ReportRow.number == number)
    if not report and number != REPORT_NUMBER:
        raise NotFound(f"This report has no version {number}.", "It may have gone for a newer one.")
    return report[0] if report else None


def runs_of_report(connection: Connection, chat_id: str) -> list[StoredReport]:
    """Return its versions on other files, newest first."""
    return _rows(connection, chat_id, ReportRow.number != REPORT_NUMBER)


def _rows(connection: Connection, chat_id: str, which: ColumnElement[bool]) -> list[StoredReport]:
    columns = (ReportRow.number, ReportRow.version, ReportRow.made_at, ReportRow.body)
    query = select(*columns).where(ReportRow.chat_id == chat_id, which)
    return [StoredReport(*row) for row in connection.execute(query.order_by(ReportRow.number.desc()))]


def put_report(tx: Tx, chat_id: str, version: int, body: str) -> int:
    """Write the report in place of the one of `version` (0: of none); its new version. Raises NotFound, Conflict."""
    tx.hold(chat_id)
    previous = read_report(tx.connection, chat_id)
    if (previous.version if previous else 0) != version:
        raise Conflict(
            "The report was changed meanwhile.", "Read it again, then change it.", code="report_changed"
        )
    values = {"version": version + 1, "made_at": tx.now, "body": body}
    if previous:
        tx.execute(
            update(ReportRow)
            .where(ReportRow.chat_id == chat_id, ReportRow.number == REPORT_NUMBER)
            .values(values)
        )
    else:
        tx.execute(insert(ReportRow), {"chat_id": chat_id, "number": REPORT_NUMBER, **values})
    return version + 1


def in_branch(body: str, seqs: Sequence[int]) -> str | None:
    """Return a report for a branch with the events at `seqs` (ascending), renumbered; None without a pin.

    Texts stay. The seq of a map pin becomes that of the last retained event before it. Pins after the last event are left out.
    """
    pins: list[dict[str, Any]] = []
    report = json.loads(body)
    for pin in report["pins"]:
        if pin["kind"] == "text":
            pins.append(pin)
            continue
        seq = bisect_right(seqs, pin["seq"])
        if (
            seqs
            and pin["seq"] <= seqs[-1]
            and seq > 0
            and (pin["kind"] == "map" or seqs[seq - 1] == pin["seq"])
        ):
            pins.append({**pin, "seq": seq})
    return json.dumps({**report, "pins": pins}, ensure_ascii=False) if pins else None


def add_report_run(tx: Tx, chat_id: str, body: str) -> tuple[int, list[str]]:
    """Keep what the report was on other files; its number, and files of the oldest that went for it. Raises NotFound."""
    tx.hold(chat_id)
    get_chat(tx.connection, chat_id)
    query = select(func.max(ReportRow.number)).where(ReportRow.chat_id == chat_id)
    number = (tx.execute(query).scalar_one() or REPORT_NUMBER) + 1
    row = {"chat_id": chat_id, "number": number, "version": 1, "made_at": tx.now, "body": body}
    tx.execute(insert(ReportRow), row)
    tx.audit("report.made", str(number), chat_id=chat_id)
    old = delete(ReportRow).where(
        ReportRow.chat_id == chat_id, ReportRow.number <= number - MAX_RUNS, ReportRow.number != REPORT_NUMBER
    )
    bodies = tx.execute(old.returning(ReportRow.body)).scalars()
    gone = [file_id for body in bodies for file_id in _FILE_ID.findall(body)]
    tx.execute(delete(FileRow).where(FileRow.chat_id == chat_id, FileRow.id.in_(gone)))
    return number, gone
