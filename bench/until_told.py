"""Serving in a process of a benchmark's own: the port is the first line printed, and standard input's end is the end."""

import sys
import threading
import time

import uvicorn


def serve_until_told(server: uvicorn.Server) -> None:
    """Run a server on its port; returns when standard input has ended and the server with it."""

    def watch() -> None:
        while not server.started:
            time.sleep(0.01)
        print(server.servers[0].sockets[0].getsockname()[1], flush=True)
        sys.stdin.read()
        server.should_exit = True

    threading.Thread(target=watch, daemon=True).start()
    server.run()
