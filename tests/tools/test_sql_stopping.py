"""Stop ends a query under way, wherever it runs; their time limits here are far beyond a test's."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr
from sqlalchemy import make_url

from smoldesk.errors import DeskError, Stopped
from smoldesk.stopping import StopFlag
from smoldesk.tables.folder_tables import ChatTables
from smoldesk.tools.databases import ConnectedDatabases
from smoldesk.tools.databases.other import GenericDatabase
from smoldesk.tools.databases.values import QueryFailed
from smoldesk.tools.datasets import Datasets
from smoldesk.tools.sql_engine import SqlEngine, run_query

pytestmark = pytest.mark.starts

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT COUNT(*) FROM c"
LONG = 600.0
Ask = Callable[[Path, StopFlag], object]


@pytest.fixture
def stop() -> Iterator[StopFlag]:
    flag = StopFlag()
    yield flag
    flag.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "chat"
    folder.mkdir()
    (folder / "a.csv").write_text("a,b\n1,2\n")
    return folder


def bundled(_: Path, stop: StopFlag) -> object:
    return run_query(Datasets.bundled(), ENDLESS, seconds=LONG, stop=stop)


def file(folder: Path, stop: StopFlag) -> object:
    return ChatTables(folder, folder.parent).query(ENDLESS, seconds=LONG, stop=stop)


def connected(folder: Path, stop: StopFlag) -> object:
    sqlite3.connect(folder / "x.db").close()
    urls = {"x": SecretStr(f"sqlite:///{folder / 'x.db'}")}
    return ConnectedDatabases(urls, seconds=LONG).query("x", ENDLESS, stop)


def other(folder: Path, stop: StopFlag) -> object:
    return GenericDatabase(make_url(f"sqlite:///{folder / 'x.db'}"), seconds=LONG).query(ENDLESS, stop)


@pytest.mark.timeout(120)
@pytest.mark.parametrize("ask", [bundled, file, connected, other])
def test_stop_ends_a_query_under_way(folder: Path, stop: StopFlag, ask: Ask) -> None:
    threading.Timer(0.5, stop.set, ["a person stopped it"]).start()
    with pytest.raises((DeskError, QueryFailed), match="it was stopped"):
        ask(folder, stop)


@pytest.mark.timeout(120)
@pytest.mark.parametrize("ask", [bundled, file, connected])
def test_a_stop_before_the_query_begins_counts_too(folder: Path, stop: StopFlag, ask: Ask) -> None:
    stop.set("a person stopped it")
    with pytest.raises(DeskError, match="it was stopped"):
        ask(folder, stop)


@pytest.mark.timeout(120)
def test_stop_cancels_at_a_postgresql(postgres_url: str, stop: StopFlag) -> None:
    databases = ConnectedDatabases({"x": SecretStr(postgres_url)}, seconds=LONG)
    threading.Timer(0.5, stop.set, ["a person stopped it"]).start()
    with pytest.raises(DeskError, match="it was stopped"):
        databases.query("x", "SELECT pg_sleep(500)", stop)


def test_to_the_run_it_is_a_stop_and_no_fault_of_the_query(folder: Path, stop: StopFlag) -> None:
    engine = SqlEngine(Datasets.bundled(), ChatTables(folder, folder.parent), stop=stop)
    stop.set("a person stopped it")
    with pytest.raises(Stopped):
        engine.forward(ENDLESS)
