"""Probes of a supervisor or load balancer: /livez and /readyz, before Host, token and wires are looked at."""

import asyncio
import logging
import os
import shutil
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from threading import Thread
from urllib.parse import quote

from starlette.types import ASGIApp, Receive, Scope, Send

from smoldesk.errors import DeskError
from smoldesk.store import heartbeats
from smoldesk.store.engines import schema_version
from smoldesk.store.fault_causes import cause_of
from smoldesk.store.store import Store
from smoldesk.wires.security.refusals import answer

# Time limit for database and disk; kubelet's own default is 1 s, HAProxy's 10.
READY_SECONDS = 2.0
# Seconds that an answer is cached: /readyz needs no token, so it must cost nothing.
FRESH_SECONDS = 1.0
# Bytes: SQLite's write-ahead log may take 64 MB (store/engines.py) before it is moved.
LEAST_ROOM = 100_000_000
# Seconds by which the clock of a server may differ from that of the database it shares: asks, sessions and addresses of
# views expire by it.
MOST_SKEW = 30.0

log = logging.getLogger(__name__)


class Probes:
    """ASGI middleware around the doors: answers /livez and /readyz with a status, and the code of a fault, to strangers too."""

    def __init__(self, app: ASGIApp, store: Store) -> None:
        self.app = app
        self.draining: Callable[[], bool] = lambda: False
        """Whether the server has begun to stop."""
        self._readiness = Readiness(store)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            await self.app(scope, receive, send)
        elif scope["path"] == "/livez":
            await answer(scope, send, 200, {"cache-control": "no-store"})
        elif scope["path"] == "/readyz":
            problem = "closing" if self.draining() else await self._readiness.check()
            body = problem.encode()
            await answer(scope, send, 503 if problem else 200, {"cache-control": "no-store"}, body)
        else:
            await self.app(scope, receive, send)


class Readiness:
    """Whether database and disk can be used, by one thread at a time: a database that hangs holds no more than that one."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._checked_at = 0.0
        self._result: Future[str] | None = None
        """The code of why the desk is not ready, or ""."""
        self._problem = ""
        self._checking = ""
        """The code that holds while a part does not answer."""

    async def check(self) -> str:
        """Return the code of why the desk is not ready, or nothing."""
        now = time.monotonic()
        if self._result is None or (self._result.done() and now >= self._checked_at + FRESH_SECONDS):
            self._checked_at, self._result = now, Future()
            Thread(target=self._run_check, args=(self._result,), name="readiness", daemon=True).start()
        result = asyncio.wrap_future(self._result)
        await asyncio.wait([result], timeout=max(0.0, self._checked_at + READY_SECONDS - now))
        problem = result.result() if result.done() else self._checking
        if problem != self._problem:
            self._problem = problem
            log.warning("the desk is %s", f"not ready ({problem})" if problem else "ready again")
        return problem

    def _run_check(self, result: "Future[str]") -> None:
        try:
            result.set_result(self._problem_now())
        except DeskError as fault:
            result.set_result(fault.code)
        except Exception as fault:  # any error means not ready; no other thread waits for this one
            result.set_result(cause_of(fault) or "store_fault")

    def _problem_now(self) -> str:
        self._checking = "database_unavailable"
        self._store.read(schema_version)
        if self._store.shared and self._skew() > MOST_SKEW:
            return "clock_skewed"
        self._checking = "object_store_away"
        if self._store.objects:
            self._store.objects.check()
        folders = [self._store.data_dir.root, self._store.data_dir.files]
        files = [] if self._store.shared else [Path(self._store.url.database or "")]
        for file in files:
            _read_fresh(file)
        if min(shutil.disk_usage(folder).free for folder in folders) < LEAST_ROOM:
            return "disk_full"
        return "" if all(os.access(path, os.W_OK) for path in (*folders, *files)) else "data_read_only"

    def _skew(self) -> float:
        """Return the seconds by which our clock certainly differs: the answer may have been on its way."""
        before = time.time()
        there = self._store.read(heartbeats.database_time)
        return max(before - there, there - time.time(), 0.0)


def _read_fresh(database: Path) -> None:
    """Raise SQLite's error if the file is damaged. Open connections have its pages in their caches."""
    with closing(sqlite3.connect(f"file:{quote(str(database))}?mode=ro", uri=True)) as connection:
        connection.execute("SELECT version_num FROM alembic_version").fetchall()
