"""The wire, put together when it is first needed: its addresses, its notifications, its gRPC port. Imports no SDK itself."""

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from starlette.routing import BaseRoute, Route

from smoldesk.desk import Desk
from smoldesk.errors import DeskError
from smoldesk.wires.base import Wire

if TYPE_CHECKING:
    from types import ModuleType

    import grpc.aio
    from starlette.types import ASGIApp, Receive, Scope, Send

    from smoldesk.wires.a2a.handler import Services

log = logging.getLogger(__name__)

# Seconds between two looks for notifications of servers that are gone.
TAKE_OVER_SECONDS = 2.0
PATHS = (
    "/.well-known/agent-card.json",
    "/v0.3/.well-known/agent-card.json",
    "/a2a",
    "/a2a/{rest:path}",
    "/agents/{name}/{rest:path}",
)


class A2AWire(Wire):
    """A2A 1.0 over JSON-RPC and HTTP+JSON, and over gRPC at a port of its own where one is set."""

    name = "a2a"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._building = threading.Lock()
        self._opening: asyncio.Task[None] | None = None
        self._is_unsure = False
        """Whether a take-over failed: its commit may be done, though its answer is lost."""
        self._grpc: grpc.aio.Server | None = None
        self.grpc_port: int | None = None
        """The port that gRPC is served at, once it is."""

    def routes(self) -> Sequence[BaseRoute]:
        lazy = LazyApp(self._app)
        return [Route(path, lazy, include_in_schema=False) for path in PATHS]

    async def open(self) -> None:
        """Resume notifications, and serve gRPC, aside: the first request waits for neither."""
        self._opening = asyncio.create_task(self._open())

    async def close(self) -> None:
        """End streams of gRPC and notifications."""
        if self._opening is not None:
            self._opening.cancel()
            await asyncio.gather(self._opening, return_exceptions=True)
        if self._grpc is not None:
            from smoldesk.wires.a2a.grpc_port import GRACE_SECONDS

            await self._grpc.stop(GRACE_SECONDS)
        services: Services | None = self.__dict__.get("_services")
        if services is not None:
            await services.push_notifier.close()

    async def _open(self) -> None:
        await self._resume()
        if self.desk.settings.grpc_port:
            await self._open_grpc(self.desk.settings.grpc_port)
        while self.desk.push_configs.others_may_leave:
            await asyncio.sleep(TAKE_OVER_SECONDS)
            await self._resume()

    async def _resume(self) -> None:
        """Send the notifications of servers that are gone."""
        try:
            if self._is_unsure or await self.desk.push_configs.has_left():
                services = await asyncio.to_thread(self._built)
                self._is_unsure = True
                await services.push_notifier.resume()
                self._is_unsure = False
        except DeskError as fault:
            log.warning("notifications could not be resumed (%s)", fault.code)
        except Exception:
            log.exception("notifications could not be resumed")

    async def _open_grpc(self, port: int) -> None:
        settings = self.desk.settings
        try:
            services = await asyncio.to_thread(self._built)
            grpc_port = await asyncio.to_thread(_imported_grpc)
            from smoldesk.wires.a2a.handler import DeskHandler

            host = f"[{settings.host}]" if ":" in settings.host else settings.host
            base = f"http://{host}:{settings.port}" if settings.port else ""
            handler = DeskHandler(services, None, None)
            check = grpc_port.TokenCheck(settings.token, self.desk.wrong_tokens, self.desk.audit)
            self._grpc, self.grpc_port = await grpc_port.serve(
                handler, f"{host}:{port}", base, settings.token, check
            )
        except (ImportError, RuntimeError, OSError) as fault:
            log.error("gRPC is not served: %s", fault)

    def _built(self) -> "Services":
        with self._building:
            return self._services

    @cached_property
    def _services(self) -> "Services":
        from smoldesk.wires.a2a.handler import Services
        from smoldesk.wires.a2a.push import PushNotifier
        from smoldesk.wires.a2a.send_message import MessageSender
        from smoldesk.wires.a2a.task_view import TaskView

        # it would write a traceback for each bad request, with what the client sent; faults.py says what matters
        logging.getLogger("a2a").setLevel(logging.CRITICAL)
        desk, task_view = self.desk, TaskView(self.desk.runs)
        message_sender = MessageSender(
            desk.runs, desk.chats, desk.uploads, task_view, desk.settings.message_limit
        )
        push_notifier = PushNotifier(desk.push_configs, task_view, desk.settings.push_private_addresses)
        return Services(desk.runs, desk.chats, task_view, message_sender, push_notifier)

    def _app(self) -> "ASGIApp":
        from smoldesk.wires.a2a.handler import DeskHandler
        from smoldesk.wires.a2a.sdk_app import Cards, serving

        services, agents = self._built(), self.desk.agents
        cards = Cards(agents, self.desk.settings.has_token, lambda: self.grpc_port)
        return serving(agents, cards, lambda agent, extended: DeskHandler(services, agent, extended))


class LazyApp:
    """An ASGI app that `build` makes off the event loop when it is first asked; a build that failed is tried again."""

    def __init__(self, build: Callable[[], "ASGIApp"]) -> None:
        self._build = build
        self._app: ASGIApp | None = None
        self._turn = asyncio.Lock()

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        if self._app is None:
            async with self._turn:
                if self._app is None:
                    self._app = await asyncio.to_thread(self._build)
        await self._app(scope, receive, send)


def _imported_grpc() -> "ModuleType":
    from smoldesk.wires.a2a import grpc_port

    return grpc_port
