"""A real desk behind a real uvicorn on a free port: in a thread, or in a process of its own that can be killed."""

import json
import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import httpx
from fastapi import FastAPI

from smoldesk.cli.server import DeskServer, build_server
from smoldesk.desk import Desk, build_desk
from smoldesk.runs import Runs
from smoldesk.settings import Settings
from smoldesk.tools.run_context import RunContext
from tests.support.demo_agents import add_demo_tools
from tests.support.one_agent import OneAgent
from tests.support.servers import free_port
from tests.support.warm import ROOT, clean_environment, started
from tests.support.warm_children import helper

BORROWING = "from tests.support import warm_children; warm_children.borrow({}); "
"""Code by which a warm process has its children forked by the helper with this descriptor."""
SERVING = "import sys; from smoldesk.cli.main import main; sys.exit(main(sys.argv[1:]))"

ANALYSIS = ["numpy", "pandas", "matplotlib.pyplot"]
"""What children import ahead (`sandbox_preload`) where many tests ask one desk about tables."""


class LiveDesk:
    """A served desk; `url` is http://127.0.0.1:PORT."""

    def __init__(self, desk: Desk, server: DeskServer, thread: threading.Thread) -> None:
        self.desk = desk
        self._server = server
        self._thread = thread
        self.url = f"http://127.0.0.1:{server.port}"
        self.ws_url = f"ws://127.0.0.1:{server.port}/ws"

    def client(self, **options: Any) -> httpx.Client:
        return httpx.Client(base_url=self.url, **options)

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(120)  # a desk with hundreds of runs, beside five other processes of tests
        assert not self._thread.is_alive(), "the server did not stop"


def settings_for(folder: Path, **options: Any) -> Settings:
    """Settings that read no .env, on a free port; children import nothing ahead, so they start at once."""
    inputs: dict[str, Any] = {"data_dir": folder, "port": 0, "log_level": "WARNING", "sandbox_preload": []}
    inputs |= {"find_models": False}  # what happens to run on this machine is no part of a test
    inputs |= {"allow_unisolated": True} | options
    return Settings(_env_file=None, **inputs)  # pyright: ignore[reportCallIssue]


@contextmanager
def live_desk(
    folder: Path,
    make_model: Callable[[], Any] | None = None,
    make_tools: Callable[[Path], Any] | None = None,
    answer: "Callable[[str, RunContext], str] | None" = None,
    desk: Desk | None = None,
    app: FastAPI | None = None,
    demo_tools: bool = False,
    **options: Any,
) -> Generator[LiveDesk]:
    """Serve a desk from a thread of this process; `make_model` scripts the model, `make_tools` brings other tools.

    `answer` is all of the agent, in one function; `desk` and `app` are ones that were put together already. With
    `demo_tools` the agents `code` and `tools` have these, too.
    """
    settings = settings_for(add_demo_tools(folder) if demo_tools else folder, **options)
    desk = desk or build_desk(settings, make_model, make_tools)
    if answer is not None:
        desk = replace(
            desk, runs=Runs(desk.store, OneAgent(answer), grace_seconds=settings.stop_grace_seconds)
        )
    server = build_server(desk, app)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 30
    while not (server.started and server.port):
        assert thread.is_alive() and time.monotonic() < deadline, "the server did not start"
        time.sleep(0.01)
    live = LiveDesk(desk, server, thread)
    try:
        yield live
    finally:
        live.stop()


def events_of(url: str, chat_id: str) -> list[dict[str, Any]]:
    """What the log of a chat holds, without seqs and times."""
    text = httpx.get(f"{url}/api/chats/{chat_id}/events", timeout=120).text
    return [json.loads(line)["event"] for line in text.splitlines()]


class DeskProcess:
    """`smoldesk serve` in a process of its own; `cold` has it import everything, else it is a fork of one that has."""

    def __init__(
        self,
        folder: Path,
        port: int,
        env: dict[str, str] | None = None,
        code: str = SERVING,
        cold: bool = False,
    ) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.ws_url = f"ws://127.0.0.1:{port}/ws"
        # files take all there is; a pipe would fill up and hold the server
        self._output = tempfile.TemporaryFile()  # noqa: SIM115
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        # processes of its sandbox are forks, too
        children = () if cold else (helper().fileno(),)
        borrowing = "".join(BORROWING.format(one) for one in children)
        self.process = started(
            borrowing + code,
            ["serve", "--port", str(port), "--data-dir", str(folder)],
            cwd=ROOT,
            env=clean_environment()
            | {"SMOLDESK_SANDBOX_PRELOAD": "[]", "SMOLDESK_FIND_MODELS": "false"}
            | (env or {}),
            stdout=self._output,
            stderr=self._errors,
            cold=cold,
            inherited=children,
        )

    def wait_until_up(self) -> None:
        deadline = time.monotonic() + 60
        # without certificates: to load them takes 40 ms of processor time at each look
        with httpx.Client(verify=False, timeout=5) as http:
            while time.monotonic() < deadline:
                try:
                    if http.get(f"{self.url}/healthz").status_code == 200:
                        return
                except httpx.TransportError:
                    assert self.process.poll() is None, self.errors()
                    time.sleep(0.02)
        raise AssertionError("the server did not come up")

    def kill(self) -> None:
        """As a power cut would."""
        self.process.kill()
        self.process.wait(20)

    def terminate(self) -> int:
        """SIGTERM; the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(20)

    def errors(self) -> str:
        """What it wrote to stderr so far: the log."""
        return written(self._errors)

    def output(self) -> str:
        """What it wrote to stdout so far."""
        return written(self._output)

    def close(self) -> None:
        if self.process.poll() is None:
            self.kill()
        self._output.close()
        self._errors.close()


class Servers:
    """`smoldesk serve` in processes, one after the other or side by side; each has a free port. They end with the block."""

    def __init__(self, folder: Path, code: str = SERVING, **env: str) -> None:
        self._folder = folder
        self._code = code
        self._env = {"SMOLDESK_ALLOW_UNISOLATED": "true", "SMOLDESK_LOG_LEVEL": "WARNING"} | env
        self._started: list[DeskProcess] = []

    def start(self, name: str = "data", cold: bool = False, **env: str) -> DeskProcess:
        """One that is up, on the data directory of this name; `env` is for it alone."""
        process = DeskProcess(self._folder / name, free_port(), self._env | env, self._code, cold)
        self._started.append(process)
        process.wait_until_up()
        return process

    def __enter__(self) -> "Servers":
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._started:
            process.close()


def written(file: IO[bytes]) -> str:
    """All of a file that a process writes; read by place, for the process writes where the file's position is."""
    descriptor = file.fileno()
    return os.pread(descriptor, os.fstat(descriptor).st_size, 0).decode()
