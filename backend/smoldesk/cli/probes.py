"""Probes of a supervisor or load balancer: /livez and /readyz, before Host, token and wires are looked at."""

import asyncio
import logging
import shutil
import time
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread

from starlette.types import ASGIApp, Receive, Scope, Send

from smoldesk.store.engines import schema_version
from smoldesk.store.store import Store
from smoldesk.wires.security.refusals import answer

# Time limit for database and disk; kubelet's own default is 1 s, HAProxy's 10.
READY_SECONDS = 2.0
# Seconds that an answer is cached: /readyz needs no token, so it must cost nothing.
FRESH_SECONDS = 1.0
# Bytes: SQLite's write-ahead log may take 64 MB (store/engines.py) before it is moved.
LEAST_ROOM = 100_000_000

log = logging.getLogger(__name__)


class Probes:
    """ASGI middleware around the doors: answers /livez and /readyz with a status and an empty body, to strangers too."""

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
            ready = not self.draining() and await self._readiness.check()
            await answer(scope, send, 200 if ready else 503, {"cache-control": "no-store"})
        else:
            await self.app(scope, receive, send)


class Readiness:
    """Whether database and disk can be used, by one thread at a time: a database that hangs holds no more than that one."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._checked_at = 0.0
        self._result: Future[str] | None = None
        """Why the desk is not ready, or ""."""
        self._problem = ""

    async def check(self) -> bool:
        """Return whether the desk is ready; False when that is not known in time."""
        now = time.monotonic()
        if self._result is None or (self._result.done() and now >= self._checked_at + FRESH_SECONDS):
            self._checked_at, self._result = now, Future()
            Thread(target=self._run_check, args=(self._result,), name="readiness", daemon=True).start()
        result = asyncio.wrap_future(self._result)
        await asyncio.wait([result], timeout=max(0.0, self._checked_at + READY_SECONDS - now))
        problem = result.result() if result.done() else "the database or the disk does not answer"
        if problem != self._problem:
            self._problem = problem
            log.warning("the desk is %s", f"not ready: {problem}" if problem else "ready again")
        return not problem

    def _run_check(self, result: "Future[str]") -> None:
        try:
            result.set_result(self._problem_now())
        except Exception as fault:  # any error means not ready; no other thread waits for this one
            result.set_result(f"{type(fault).__name__} from the database or the disk")

    def _problem_now(self) -> str:
        self._store.read(schema_version)
        data_dir = self._store.data_dir
        room = min(shutil.disk_usage(folder).free for folder in (data_dir.root, data_dir.files))
        return (
            ""
            if room >= LEAST_ROOM
            else f"{room // 1_000_000} MB are free, expected {LEAST_ROOM // 1_000_000}"
        )
