"""The uvicorn server as the desk wants it: runs end before connections are waited for, and warm-up follows the open port."""

import asyncio
import contextlib
import gc
import logging
import signal
import socket
import threading
from collections.abc import Callable, Generator, Sequence
from types import FrameType

import uvicorn
from pydantic import BaseModel
from starlette.types import ASGIApp

from smoldesk import markdown
from smoldesk.agents import AgentList
from smoldesk.app import create_app, guarded, wires_of
from smoldesk.cli.bounded_http import USUAL, BoundedHttp, CountedWebSocket, HttpLimits
from smoldesk.cli.client_connections import ClientConnections
from smoldesk.cli.probes import Probes
from smoldesk.desk import Desk, build_desk
from smoldesk.errors import BadInput
from smoldesk.settings import Settings
from smoldesk.store.run_options import NO_CHOICE
from smoldesk.wires.security import AnsweredHandshakes, check_bind, keep_token_out_of_logs
from smoldesk.wires.security.proxies import ForwardedClients, Proxies

log = logging.getLogger(__name__)

# WebSocket frames beyond this close the socket; smaller ones that are too long get an error and stay.
FRAME_LIMIT = 16 * 1024 * 1024

# Seconds that an idle connection stays open. Clients close theirs after about 5 s; the server must not be first, or a
# request that is being sent is lost.
KEEP_ALIVE_SECONDS = 75

# Seconds from the open port to the warm-up: a page that is opened at once is served first.
WARM_UP_AFTER = 0.5
# Collections of the middle generation before a full one; Python's default is 10.
FULL_COLLECTION_AFTER = 100


class DeskServer(uvicorn.Server):
    """Serves one desk; `port` is the one it really listens on once `started` is set."""

    def __init__(self, config: uvicorn.Config, desk: Desk) -> None:
        super().__init__(config)
        self._desk = desk
        self.port: int | None = None
        self.warms = True
        """Whether it does early what a first run needs."""
        self._ended = threading.Event()
        self._grace_seconds = 0.0
        self._hurry = threading.Event()
        self.when_open: Callable[[str], bool] | None = None
        """Called on a thread with the address once it is open; False ends the server."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Uvicorn's, without raising the signal again at the end: a desk that was asked to stop and did exits with 0."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {
            number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop; after a first SIGTERM only once the live runs have ended, within the settings' grace."""
        if sig == signal.SIGTERM and not self.should_exit:
            self._grace_seconds = self._desk.settings.drain_seconds
        else:
            self._hurry.set()
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.should_exit:
            return
        port = self.servers[0].sockets[0].getsockname()[1]
        address = f"http://{self.config.host}:{port}"
        here = f"http://{reachable(self.config.host)}:{port}"
        self._desk.data_dir.serve_at(here)
        self.port = port  # waiting commands find the address in the data directory, too
        model = self._desk.agents.who(NO_CHOICE).get("model", "none")
        log.info("open %s in a browser; model %s; Ctrl+C stops the desk", address, model)
        # The supervisor of child processes is one permanent thread; it may start now that the port is open.
        if self.warms:
            threading.Thread(target=self._warm, name="warm-up", daemon=True).start()
        if (when_open := self.when_open) is not None:

            def begin() -> None:
                if not when_open(here):
                    self.should_exit = True

            threading.Thread(target=begin, name="when-open", daemon=True).start()

    def _warm(self) -> None:
        if self._ended.wait(WARM_UP_AFTER):
            return
        try:
            for step in (build_models, self._desk.agents.warm, markdown.warm, self._desk.check_tool_settings):
                if not self._ended.is_set():
                    step()
            gc.freeze()  # what this brought stays, too: a collection would scan it and delay all requests by milliseconds
            # A full collection stops all threads, with many runs for 20 ms, and finds hundreds of objects.
            gc.set_threshold(*gc.get_threshold()[:2], FULL_COLLECTION_AFTER)
        except BadInput as fault:
            log.warning("%s", fault)
        except Exception:  # only preloading: the first run reports any error clearly
            log.exception("the warm-up failed")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._ended.set()
        # Sockets end because what they follow ends; waiting for them first would wait for people.
        for server in self.servers:
            server.close()
        if self._grace_seconds:
            await asyncio.to_thread(self._desk.runs.drain, self._grace_seconds, self._hurry)
        self._desk.store.limit_close()
        await asyncio.to_thread(self._desk.conversations.close)
        await asyncio.to_thread(self._desk.runs.close)
        self._desk.store.close_followers()
        await super().shutdown(sockets)


def build_models() -> None:
    """Build the desk's pydantic models, which a start only declares (`defer_build` in `smoldesk.cli.main`)."""
    models = [BaseModel]
    for model in models:
        models.extend(model.__subclasses__())
        if model.__module__.startswith("smoldesk."):
            model.model_rebuild(raise_errors=False)


def reachable(host: str) -> str:
    """Return the host under which a server is reached from its own machine."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)
    return f"[{host}]" if ":" in host else host


def build_server(
    desk: Desk, app: ASGIApp | None = None, limits: HttpLimits = USUAL, frame_origins: Sequence[str] = ()
) -> DeskServer:
    """Build a server for a desk and its app. Its log never shows a token. Pages of `frame_origins` may embed the page."""
    settings = desk.settings
    proxies = Proxies(settings.trusted_proxies)
    clients = ClientConnections(settings.client_connections, proxies)
    doors = guarded(
        app or create_app(settings, desk),
        settings,
        desk.browser_sessions,
        frame_origins,
        desk.wrong_tokens,
        desk.audit,
    )
    probes = Probes(ForwardedClients(doors, proxies, settings.client_connections), desk.store)
    config = uvicorn.Config(
        probes,
        http=BoundedHttp.over(limits, clients),
        ws=CountedWebSocket.over(clients),
        proxy_headers=False,  # uvicorn's would believe anybody on this machine
        host=settings.host,
        port=settings.port,
        log_config=None,  # its lines go the way of ours (backend/smoldesk/logs)
        access_log=False,
        ws_max_size=FRAME_LIMIT,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=1,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        server_header=False,
    )
    keep_token_out_of_logs(settings.token)
    logging.getLogger("uvicorn.error").addFilter(AnsweredHandshakes())
    server = DeskServer(config, desk)
    probes.draining = lambda: server.should_exit
    return server


def serve(
    settings: Settings, when_open: Callable[[str], bool] | None = None, agent_list: AgentList | None = None
) -> int:
    """Serve until a signal comes, or until `when_open`, called with the address, says False; the exit code.

    `agent_list` are the desk's agents, by default those of the data directory. Raises DeskError for settings that cannot
    be served.
    """
    check_bind(settings.host, settings.token)
    wires = wires_of(settings)  # before a desk takes its data directory
    desk = build_desk(settings, agent_list=agent_list)
    server = build_server(desk, create_app(settings, desk, wires))
    server.when_open = when_open
    gc.freeze()  # modules and models stay: no later collection looks through them
    gc.enable()
    server.run()
    return 0 if server.started else 1
