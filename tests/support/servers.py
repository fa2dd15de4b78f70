"""Small servers of tests, each on a thread of this process and a free port of 127.0.0.1."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from tests.support.waiting import come_true


def free_port() -> int:
    """A TCP port of 127.0.0.1 that nobody listened on a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@contextmanager
def http_served(handler: type[BaseHTTPRequestHandler], **options: Any) -> Iterator[str]:
    """The address of a server whose requests this class handles, made with these options; it logs nothing."""
    quiet = type(handler.__name__, (handler,), {"log_message": lambda *_: None})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(quiet, **options)) as server:
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


@contextmanager
def app_served(app: Any, port: int = 0, **options: Any) -> Iterator[str]:
    """The address of an ASGI app, which uvicorn serves with these options."""
    import uvicorn

    server = uvicorn.Server(uvicorn.Config(app, port=port, log_config=None, lifespan="off", **options))
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    come_true(lambda: server.started or not thread.is_alive())
    assert thread.is_alive(), "the server did not start"
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(20)
