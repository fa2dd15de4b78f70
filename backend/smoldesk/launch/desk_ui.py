"""DeskUI: a person's own smolagents agent in the four panes, from a script or a notebook, with GradioUI's arguments."""

import contextlib
import queue
import socket
import sys
import threading
import webbrowser
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

from smoldesk.agents import AgentEntry, load_agents
from smoldesk.agents.supplied.agent_features import describe, with_own_agent
from smoldesk.agents.supplied.agent_source import LOADER, AgentSource
from smoldesk.app import create_app, wires_of
from smoldesk.cli.server import DeskServer, build_server
from smoldesk.cli.umasks import private_files
from smoldesk.desk import Desk, build_desk
from smoldesk.errors import BadInput
from smoldesk.launch.jupyter import in_notebook, notebook_origins, show_page
from smoldesk.logs import set_up_logging
from smoldesk.settings import Settings
from smoldesk.wires.security import check_bind, frame_policy

# Ports that are tried after the usual one, as gradio does.
MORE_PORTS = 100
START_SECONDS = 60

# Desks of this process that a notebook launched, by data directory: running a cell again replaces its desk.
_launched: dict[Path, "DeskUI"] = {}


class DeskUI:
    """A desk for one agent. `address` is its URL while it is served; `close` ends it, as the end of a `with` does."""

    def __init__(
        self,
        agent: Any,
        file_upload_folder: str | Path | None = None,
        reset_agent_memory: bool = False,
        *,
        approvals: Mapping[str, Literal["never", "once", "always"]] | None = None,
        data_dir: str | Path | None = None,
        name: str | None = None,
    ) -> None:
        """Set up the desk of an agent, or of a function that makes one for each chat.

        `file_upload_folder` is where the agent's tools find uploaded files, each chat's in a folder of its own; without it,
        they are in the folder of the chat alone, where code runs. With `reset_agent_memory` no message remembers earlier
        ones. `approvals` are policies by tool: tools without one ask before each call. `data_dir` has the chats, by
        default SMOLDESK_DATA_DIR or ./smoldesk-data. Raises DeskError.
        """
        options = {} if data_dir is None else {"data_dir": Path(data_dir)}
        self.settings = Settings(**options)  # pyright: ignore[reportArgumentType]
        self.source = AgentSource(
            agent,
            approvals=approvals,
            upload_folder=None if file_upload_folder is None else Path(file_upload_folder),
            remembers=not reset_agent_memory,
            seconds=self.settings.agent_load_seconds,
        )
        self.address: str | None = None
        self._name = name
        self._server: DeskServer | None = None
        self._thread: threading.Thread | None = None

    def launch(
        self,
        share: bool = False,
        *,
        server_name: str | None = None,
        server_port: int | None = None,
        inbrowser: bool = False,
        inline: bool | None = None,
        prevent_thread_lock: bool = False,
        quiet: bool = False,
        width: int | str = "100%",
        height: int | str = 700,
        frame_origins: Sequence[str] | None = None,
        **others: Any,
    ) -> "DeskUI":
        """Serve the desk: in a script until Ctrl+C, in a notebook until `close` or the end of the kernel.

        Arguments are GradioUI's. `server_port` is used exactly; without it, the next free port from 8000 on is.
        `prevent_thread_lock` returns at once in a script, too. Pages of `frame_origins` may show the desk in a frame, by
        default those of the Jupyter server that runs this notebook. Raises DeskError.
        """
        _refuse(share, others)
        notebook = in_notebook()
        host = server_name or self.settings.host
        check_bind(host, self.settings.token)
        port = server_port if server_port is not None else free_port(host, self.settings.port)
        settings = self.settings.model_copy(update={"host": host, "port": port})
        origins = [*(frame_origins if frame_origins is not None else notebook_origins() if notebook else ())]
        frame_policy(origins)  # raises before anything starts
        if not notebook:
            set_up_logging(settings.log_level, settings.log_format, settings.secrets())
        if notebook and (earlier := _launched.pop(settings.data_dir.absolute(), None)) is not None:
            earlier.close()
            write_lines(f"smoldesk: closed the desk that used the data directory {settings.data_dir}")
        with private_files() if not notebook else contextlib.nullcontext():
            wires = wires_of(settings)  # before a desk takes its data directory
            desk, entry = self._desk(settings)
            server = build_server(desk, create_app(settings, desk, wires), frame_origins=origins)

            def announce(address: str) -> bool:
                self.address = address
                if not quiet:
                    write_lines(f"smoldesk serves {address}", *describe(self.source, entry.name, [*others]))
                if inbrowser:
                    webbrowser.open(address)
                return True

            self._server = server
            if notebook or prevent_thread_lock:
                announce(self._serve_in_thread(server))
            else:
                server.when_open = announce
                server.run()
        if notebook:
            _launched[settings.data_dir.absolute()] = self
            if inline is not False and self.address is not None:
                show_page(self.address, width, height, framed=bool(origins))
        return self

    def close(self) -> None:
        """End the server and the processes of its chats. Calling it again does nothing."""
        server, thread = self._server, self._thread
        if server is not None and thread is not None:
            server.should_exit = True
            thread.join(START_SECONDS)
        self._server = self._thread = self.address = None

    def __enter__(self) -> "DeskUI":
        return self

    def __exit__(self, kind: type | None, fault: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _desk(self, settings: Settings) -> tuple[Desk, AgentEntry]:
        agents = load_agents(settings.data_dir.absolute())
        entry, agents = with_own_agent(agents, self.source, self._name)
        return build_desk(settings.model_copy(update={"agent": entry.name}), agent_list=agents), entry

    def _serve_in_thread(self, server: DeskServer) -> str:
        """Start the server and return its address."""
        addresses: queue.SimpleQueue[str] = queue.SimpleQueue()

        def on_open(address: str) -> bool:
            addresses.put(address)
            return True

        def run() -> None:
            with contextlib.suppress(SystemExit):  # uvicorn's answer to a port that is taken
                server.run()

        server.when_open = on_open
        self._thread = threading.Thread(target=run, name="desk-ui", daemon=True)
        self._thread.start()
        while self._thread.is_alive():
            with contextlib.suppress(queue.Empty):
                return addresses.get(timeout=0.1)
        raise BadInput(
            f"The desk cannot listen on port {server.config.port}.",
            "Choose another server_port.",
            code="port_busy",
        )


def _refuse(share: bool, others: Mapping[str, Any]) -> None:
    if threading.current_thread().name == LOADER:
        raise BadInput(
            "A file that is being loaded as an agent launches itself.",
            "Run it with python, or put launch() under `if __name__ == '__main__':`.",
        )
    if share:
        raise BadInput(
            "share=True is not supported: everyone with the public link would have the desk and the rights of your tools.",
            "Use a tunnel or proxy of your own with server_name, SMOLDESK_TOKEN and SMOLDESK_ALLOWED_HOSTS.",
            code="share_not_supported",
        )
    if others.get("auth") is not None:
        raise BadInput(
            "auth is not supported: the desk has no user accounts.", "Set SMOLDESK_TOKEN, one token for all."
        )


def write_lines(*lines: str) -> None:
    """Write lines to the standard output, which a notebook shows under the cell."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def free_port(host: str, first: int) -> int:
    """Return the first port from `first` on that no program listens on. Raises BadInput if all of the next ones are taken."""
    if first == 0:
        return 0
    for port in range(first, min(first + MORE_PORTS, 65_536)):
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with socket.socket(family) as probe:
            if sys.platform != "win32":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                continue
        return port
    raise BadInput(f"The ports from {first} on are taken.", "Choose one with server_port.", code="port_busy")
