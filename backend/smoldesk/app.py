"""The composition root: the web app, every wire on top of one desk. Nothing else happens here."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from fastapi import FastAPI
from starlette.types import ASGIApp

from smoldesk import __version__
from smoldesk.charts.vega_program import ChartProgram
from smoldesk.desk import Desk, build_desk
from smoldesk.settings import Settings
from smoldesk.wires.a2a.routes import A2AWire
from smoldesk.wires.agui.routes import AguiWire
from smoldesk.wires.ai_sdk.routes import AiSdkWire
from smoldesk.wires.base import Wire, WireOptions, WireServices, WireType, choose_wires
from smoldesk.wires.four_pane.routes import FourPaneWire
from smoldesk.wires.health import HealthWire
from smoldesk.wires.http_errors import install_error_handlers
from smoldesk.wires.mcp.routes import McpWire
from smoldesk.wires.openai_api.routes import OpenAIWire
from smoldesk.wires.page import PageWire
from smoldesk.wires.rest.routes import RestWire
from smoldesk.wires.security import RequestIds, SecurityMiddleware
from smoldesk.wires.tasks.routes import TasksWire

WIRES: tuple[type[Wire], ...] = (
    McpWire,  # first: agents call it all the time, and each route in front of it costs every one of these calls
    FourPaneWire,
    RestWire,
    AiSdkWire,
    AguiWire,
    TasksWire,
    A2AWire,
    OpenAIWire,
    HealthWire,
    PageWire,
)


def wires_of(settings: Settings) -> list[type[Wire]]:
    """The wires that the settings choose. Raises BadInput for one that there is not, or that cannot be loaded."""
    return choose_wires(WIRES, settings.wires)


def create_app(
    settings: Settings, desk: Desk | None = None, wires: Sequence[WireType] | None = None
) -> FastAPI:
    """The web app over a desk (by default one built from the settings); opens it at start-up, closes it at the end.

    `wires` are those of the settings, unless others are given. Raises DeskError for settings that cannot be served.
    """
    wires = wires_of(settings) if wires is None else wires
    desk = desk or build_desk(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None, None]:
        async with AsyncExitStack() as opened:
            desk.open()
            opened.callback(desk.close)
            await desk.chats.erase_expired()
            for wire in made:
                opened.push_async_callback(wire.close)
                await wire.open()
            yield

    app = FastAPI(title="smoldesk", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.desk = desk
    install_error_handlers(app)
    services = services_of(desk, app.openapi)
    made = [wire(services) for wire in wires]
    for wire in made:
        # its routes themselves: FastAPI would build each route of a router that is included a second time
        app.router.routes.extend(wire.routes())
    return app


def services_of(desk: Desk, openapi: Callable[[], dict[str, Any]]) -> WireServices:
    """What wires may use of a desk."""
    return WireServices(
        runs=desk.runs,
        agents=desk.agents,
        chats=desk.chats,
        branches=desk.branches,
        uploads=desk.uploads,
        resumable_uploads=desk.resumable_uploads,
        file_changes=desk.file_changes,
        files=desk.files,
        shown_tables=desk.shown_tables,
        exports=desk.exports,
        imports=desk.imports,
        reports=desk.reports,
        traces=desk.traces,
        sources=desk.sources,
        models=desk.models,
        source_files=desk.source_files,
        mcp_servers=desk.mcp_servers,
        mcp_apps=desk.mcp_apps,
        selections=desk.selections,
        policies=desk.policies,
        push_configs=desk.push_configs,
        buildings=desk.buildings,
        conversations=desk.conversations,
        plans=desk.plans,
        chart_program=ChartProgram(desk.data_dir.cache),
        options=options_of(desk.settings),
        openapi=openapi,
    )


def options_of(settings: Settings) -> WireOptions:
    """What the settings say to wires."""
    return WireOptions(
        message_limit=settings.message_limit,
        file_limit=settings.file_limit,
        keep_alive_seconds=settings.keep_alive_seconds,
        host=settings.host,
        port=settings.port,
        token=settings.token,
        allowed_hosts=settings.allowed_hosts,
        allowed_origins=settings.allowed_origins,
        push_private_addresses=settings.push_private_addresses,
        grpc_port=settings.grpc_port or None,
    )


def guarded(app: ASGIApp, settings: Settings) -> RequestIds:
    """The app behind the doors: outermost, so that error pages pass them too. What a server serves."""
    doors = SecurityMiddleware(
        app,
        host=settings.host,
        token=settings.token,
        allowed_origins=settings.allowed_origins,
        allowed_hosts=settings.allowed_hosts,
    )
    return RequestIds(doors)
