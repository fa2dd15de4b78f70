"""The composition root: the web app, every wire on top of one desk. Nothing else happens here."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from fastapi import FastAPI
from starlette.types import ASGIApp

from smoldesk import __version__
from smoldesk.chats import Audit, BrowserSessions, SharedTries
from smoldesk.desk import Desk, build_desk
from smoldesk.settings import Settings
from smoldesk.wires.a2a.routes import A2AWire
from smoldesk.wires.agui.routes import AguiWire
from smoldesk.wires.ai_sdk.routes import AiSdkWire
from smoldesk.wires.audit_trail import note_wire
from smoldesk.wires.base import Wire, WireType, choose_wires
from smoldesk.wires.four_pane.routes import FourPaneWire
from smoldesk.wires.health import HealthWire
from smoldesk.wires.http_errors import install_error_handlers
from smoldesk.wires.mcp.routes import McpWire
from smoldesk.wires.openai_api.routes import OpenAIWire
from smoldesk.wires.page import PageWire
from smoldesk.wires.rest.routes import RestWire
from smoldesk.wires.security import RequestIds, SecurityMiddleware, Sessions
from smoldesk.wires.shared_view import SharedViewWire
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
    SharedViewWire,
    PageWire,
)


def wires_of(settings: Settings) -> list[type[Wire]]:
    """Return the wires that the settings choose. Raises BadInput for an unknown or broken one."""
    return choose_wires(WIRES, settings.wires)


def create_app(
    settings: Settings, desk: Desk | None = None, wires: Sequence[WireType] | None = None
) -> FastAPI:
    """Create the web app of a desk, by default one built from the settings; it opens the desk at start and closes it at
    the end.

    `wires` replaces those of the settings. Raises DeskError for invalid settings.
    """
    wires = wires_of(settings) if wires is None else wires
    desk = desk or build_desk(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None, None]:
        async with AsyncExitStack() as opened:
            desk.open()
            opened.callback(desk.close)
            await desk.chats.erase_expired()
            await desk.buildings.erase_expired()
            await desk.audit.erase_expired()
            desk.retention.open()
            opened.push_async_callback(desk.retention.close)
            desk.watches.open()
            opened.push_async_callback(desk.watches.close)
            desk.local_copies.open()
            opened.push_async_callback(desk.local_copies.close)
            for wire in created:
                opened.push_async_callback(wire.close)
                await wire.open()
            yield

    app = FastAPI(title="smoldesk", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.desk = desk
    install_error_handlers(app)
    created = [wire(desk) for wire in wires]
    for wire in created:
        # its routes themselves: FastAPI would build each route of a router that is included a second time
        app.router.routes.extend(note_wire(wire.name, wire.routes()))
    return app


def guarded(
    app: ASGIApp,
    settings: Settings,
    sessions: BrowserSessions | None = None,
    frame_origins: Sequence[str] = (),
    wrong_tokens: SharedTries | None = None,
    audit: Audit | None = None,
) -> RequestIds:
    """Wrap the app in the security middleware, outermost, so that error pages pass it too.

    `sessions` stores browser sessions; without it they end with the server. Pages of `frame_origins` may show the page.
    `wrong_tokens` counts wrong tokens with other servers, `audit` has the sign-ins.
    """
    doors = SecurityMiddleware(
        app,
        host=settings.host,
        token=settings.token,
        allowed_origins=settings.allowed_origins,
        allowed_hosts=settings.allowed_hosts,
        sessions=Sessions(settings.token, settings.session_seconds, sessions),
        frame_origins=frame_origins,
        wrong_tokens=wrong_tokens,
        audit=audit,
    )
    return RequestIds(doors)
