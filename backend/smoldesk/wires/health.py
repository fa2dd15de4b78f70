"""How the desk is doing: /healthz, /livez and /readyz for supervisors, /metrics for Prometheus, /docs for people."""

import asyncio
import html
import logging
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from threading import Thread
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from smoldesk import __version__
from smoldesk.runs import Runs
from smoldesk.store.engines import schema_version
from smoldesk.store.store import Store
from smoldesk.wires.base import Wire
from smoldesk.wires.security.refusals import answer

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric

READY_SECONDS = 2.0
"""How long database and disk may take to answer; kubelet's own default is 1 s, HAProxy's 10."""
FRESH_SECONDS = 1.0
"""How long an answer is good for: /readyz is open to everybody, and must cost nothing."""
LEAST_ROOM = 100_000_000
"""Bytes: SQLite's write-ahead log may take 64 MB (store/engines.py) before it is moved."""

log = logging.getLogger(__name__)


class DeskCollector:
    """A collector of prometheus_client's: reads the figures where they are; nothing is counted twice."""

    def __init__(self, runs: Runs, waiting: Callable[[], int]) -> None:
        self._runs = runs
        self._waiting = waiting
        self.uploads = 0
        """How many are on their way."""
        self.token_failures = 0

    def collect(self) -> "Iterator[Metric]":
        from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily

        ended = CounterMetricFamily("smoldesk_runs_ended", "Runs by closing event.", labels=["event"])
        for event, count in self._runs.ended.items():
            ended.add_metric([event], count)
        yield ended
        yield CounterMetricFamily(
            "smoldesk_runs_abandoned", "Runs closed without their thread.", value=self._runs.abandoned
        )
        yield GaugeMetricFamily(
            "smoldesk_chats_working", "Chats with a live run.", value=self._runs.working()
        )
        yield GaugeMetricFamily(
            "smoldesk_cells_waiting", "Cells that wait for a processor.", value=self._waiting()
        )
        yield GaugeMetricFamily("smoldesk_uploads", "Unfinished uploads.", value=self.uploads)
        yield CounterMetricFamily(
            "smoldesk_token_failures", "Wrong tokens that were sent.", value=self.token_failures
        )
        yield GaugeMetricFamily("smoldesk_followers", "Open follows.", value=self._runs.followers())


class HealthWire(Wire):
    """Three addresses for the operator; /docs is made of the whole app's schema."""

    name = "health"

    def routes(self) -> Sequence[BaseRoute]:
        agents, uploads = self.desk.agents, self.desk.resumable_uploads
        collector = DeskCollector(self.desk.runs, agents.cells_waiting)
        routes = APIRouter()

        @routes.get("/healthz")
        async def healthz() -> dict[str, Any]:
            isolation = agents.isolation().model_dump(by_alias=True)
            return {"status": "ok", "version": __version__, "isolation": isolation}

        @routes.get("/metrics", response_class=PlainTextResponse)
        async def metrics(request: Request) -> Response:
            from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

            collector.uploads = await uploads.unfinished()
            collector.token_failures = request.scope.get("smoldesk.token_failures", 0)
            return Response(generate_latest(collector), media_type=CONTENT_TYPE_LATEST)

        @routes.get("/docs", include_in_schema=False)
        async def docs(request: Request) -> HTMLResponse:
            return HTMLResponse(docs_page(request.app.openapi()))

        return routes.routes


class Probes:
    """ASGI middleware, around the doors: /livez and /readyz, for whoever asks, with a status and nothing else."""

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
        self._begun = 0.0
        self._result: Future[str] | None = None
        """Why the desk is not ready, or ""."""
        self._problem = ""

    async def check(self) -> bool:
        """Return whether the desk is ready; False when that is not known in time."""
        now = time.monotonic()
        if self._result is None or (self._result.done() and now >= self._begun + FRESH_SECONDS):
            self._begun, self._result = now, Future()
            Thread(target=self._look, args=(self._result,), name="readiness", daemon=True).start()
        result = asyncio.wrap_future(self._result)
        await asyncio.wait([result], timeout=max(0.0, self._begun + READY_SECONDS - now))
        problem = result.result() if result.done() else "the database or the disk does not answer"
        if problem != self._problem:
            self._problem = problem
            log.warning("the desk is %s", f"not ready: {problem}" if problem else "ready again")
        return not problem

    def _look(self, result: "Future[str]") -> None:
        try:
            result.set_result(self._problem_now())
        except Exception as fault:  # whatever it is: nobody else waits for this thread
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


def docs_page(openapi: dict[str, Any]) -> str:
    """The API as one plain page: no script, nothing from elsewhere."""
    rows = [
        f"<tr><td><code>{method.upper()}</code></td><td><code>{html.escape(path)}</code></td>"
        f"<td>{html.escape(operation.get('summary', ''))}</td></tr>"
        for path, operations in openapi["paths"].items()
        for method, operation in operations.items()
    ]
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>smoldesk API</title>'
        "<h1>smoldesk API</h1><p>The whole schema: <a href='/openapi.json'>/openapi.json</a>. "
        "The WebSocket protocol of the page is described in spec/reference/interfacespec.md.</p>"
        f"<table><tr><th>Method</th><th>Path</th><th>What it does</th></tr>{''.join(rows)}</table></html>"
    )
