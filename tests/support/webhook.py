"""A web server that push notifications of A2A are posted to."""

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from a2a.types import a2a_pb2 as pb

OVER = ("TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED")


class Webhook:
    """A server that notes what is posted to it, and answers as it is told: the statuses in turn, the last for ever."""

    def __init__(self, *statuses: int, location: str = "") -> None:
        self.news = threading.Condition()
        self.posted: list[tuple[dict[str, str], dict[str, Any]]] = []
        self.statuses = list(statuses or (200,))
        """Those of the next answers; the last one stays."""
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                with outer.news:
                    outer.posted.append((headers, json.loads(body)))
                    outer.news.notify_all()
                self.send_response(outer.statuses.pop(0) if len(outer.statuses) > 1 else outer.statuses[0])
                if location:
                    self.send_header("Location", location)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None: ...  # pyright: ignore[reportIncompatibleMethodOverride]

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/hook"

    def told(self) -> list[str]:
        """The states it was told of."""
        return [body["statusUpdate"]["status"]["state"] for _, body in self.posted if "statusUpdate" in body]

    def is_told_the_end(self) -> bool:
        return any(state in OVER for state in self.told())

    def until(self, condition: Callable[[], bool], seconds: float = 60) -> None:
        """Wait until what was posted meets a condition."""
        with self.news:
            assert self.news.wait_for(condition, seconds), self.told()

    def keys(self) -> list[str]:
        """The idempotency key of each post."""
        return [headers["idempotency-key"] for headers, _ in self.posted]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def with_push(request: pb.SendMessageRequest, url: str, **about: str) -> pb.SendMessageRequest:
    config = pb.TaskPushNotificationConfig(url=url, **about)  # pyright: ignore[reportArgumentType]
    request.configuration.task_push_notification_config.CopyFrom(config)
    return request
