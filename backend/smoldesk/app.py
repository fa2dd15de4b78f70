"""The composition root: the web app, every wire on top of one desk. Nothing else happens here."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from smoldesk import __version__
from smoldesk.desk import Desk, build_desk
from smoldesk.settings import Settings
from smoldesk.wires import (
    a2a,
    four_pane,
    health,
    mcp,
    page,
    rest,
    tasks,
)
from smoldesk.wires import (
    ai_sdk as ui_stream,
)
from smoldesk.wires.security import Doors, RequestIds


def create_app(settings: Settings, desk: Desk | None = None, extend_mcp: mcp.Extend | None = None) -> FastAPI:
    """The web app over a desk (by default one built from the settings); opens it at start-up, closes it at the end.

    `extend_mcp` lets the MCP conformance suite add its fixtures to /mcp.
    """
    desk = desk or build_desk(settings)

    message_limit, upload_limit = settings.message_limit, settings.upload_limit
    agents_wire = a2a.A2A(
        desk.runs,
        desk.agents,
        a2a.Options(
            message_limit,
            upload_limit,
            settings.token,
            settings.push_private_addresses,
            settings.host,
            settings.port,
            settings.grpc_port or None,
        ),
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None, None]:
        desk.open()
        agents_wire.open()
        yield
        await agents_wire.close()
        desk.close()

    app = FastAPI(title="smoldesk", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.desk = desk
    app.state.a2a = agents_wire
    rest.install_faults(app)
    names = [settings.host, *settings.allowed_hosts]
    # first: agents call it all the time, and each route in front of it costs every one of these calls
    app.router.routes.append(mcp.route(desk.conversations, names, settings.allowed_origins, extend_mcp))
    # their routes themselves: FastAPI would build each route of a router that is included a second and a third time
    for wire in (
        four_pane.router(desk.runs, desk.agents, desk.buildings, message_limit),
        rest.router(
            desk.runs,
            desk.agents,
            desk.buildings,
            desk.conversations,
            upload_limit,
            message_limit,
            settings.keep_alive_seconds,
        ),
        ui_stream.router(desk.runs, desk.agents, desk.buildings, message_limit, upload_limit),
        tasks.router(desk.runs, desk.agents, message_limit, upload_limit, settings.keep_alive_seconds),
    ):
        app.router.routes.extend(wire.routes)
    app.router.routes.extend(agents_wire.routes())
    health_routes = health.router(desk.runs, app, desk.agents.isolation, desk.agents.cells_waiting)
    app.router.routes.extend(health_routes.routes)
    page.install(app)
    return app


def guarded(app: FastAPI, settings: Settings) -> RequestIds:
    """The app behind the doors: outermost, so that error pages pass them too. What a server serves."""
    doors = Doors(
        app,
        host=settings.host,
        token=settings.token,
        allowed_origins=settings.allowed_origins,
        allowed_hosts=settings.allowed_hosts,
    )
    return RequestIds(doors)
