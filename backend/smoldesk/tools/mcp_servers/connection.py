"""ServerConnection: one MCP server, with a thread and a loop of its own. Started when needed, and again after it ended.

The thread owns everything of the SDK. Runs call from their own threads (`call`) and receive results by a queue: so the
run's own thread asks people the questions of a server, and a stop cancels the call there.
"""

import asyncio
import contextlib
import logging
import math
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from smoldesk.errors import DeskError
from smoldesk.stopping import StopFlag
from smoldesk.tools.mcp_servers.entries import ServerEntry
from smoldesk.tools.mcp_servers.failures import McpFailed, NotAuthorized, format_error
from smoldesk.tools.mcp_servers.listing import ServerFeatures, list_all
from smoldesk.tools.mcp_servers.program_options import ProgramOptions
from smoldesk.tools.mcp_servers.server_calls import (
    MAX_PROGRESS_CHARACTERS,
    MAX_UNHEARD,
    Asker,
    OpenCall,
    OpenCalls,
)

if TYPE_CHECKING:
    from mcp import Client

    from smoldesk.tools.mcp_servers.authorization import Authorization
    from smoldesk.tools.mcp_servers.stdio import RunningProgram

log = logging.getLogger(__name__)

State = Literal["off", "idle", "starting", "ready", "authorize", "failed"]
READ_AGAIN_SECONDS = 0.2
# Limit of a start while the program's folder grows: `npx` and `uvx` first download the program.
DOWNLOAD_SECONDS = 600.0
POLL_SECONDS = 0.5
AGAIN_SECONDS = 60.0
# Maximum starts within AGAIN_SECONDS: a server that keeps dying stays down until a person restarts it, or that time is over.
MAX_BEGINNINGS = 4
LONGEST_CALL = 3_600.0
CLOSE_SECONDS = 8.0


@dataclass(frozen=True)
class StartedCall:
    """A call that is under way at a server, of one life of it."""

    client: "Client"
    call: OpenCall
    future: "Future[Any]"
    down: threading.Event
    loop: asyncio.AbstractEventLoop


class ServerConnection:
    """Any thread may call; `changed` is called, on any thread, when its state is another one."""

    def __init__(
        self,
        entry: ServerEntry,
        folder: Path,
        options: ProgramOptions,
        authorization: "Callable[[], Authorization] | None" = None,
        enabled: bool = True,
    ) -> None:
        """`folder` is the program's own, made when it starts; `authorization` is called for a server at an address."""
        self.entry = entry
        self.state: State = "idle" if enabled else "off"
        self.problem = ""
        """What was wrong last, also while it is started again."""
        self.features = ServerFeatures()
        self.generation = 0
        """Number of starts: a caller that knows another number learns that the server ended meanwhile."""
        self.failing = False
        """Whether its last start failed."""
        self.information = ""
        self.check: Callable[[], object] = lambda: None
        """Called before each call, on the caller's thread."""
        self.authorization: Authorization | None = None
        self._folder = folder
        self._options = options
        self.start_seconds = options.start_seconds
        self._make_authorization = authorization
        self._base: str | None = None
        self._lock = threading.RLock()
        self._settled = threading.Event()
        self._down = threading.Event()
        """That this life is over, and how is known."""
        self._died_ready = False
        self._start_times: list[float] = []
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._over: asyncio.Event | None = None
        self._begins: asyncio.Task[Any] | None = None
        """Its beginning, while it lasts."""
        self._client: Client | None = None
        self._calls = OpenCalls()
        self._changes = 0
        self._reading: asyncio.Task[None] | None = None

    # --- its life ---------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Begin it in the background, unless it runs, is off, or died too often just now."""
        with self._lock:
            if self.state not in ("idle", "failed") or (self._thread is not None and self._thread.is_alive()):
                return
            now = time.monotonic()
            self._start_times = [
                started_at for started_at in self._start_times if now - started_at < AGAIN_SECONDS
            ]
            # A program that dies at once would otherwise be started in a loop, by every run that needs its tools.
            if len(self._start_times) >= MAX_BEGINNINGS:
                return
            self._start_times.append(now)
            self.state = "starting"
            self.generation += 1
            self._settled.clear()
            self._down = threading.Event()
            self._thread = threading.Thread(target=self._live, name=f"mcp {self.entry.name}", daemon=True)
            self._thread.start()

    def wait(self, seconds: float) -> None:
        """Until it is known whether it runs."""
        if self.state == "starting":
            self._settled.wait(seconds)

    def forbid(self) -> None:
        """Refuse further calls at once; `close` ends it."""
        with self._lock:
            self.state = "off"

    def close(self, state: State = "off") -> None:
        """End it; waits a moment for that."""
        with self._lock:
            thread, loop, over, begins = self._thread, self._loop, self._over, self._begins
            self.state, self.problem, self.failing = state, "", False
            self._start_times.clear()
        if thread is not None and thread.is_alive():
            if loop is not None and over is not None:
                with contextlib.suppress(RuntimeError):
                    loop.call_soon_threadsafe(over.set)
                    if begins is not None:
                        # A server that never answers `initialize` would keep the join below waiting for its time limit.
                        loop.call_soon_threadsafe(begins.cancel)
            thread.join(CLOSE_SECONDS)
        self.features = ServerFeatures()
        self._thread = None

    def restart(self, base: str | None = None) -> None:
        """End it and start it again; `base` is the desk's own address while a person can authorize it."""
        self.close("idle")
        self._base = base
        self.begin()

    def _live(self) -> None:
        """Run one session in its own thread; start another if this one ended by itself."""
        down = self._down
        try:
            asyncio.run(self._session())
        except BaseException as fault:
            # a thread of ours: the SDK may raise anything, and the page shows it as text
            self._fail(format_error(fault))
        with self._lock:
            # Only a server that had been ready is started again: one that failed to start would fail again.
            again, self._thread = self.state == "failed" and self._died_ready, None
            if again:
                self.begin()
        if not again:
            self._settled.set()
        down.set()

    async def _session(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        self._begins = asyncio.current_task()
        self._died_ready = False
        program: RunningProgram | None = None
        try:
            async with AsyncExitStack() as stack:
                async with asyncio.timeout(self.start_seconds) as limit:
                    transport, program = self._transport(limit)
                    # `npx` and `uvx` download for minutes before they start; the time limit must not count that.
                    growing = asyncio.create_task(self._wait_for_download(program, limit))
                    try:
                        self._client = client = await stack.enter_async_context(
                            self._create_client(transport)
                        )
                        # Connecting and listing have a limit each.
                        limit.reschedule(self._loop.time() + self.start_seconds)
                        self.features = await list_all(client)
                    except Exception as fault:
                        if program is not None and await program.has_ended():
                            raise McpFailed(
                                f"Its program ended: {program.how_it_ended()}.{program.unseen}"
                            ) from fault
                        raise
                    finally:
                        growing.cancel()
                self._begins = None
                info = client.server_info
                self.information = f"{info.name} {info.version}"[:200] if info else ""
                with self._lock:
                    if self.state in ("starting", "authorize"):
                        self.state, self.problem, self.failing = "ready", "", False
                self._settled.set()
                await self._over.wait()
                self._died_ready = self.state == "ready"
        except TimeoutError:
            output = program.describe_output() if program is not None else ""
            self._fail(
                f"It did not begin to speak MCP within {self.start_seconds:g} s{f' ({output})' if output else ''}."
            )
            return
        finally:
            self._client = None
            # Callers wait on queues of their own threads, which this loop can no longer reach once it has ended.
            self._calls.wake()
        if self._died_ready:
            self._fail(f"It ended ({program.how_it_ended() if program else 'its session is over'}).")

    def _fail(self, problem: str) -> None:
        with self._lock:
            if self.state not in ("off", "idle"):
                words = self.authorization.problem if self.authorization is not None else ""
                self.state, self.problem = ("authorize", words) if words else ("failed", problem)
                self.failing = not self._died_ready
        log.info("the MCP server %s: %s", self.entry.name, self.problem)

    async def _wait_for_download(self, program: "RunningProgram | None", limit: asyncio.Timeout) -> None:
        """Put off the limit of the start while the folder of a program with the network grows."""
        if program is None or not self.entry.network:
            return
        loop, size = asyncio.get_running_loop(), program.watch.folder_bytes
        end = loop.time() + DOWNLOAD_SECONDS
        while loop.time() < end:
            await asyncio.sleep(POLL_SECONDS)
            before, size = size, program.watch.folder_bytes
            if size > before:
                limit.reschedule(min(loop.time() + self.start_seconds, end))

    def _transport(self, limit: asyncio.Timeout) -> "tuple[Any, RunningProgram | None]":
        """Return the SDK's transport, and the program behind it if there is one."""
        from smoldesk.tools.mcp_servers.hidden import hidden, hide_credentials

        hide_credentials(self.entry)
        if self.entry.url:
            from smoldesk.tools.mcp_servers.address import streams_at

            make_auth = None
            if self._make_authorization is not None:
                self.authorization = self.authorization or self._make_authorization()
                self.authorization.begin(self._base)
                self._base = None
                make_auth = partial(self.authorization.make, partial(_extend, limit))
            return hidden(streams_at(self.entry, make_auth)), None
        from smoldesk.tools.mcp_servers.stdio import RunningProgram, watched

        self._folder.mkdir(parents=True, exist_ok=True)
        program = RunningProgram(self.entry, self._folder, self._options)
        return hidden(watched(program.streams(), self.lost)), program

    def lost(self) -> None:
        """Note that the server is gone; runs on its own loop."""
        self._client = None
        if self._over is not None:
            self._over.set()

    def _create_client(self, transport: Any) -> "Client":
        from mcp import Client
        from mcp.client.extension import advertise
        from mcp_types import Implementation

        from smoldesk import __version__
        from smoldesk.tools.mcp_servers.apps import EXTENSION, MEDIA_TYPE

        return Client(
            transport,
            cache=None,
            extensions=[advertise(EXTENSION, {"mimeTypes": [MEDIA_TYPE]})],
            mode=self.entry.protocol,
            client_info=Implementation(name="smoldesk", version=__version__),
            elicitation_callback=self._calls.elicited,
            sampling_callback=self._calls.sampled,
            list_roots_callback=self._roots,
            message_handler=self._on_message,
        )

    async def _roots(self, context: Any) -> Any:
        from mcp_types import ListRootsResult, Root

        folders = await asyncio.to_thread(self.entry.roots)
        return ListRootsResult(roots=[Root(uri=folder.as_uri(), name=folder.name) for folder in folders])  # pyright: ignore[reportArgumentType]

    async def _on_message(self, message: Any) -> None:
        """Its lists are read again when it says that they changed."""
        from mcp_types import (
            PromptListChangedNotification,
            ResourceListChangedNotification,
            ToolListChangedNotification,
        )

        changes = (
            ToolListChangedNotification,
            ResourceListChangedNotification,
            PromptListChangedNotification,
        )
        inner = getattr(message, "root", message)
        if isinstance(inner, changes) and self._client is not None and self.state == "ready":
            self._changes += 1
            # A server may announce changes faster than its lists can be read: one reader at a time.
            if self._reading is None or self._reading.done():
                self._reading = asyncio.create_task(self._read_again(self._client))

    async def _read_again(self, client: "Client") -> None:
        """Once, and once more for what changed meanwhile, however often it says so."""
        read = -1
        while read != self._changes:
            read = self._changes
            with contextlib.suppress(Exception):  # the previous list stays
                async with asyncio.timeout(self.start_seconds):
                    self.features = await list_all(client)
            await asyncio.sleep(READ_AGAIN_SECONDS)

    # --- calls ------------------------------------------------------------------------------------------------------

    def call(self, work: Callable[["Client", Any], Any], chat_id: str, asker: Asker, stop: StopFlag) -> Any:
        """Do `work(client, progress)`, a coroutine, on its thread; its result. For a run's own thread, which may be asked.

        Raises McpFailed, Stopped.
        """
        return self.wait_for_result(self.start(work, chat_id), asker, stop)

    def start(self, work: Callable[["Client", Any], Any], chat_id: str) -> StartedCall:
        """Start such a call, whose result is awaited later or dropped. Raises McpFailed."""
        self.check()
        client = self._ready()
        loop, down = self._loop, self._down
        assert loop is not None
        call = self._calls.begin(chat_id)

        async def progress(done: float, total: float | None, message: str | None) -> None:
            # Servers send anything as progress: no total, zero, NaN, more than the total.
            part = done / total if total else math.nan
            share = min(max(part, 0.0), 1.0) if math.isfinite(part) else None
            message_ = (message or "")[:MAX_PROGRESS_CHARACTERS]
            # A run that is busy elsewhere does not read; progress beyond this number is dropped, not stored.
            if call.tasks.qsize() < MAX_UNHEARD:
                call.tasks.put(lambda asker: asker.progress(message_, share))

        async def guarded() -> Any:
            call.enter()
            try:
                return await work(client, progress)
            finally:
                self._calls.over(call)

        work_of_it = guarded()
        try:
            future = asyncio.run_coroutine_threadsafe(work_of_it, loop)
        except RuntimeError as fault:  # its loop is closed: it ended just now
            work_of_it.close()
            self._calls.end(call)
            raise McpFailed(self.gone(down)) from fault
        # None wakes the waiting run, which then looks at the future itself.
        future.add_done_callback(lambda _: call.tasks.put(None))
        return StartedCall(client, call, future, down, loop)

    def drop(self, started: StartedCall) -> None:
        """Cancel a call whose caller is gone; a finished one is forgotten."""
        started.future.cancel()
        self._calls.end(started.call)

    def wait_for_result(self, started: StartedCall, asker: Asker, stop: StopFlag) -> Any:
        """Wait for a call's result, and serve the server's questions meanwhile. Raises McpFailed, Stopped."""
        call, future, timeout = started.call, started.future, self.entry.timeout
        until = time.monotonic() + LONGEST_CALL
        try:
            with stop.calling(lambda: call.tasks.put(None)):
                while True:
                    try:
                        task = call.tasks.get(timeout=min(timeout, max(0.0, until - time.monotonic())))
                    except queue.Empty:
                        raise McpFailed(
                            f"The MCP server {self.entry.name!r} said nothing for {timeout:g} s."
                        ) from None
                    stop.check()
                    if task is not None:
                        task(asker)
                    elif future.done():
                        return future.result()
                    # The server died, perhaps was started again already: the result of this call can no longer come.
                    elif self._client is not started.client:
                        raise McpFailed(self.gone(started.down))
        except DeskError:
            raise
        except Exception as fault:
            if self._client is not started.client:
                raise McpFailed(self.gone(started.down)) from fault
            # The SDK's text for a session that the server no longer knows, such as after its restart.
            if self.entry.url and "Session terminated" in str(fault):
                started.loop.call_soon_threadsafe(self.lost)
                raise McpFailed(self.gone(started.down)) from fault
            raise McpFailed(f"The MCP server {self.entry.name!r}: {format_error(fault)}") from fault
        finally:
            self.drop(started)

    def gone(self, down: threading.Event) -> str:
        """Return the error text of a call in which the server died; waits a moment for the reason."""
        down.wait(CLOSE_SECONDS)
        again = "It is started again" if self.state in ("starting", "ready") else "It is not started again"
        return f"The MCP server {self.entry.name!r} ended during the call. {again}. {self.problem}".strip()

    def _ready(self) -> "Client":
        if self.state in ("idle", "failed"):
            self.begin()
        self.wait(self.start_seconds)
        client = self._client
        if self.state == "authorize":
            raise NotAuthorized(
                f"The MCP server {self.entry.name!r} wants a person to let the desk in.",
                "Open it under MCP servers.",
            )
        if self.state != "ready" or client is None:
            problem = (self.problem or self.state).rstrip(".")
            raise McpFailed(f"The MCP server {self.entry.name!r} does not run: {problem}.")
        return client


def _extend(limit: asyncio.Timeout, seconds: float) -> None:
    limit.reschedule(asyncio.get_running_loop().time() + seconds)
