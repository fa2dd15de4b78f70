"""Health (/healthz), metrics for Prometheus (/metrics) and the API page (/docs)."""

import html
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse
from starlette.routing import BaseRoute

from smoldesk import __version__
from smoldesk.runs import Runs
from smoldesk.wires.base import Wire

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric


class DeskCollector:
    """Collector for prometheus_client. It reads existing counters at each scrape instead of keeping its own."""

    def __init__(self, runs: Runs, waiting: Callable[[], int]) -> None:
        self._runs = runs
        self._waiting = waiting
        self.uploads = 0
        """Unfinished resumable uploads."""
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
    """Wire with three addresses for the operator. /docs shows the schema of the app."""

    name = "health"

    def routes(self) -> Sequence[BaseRoute]:
        agents, uploads = self.desk.agents, self.desk.resumable_uploads
        collector = DeskCollector(self.desk.runs, agents.cells_waiting)
        routes = APIRouter()

        @routes.get("/healthz")
        async def healthz() -> dict[str, Any]:
            isolation = agents.isolation().model_dump(by_alias=True)
            health: dict[str, Any] = {"status": "ok", "version": __version__, "isolation": isolation}
            nodes = agents.nodes()
            return health | {"nodes": nodes} if nodes else health

        @routes.get("/metrics", response_class=PlainTextResponse)
        async def metrics(request: Request) -> Response:
            from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

            collector.uploads = await uploads.unfinished()
            # SecurityMiddleware writes its counter into the scope, since it wraps the app from outside.
            collector.token_failures = request.scope.get("smoldesk.token_failures", 0)
            return Response(generate_latest(collector), media_type=CONTENT_TYPE_LATEST)

        @routes.get("/docs", include_in_schema=False)
        async def docs(request: Request) -> HTMLResponse:
            return HTMLResponse(docs_page(request.app.openapi()))

        return routes.routes


def docs_page(openapi: dict[str, Any]) -> str:
    """Return the API as one HTML page without scripts or external files."""
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
