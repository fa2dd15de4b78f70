"""A server that speaks as much of S3 as listing and reading need, and breaks it in the ways that a test asks for."""

import re
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

PAGE = 1000


class OddStore:
    """Objects of one bucket by key below `data/`. `fault` is empty, or what an answer does instead; a number is its status."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        self.fault = ""
        self.ranges: list[tuple[int, int]] = []
        self.goes_on = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler(self))
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self.goes_on.set()
        self._server.shutdown()
        self._server.server_close()

    def listing(self, after: str) -> str:
        keys = [key for key in sorted(self.objects) if key > after]
        more = f"<NextContinuationToken>{keys[PAGE - 1]}</NextContinuationToken>" if len(keys) > PAGE else ""
        contents = "".join(
            f"<Contents><Key>data/{key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>"
            f'<ETag>"{hash(self.objects[key]):x}"</ETag><Size>{len(self.objects[key])}</Size></Contents>'
            for key in keys[:PAGE]
        )
        return (
            f"<ListBucketResult><Name>bucket</Name><Prefix>data/</Prefix><KeyCount>{len(keys[:PAGE])}</KeyCount>"
            f"<IsTruncated>{'true' if more else 'false'}</IsTruncated>{more}{contents}</ListBucketResult>"
        )


def handler(store: OddStore) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            if store.fault == "hang":
                store.goes_on.wait(60)
            elif store.fault.isdigit():
                self.reply(int(store.fault), b"<Error><Code>Refused</Code></Error>")
            elif store.fault == "garbage":
                self.reply(200, b"\x00\xff<garbage" * 9)
            elif "list-type" in parts.query:
                after = parse_qs(parts.query).get("continuation-token", [""])[0]
                self.reply(200, store.listing(after).encode())
            else:
                self.read(store.objects[unquote(parts.path).removeprefix("/bucket/data/")])

        def read(self, content: bytes) -> None:
            start, end = map(int, re.findall(r"\d+", self.headers["Range"]))
            store.ranges.append((start, end + 1))
            tag, body = f'"{hash(content):x}"', content[start : end + 1]
            span = f"bytes {start}-{end}/{len(content)}"
            if store.fault == "another content":  # and the condition is ignored
                tag = '"0"'
            if store.fault == "another range":
                span = f"bytes 0-{end - start}/{len(content)}"
            self.reply(
                206, body[:-1] if store.fault == "short" else body, **{"ETag": tag, "Content-Range": span}
            )

        def reply(self, status: int, body: bytes, **headers: str) -> None:
            self.send_response(status)
            for name, value in {"Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            return

    return Handler


@contextmanager
def odd_store() -> Generator[OddStore]:
    """Yield a store, with the variables that name it."""
    store = OddStore()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ACCESS_KEY_ID", "key-of-the-operator")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "secret-of-the-operator")
        patch.setenv("AWS_REGION", "us-east-1")
        patch.setenv("AWS_ENDPOINT_URL", store.address)
        try:
            yield store
        finally:
            store.close()
