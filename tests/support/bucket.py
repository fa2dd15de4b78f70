"""A bucket for tests: moto's S3 server on a free port of 127.0.0.1."""

import logging
import secrets
from collections.abc import Generator
from contextlib import contextmanager

import httpx
import pytest
from moto.server import ThreadedMotoServer


class Bucket:
    """A bucket at `url`, through the variables of AWS's own tools; `stop` and `start` play a store that goes away."""

    def __init__(self) -> None:
        self.name = f"desk-{secrets.token_hex(4)}"  # moto keeps the objects of a stopped server
        self.port = 0
        self.start()
        httpx.put(f"{self.address}/{self.name}").raise_for_status()

    @property
    def url(self) -> str:
        return f"s3://{self.name}/below"

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        self._server = ThreadedMotoServer(ip_address="127.0.0.1", port=self.port, verbose=False)
        self._server.start()
        self.port = self._server.get_host_and_port()[1]

    def stop(self) -> None:
        self._server.stop()

    def keys(self) -> list[str]:
        """Return the keys of all objects."""
        text = httpx.get(f"{self.address}/{self.name}?list-type=2").text
        return [part.split("</Key>")[0] for part in text.split("<Key>")[1:]]


@contextmanager
def a_bucket() -> Generator[Bucket]:
    """Yield a new bucket, with the variables that name its server."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    bucket = Bucket()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ACCESS_KEY_ID", "test")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "test")
        patch.setenv("AWS_REGION", "us-east-1")
        patch.setenv("AWS_ENDPOINT_URL", bucket.address)
        try:
            yield bucket
        finally:
            bucket.stop()
