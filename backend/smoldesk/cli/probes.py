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
from typing import NamedTuple
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
# Query of /readyz that leaves out faults which all servers have in common: were no server ready because of them, the
# balancer would answer in place of the desk, which names the error and goes on in chats without files.
NOT_SHARED = b"exclude=shared"

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
            fault = Fault("closing") if self.draining() else await self._readiness.check()
            problem = "" if fault.shared and scope["query_string"] == NOT_SHARED else fault.code
            body = problem.encode()
            await answer(scope, send, 503 if problem else 200, {"cache-control": "no-store"}, body)
        else:
            await self.app(scope, receive, send)


class Fault(NamedTuple):
    """Code of why a desk is not ready, or ""; `shared` if the part at fault belongs to all servers. The log has `detail`."""

    code: str
    shared: bool = False
    detail: str = ""


class Readiness:
    """Whether database and disk can be used, by one thread at a time: a database that hangs holds no more than that one."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._checked_at = 0.0
        self._result: Future[Fault] | None = None
        self._problem = ""
        self._checking = Fault("store_fault")
        """What holds while a part does not answer."""

    async def check(self) -> Fault:
        """Return why the desk is not ready."""
        now = time.monotonic()
        if self._result is None or (self._result.done() and now >= self._checked_at + FRESH_SECONDS):
            self._checked_at, self._result = now, Future()
            Thread(target=self._run_check, args=(self._result,), name="readiness", daemon=True).start()
        result = asyncio.wrap_future(self._result)
        await asyncio.wait([result], timeout=max(0.0, self._checked_at + READY_SECONDS - now))
        problem = result.result() if result.done() else self._checking
        if problem.code != self._problem:
            self._problem = problem.code
            reason = ": ".join(filter(None, (problem.code, problem.detail)))
            log.warning("the desk is %s", f"not ready ({reason})" if reason else "ready again")
        return problem

    def _run_check(self, result: "Future[Fault]") -> None:
        try:
            result.set_result(self._fault_now())
        except DeskError as fault:
            result.set_result(self._checking._replace(code=fault.code))
        except Exception as fault:  # any error means not ready; no other thread waits for this one
            result.set_result(self._checking._replace(code=cause_of(fault) or "store_fault"))

    def _fault_now(self) -> Fault:
        """Check what this server has alone, then what it shares: the first fault is the answer."""
        store, folders = self._store, self._store.data_dir
        self._checking = Fault("store_fault")
        if code := _fault_of(folders.root):
            return Fault(code)
        self._checking = Fault("database_unavailable", store.shared)
        store.read(schema_version)
        if (skew := store.read(heartbeats.clock_skew)) > heartbeats.MOST_SKEW:
            return Fault("clock_skewed", detail=f"the clock differs from the database's by {skew:.0f} s")
        if not store.shared:
            file = Path(store.url.database or "")
            _read_fresh(file)
            if code := _fault_of(file):
                return Fault(code)
        self._checking = Fault("object_store_away", store.shared)
        if store.objects:
            store.objects.check()
        self._checking = Fault("store_fault", store.shared and not folders.files.is_relative_to(folders.root))
        return self._checking._replace(code=_fault_of(folders.files))


def _fault_of(place: Path) -> str:
    if shutil.disk_usage(place).free < LEAST_ROOM:
        return "disk_full"
    return "" if os.access(place, os.W_OK) else "data_read_only"


def _read_fresh(database: Path) -> None:
    """Raise SQLite's error if the file is damaged. Open connections have its pages in their caches."""
    with closing(sqlite3.connect(f"file:{quote(str(database))}?mode=ro", uri=True)) as connection:
        connection.execute("SELECT version_num FROM alembic_version").fetchall()
