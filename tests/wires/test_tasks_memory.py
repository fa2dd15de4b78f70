"""Readers that stall, in numbers, against a server in a process of its own: they cost no memory, and nobody waits."""

import socket
import threading
from contextlib import ExitStack
from pathlib import Path

import psutil

from tests.support.desk_server import DeskProcess
from tests.support.task_agents import BLOCK
from tests.support.task_client import TaskClient

READERS = 24
PIECES = 800
SERVING = "import sys; from tests.wires.test_tasks_memory import main; sys.exit(main(sys.argv[1:]))"


def main(arguments: list[str]) -> int:
    """`smoldesk serve` with an agent that floods."""
    from dataclasses import replace

    from smoldesk.cli import main as cli
    from smoldesk.cli.server import build_server
    from smoldesk.desk import build_desk
    from smoldesk.runs import Runs
    from tests.support.one_agent import OneAgent
    from tests.support.task_agents import flood

    settings = cli.read_settings(cli.parser().parse_args(arguments))
    desk = build_desk(settings)
    build_server(replace(desk, runs=Runs(desk.store, OneAgent(flood)))).run()
    return 0


def test_readers_that_stall_cost_no_memory(tmp_path: Path, free_port: int) -> None:
    """8 MB of output and 24 readers that take nothing: kept for each of them, it would be 192 MB."""
    env = {"SMOLDESK_ALLOW_UNISOLATED": "true", "SMOLDESK_LOG_LEVEL": "WARNING"}
    with ExitStack() as closing:
        server = DeskProcess(tmp_path, free_port, env, SERVING)
        closing.callback(server.close)
        server.wait_until_up()
        client = closing.enter_context(TaskClient(server.url))
        alone = client.send(f"flood {PIECES}")  # what this takes with nobody who stalls is there before
        assert client.events(alone["id"])[-1].json["state"] == "completed"
        process = psutil.Process(server.process.pid)
        before = process.memory_info().rss
        task = client.send(f"flood {PIECES}")
        path = f"/tasks/{task['id']}/subscribe"
        for _ in range(READERS):
            stalled = closing.enter_context(socket.create_connection(("127.0.0.1", free_port)))
            stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
            stalled.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{free_port}\r\n\r\n".encode())
        most = [before]
        done = threading.Event()

        def watch() -> None:
            while not done.wait(0.05):
                most.append(process.memory_info().rss)

        watching = threading.Thread(target=watch)
        watching.start()
        try:
            events = client.events(task["id"])
        finally:
            done.set()
            watching.join()
        assert events[-1].json["state"] == "completed", "nobody waited for those who stall"
        pieces = sum(
            event.json["artifact"]["parts"][0]["text"].count(";")
            for event in events
            if event.event == "artifact"
        )
        assert pieces == PIECES
        grown = max(most) - before
        assert grown < READERS * PIECES * BLOCK / 3, f"the server grew by {grown / 1e6:.0f} MB"
